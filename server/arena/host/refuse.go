package host

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"flagfall/game"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// said is an error as the person who asked may read it: the event's codes are those of the wire.
func said(err error) error {
	var refusal *arena.Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	code := string(refusal.Code)
	plain := wire.Message(code)
	switch {
	case plain == "":
		return wire.Refusef(code, "%s", sentence(strings.ReplaceAll(code, "_", " ")+": "+refusal.Detail))
	case refusal.Detail == "":
		return wire.Refuse(code)
	}
	return wire.Refusef(code, "%s (%s)", strings.TrimSuffix(plain, "."), refusal.Detail)
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(text string) string {
	text = strings.TrimSuffix(strings.TrimSuffix(text, ": "), ".")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:] + "."
}

// badMessage refuses a request of another form.
func badMessage(format string, args ...any) error {
	return wire.Refusef(wire.CodeBadMessage, format, args...)
}

// notRuled says in plain words why a table did not take a ruling.
func notRuled(r *game.Refusal) error {
	if r.Code == game.BadRuling && r.Detail != "" {
		return errors.New(sentence(r.Detail))
	}
	if text := wire.Message(string(r.Shown())); text != "" {
		return errors.New(text)
	}
	return errors.New(sentence(r.Error()))
}
