package game

import (
	"encoding/json"
	"errors"
	"fmt"

	"flagfall/game/board"
)

// EventVersion is the version of the journal's events. A node takes no game whose version it does not know.
const EventVersion = 1 + later

// Kind names what happened.
type Kind string

// The kinds of event, with the fields each uses besides At and By.
const (
	Created     Kind = "created"     // Setup
	Arrived     Kind = "arrived"     // By is at the table
	Departed    Kind = "departed"    // By is not
	Started     Kind = "started"     // the clock of the side on turn runs
	Released    Kind = "released"    // Move, Legal, Adjacent, Lag: the hand left the piece
	Queued      Kind = "queued"      // Move, Press, Lag: a reply released before the opponent pressed
	QueuedPress Kind = "queuedpress" // the press of that reply
	Unqueued    Kind = "unqueued"    // the reply lapsed
	Retracted   Kind = "retracted"   // Move
	Pressed     Kind = "pressed"     // Charged, Credit, Left, Lag
	Flagged     Kind = "flagged"     // the flag of By is down
	Offered     Kind = "offered"     // a draw
	Declined    Kind = "declined"    // By declined; the offer of the other side is gone
	Lapsed      Kind = "lapsed"      // the offer of By lapsed with the opponent's release
	Muted       Kind = "muted"       // By wants no more offers
	Denied      Kind = "denied"      // Claim, Code, Step, Add: a wrong claim counts on the ladder; Add ms went to the opponent
	Paused      Kind = "paused"      // Charged, Gap: the server was away; Left are the clocks it stopped with
	Resumed     Kind = "resumed"     // the clock that was stopped runs on
	Interrupted Kind = "interrupted" // Gap: the server was away while both clocks stood
	Waited      Kind = "waited"      // the clock waits for the side on move to come back
	Ended       Kind = "ended"       // Result

	ProofAsked    Kind = "proofasked" // Claim, Question: By's claim waits for a search, both clocks stand
	ProofGiven    Kind = "proofgiven" // Question, Yes
	DemoBegan     Kind = "demobegan"  // Question: By has to show on a side board that it wins
	DemoMoved     Kind = "demomoved"  // Move, Demo: on the side board; what both have left there
	DemoEnded     Kind = "demoended"  // Yes: it was shown
	Disputed      Kind = "disputed"   // Stops: both clocks stand until an arbiter has ruled
	Ruled         Kind = "ruled"      // Ruling, Add
	Held          Kind = "held"       // Claim: it waits whether an illegal move is claimed at the same time
	Restored      Kind = "restored"   // FEN, Ply, Move, Step, Add: the position before By's illegal move is back
	Faulted       Kind = "faulted"    // Step, Add: an illegal move of By that is not taken back (FIDE 7.5.2, 7.5.3)
	DelayInserted Kind = "delay"      // Delay, Left, Claim if By claimed insufficient losing chances: a delay clock
)

// Event is one fact of a game. At is game time in milliseconds.
type Event struct {
	Kind     Kind      `json:"k"`
	At       int64     `json:"at"`
	By       Side      `json:"by"`
	Move     UCI       `json:"m,omitzero"`
	Legal    bool      `json:"legal,omitempty"`
	Adjacent bool      `json:"adj,omitempty"` // illegal for no other reason than that the kings stand side by side
	Press    bool      `json:"press,omitempty"`
	Bare     bool      `json:"bare,omitempty"` // a promotion that named no piece
	Yes      bool      `json:"yes,omitempty"`
	Stops    bool      `json:"stops,omitempty"`
	Charged  int64     `json:"charged,omitempty"`
	Credit   int64     `json:"credit,omitempty"`
	Lag      int64     `json:"lag,omitempty"` // round trip of the connection that sent the command
	Gap      int64     `json:"gap,omitempty"`
	Left     [2]int64  `json:"left,omitzero"` // remaining after the event: white, black
	Claim    Claim     `json:"claim,omitempty"`
	Code     Code      `json:"code,omitempty"`
	Step     int       `json:"step,omitempty"`
	Add      int64     `json:"add,omitempty"`
	Take     int64     `json:"take,omitempty"` // from the clock of By
	Delay    int64     `json:"delay,omitempty"`
	FEN      string    `json:"fen,omitempty"`
	Ply      int       `json:"ply,omitempty"`
	Demo     [2]int64  `json:"demo,omitzero"`
	Question *Question `json:"question,omitempty"`
	Ruling   *Ruling   `json:"ruling,omitempty"`
	Setup    *Setup    `json:"setup,omitempty"`
	Result   *Result   `json:"result,omitempty"`
}

// actor is the side whose doing the event is, or None.
func (e *Event) actor() Side {
	switch e.Kind {
	case Flagged, Lapsed, Unqueued, DemoBegan:
		return None
	case Restored: // the claimant's
		return e.By.Other()
	case DelayInserted:
		if e.Claim == "" { // the arbiter's
			return None
		}
	}
	return e.By
}

// UCI is a move that travels as text.
type UCI board.Move

// IsZero tells whether there is no move.
func (m UCI) IsZero() bool { return m == UCI{} }

// MarshalText writes "e2e4".
func (m UCI) MarshalText() ([]byte, error) { return []byte(board.Move(m).UCI()), nil }

// UnmarshalText reads "e2e4".
func (m *UCI) UnmarshalText(text []byte) error {
	move, err := board.ParseUCI(string(text))
	if err == nil {
		*m = UCI(move)
	}
	return err
}

// ParseEvent reads what AppendEvent writes.
func ParseEvent(text []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return Event{}, fmt.Errorf("game event: %w", err)
	}
	if err := e.check(); err != nil {
		return Event{}, fmt.Errorf("game event %q: %w", e.Kind, err)
	}
	return e, nil
}

var errNoSide = errors.New("there is no side")

// check refuses what Apply cannot take in.
func (e *Event) check() error {
	switch e.Kind {
	case Created:
		if e.Setup == nil {
			return errors.New("there is no setup")
		}
		return e.Setup.Check()
	case Ended:
		if e.Result == nil {
			return errors.New("there is no result")
		}
	case ProofAsked, ProofGiven, DemoBegan:
		if e.Question == nil {
			return errors.New("there is no question")
		}
		if e.By == None && e.Kind != ProofGiven {
			return errNoSide
		}
		_, err := e.Question.Board()
		return err
	case Ruled:
		switch {
		case e.Ruling == nil:
			return errors.New("there is no ruling")
		case e.Ruling.Side == None && (e.Add != 0 || e.Ruling.Act == ActUnjust):
			return errNoSide
		}
	case Restored:
		switch {
		case e.By == None:
			return errNoSide
		case e.Ply < 0:
			return fmt.Errorf("ply %d is negative", e.Ply)
		}
		_, err := board.ParseArrangement(e.FEN)
		return err
	case Started, Paused, Resumed, Interrupted, Waited, DemoEnded:
	case Arrived, Departed, Released, Queued, QueuedPress, Unqueued, Retracted, Pressed, Flagged, Offered, Declined, Lapsed,
		Muted, Denied, DemoMoved, Disputed, Held, DelayInserted, Faulted:
		if e.By == None {
			return errNoSide
		}
	default:
		return errors.New("the kind is not known")
	}
	return nil
}
