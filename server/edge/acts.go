package edge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// Sizes of what people ask of an event, in bytes.
const (
	maxAct    = 16 << 10
	maxRoster = 256 << 10
)

// act is what somebody does in an event. The edge reads its form; whether he may is the event's to say.
type act struct {
	do       string
	password string
	fields   map[string]json.RawMessage
}

// actForms lists the fields of each act beside do. With why a reason is needed.
var actForms = map[string]struct{ required, optional string }{
	"enter":    {"", "password name claim"},
	"arrive":   {"", "who"},
	"pause":    {"", "who"},
	"return":   {"", "who"},
	"withdraw": {"", "who"},
	"ready":    {"", ""},
	"report":   {"game text", ""},

	"edit":     {"settings", ""},
	"password": {"password", ""},
	"staff":    {"organisers arbiters", ""},
	"advance":  {"to", ""},
	"cancel":   {"why", ""},
	"admit":    {"who", ""},
	"remove":   {"who why", ""},
	"roster":   {"csv", ""},
	"add":      {"name", "real rating"},
	"bell":     {"bell why", ""},

	"round":    {"", ""},
	"hold":     {"held why", ""},
	"announce": {"text", ""},
	"hush":     {"who on", ""},
	"unsay":    {"n", ""},

	"duty":    {"on", ""},
	"pair":    {"white black why", ""},
	"expel":   {"who why", ""},
	"correct": {"game score why", "forfeit"},
	"freeze":  {"on why", ""},
	"rule":    {"game act why", "side clocks score replay"},
	"settle":  {"report why", ""},
}

// readAct reads an act strictly: a known one, with its fields and no others.
func readAct(data []byte) (act, error) {
	a := act{}
	if err := object(data, &a.fields); err != nil {
		return act{}, err
	}
	if err := json.Unmarshal(a.fields["do"], &a.do); err != nil || a.do == "" {
		return act{}, wire.Refusef(wire.CodeBadMessage, `The field "do" must be there and be a string.`)
	}
	form, known := actForms[a.do]
	if !known {
		return act{}, wire.Refusef(wire.CodeBadMessage, "There is no act %q.", clipped(a.do))
	}
	required, optional := strings.Fields(form.required), strings.Fields(form.optional)
	if most := maxAct; len(data) > most && a.do != "roster" {
		return act{}, wire.Refusef(wire.CodeTooLarge, "The body may have %d bytes at most.", most)
	}
	for name := range a.fields {
		if name != "do" && !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return act{}, wire.Refusef(wire.CodeBadMessage, "The act %s has no field %q.", a.do, clipped(name))
		}
	}
	for _, name := range required {
		if _, there := a.fields[name]; !there && name != "why" {
			return act{}, wire.Refusef(wire.CodeBadMessage, "The act %s needs the field %q.", a.do, name)
		}
	}
	return a, a.check(required, optional)
}

// check tells which field has a value that it cannot have.
func (a *act) check(required, optional []string) error {
	for _, name := range append(required, optional...) {
		raw, there := a.fields[name]
		if !there && name != "why" {
			continue
		}
		if want := actFields[name](raw); want != "" {
			code := wire.CodeBadMessage
			if name == "why" {
				code = wire.CodeNeedsReason
			}
			return wire.Refusef(code, "The field %q must be %s.", name, want)
		}
	}
	if raw := a.fields["password"]; raw != nil && a.do == "enter" {
		return json.Unmarshal(raw, &a.password)
	}
	switch a.do {
	case "rule":
		return a.checkRule()
	case "edit":
		return checkSettings(a.fields["settings"])
	}
	return nil
}

// checkRule holds a ruling to what its act needs.
func (a *act) checkRule() error {
	var ruling string
	if err := json.Unmarshal(a.fields["act"], &ruling); err != nil {
		return err
	}
	needs := map[string]string{"clocks": "clocks", "warn": "side", "minute": "side", "loss": "side", "delay": "side", "unjust": "side", "result": "score"}[ruling]
	if needs != "" && a.fields[needs] == nil {
		return wire.Refusef(wire.CodeBadMessage, "The ruling %s needs the field %q.", ruling, needs)
	}
	for _, name := range []string{"side", "clocks", "score", "replay"} {
		if a.fields[name] != nil && name != needs && !(ruling == "annul" && name == "replay") {
			return wire.Refusef(wire.CodeBadMessage, "The ruling %s has no field %q.", ruling, name)
		}
	}
	return nil
}

