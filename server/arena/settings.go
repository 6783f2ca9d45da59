package arena

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"flagfall/game"
)

// Format is how an event pairs and when it ends.
type Format string

// The formats.
const (
	Arena            Format = "arena"
	RoundRobin       Format = "round_robin"
	DoubleRoundRobin Format = "double_round_robin"
)

// Scoring says what a game is worth.
type Scoring string

// The scorings. Arena points are two for a win and one for a draw, twice that after two wins in a row until a game is
// not won.
const (
	Classic     Scoring = "classic" // 1, 1/2, 0
	ArenaPoints Scoring = "arena"
)

// AtBell says what becomes of games that run when the bell rings. Standings, tie-breaks, rating and PGN all follow it.
type AtBell string

// What may become of them.
const (
	PlayOn AtBell = "play_on" // they are played to the end and count
	Stop   AtBell = "stop"    // they are stopped and void
)

// Access says who finds an event and may enter it. A password is the caller's to check.
type Access string

// The accesses.
const (
	Public     Access = ""
	ByLink     Access = "link"
	ByPassword Access = "password"
)

// Settings are what the organiser decides. Times are milliseconds; those of day are Unix milliseconds, 0 where only the
// organiser acts.
type Settings struct {
	Name    string     `json:"name"`
	Format  Format     `json:"format"`
	Terms   game.Terms `json:"terms"`
	Rated   bool       `json:"rated,omitempty"`
	Two     bool       `json:"two,omitempty"` // each pairing is a match of two games with colours reversed
	Scoring Scoring    `json:"scoring"`
	Bell    AtBell     `json:"bell"`

	CheckInAt int64 `json:"checkin_at,omitempty"`
	StartAt   int64 `json:"start_at,omitempty"`
	Duration  int64 `json:"duration,omitempty"`  // of an arena
	LastPair  int64 `json:"last_pair,omitempty"` // no pairing so shortly before the bell
	Rest      int64 `json:"rest"`                // between games, unless the player is ready sooner

	RepeatWait int64 `json:"repeat_wait"` // both wait so long before they meet again at once
	ColorWait  int64 `json:"color_wait"`  // and before a bound on colours gives way

	Access    Access `json:"access,omitempty"`
	Approve   bool   `json:"approve,omitempty"` // the organiser approves entries
	Guests    bool   `json:"guests,omitempty"`
	Bots      bool   `json:"bots,omitempty"` // programs may enter
	Late      bool   `json:"late,omitempty"` // entries while it runs; arenas only
	MinRating int    `json:"min_rating,omitempty"`
	MaxRating int    `json:"max_rating,omitempty"`
	Most      int    `json:"most,omitempty"` // entries; 0 is mostEntries

	GroupSize int   `json:"group_size,omitempty"` // of a round robin; 0 is one group
	AutoRound bool  `json:"auto_round,omitempty"` // the next round starts when all games of the last are over
	RoundRest int64 `json:"round_rest,omitempty"` // and this long has passed
	Playoff   bool  `json:"playoff,omitempty"`    // a shared first place is played off

	Zone string `json:"zone,omitempty"` // where the event is held, "Europe/Madrid"; UTC

	Options game.Options `json:"options"`
}

// Limits.
const (
	mostEntries = 2000
	mostRobin   = 32 // of a group
	mostName    = 80 // characters
	mostRating  = 4000
	mostKept    = 2 * mostEntries // entries, with those who withdrew or were put out
	lastMoment  = 253402300799999 // of the year 9999, Unix ms
	leastFirst  = 5000            // ms for a first move
	mostFirst   = 10 * 60000
	mostIdle    = 60 * 60000 // ms with both flags down
	longestWait = 5 * 60000
	longest24   = 24 * 60 * 60000
)

// Defaults are the settings of an hour's WBCA arena, or of a round robin, with five minutes each. Who has not moved thirty
// seconds after the pairing, in a round robin sixty, has not come (D33): ten until his clock starts, and the rest.
func Defaults(format Format) Settings {
	set := Settings{
		Format: format, Terms: game.Terms{RuleSet: "wbca", Base: 5 * 60000, Mode: game.OverTheBoard},
		Scoring: Classic, Bell: PlayOn, Duration: 60 * 60000, LastPair: 10000, Rest: 10000, RoundRest: 10000,
		RepeatWait: 15000, ColorWait: 15000, Guests: true, Late: true, Options: game.TableOptions(),
	}
	set.Options.FirstMove = 20000
	if format != Arena {
		set.Options.FirstMove = 50000
	}
	return set
}

// Check refuses settings that cannot be held and names the field.
func (s *Settings) Check() error {
	if !readable(s.Name) || utf8.RuneCountInString(s.Name) > mostName {
		return refuse(BadSettings, "name: want 1 to %d characters, on one line", mostName)
	}
	if err := s.checkWords(); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		ms   int64
		most int64
	}{
		{"last_pair", s.LastPair, longest24}, {"rest", s.Rest, longestWait}, {"repeat_wait", s.RepeatWait, longestWait},
		{"color_wait", s.ColorWait, longestWait}, {"round_rest", s.RoundRest, longest24},
	} {
		if f.ms < 0 || f.ms > f.most {
			return refuse(BadSettings, "%s %d ms: want 0 to %d", f.name, f.ms, f.most)
		}
	}
	if s.Format == Arena && (s.Duration < 60000 || s.Duration > longest24 || s.LastPair >= s.Duration) {
		return refuse(BadSettings, "duration %d ms: want a minute to a day, and more than last_pair", s.Duration)
	}
	if s.CheckInAt < 0 || s.StartAt < 0 || s.CheckInAt > 0 && s.StartAt > 0 && s.CheckInAt > s.StartAt {
		return refuse(BadSettings, "checkin_at is after start_at")
	}
	if max(s.CheckInAt, s.StartAt) > lastMoment {
		return refuse(BadSettings, "start_at or checkin_at is after the year 9999")
	}
	if s.Most < 0 || s.Most > mostEntries || s.MinRating < 0 || max(s.MinRating, s.MaxRating) > mostRating || s.MaxRating != 0 && s.MaxRating < s.MinRating {
		return refuse(BadSettings, "most or the limits of rating")
	}
	if s.GroupSize != 0 && (s.GroupSize < 3 || s.GroupSize > mostRobin) {
		return refuse(BadSettings, "group_size %d: want 3 to %d", s.GroupSize, mostRobin)
	}
	if _, err := s.zone(); err != nil {
		return refuse(BadSettings, "zone %q: want a name such as Europe/Madrid", s.Zone)
	}
	return s.checkGame()
}

