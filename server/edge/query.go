package edge

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"time"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// Sizes of a page.
const (
	usualPage = 20
	mostPage  = 100
)

// params reads the parameters of an address. The first that is wrong is the error of all.
type params struct {
	values url.Values
	known  []string
	err    error
}

// parameters takes the query of a request apart.
func parameters(raw string) *params {
	values, err := url.ParseQuery(raw)
	p := &params{values: values}
	if err != nil {
		p.refuse("The part of the address behind the question mark cannot be read.")
	}
	return p
}

func (p *params) refuse(format string, args ...any) {
	if p.err == nil {
		p.err = wire.Refusef(wire.CodeBadMessage, format, args...)
	}
}

// text is a parameter, "" if it is not there. One that is given must have a value, and once.
func (p *params) text(name string) string {
	p.known = append(p.known, name)
	given, there := p.values[name]
	switch {
	case !there:
		return ""
	case len(given) > 1:
		p.refuse("The parameter %s is given %d times.", name, len(given))
	case given[0] == "":
		p.refuse("The parameter %s has no value.", name)
	}
	return given[0]
}

// oneOf is a parameter that has few values; without it the first of them.
func (p *params) oneOf(name string, values ...string) string {
	text := p.text(name)
	if text == "" {
		return values[0]
	}
	if !slices.Contains(values, text) {
		p.refuse("The parameter %s is none of %q.", name, slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == "" }))
	}
	return text
}

func (p *params) flag(name string) *bool {
	text := p.oneOf(name, "", "true", "false")
	if text == "" {
		return nil
	}
	is := text == "true"
	return &is
}

// size is the parameter limit: how many lines a page has.
func (p *params) size() int {
	text := p.text("limit")
	if text == "" {
		return usualPage
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPage {
		p.refuse("The parameter limit must be a number from 1 to %d.", mostPage)
	}
	return n
}

// moment is a day, which begins at midnight UTC, or a time with its zone.
func (p *params) moment(name string) time.Time {
	text := p.text(name)
	if text == "" {
		return time.Time{}
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil && at.Year() >= 1970 && at.Year() < 10000 {
			return at
		}
	}
	p.refuse("The parameter %s must be a day (2026-03-01) or a time (2026-03-01T12:00:00Z).", name)
	return time.Time{}
}

func (p *params) person(name string) string {
	text := p.text(name)
	if text != "" && !account.ValidName(text) {
		p.refuse("The parameter %s is not a name.", name)
	}
	return text
}

// place reads the parameter after into a place that an earlier answer gave as next.
func (p *params) place(into any) {
	text := p.text("after")
	if text == "" {
		return
	}
	data, err := base64.RawURLEncoding.DecodeString(text)
	// Ids and names are plain; what is not may be more than a database takes.
	plain := !slices.ContainsFunc(data, func(b byte) bool { return b < ' ' || b > '~' || b == '\\' })
	if err != nil || !plain || json.Unmarshal(data, into) != nil {
		p.refuse("The parameter after must be the next of an earlier answer.")
	}
}

// done refuses parameters that nobody has asked for, and gives the error of all.
func (p *params) done() error {
	for name := range p.values {
		if !slices.Contains(p.known, name) {
			p.refuse("The parameter %q is not known here.", name)
		}
	}
	return p.err
}

// nextPlace is the place behind the last line of a full page, for the parameter after of the next request; "" if the page was
// not full.
func nextPlace(lines, size int, place func() any) string {
	if lines < size {
		return ""
	}
	data, err := json.Marshal(place())
	if err != nil {
		panic("edge: a place that cannot be encoded: " + err.Error()) // places are plain structs
	}
	return base64.RawURLEncoding.EncodeToString(data)
}
