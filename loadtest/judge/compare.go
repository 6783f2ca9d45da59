package judge

import (
	"fmt"
	"strings"

	"flagfall/game/board"
	"flagfall/loadtest/model"
	"flagfall/server/wire"
)

// compare says how the told events differ from the facts that the rules want; "" when they do not. seats are the frames
// as White and Black got them; what is told to one seat alone is looked for in its own.
func compare(g *model.Game, facts []model.Fact, told []wire.Event, seats [2]*item) string {
	want, alone := split(facts)
	var got []string
	for i := range told {
		if !private(&told[i]) {
			got = append(got, event(&told[i]))
		}
	}
	if w, t := order(want), order(got); w != t {
		return fmt.Sprintf("the rules want [%s], told was [%s]", w, t)
	}
	for c, it := range seats {
		if it == nil {
			continue
		}
		var own []string
		for i := range it.ev.E {
			if e := &it.ev.E[i]; private(e) {
				own = append(own, e.K)
			}
		}
		if w, t := strings.Join(alone[c], "; "), strings.Join(own, "; "); w != t {
			return fmt.Sprintf("the rules want [%s] for %v alone, told was [%s]", w, board.Color(c), t)
		}
	}
	for _, e := range told {
		if e.K == "end" {
			return ending(g.End, e.End)
		}
	}
	return ""
}

// split parts what all are told from what each seat is told alone.
func split(facts []model.Fact) (public []string, alone [2][]string) {
	for i := range facts {
		f := &facts[i]
		if private(&wire.Event{K: f.K, Claim: f.Claim, Add: f.Add}) {
			alone[f.By] = append(alone[f.By], f.K)
			continue
		}
		public = append(public, fact(f))
	}
	return public, alone
}

// order joins events; when an offer lapses within its step is left to the server.
func order(events []string) string {
	var main, lapses []string
	for _, e := range events {
		if e == "decline" {
			lapses = append(lapses, e)
		} else {
			main = append(main, e)
		}
	}
	return strings.Join(append(main, lapses...), "; ")
}

func fact(f *model.Fact) string {
	switch f.K {
	case "end", "decline":
		return f.K
	case "move", "back":
		return fmt.Sprintf("%s %v %s", f.K, f.By, f.Move.UCI())
	case "denied":
		return fmt.Sprintf("denied %v %s %s +%d -%d", f.By, f.Claim, f.Code, f.Add, f.Take)
	case "demomove":
		return fmt.Sprintf("demomove %v %s", f.By, f.Move.UCI())
	case "demoend", "dispute":
		return fmt.Sprintf("%s %v", f.K, f.Yes)
	case "restored", "fault":
		return fmt.Sprintf("%s %v #%d +%d", f.K, f.By, f.Step, f.Add)
	case "proof":
		return fmt.Sprintf("proof %v %s", f.By, f.Claim)
	case "resume", "start":
		return f.K
	case "waited":
		return "pause away"
	case "ruling":
		return fmt.Sprintf("ruling +%d", f.Add)
	}
	return fmt.Sprintf("%s %v", f.K, f.By)
}

func event(e *wire.Event) string {
	switch e.K {
	case "end", "decline":
		return e.K
	case "move", "back":
		return fmt.Sprintf("%s %s %s", e.K, e.By, e.M)
	case "denied":
		return fmt.Sprintf("denied %s %s %s +%d -%d", e.By, e.Claim, e.Code, e.Add, e.Take)
	case "demomove":
		return fmt.Sprintf("demomove %s %s", e.By, e.M)
	case "demoend":
		return fmt.Sprintf("%s %v", e.K, e.Shown)
	case "dispute":
		return fmt.Sprintf("%s %v", e.K, e.Stops)
	case "restored", "fault":
		return fmt.Sprintf("%s %s #%d +%d", e.K, e.By, e.Step, e.Add)
	case "proof":
		return fmt.Sprintf("proof %s %s", e.By, e.Claim)
	case "resume", "start":
		return e.K
	case "pause":
		return "pause " + e.Why
	case "ruling":
		return fmt.Sprintf("ruling +%d", e.Add)
	}
	return fmt.Sprintf("%s %s", e.K, e.By)
}

func ending(want *model.End, got *wire.End) string {
	if want == nil || got == nil {
		return fmt.Sprintf("an end without its result: the rules want %v, told was %v", want, got)
	}
	if told := (model.End{Result: got.Result, Reason: got.Reason, Rule: number(got.Rule)}); told != *want {
		return fmt.Sprintf("the rules want %v, told was %v", *want, told)
	}
	return ""
}

// number is a rule without its book: "7c" of "WBCA 7c".
func number(rule string) string {
	for _, book := range []string{"WBCA ", "US Chess ", "CCA ", "FIDE "} {
		rule = strings.TrimPrefix(rule, book)
	}
	return rule
}

// shown is the code of a refusal as a player may see it: whether his unpressed move is legal is not told.
func shown(code string) string {
	if code == "move_final" || code == "retract_first" {
		return "move_pending"
	}
	return code
}

