// Package game is one game of blitz chess under a rule book, as a pure state machine: Decide judges a command at a game
// time and says which events follow, Apply makes an event part of the state, Deadline says when the game wants to be
// woken. It knows no clock on a wall, no network and no goroutine. rulings of the rule sets are in wbca.go and its
// neighbours; nothing outside this package asks which rule set is played.
package game

import (
	"fmt"

	"flagfall/clock"
	"flagfall/game/board"
)

// Side is White, Black or None.
type Side = clock.Side

// The sides.
const (
	White = clock.White
	Black = clock.Black
	None  = clock.None
)

// Mode says what a drop of the piece does; it is the same for both players.
type Mode string

// The modes.
const (
	OverTheBoard Mode = "board" // place the piece, then press the clock
	Fast         Mode = "fast"  // the drop presses too
)

// Player is somebody at the table.
type Player struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Account bool   `json:"account,omitempty"` // registered, no guest
	Bot     bool   `json:"bot,omitempty"`     // a program
}

// Setup is all that is agreed before the first move. Times are milliseconds.
type Setup struct {
	RuleSet string       `json:"rules"` // "wbca"
	Mode    Mode         `json:"mode"`
	White   Player       `json:"white"`
	Black   Player       `json:"black"`
	Base    [2]int64     `json:"base"`          // white, black
	FEN     string       `json:"fen,omitempty"` // "" is the usual position
	Premove bool         `json:"premove,omitempty"`
	Rated   bool         `json:"rated,omitempty"`   // counts for RatingKind, unless it ends as History.Counts says
	Casual  bool         `json:"casual,omitempty"`  // agreed to count for nothing
	Origin  string       `json:"origin,omitempty"`  // "pool", "seek", "invite", "rematch" or "arena"
	Event   string       `json:"event,omitempty"`   // the name of the event that it is a game of
	Started string       `json:"started,omitempty"` // civil time of the start, RFC 3339, for the record only
	Options Options      `json:"options"`
	Lag     clock.Lag    `json:"lag"`
	Timing  clock.Timing `json:"timing,omitzero"` // increment or delay
}

// Options are the settings of an event or a table.
type Options struct {
	Ladder        bool  `json:"ladder"`          // wrong claims after the free ones give the opponent a minute
	Presence      bool  `json:"presence"`        // starts, absences and games that nobody ends are handled
	FirstMove     int64 `json:"first_move"`      // limit for each side's first move
	BothFlagsIdle int64 `json:"both_flags_idle"` // after the second flag fell the game is drawn by itself; 0 never
	Abandonment   bool  `json:"abandonment"`     // a minute's absence on move may be claimed

	ArbiterCallsFlags   bool  `json:"arbiter_calls_flags,omitempty"`   // the server claims every flag for the entitled player (WBCA 12)
	ArbiterCallsIllegal bool  `json:"arbiter_calls_illegal,omitempty"` // and every illegal move
	OnDuty              bool  `json:"on_duty,omitempty"`               // an arbiter is there from the start
	AddPenalty          bool  `json:"add_penalty,omitempty"`           // a rejected appeal gives the opponent a minute instead of taking it (D21)
	WideRookPawn        bool  `json:"wide_8i,omitempty"`               // 8i with the king anywhere in front of the pawn (D20)
	DelayClock          bool  `json:"delay_clock,omitempty"`           // with no arbiter on duty a losing-chances claim gets the delay clock of CCA 17
	Window              int64 `json:"window,omitempty"`                // ms within which claims are simultaneous (D10), 0 to 50
}

// maxWindow is the most that may pass between two simultaneous claims (D10), in milliseconds.
const maxWindow = 50

// Limits on what a seek may ask for.
const (
	MinBase = 1000           // ms
	MaxBase = 3 * 60 * 60000 // ms
)

// TableOptions are the options of a game between two people who met in the lobby.
func TableOptions() Options {
	return Options{Ladder: true, Presence: true, FirstMove: 20000, BothFlagsIdle: 60000, Abandonment: true, DelayClock: true}
}

// Terms are what two people agree on before they sit down. An empty rule set is WBCA.
type Terms struct {
	RuleSet string
	Base    int64 // ms for each side
	Mode    Mode
	Timing  clock.Timing
	Casual  bool // rated by nobody, whoever plays
}

// NewSetup is a lobby game by the WBCA rules with equal time.
func NewSetup(white, black Player, base int64, mode Mode) Setup {
	return Terms{Base: base, Mode: mode}.Setup(white, black)
}

// Setup is a lobby game with equal time. It is rated where players and terms allow it.
func (t Terms) Setup(white, black Player) Setup {
	if t.RuleSet == "" {
		t.RuleSet = wbca.Name
	}
	s := Setup{
		RuleSet: t.RuleSet, Mode: t.Mode, White: white, Black: black, Timing: t.Timing,
		Base: [2]int64{t.Base, t.Base}, Options: TableOptions(), Lag: clock.LagFor(t.Base), Casual: t.Casual,
	}
	s.Premove = !s.WBCATime()
	s.Rated = s.mayRate()
	return s
}

// Terms are those of the set-up.
func (s *Setup) Terms() Terms {
	return Terms{RuleSet: s.RuleSet, Base: s.Base[White], Mode: s.Mode, Timing: s.Timing, Casual: s.Casual}
}

// WBCATime tells whether WBCA rates the time control: its own rules, three to seven minutes, the same for
// both, no increment and no delay (WBCA 1).
func (s *Setup) WBCATime() bool {
	return s.RuleSet == "wbca" && s.Timing == (clock.Timing{}) &&
		s.Base[0] == s.Base[1] && s.Base[0] >= 3*60000 && s.Base[0] <= 7*60000
}

// Check refuses a set-up that cannot be played and names the field.
func (s *Setup) Check() error {
	if _, err := ruleSet(s.RuleSet); err != nil {
		return err
	}
	if s.Mode != OverTheBoard && s.Mode != Fast {
		return fmt.Errorf("mode %q: want %q or %q", s.Mode, OverTheBoard, Fast)
	}
	for i, ms := range s.Base {
		if ms < 0 || ms > MaxBase {
			return fmt.Errorf("base time of %s %d ms: want 0 to %d", Side(i).Name(), ms, MaxBase)
		}
	}
	if _, err := s.position(); err != nil {
		return err
	}
	if err := s.Timing.Check(); err != nil {
		return err
	}
	if s.Rated && (s.RatingKind() == "" || s.White.ID == s.Black.ID || s.Casual) {
		return fmt.Errorf("rated: no rating counts a game of these terms or players")
	}
	if s.Options.Window < 0 || s.Options.Window > maxWindow {
		return fmt.Errorf("window %d ms: want 0 to %d", s.Options.Window, maxWindow)
	}
	if s.Options.FirstMove < 0 || s.Options.BothFlagsIdle < 0 {
		return fmt.Errorf("a time limit is negative")
	}
	return nil
}

func (s *Setup) position() (board.Board, error) {
	if s.FEN == "" {
		return board.Start(), nil
	}
	return board.ParseFEN(s.FEN)
}
