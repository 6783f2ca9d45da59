package edge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/arena/host"
	"flagfall/server/wire"
)

func (s *Server) eventAddresses() map[string]methods {
	return map[string]methods{
		"/api/events":                           {http.MethodGet: s.getEvents, http.MethodHead: s.getEvents, http.MethodPost: s.postEvent},
		"/api/events/defaults":                  get(s.getDefaults),
		"/api/events/{event}":                   get(s.question("page", false, nil)),
		"/api/events/{event}/standings":         get(s.question("standings", false, nil)),
		"/api/events/{event}/boards":            get(s.question("boards", false, boardsAsked)),
		"/api/events/{event}/entries":           get(s.question("entries", true, nil)),
		"/api/events/{event}/desk":              get(s.question("desk", true, nil)),
		"/api/events/{event}/desk/games/{game}": get(s.question("game", true, gameAsked)),
		"/api/events/{event}/preview":           post(s.postPreview),
		"/api/events/{event}/acts":              post(s.postAct),
		"/api/events/{event}/chat":              {http.MethodGet: s.question("chat", true, chatAsked), http.MethodHead: s.question("chat", true, chatAsked), http.MethodPost: s.postChat},
		"/api/events/{event}/export/{file}":     get(s.getEventFile),
		"/api/events/{event}/link":              get(s.getLink),
		"/api/events/{event}/qr.svg":            get(s.getQR),
		"/events":                               get(s.getPage),
		"/events/new":                           get(s.getPage),
		"/e/{event}":                            get(s.getPage),
		"/e/{event}/manage":                     get(s.getPage),
		"/e/{event}/desk":                       get(s.getPage),
		"/e/{event}/screen":                     get(s.getPage),
		"/e/{event}/print":                      get(s.getPage),
	}
}

// keyHeader carries the key of an event's link or screen; a browser's page may put it into the address instead.
const keyHeader = "Flagfall-Key"

// key reads the key of an event's link or screen, "" for none.
func (p *params) key(r *http.Request) string {
	key := p.text("key")
	if header := r.Header.Get(keyHeader); header != "" {
		key = header
	}
	if key != "" && !wire.ValidKey(key) {
		p.refuse("The key must be 1 to 64 of A-Z, a-z, 0-9, _ and -.")
	}
	return key
}

// whole is a parameter that is a whole number of at least 0; without it 0.
func (p *params) whole(name string, most int64) int64 {
	text := p.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > most {
		p.refuse("The parameter %s must be a whole number from 0 to %d.", name, most)
	}
	return n
}

// viewer is who asks, the zero Person for who has no token; false after an answer that says that the token is not good.
// A cookie that is not good any more makes nobody of its browser: it may look at what anybody may.
func (s *Server) viewer(w http.ResponseWriter, r *http.Request, needed bool) (account.Person, bool) {
	session, bearer, err := s.session(r)
	if err != nil && (bearer || needed) {
		s.refuse(w, r, err)
		return account.Person{}, false
	}
	return session.Person, true
}

// mostBoards of an event, and more than it has.
const mostBoards = 1000

func boardsAsked(p *params, _ *http.Request) any {
	return struct {
		Most int64 `json:"most,omitempty"`
	}{p.whole("most", mostBoards)}
}

func chatAsked(p *params, _ *http.Request) any {
	return struct {
		After int64 `json:"after"`
	}{p.whole("after", maxCivil)}
}

func gameAsked(p *params, r *http.Request) any {
	game := r.PathValue("game")
	if !wire.ValidID(game) && p.err == nil {
		p.err = wire.Refuse(wire.CodeUnknownGame)
	}
	return struct {
		Game string `json:"game"`
	}{game}
}

// question answers with what an event says, as it is. Asked makes the question's body from the request.
func (s *Server) question(what string, person bool, asked func(*params, *http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if answer, ok := s.answered(w, r, what, person, asked); ok {
			s.sendTagged(w, r, "application/json", answer)
		}
	}
}

