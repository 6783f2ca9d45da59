package edge

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// readEvent reads the form of an event that is to be made. What its settings may be, the event says.
func readEvent(w http.ResponseWriter, r *http.Request) (json.RawMessage, error) {
	var fields struct {
		Event    *string         `json:"event"`
		Club     *string         `json:"club"`
		Password json.RawMessage `json:"password"`
		Settings json.RawMessage `json:"settings"`
	}
	data, err := readAll(w, r, maxAct)
	if err == nil {
		err = decodeBody(r, data, &fields)
	}
	if err == nil {
		err = object(data, new(map[string]json.RawMessage))
	}
	switch {
	case err != nil:
		return nil, err
	case fields.Event != nil && !wire.FreeEvent(*fields.Event):
		return nil, wire.Refusef(wire.CodeBadName, "The name of an event in addresses has 3 to 40 of a-z, 0-9 and -, and does not begin with -.")
	case fields.Club != nil && !wire.ValidEvent(*fields.Club):
		return nil, wire.Refuse(wire.CodeUnknownClub)
	case fields.Password != nil && actFields["password"](fields.Password) != "":
		return nil, wire.Refusef(wire.CodeBadPassword, "The password of an event has 1 to 128 characters.")
	case settingsObject(fields.Settings) != "":
		return nil, wire.Refusef(wire.CodeBadSettings, `The field "settings" must be there and be an object.`)
	}
	return data, checkSettings(fields.Settings)
}

// settingNames are the fields that settings have, and those of the objects in them.
var settingNames = map[string][]string{
	"": fieldNames(reflect.TypeFor[arena.Settings]()), "terms": fieldNames(reflect.TypeFor[arena.Terms]()), "options": fieldNames(reflect.TypeFor[game.Options]()),
}

func fieldNames(of reflect.Type) (names []string) {
	for i := range of.NumField() {
		name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// checkSettings refuses a field that settings do not have, or have once: a slip would leave something as it usually is.
func checkSettings(raw json.RawMessage) error {
	for part, names := range settingNames {
		var fields map[string]json.RawMessage
		text, where := raw, "settings"
		if part != "" {
			if object(raw, &fields) != nil || fields[part] == nil {
				continue
			}
			text, where = fields[part], "settings."+part
		}
		if err := object(text, &fields); err != nil {
			return wire.Refusef(wire.CodeBadSettings, "The field %q must be an object, each field of it once.", where)
		}
		for name := range fields {
			if !slices.Contains(names, name) {
				return wire.Refusef(wire.CodeBadSettings, "There is no field %q in %q.", clipped(name), where)
			}
		}
	}
	return nil
}

// readJSON reads a body of at most so many bytes that says that it is JSON.
func readJSON(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	data, err := readAll(w, r, most)
	if err != nil {
		return nil, err
	}
	return data, isJSON(r)
}

// keyAndJSON reads what is said to an event: the key, which is the only parameter, and a body as readJSON does.
func keyAndJSON(w http.ResponseWriter, r *http.Request, most int64) (key string, data []byte, err error) {
	p := parameters(r.URL.RawQuery)
	key = p.key(r)
	if err = p.done(); err == nil {
		data, err = readJSON(w, r, most)
	}
	return key, data, err
}

// postAct does something in an event. The answer is what the act says, {} for most.
func (s *Server) postAct(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r, true, s.acts)
	if !ok {
		return
	}
	key, data, err := keyAndJSON(w, r, maxRoster)
	var a act
	if err == nil {
		a, err = readAct(data)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	event := r.PathValue("event")
	var answer json.RawMessage
	do := func() (err error) {
		answer, err = s.ask(r.Context(), event, by, key, "act", data)
		return err
	}
	if a.password != "" {
		err = s.triedEvent(w, r, event, key, by, do)
	} else {
		err = do()
	}
	s.said(w, r, answer, err)
}

// said answers with what an event says to what somebody does.
func (s *Server) said(w http.ResponseWriter, r *http.Request, answer json.RawMessage, err error) {
	if len(answer) == 0 || string(answer) == "null" {
		answer = json.RawMessage("{}")
	}
	s.answer(w, r, answer, err)
}

// postPreview answers with the table as it would be after a correction.
func (s *Server) postPreview(w http.ResponseWriter, r *http.Request) {
	s.tell(w, r, "preview", s.acts, func(fields map[string]json.RawMessage) error {
		a := act{fields: fields}
		return a.check([]string{"game", "score"}, []string{"forfeit"})
	}, []string{"game", "score"}, []string{"forfeit"})
}

// postChat says something in an event's chat.
func (s *Server) postChat(w http.ResponseWriter, r *http.Request) {
	s.tell(w, r, "say", s.chats, func(fields map[string]json.RawMessage) error {
		if want := lineOf(1, 300)(fields["text"]); want != "" {
			return wire.Refusef(wire.CodeBadMessage, `The field "text" must be %s.`, want)
		}
		return nil
	}, []string{"text"}, nil)
}

// tell passes a small body of known fields on to an event, and its answer back.
func (s *Server) tell(w http.ResponseWriter, r *http.Request, what string, limit *buckets[string],
	check func(map[string]json.RawMessage) error, required, optional []string) {
	by, ok := s.actor(w, r, true, limit)
	if !ok {
		return
	}
	key, data, err := keyAndJSON(w, r, maxBody)
	var fields map[string]json.RawMessage
	if err == nil {
		err = object(data, &fields)
	}
	if err == nil {
		err = exactly(fields, required, optional)
	}
	if err == nil {
		err = check(fields)
	}
	var answer json.RawMessage
	if err == nil {
		answer, err = s.ask(r.Context(), r.PathValue("event"), by, key, what, data)
	}
	s.said(w, r, answer, err)
}

// exactly refuses fields that are missing, or that nobody knows.
func exactly(fields map[string]json.RawMessage, required, optional []string) error {
	for name := range fields {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return wire.Refusef(wire.CodeBadMessage, "There is no field %q here.", clipped(name))
		}
	}
	for _, name := range required {
		if fields[name] == nil {
			return wire.Refusef(wire.CodeBadMessage, "The field %q is needed.", name)
		}
	}
	return nil
}

// triesAt is whose wrong passwords for an event are counted together: one person's, and all of one address.
type triesAt struct {
	event, person string
	home          netip.Prefix
}

// triedEvent refuses a password of an event that is checked too often, or runs the check and counts it if it was wrong.
// What checks cost is counted against the address, or against the event whose link leads here.
func (s *Server) triedEvent(w http.ResponseWriter, r *http.Request, event, key string, by account.Person, check func() error) error {
	now, home := time.Now(), neighbourhood(s.clientAddress(r))
	if !s.within(s.eventPasswords, s.passwords, s.hallOf(event, key, home), home, now) {
		return wire.Refuse(wire.CodeTooMany)
	}
	one, all := triesAt{event: event, person: by.ID}, triesAt{event: event, home: home}
	ok := s.eventTries.take(one, now)
	if ok && !s.eventTriesAll.take(all, now) {
		s.eventTries.put(one)
		ok = false
	}
	if !ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(1/s.limits.Account.PerSecond)))
		return wire.Refusef(wire.CodeTooMany, "Too many wrong passwords for this event; wait a minute.")
	}
	err := check()
	if !errors.Is(err, wire.Refuse(wire.CodeWrongPassword)) {
		s.eventTries.put(one)
		s.eventTriesAll.put(all)
	}
	return err
}
