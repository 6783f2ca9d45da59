package game

import (
	"fmt"
	"strings"
)

// Score is a result as PGN writes it.
type Score string

// The scores. Void is a game that does not count.
const (
	WhiteWins Score = "1-0"
	BlackWins Score = "0-1"
	Draw      Score = "1/2-1/2"
	Void      Score = "*"
)

// Reason names what ended the game.
type Reason string

// Result is the end of a game. Rule is the number in the rule book ("7c", "8f+8h"), empty where none applies.
type Result struct {
	Score  Score  `json:"score"`
	Reason Reason `json:"reason"`
	Rule   string `json:"rule,omitempty"`
	Book   string `json:"book,omitempty"` // "WBCA"
}

// Winner is the side that won, or None.
func (r *Result) Winner() Side {
	switch r.Score {
	case WhiteWins:
		return White
	case BlackWins:
		return Black
	}
	return None
}

// Cite is "WBCA 7c", or nothing where no rule applies.
func (r *Result) Cite() string {
	if r.Rule == "" {
		return ""
	}
	return r.Book + " " + r.Rule
}

// texts say the reason in plain words: %[1]s is the winner, %[2]s the loser.
var texts = map[Reason]string{
	"checkmate":                            "%[1]s mated %[2]s's king",
	"resignation":                          "%[2]s resigned",
	"agreement":                            "The players agreed on a draw",
	"stalemate":                            "Stalemate: the side on move has no legal move and is not in check",
	"dead_position":                        "Neither side has the men to give mate any more",
	"time":                                 "%[2]s's flag fell and %[1]s claimed it",
	"time_called":                          "%[2]s's flag was down for a minute and the server called it for %[1]s",
	"time_insufficient_material":           "A flag fell, but the other side has no mating material",
	"both_flags":                           "Both flags were down before anybody claimed",
	"unclaimed_flag":                       "A flag was down for a minute and the side that could claim it was away",
	"illegal_move":                         "%[2]s completed an illegal move and %[1]s claimed it",
	"king_capture":                         "%[2]s left the king to be taken and %[1]s took it",
	"illegal_move_insufficient_material":   "An illegal move was claimed, but the claimant has no mating material",
	"perpetual":                            "Perpetual check: the same position stood four times in an unbroken run of checks",
	"identical_piece":                      "Both sides have one and the same piece, and neither has a forced win",
	"opposite_bishops":                     "Bishops of opposite colours with next to no pawns, and no forced win",
	"king_pawn":                            "King and pawn against a king that stands in front of the pawn",
	"rook_pawn_blockade":                   "Rook and rook pawn against a rook, the pawn blocked by the king, and no win at hand",
	"threefold":                            "The same position stood three times and was claimed",
	"fifty_moves":                          "Fifty moves by each side without a capture or a pawn move, claimed",
	"fivefold":                             "The same position stood five times",
	"seventyfive_moves":                    "Seventy-five moves by each side without a capture or a pawn move",
	"insufficient_material":                "Neither side has the men to give mate any more",
	"flag_arbiter":                         "%[2]s's flag fell",
	"flag_arbiter_no_mate_possible":        "A flag fell, but no series of legal moves lets the other side mate",
	"second_illegal_move":                  "%[2]s completed a second illegal move",
	"second_illegal_move_no_mate_possible": "A second illegal move, but no series of legal moves lets the other side mate",
	"penalty":                              "%[2]s lost the game by an arbiter's penalty",
	"arbiter":                              "The arbiter set the result",
	"annulled":                             "The arbiter annulled the game; a new one is to be played",
	"abandoned":                            "%[2]s was away for a minute on move and %[1]s claimed it",
	"after_bell":                           "The event was over before the game; it does not count",
	"absent":                               "Nobody came to the table",
	"no_first_move":                        "The first move was not made in time",
	"outage":                               "The server was away for more than three minutes",
}

// Text is the result in plain words with the rule: "Black's flag fell and White claimed it - WBCA 7c".
func (r *Result) Text() string {
	text, known := texts[r.Reason]
	if !known {
		text = string(r.Reason)
	}
	if winner := r.Winner(); winner != None {
		text = fmt.Sprintf(text, winner.Name(), winner.Other().Name())
	}
	if strings.Contains(r.Rule, "+") { // the men would do, but for an entry of section 8 (WBCA 7a)
		text += ": the position is a dead draw"
	}
	if cite := r.Cite(); cite != "" {
		text += " - " + cite
	}
	return text
}