// answered asks an event; false after an answer that says what is wrong.
func (s *Server) answered(w http.ResponseWriter, r *http.Request, what string, person bool, asked func(*params, *http.Request) any) (json.RawMessage, bool) {
	p := parameters(r.URL.RawQuery)
	key := p.key(r)
	var body any = struct{}{}
	if asked != nil {
		body = asked(p, r)
	}
	if err := p.done(); err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	by, ok := s.viewer(w, r, person)
	if !ok {
		return nil, false
	}
	answer, err := s.ask(r.Context(), r.PathValue("event"), by, key, what, wire.Encode(body))
	if err != nil {
		s.refuse(w, r, err)
		return nil, false
	}
	return answer, true
}

func (s *Server) ask(ctx context.Context, event string, by account.Person, key, what string, body json.RawMessage) (json.RawMessage, error) {
	if !wire.ValidEvent(event) {
		return nil, wire.Refuse(wire.CodeUnknownEvent)
	}
	return s.cfg.Events.Answer(ctx, event, by, key, what, body)
}

// sendTagged answers with what may be the same when it is asked again: then with 304 and nothing.
func (s *Server) sendTagged(w http.ResponseWriter, r *http.Request, kind string, data []byte) {
	sum := sha256.Sum256(data)
	tag := `"` + hex.EncodeToString(sum[:12]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Authorization, Cookie, "+keyHeader)
	for one := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		if one = strings.TrimSpace(one); one == tag || one == "W/"+tag || one == "*" {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // whoever is gone does not need it
	}
}

// getEvents lists the events that anybody may find, the newest first, a hundred at most.
func (s *Server) getEvents(w http.ResponseWriter, r *http.Request) {
	p := parameters(r.URL.RawQuery)
	q := host.ListQuery{Phase: p.oneOf("phase", "", "open", "running", "past"), Club: p.text("club")}
	if q.Club != "" && !wire.ValidEvent(q.Club) {
		p.refuse("The parameter club must be 3 to 40 of a-z, 0-9 and -.")
	}
	err := p.done()
	var list []host.Listed
	if err == nil {
		list, err = s.cfg.Events.List(r.Context(), q)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if list == nil {
		list = []host.Listed{}
	}
	s.sendTagged(w, r, "application/json", wire.Encode(map[string]any{"events": list}))
}

// getDefaults answers with the settings of a usual event of a format.
func (s *Server) getDefaults(w http.ResponseWriter, r *http.Request) {
	p := parameters(r.URL.RawQuery)
	format := p.oneOf("format", string(arena.Arena), string(arena.RoundRobin), string(arena.DoubleRoundRobin))
	if err := p.done(); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.sendTagged(w, r, "application/json", wire.Encode(arena.Defaults(arena.Format(format))))
}

// actor is the person, of an account or, if guests may, a guest, who changes something in events; false after an answer
// that says that he may not, or does so too often.
func (s *Server) actor(w http.ResponseWriter, r *http.Request, guests bool, limit *buckets[string]) (account.Person, bool) {
	if s.foreign(w, r) {
		return account.Person{}, false
	}
	session, _, err := s.session(r)
	if err == nil && session.Person.Guest && !guests {
		err = wire.Refuse(wire.CodeAccountNeeded)
	}
	if err == nil && !limit.take(session.Person.ID, time.Now()) {
		err = wire.Refuse(wire.CodeTooMany)
	}
	if err != nil {
		s.refuse(w, r, err)
		return account.Person{}, false
	}
	return session.Person, true
}

// postEvent makes an event (201) of a person with an account.
func (s *Server) postEvent(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r, false, s.makings)
	if !ok {
		return
	}
	body, err := readEvent(w, r)
	if err == nil && by.Bot {
		err = wire.Refuse(wire.CodeNotForBots)
	}
	var name string
	if err == nil {
		name, err = s.cfg.Events.Create(r.Context(), by, body)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, "application/json", map[string]string{"event": name})
}