// remarks judges what one seat was told between two steps.
func (k *walker) remarks(notes []note) {
	for _, n := range notes {
		c, err := board.ParseColor(n.seat)
		if err != nil {
			continue
		}
		switch {
		case n.it.err != nil:
			k.refusal(c, n.it)
		case n.it.state != nil && (n.next || k.game().End != nil):
			k.snapshot(c, n.it.state)
		}
	}
}

// refusal holds a refused command against the rules, at the earliest and at the latest moment it can have arrived.
func (k *walker) refusal(c board.Color, it *item) {
	cmd := k.seats[c].sends[it.err.ID]
	if cmd == nil {
		return
	}
	k.v.Rulings++
	code := it.err.Code
	switch k.game().Phase {
	case model.Waiting, model.Paused:
		k.v.Refused[code]++
		return
	}
	latest := max(k.at, int64(ms(it.at)-k.lo)+1)
	var wants []string
	for _, g := range k.possible(latest) {
		r := k.do(g, c, &cmd.msg, latest)
		if r.Refused() && (r.Loose || shown(r.Code) == code) {
			k.v.Refused[code]++
			return
		}
		wants = append(wants, r.Code)
	}
	k.differ("%s of %v was refused with %s; the rules want %s (after game time %d)", short(&cmd.msg), c, code, strings.Join(wants, " or "), k.at)
}

// possible lists the states that a command not told of may have met: this one, and the one with the running flag down,
// or a demonstration over; with either look at what a search decides.
func (k *walker) possible(latest int64) []*model.Game {
	var states []*model.Game
	for _, from := range k.games {
		states = append(states, from.Clone())
		if c, _, ok := from.Over(latest); ok {
			fallen := from.Clone()
			fallen.Fall(c, latest)
			fallen.Called(latest)
			states = append(states, fallen)
		}
		if late := from.Clone(); len(late.Expire(latest)) > 0 {
			states = append(states, late)
		}
	}
	for _, g := range states[:len(states):len(states)] {
		if g.Terms.Rules != "wbca" {
			for _, v := range []model.Verdict{model.Yes, model.No} {
				looked := g.Clone()
				looked.Glance = func(*model.Board, model.Color) model.Verdict { return v }
				states = append(states, looked)
			}
		}
	}
	return states
}

// snapshot holds what a returning player was shown against the model.
func (k *walker) snapshot(c board.Color, s *wire.State) {
	k.v.Rulings++
	g := k.game()
	b := g.Board()
	want := struct{ board, pending, offer, phase string }{board: b.Placement(), phase: g.Phase}
	if by, m, _, ok := g.Pending(); ok && by == g.Turn() {
		want.pending = m.UCI()
	}
	if g.Offer != model.Nobody && g.End == nil {
		want.offer = g.Offer.String()
	}
	got := struct{ board, pending, offer, phase string }{s.Board, s.Pending, s.Offer, s.Phase}
	if g.End != nil {
		want.pending, got.pending, want.offer, got.offer = "", "", "", ""
		want.board, got.board = "", ""
	}
	if got != want {
		k.differ("the snapshot for %v after frame time %d shows %+v and must show %+v", c, k.at, got, want)
	}
	if g.End != nil {
		if d := ending(g.End, s.End); d != "" {
			k.differ("the snapshot for %v: %s", c, d)
		}
	}
	if len(s.Moves) != g.Plies() {
		k.differ("the snapshot for %v has %d moves and must have %d", c, len(s.Moves), g.Plies())
	}
}

// unanswered finds commands that nobody answered although their socket lived on.
func (k *walker) unanswered() {
	for c, s := range k.seats {
		for _, cmd := range s.order {
			if cmd.acked == 0 && cmd.refuse == "" && !cmd.cut && !cmd.used && judged(cmd.msg.T) {
				k.differ(unfinished+"%s of %v was never answered", short(&cmd.msg), board.Color(c))
			}
		}
	}
	for c, s := range k.seats {
		if k.game().End != nil && !s.toldEnd && !s.away {
			k.differ(unfinished+"%v was not told the end of the game", board.Color(c))
		}
	}
	if k.game().End == nil {
		k.differ(unfinished+"the game did not end (%s after %d plies)", k.game().Phase, k.v.Plies)
	}
}

// judged tells whether a message is a command of the game that must be answered.
func judged(t string) bool {
	switch t {
	case "move", "press", "retract", "claim", "resign", "offer", "answer", "mute", "demo", "concede", "dispute":
		return true
	}
	return false
}

// short is a command in a few words.
func short(m *wire.ClientMessage) string {
	out := m.T
	for _, part := range []string{m.Move, m.Claim} {
		if part != "" {
			out += " " + part
		}
	}
	if m.Ply != nil {
		out += fmt.Sprintf(" (ply %d)", *m.Ply)
	}
	if m.Press {
		out += " +press"
	}
	if m.T == "answer" {
		out += fmt.Sprintf(" %v", m.Accept)
	}
	return out + " [" + m.ID + "]"
}