// actFields tell of a field's value what it must be, "" where it is that.
var actFields = map[string]func(json.RawMessage) string{
	"password": textOf(1, 128), "name": lineOf(1, 80), "real": lineOf(0, 80), "why": textOf(1, 500), "csv": textOf(1, maxRoster),
	"text":  textOf(1, 2000),
	"claim": id, "who": id, "game": id, "report": id, "white": id, "black": id,
	"settings":   settingsObject,
	"organisers": names, "arbiters": names,
	"to":     oneOf("open", "checkin", "running", "signed", "published"),
	"act":    oneOf("stop", "resume", "clocks", "warn", "minute", "loss", "result", "annul", "unjust", "delay"),
	"side":   oneOf("w", "b"),
	"score":  oneOf("1-0", "0-1", "1/2-1/2", "0-0", "*"),
	"clocks": clocks,
	"rating": wholeFrom(0, 4000), "bell": wholeFrom(1, maxCivil), "n": wholeFrom(1, maxCivil),
	"held": truth, "on": truth, "forfeit": truth, "replay": truth,
}

// maxCivil is a time, in Unix ms, that nobody lives to see, and a number that a JavaScript number holds exactly.
const maxCivil = 1<<53 - 1

// textOf holds for text of so many characters that people can read. Tabs and line ends are readable.
func textOf(least, most int) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		var text *string
		if json.Unmarshal(raw, &text) != nil || text == nil {
			return fmt.Sprintf("text of %d to %d characters", least, most)
		}
		if n := utf8.RuneCountInString(strings.TrimSpace(*text)); n < least || utf8.RuneCountInString(*text) > most {
			return fmt.Sprintf("text of %d to %d characters", least, most)
		}
		if strings.ContainsFunc(*text, unreadable) {
			return "text without control characters"
		}
		return ""
	}
}

// lineOf is textOf without line ends and tabs.
func lineOf(least, most int) func(json.RawMessage) string {
	text := textOf(least, most)
	return func(raw json.RawMessage) string {
		if want := text(raw); want != "" {
			return want
		}
		var line string
		if json.Unmarshal(raw, &line) != nil || strings.ContainsAny(line, "\n\r\t") {
			return "text of one line"
		}
		if line != "" && !strings.ContainsFunc(line, visible) {
			return "text that can be seen"
		}
		return ""
	}
}

func visible(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) }

// unreadable holds for characters that make text look like what it is not: control characters, and those that turn the
// direction of what follows.
func unreadable(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

func id(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil || !wire.ValidID(text) {
		return "an id: 1 to 32 of A-Z, a-z, 0-9, _ and -"
	}
	return ""
}

func oneOf(values ...string) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		var text string
		if json.Unmarshal(raw, &text) != nil || !slices.Contains(values, text) {
			return "one of " + strings.Join(values, ", ")
		}
		return ""
	}
}

// mostStaff is how many organisers, or arbiters, an event can have.
const mostStaff = 50

func names(raw json.RawMessage) string {
	var list []string
	if json.Unmarshal(raw, &list) != nil || list == nil || len(list) > mostStaff {
		return fmt.Sprintf("a list of %d names at most", mostStaff)
	}
	for _, one := range list {
		if !account.ValidName(one) {
			return "a list of names"
		}
	}
	return ""
}

func settingsObject(raw json.RawMessage) string {
	var fields map[string]json.RawMessage
	if object(raw, &fields) != nil {
		return "an object"
	}
	return ""
}

// clocks are what both have left, in ms: a day at most.
func clocks(raw json.RawMessage) string {
	const want = "a list of two whole numbers of ms, 0 to 86400000"
	var list []int64
	if json.Unmarshal(raw, &list) != nil || len(list) != 2 {
		return want
	}
	for _, ms := range list {
		if ms < 0 || ms > 86_400_000 {
			return want
		}
	}
	return ""
}

func wholeFrom(least, most int64) func(json.RawMessage) string {
	return func(raw json.RawMessage) string {
		var n *int64
		if json.Unmarshal(raw, &n) != nil || n == nil || *n < least || *n > most {
			return fmt.Sprintf("a whole number from %d to %d", least, most)
		}
		return ""
	}
}

func truth(raw json.RawMessage) string {
	var is *bool
	if json.Unmarshal(raw, &is) != nil || is == nil {
		return "true or false"
	}
	return ""
}

// object reads the members of one JSON object in valid UTF-8. A member that is there twice is refused: two readers could
// take another one each.
func object(data []byte, into *map[string]json.RawMessage) error {
	bad := wire.Refusef(wire.CodeBadMessage, "The body must be one JSON object.")
	if !utf8.Valid(data) || !json.Valid(data) {
		return bad
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return bad
	}
	all := map[string]json.RawMessage{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return bad
		}
		name, _ := token.(string)
		if _, twice := all[name]; twice {
			return wire.Refusef(wire.CodeBadMessage, "The field %q is there twice.", clipped(name))
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return bad
		}
		all[name] = value
	}
	*into = all
	return nil
}

// clipped shows what somebody sent: it goes back to him and into logs.
func clipped(text string) string {
	const most = 32
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}
