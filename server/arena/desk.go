package arena

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"flagfall/game"
)

// Limits of the desk.
const (
	deskGrace   = 10000  // ms that an arbiter may be away from the desk: he loads its page anew, or the server did
	renewFreeze = 170000 // ms after which a board is stopped again: it would go on by itself (D36)
	retryFreeze = 5000   // ms until a board that could not be stopped is stopped
	mostActs    = 200    // that are kept
	mostMatters = 500    // disputes in the queue, and reports of an event
	mostReports = 3      // of one player about one game
	mostReport  = 2000   // characters of a report
	mostRule    = 20     // bytes of the rule that a ruling rests on
)

// atDesk judges what is asked from the desk.
func (s *State) atDesk(cmd any, now int64) ([]Event, error) {
	switch c := cmd.(type) {
	case Rule:
		return s.rule(c, now)
	case Duty:
		return s.duty(c)
	case Freeze:
		return s.freeze(c)
	case Hush:
		return s.hush(c)
	case Report:
		return s.report(c)
	case Settle:
		return s.settle(c)
	}
	return nil, refuse(UnknownRequest, "%T", cmd)
}

// rule has the table of a running game carry out an arbiter's act. What is possible there the table knows.
func (s *State) rule(c Rule, now int64) ([]Event, error) {
	if err := s.MayRule(c.By, c.Game); err != nil {
		return nil, err
	}
	g := s.games[c.Game]
	if g.Over {
		return nil, refuse(NotNow, "the game is over; its result can be corrected")
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	if err := possible(&c.Ruling, c.Replay); err != nil {
		return nil, err
	}
	if c.Replay && (s.Phase != Running || !s.Settings.robin() && now >= s.lastPair()) {
		return nil, refuse(WrongPhase, "no game can be started any more")
	}
	return []Event{s.ruling(c.By, c.Why, g, c.Ruling, c.Replay)}, nil
}

// possible refuses a ruling that no table can carry out.
func possible(r *game.Ruling, replay bool) error {
	ok := (!replay || r.Act == game.ActAnnul) && len(r.Rule) <= mostRule
	switch r.Act {
	case game.ActStop, game.ActResume, game.ActAnnul:
	case game.ActClocks:
		ok = ok && min(r.Clocks[0], r.Clocks[1]) >= 0 && max(r.Clocks[0], r.Clocks[1]) <= game.MaxBase
	case game.ActWarn, game.ActMinute, game.ActLoss, game.ActUnjust, game.ActDelay:
		ok = ok && r.Side < game.None
	case game.ActResult:
		ok = ok && (r.Score == game.WhiteWins || r.Score == game.BlackWins || r.Score == game.Draw)
	default:
		ok = false
	}
	if !ok {
		return refuse(BadRuling, "%q", r.Act)
	}
	return nil
}

func (s *State) ruling(by, why string, g *Game, r game.Ruling, replay bool) Event {
	r.Who, r.Why = s.nameOf(by), why
	text := s.rulingText(g, &r)
	if replay {
		text += " and paired again"
	}
	return Event{Kind: RuledOn, By: by, Why: why, Game: g.ID, Ruling: &r, Change: replay, Text: text + ": " + why}
}

// rulingText says a ruling in words.
func (s *State) rulingText(g *Game, r *game.Ruling) string {
	who := ""
	if r.Side < game.None {
		who = s.entries[[2]string{g.White, g.Black}[r.Side]].Name
	}
	switch r.Act {
	case game.ActStop:
		return "Clocks stopped"
	case game.ActResume:
		return "Play goes on"
	case game.ActClocks:
		return fmt.Sprintf("Clocks set to %s and %s", clockText(r.Clocks[0]), clockText(r.Clocks[1]))
	case game.ActWarn:
		return who + " is warned"
	case game.ActMinute:
		return "A minute for the opponent of " + who
	case game.ActLoss:
		return who + " loses the game"
	case game.ActUnjust:
		return "The dispute of " + who + " was without reason"
	case game.ActDelay:
		return "A delay clock for the claim of " + who
	case game.ActResult:
		return "Result " + string(r.Score)
	}
	return "Game annulled"
}

// clockText is a clock's time: "3:07".
func clockText(ms int64) string { return fmt.Sprintf("%d:%02d", ms/60000, ms/1000%60) }

func (s *State) duty(c Duty) ([]Event, error) {
	if !s.Arbiter(c.By) {
		return nil, refuse(Forbidden, "")
	}
	if slices.Contains(s.Duty, c.By) == c.On {
		return nil, nil
	}
	return []Event{{Kind: OnDuty, By: c.By, Here: c.On}}, nil
}

// deskSeen notes who is connected to the desk.
func (s *State) deskSeen(c Desk, now int64) ([]Event, error) {
	if !s.staff(c.Who) {
		return nil, refuse(Forbidden, "")
	}
	i := slices.IndexFunc(s.AtDesk, func(d DeskSeat) bool { return d.ID == c.Who })
	switch {
	case c.Here && (i < 0 || s.AtDesk[i].Till > 0):
		return []Event{{Kind: DeskSeen, Who: c.Who, Here: true}}, nil
	case !c.Here && i >= 0 && s.AtDesk[i].Till == 0:
		return []Event{{Kind: DeskSeen, Who: c.Who, Time: now + deskGrace}}, nil
	}
	return nil, nil
}

// freeze stops all boards at once, or lets them go on. Nobody does that while he plays himself.
func (s *State) freeze(c Freeze) ([]Event, error) {
	switch {
	case !s.Arbiter(c.By):
		return nil, refuse(Forbidden, "")
	case s.entries[c.By] != nil && s.entries[c.By].Game != "":
		return nil, refuse(OwnGame, "")
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	switch {
	case c.On == (s.Frozen > 0):
		return nil, nil
	case c.On && s.Phase != Running && s.Phase != LastGames:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	}
	return []Event{{Kind: Froze, By: c.By, Why: c.Why, Held: c.On, Text: freezeText(c.On) + ": " + c.Why}}, nil
}

func freezeText(on bool) string {
	if on {
		return "All boards are stopped"
	}
	return "All boards go on"
}

func (s *State) hush(c Hush) ([]Event, error) {
	switch {
	case !s.staff(c.By):
		return nil, refuse(Forbidden, "")
	case c.Who == "":
		return nil, refuse(UnknownEntry, "")
	case slices.Contains(s.Hushed, c.Who) == c.On:
		return nil, nil
	case c.On && len(s.Hushed) >= mostEntries:
		return nil, refuse(TooMany, "%d may not chat already", mostEntries)
	}
	e := Event{Kind: Hushes, By: c.By, Who: c.Who, Here: c.On}
	if c.Name != "" && s.nameOf(c.Who) == c.Who {
		e.Names = map[string]string{c.Who: c.Name}
	}
	return []Event{e}, nil
}

// report takes a player's word about a game of his that is over.
func (s *State) report(c Report) ([]Event, error) {
	g := s.games[c.Game]
	if g == nil {
		return nil, refuse(UnknownGame, "")
	}
	side := game.White
	switch {
	case c.By == g.Black:
		side = game.Black
	case c.By != g.White:
		return nil, refuse(Forbidden, "")
	}
	mine := 0
	for _, r := range s.Reported {
		if r.Game == c.Game && r.By == side {
			mine++
		}
	}
	switch n := utf8.RuneCountInString(c.Text); {
	case !g.Over:
		return nil, refuse(NotNow, "the game still runs")
	case strings.TrimSpace(c.Text) == "" || n > mostReport || !utf8.ValidString(c.Text):
		return nil, refuse(NeedsReason, "want 1 to %d characters", mostReport)
	case mine >= mostReports:
		return nil, refuse(TooMany, "want %d about a game at most", mostReports)
	case len(s.Reported) >= mostMatters:
		return nil, refuse(TooMany, "the event has %d reports", mostMatters)
	}
	m := Matter{Kind: QueueReport, Game: c.Game, By: side, Text: c.Text}
	return []Event{{Kind: Reports, By: c.By, Game: c.Game, Matter: &m}}, nil
}

// settle closes a report, or a matter of the queue that stops nothing.
func (s *State) settle(c Settle) ([]Event, error) {
	if !s.Arbiter(c.By) {
		return nil, refuse(Forbidden, "")
	}
	m := s.matter(c.ID)
	if m == nil {
		return nil, refuse(UnknownReport, "")
	}
	if err := s.MayRule(c.By, m.Game); err != nil {
		return nil, err
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	switch {
	case m.Stops:
		return nil, refuse(NotNow, "the clocks stand for it: rule on the game")
	case m.Settled != "":
		return nil, nil
	}
	return []Event{{Kind: Answered, By: c.By, Why: c.Why, Text: c.ID, Game: m.Game}}, nil
}

// matter is one of the queue or a report, or nil.
func (s *State) matter(id string) *Matter {
	for _, list := range [2][]*Matter{s.Queue, s.Reported} {
		for _, m := range list {
			if m.ID == id {
				return m
			}
		}
	}
	return nil
}

// disputed takes in what a table tells its arbiters.
func (s *State) disputed(c Disputed, now int64) ([]Event, error) {
	g := s.games[c.Game]
	switch {
	case g == nil:
		return nil, refuse(UnknownGame, "")
	case c.Kind != QueueDispute && c.Kind != QueueDemo && c.Kind != QueueLadder || c.By >= game.None:
		return nil, refuse(BadRuling, "%q", c.Kind)
	case c.N > 0 && c.N <= g.Told:
		return nil, nil
	}
	m := Matter{Kind: c.Kind, Game: c.Game, By: c.By, At: max(g.At, now-max(0, c.Ago)), Stops: c.Stops, Until: c.Until}
	if c.Step > 0 {
		m.Text = fmt.Sprintf("Step %d", c.Step)
	}
	return []Event{{Kind: Waits, Game: c.Game, Matter: &m, Here: c.Open, Times: c.N}}, nil
}

// deskDue is when something at the desk is due by the clock, 0 for nothing.
func (s *State) deskDue() (at int64) {
	sooner := func(t int64) {
		if t > 0 && (at == 0 || t < at) {
			at = t
		}
	}
	for _, d := range s.AtDesk {
		sooner(d.Till)
	}
	if s.Frozen > 0 {
		for _, g := range s.running {
			sooner(g.Renew)
		}
	}
	return at
}

// deskTick takes from the desk who is gone, and stops boards again that went on or could not be stopped.
func (s *State) deskTick(now int64) []Event {
	var events []Event
	for _, d := range s.AtDesk {
		if d.Till > 0 && d.Till <= now {
			events = append(events, Event{Kind: DeskSeen, Who: d.ID})
		}
	}
	var again []string
	if s.Frozen > 0 {
		for _, g := range s.live() {
			if g.Renew > 0 && g.Renew <= now {
				again = append(again, g.ID)
			}
		}
	}
	if len(again) > 0 {
		events = append(events, Event{Kind: Froze, Held: true, Left: again})
	}
	return events
}
