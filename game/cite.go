package game

import "flagfall/game/endgame"

// paper is what a rule book says to the players besides results: which claims it knows, what a wrong one costs, and the
// rule that an event rests on.
type paper struct {
	claims    []Claim          // those that a player makes; draws by their one button (D40)
	late      int              // own moves after which an illegal move of the opponent can still be claimed
	take, add int64            // a wrong claim of a draw: ms from the claimant, ms to the opponent
	denied    map[Claim]string // the rule behind a denied claim; "" is that for every other draw
	events    map[Kind]string
	lone      string // the rule by which a lone piece has to show a forced win
}

var papers = map[string]paper{
	"wbca": {
		claims: []Claim{ClaimIllegal, ClaimTime, ClaimBothFlags, ClaimNoMating, ClaimDraw, ClaimAbandoned},
		take:   appealPenalty,
		denied: map[Claim]string{ClaimIllegal: "H7", ClaimRetract: "H7", ClaimTime: "H7", ClaimAbandoned: "H3", "": "13b"},
		events: map[Kind]string{Disputed: "10"},
		lone:   "7a",
	},
	"uscf": {
		claims: []Claim{ClaimIllegal, ClaimTime, ClaimBothFlags, ClaimDraw, ClaimAbandoned},
		late:   correctable,
		denied: map[Claim]string{ClaimIllegal: "H7", ClaimRetract: "H7", ClaimTime: "H7", ClaimAbandoned: "H3"},
		events: map[Kind]string{Restored: "11D"},
		lone:   "14E",
	},
	"cca": {
		claims: []Claim{ClaimIllegal, ClaimTime, ClaimBothFlags, ClaimDraw, ClaimLosing, ClaimAbandoned},
		late:   correctable,
		add:    deniedMinutes,
		denied: map[Claim]string{ClaimIllegal: "H7", ClaimRetract: "H7", ClaimTime: "11", ClaimAbandoned: "H3", "": "24"},
		events: map[Kind]string{Restored: "21", DelayInserted: "17", Disputed: "18"},
		lone:   "12",
	},
	"fide": {
		claims: []Claim{ClaimDraw, ClaimAbandoned},
		add:    fideMinute,
		denied: map[Claim]string{ClaimRetract: "H7", ClaimAbandoned: "H3", "": "9.5.3"},
		events: map[Kind]string{Restored: "7.5.1", Faulted: "7.5.5", Disputed: "6.11.2"},
	},
}

// Claims are the claims that a player of this game can make.
func (s *Setup) Claims() []Claim { return papers[s.RuleSet].claims }

// LateClaims is after how many own moves an illegal move of the opponent can still be claimed.
func (s *Setup) LateClaims() int { return papers[s.RuleSet].late }

// DrawRisk is what a wrong claim of a draw costs: ms taken from the claimant and ms given to the opponent.
func (s *Setup) DrawRisk() (take, add int64) {
	p := papers[s.RuleSet]
	if p.take > 0 && s.Options.AddPenalty {
		return 0, p.take
	}
	return p.take, p.add
}

// Cites is the rule that an event short of the end rests on, as results cite theirs: "WBCA 13b", "" for none.
func (s *Setup) Cites(e Event) string {
	if e.Kind == DemoBegan {
		return s.demoCites(*e.Question)
	}
	p := papers[s.RuleSet]
	rule := p.events[e.Kind]
	if e.Kind == Denied {
		known := false
		if rule, known = p.denied[e.Claim]; !known {
			rule = p.denied[""]
		}
	}
	return s.cite(rule)
}

func (s *Setup) cite(number string) string {
	book, err := ruleSet(s.RuleSet)
	if err != nil || number == "" {
		return ""
	}
	return book.Book + " " + number
}

// DemoCites is the rule by which a forced win is being shown, "" when none is.
func (g *Game) DemoCites() string {
	if !g.demo.on {
		return ""
	}
	return g.setup.demoCites(g.demo.asked)
}

// demoCites is the rule that makes a side show the win that the question is about.
func (s *Setup) demoCites(q Question) string {
	rule := papers[s.RuleSet].lone
	if b, err := q.Board(); err == nil && q.Kind == AskWin {
		switch {
		case endgame.IdenticalPiece(b):
			rule = "8e"
		case endgame.OppositeBishops(b):
			rule = "8g"
		default:
			rule = "8i"
		}
	}
	return s.cite(rule)
}