func (s *Settings) checkWords() error {
	if styles[s.Format] == nil {
		return refuse(BadSettings, "format %q", s.Format)
	}
	if s.Scoring != Classic && (s.Scoring != ArenaPoints || s.Format != Arena) {
		return refuse(BadSettings, "scoring %q of format %q", s.Scoring, s.Format)
	}
	if s.Access != Public && s.Access != ByLink && s.Access != ByPassword {
		return refuse(BadSettings, "access %q", s.Access)
	}
	if s.Bell != PlayOn && s.Bell != Stop {
		return refuse(BadSettings, "bell %q", s.Bell)
	}
	return nil
}

// checkGame refuses terms that no game can have, and rated ones that no rating counts (WBCA 1).
func (s *Settings) checkGame() error {
	switch o := &s.Options; {
	case s.Terms.Base < game.MinBase:
		return refuse(BadSettings, "terms: base %d ms, want %d at least", s.Terms.Base, game.MinBase)
	case !o.Presence:
		return refuse(BadSettings, "options: presence is needed, or who does not come stops the event")
	case o.FirstMove < leastFirst || o.FirstMove > mostFirst:
		return refuse(BadSettings, "options: first_move %d ms, want %d to %d", o.FirstMove, leastFirst, mostFirst)
	case o.BothFlagsIdle > mostIdle:
		return refuse(BadSettings, "options: both_flags_idle %d ms, want %d at most", o.BothFlagsIdle, mostIdle)
	}
	a, b := Entry{ID: "a", Name: "a", Account: true}, Entry{ID: "b", Name: "b", Account: true}
	setup := s.setup(&a, &b)
	if s.Rated && setup.RatingKind() == "" {
		return refuse(BadSettings, "rated: no rating counts these terms")
	}
	if err := setup.Check(); err != nil {
		return refuse(BadSettings, "%s", err)
	}
	return nil
}

// setup is a game of the event.
func (s *Settings) setup(white, black *Entry) game.Setup {
	setup := s.Terms.Setup(white.player(), black.player())
	setup.Rated = setup.Rated && s.Rated
	setup.Options, setup.Origin = s.Options, "arena"
	return setup
}

// readable holds for a name that people can tell from others: on one line, nothing that turns its direction, and something to
// be seen.
func readable(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsFunc(name, unreadable) && strings.ContainsFunc(name, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S)
	})
}

func unreadable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

func (s *Settings) most() int {
	if s.Most == 0 {
		return mostEntries
	}
	return s.Most
}

// Code names why a command was refused.
type Code string

// The codes.
const (
	BadSettings    Code = "bad_settings"
	Forbidden      Code = "forbidden"       // not this person's business
	WrongPhase     Code = "wrong_phase"     // not in this phase of the event
	UnknownEntry   Code = "unknown_entry"   //
	UnknownGame    Code = "unknown_game"    //
	AlreadyIn      Code = "already_in"      //
	Barred         Code = "barred"          // removed or expelled
	NoGuests       Code = "no_guests"       //
	RatingLimit    Code = "rating_limit"    //
	Full           Code = "full"            //
	NoLateEntry    Code = "no_late_entry"   //
	TooFew         Code = "too_few"         // players
	NotNow         Code = "not_now"         // somebody still plays, or is not free
	NeedsReason    Code = "needs_reason"    // an arbiter's act needs one
	OwnGame        Code = "own_game"        // no arbiter rules on his own game
	BadResult      Code = "bad_result"      //
	BadBell        Code = "bad_bell"        // the bell cannot be moved there
	UnknownRequest Code = "unknown_request" //
	AlreadyMade    Code = "already_made"    //
	NameTaken      Code = "name_taken"      // by somebody else in the event
	NotForBots     Code = "not_for_bots"    //
	UnknownLine    Code = "unknown_line"    // of the organiser's list
	LineTaken      Code = "line_taken"      // somebody has claimed it
	BadList        Code = "bad_roster"      // a line of it
	BadRuling      Code = "bad_ruling"      //
	UnknownReport  Code = "unknown_report"  // or dispute
	TooMany        Code = "too_many"        // reports, or people who may not chat
)

// Refusal is the error of a refused command: nothing happened.
type Refusal struct {
	Code   Code
	Detail string
}

func (r *Refusal) Error() string {
	if r.Detail == "" {
		return string(r.Code)
	}
	return string(r.Code) + ": " + r.Detail
}

func refuse(code Code, detail string, args ...any) error {
	return &Refusal{Code: code, Detail: fmt.Sprintf(detail, args...)}
}
