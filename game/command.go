package game

import "flagfall/game/board"

// CommandKind names what is asked of a game.
type CommandKind uint8

// The commands, with the fields each uses besides By.
const (
	Create     CommandKind = iota // Setup
	Arrive                        // By has the table in front of him
	Depart                        // By has not
	Release                       // Move, Ply, Press, Lag
	Press                         // Ply, Lag
	Retract                       // Ply, Lag
	MakeClaim                     // Claim
	Resign                        //
	OfferDraw                     //
	AnswerDraw                    // Accept
	MuteOffers                    //
	Tick                          // time passed
	Recover                       // Elapsed, Gap: a new owner, or one that had been stopped, goes on
	Prove                         // Question, Verdict: the answer of a search
	DemoMove                      // Move: on the side board
	Concede                       // a demonstration
	Dispute                       //
	Arbitrate                     // Ruling
)

// AnyPly is a command that does not say which move it means.
const AnyPly = -1

// Claim names a claim. Draw claims of WBCA section 8 keep their letters.
type Claim string

// The claims.
const (
	ClaimIllegal   Claim = "illegal"    // WBCA 7d
	ClaimTime      Claim = "time"       // WBCA 7c
	ClaimBothFlags Claim = "both_flags" // WBCA 8c
	ClaimNoMating  Claim = "draw_8f"    // WBCA 8f, by the player whose flag fell
	ClaimAbandoned Claim = "abandoned"  // the opponent has been away for a minute on move
	ClaimDraw      Claim = "draw"       // whichever draw of WBCA section 8 holds (D40)
	ClaimPerpetual Claim = "8d"
	ClaimIdentical Claim = "8e"
	ClaimOpposite  Claim = "8g"
	ClaimPawn      Claim = "8h"
	ClaimRookPawn  Claim = "8i"
	ClaimThreefold Claim = "threefold"
	ClaimFifty     Claim = "fifty"
	ClaimLosing    Claim = "ilc"     // insufficient losing chances
	ClaimRetract   Claim = "retract" // only in Denied: a legal move was to be taken back
)

// Command is asked of a game by one side.
type Command struct {
	Kind    CommandKind
	By      Side
	Move    board.Move
	Ply     int  // index of the move meant, from 0; AnyPly
	Press   bool // press the clock with the release
	Lag     int64
	Claim   Claim
	Accept  bool
	Elapsed int64
	Gap     int64
	Setup   *Setup

	Question *Question
	Verdict  Verdict
	Ruling   *Ruling
}

// rank orders commands of one millisecond (rulings B.2, D32): releases and retractions, presses, illegal-move claims,
// time claims, other claims and disputes, resignations and agreements.
func (c *Command) rank() int {
	switch c.Kind {
	case Release, Retract, DemoMove:
		return 1
	case Press:
		return 2
	case MakeClaim:
		switch c.Claim {
		case ClaimIllegal:
			return 3
		case ClaimTime:
			return 4
		}
		return 5
	case Dispute:
		return 5
	case Resign, Concede, OfferDraw, AnswerDraw, MuteOffers:
		return 6
	case Tick:
		return 7
	}
	return 0
}

// Waits tells whether the command is held until its millisecond is over, since another one of the same millisecond may
// come before it.
func (c *Command) Waits() bool { return c.rank() >= 3 && c.rank() <= 6 }

// Merge orders the commands of one millisecond: by rank, then by arrival, and never one side's own commands among
// themselves. It returns indices.
func Merge(batch []Command) []int {
	order := make([]int, 0, len(batch))
	taken := make([]bool, len(batch))
	for len(order) < len(batch) {
		best := -1
		var seen [3]bool
		for i := range batch {
			if taken[i] {
				continue
			}
			by := batch[i].By
			if seen[by] {
				continue
			}
			seen[by] = true
			if best < 0 || batch[i].rank() < batch[best].rank() {
				best = i
			}
		}
		taken[best] = true
		order = append(order, best)
	}
	return order
}

// fromPlayer tells whether one of the two sides asks.
func (c *Command) fromPlayer() bool {
	return c.Kind != Create && c.Kind != Tick && c.Kind != Recover && c.Kind != Prove && c.Kind != Arbitrate
}
