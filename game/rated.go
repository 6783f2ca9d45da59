package game

import (
	"slices"

	"flagfall/clock"
)

// Times that count for the rating of a book other than WBCA's, of each side, in ms: three to ten minutes, an increment or
// a delay counted for sixty moves. Slower and faster games are another skill.
const (
	minRatedTime = 3 * 60000
	maxRatedTime = 10 * 60000
	movesCounted = 60
)

// RatingKinds lists the ratings that somebody may have. Each is the name of a rule set.
func RatingKinds() []string { return RuleSets() }

// RatingKind is the rating that a game of these terms counts for, if it is rated: that of its rule set, or "" where the
// terms are no rated ones. WBCA's counts what WBCA rates (WBCA 1).
func (s *Setup) RatingKind() string {
	total := s.Base[White]
	if s.Timing != (clock.Timing{}) {
		total += movesCounted * s.Timing.Ms
	}
	switch {
	case s.FEN != "" || s.Base[White] != s.Base[Black]:
		return ""
	case s.RuleSet == wbca.Name && !s.WBCATime():
		return ""
	case total < minRatedTime || total > maxRatedTime:
		return ""
	}
	return s.RuleSet
}

// mayRate tells whether a game of these players and terms is rated: between two accounts, unless they agreed that it is
// not. A guest's name does not last, and his rating would not either. Programs are rated among themselves.
func (s *Setup) mayRate() bool {
	return !s.Casual && s.White.Account && s.Black.Account && s.White.Bot == s.Black.Bot && s.White.ID != s.Black.ID && s.RatingKind() != ""
}

// Counts tells whether the game as it ended counts for the rating its set-up names: who did not win has moved. A game that
// is void does not, nor one that somebody gave up before his first move.
func (h *History) Counts() bool {
	if !h.Setup.Rated || h.Result.Score == Void || h.Result.Score == "" {
		return false
	}
	winner := h.Result.Winner()
	for _, side := range [2]Side{White, Black} {
		if side != winner && !h.moved(side) {
			return false
		}
	}
	return true
}

func (h *History) moved(side Side) bool {
	return slices.ContainsFunc(h.Moves, func(m Moved) bool { return m.By == side })
}
