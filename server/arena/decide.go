package arena

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"flagfall/game"
	"flagfall/server/actor"
)

var salts = regexp.MustCompile(`^[A-Za-z0-9-]{1,40}$`)

func (s *State) create(c Create, at int64) ([]actor.Event, error) {
	switch {
	case s.Origin != 0:
		return nil, refuse(AlreadyMade, "")
	case c.By == "" || !salts.MatchString(c.Salt) || c.Civil <= 0:
		return nil, refuse(BadSettings, "organiser, salt or time")
	}
	making := Making{Name: c.Name, Link: c.Link, Screen: c.Screen, Hash: c.Hash, Club: c.Club}
	if err := making.allow(&c.Settings); err != nil {
		return nil, err
	}
	return []actor.Event{Event{Kind: Created, At: c.Civil, By: c.By, Text: c.Salt, Origin: c.Civil - at, Settings: &c.Settings,
		Making: &making, Names: c.Names}}, nil
}

// allow refuses settings that cannot be held, or whose access has no key or password.
func (m *Making) allow(set *Settings) error {
	if err := set.Check(); err != nil {
		return err
	}
	switch {
	case set.Access == ByPassword && m.Hash == "":
		return refuse(BadSettings, "access: want a password")
	case set.Access == ByLink && m.Link == "":
		return refuse(BadSettings, "access: the event has no link")
	}
	return nil
}

// Organiser tells whether somebody may act as an organiser.
func (s *State) Organiser(id string) bool { return slices.Contains(s.Organisers, id) }

// Arbiter tells whether somebody may act as an arbiter; the organisers may where no arbiter is named.
func (s *State) Arbiter(id string) bool {
	return slices.Contains(s.Arbiters, id) || len(s.Arbiters) == 0 && s.Organiser(id)
}

func (s *State) staff(id string) bool { return s.Organiser(id) || s.Arbiter(id) }

const mostText = 500 // characters of a reason or an announcement

// reasoned refuses an arbiter's act without a reason.
func reasoned(why string) error {
	if n := utf8.RuneCountInString(why); strings.TrimSpace(why) == "" || n > mostText || !utf8.ValidString(why) {
		return refuse(NeedsReason, "want 1 to %d characters", mostText)
	}
	return nil
}

// direct judges the commands that direct an event.
func (s *State) direct(cmd any, now int64) ([]Event, error) {
	switch c := cmd.(type) {
	case Edit:
		return s.edit(c)
	case Staff:
		return s.name(c)
	case SetPassword:
		return s.password(c)
	case Advance:
		return s.advance(c, now)
	case StartRound:
		if !s.staff(c.By) {
			return nil, refuse(Forbidden, "")
		}
		return s.startRound(c, now)
	case MoveBell:
		return s.moveBell(c, now)
	case Cancel:
		return s.cancel(c)
	case Hold:
		if !s.staff(c.By) {
			return nil, refuse(Forbidden, "")
		}
		if err := reasoned(c.Why); err != nil || c.Held == s.Held {
			return nil, err
		}
		text := onOff(c.Held, "No games are paired for the moment: ", "Games are paired again: ") + c.Why
		return []Event{{Kind: HeldBack, By: c.By, Why: c.Why, Held: c.Held, Text: text}}, nil
	case Announce:
		if !s.staff(c.By) {
			return nil, refuse(Forbidden, "")
		}
		if err := reasoned(c.Text); err != nil {
			return nil, err
		}
		return []Event{{Kind: Told, By: c.By, Text: c.Text}}, nil
	}
	return nil, refuse(UnknownRequest, "%T", cmd)
}

func (s *State) edit(c Edit) ([]Event, error) {
	switch {
	case !s.Organiser(c.By):
		return nil, refuse(Forbidden, "")
	case s.Phase >= Running:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	}
	if err := s.Making.allow(&c.Settings); err != nil {
		return nil, err
	}
	return []Event{{Kind: Edited, By: c.By, Settings: &c.Settings}}, nil
}

func (s *State) cancel(c Cancel) ([]Event, error) {
	switch {
	case !s.Organiser(c.By):
		return nil, refuse(Forbidden, "")
	case s.Phase >= Running:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	return []Event{{Kind: CalledOff, By: c.By, Why: c.Why}}, nil
}

func (s *State) name(c Staff) ([]Event, error) {
	const most = 50
	switch {
	case !s.Organiser(c.By):
		return nil, refuse(Forbidden, "")
	case len(c.Organisers) == 0 || len(c.Organisers) > most || len(c.Arbiters) > most:
		return nil, refuse(BadSettings, "want 1 to %d organisers and %d arbiters at most", most, most)
	case slices.Contains(slices.Concat(c.Organisers, c.Arbiters), ""):
		return nil, refuse(BadSettings, "somebody without an id")
	}
	return []Event{{Kind: Staffed, By: c.By, Organisers: c.Organisers, Arbiters: c.Arbiters, Names: c.Names}}, nil
}

func (s *State) password(c SetPassword) ([]Event, error) {
	switch {
	case !s.Organiser(c.By):
		return nil, refuse(Forbidden, "")
	case c.Hash == "" && s.Settings.Access == ByPassword:
		return nil, refuse(BadSettings, "access: want a password")
	}
	return []Event{{Kind: Secret, By: c.By, Text: c.Hash}}, nil
}

// advance moves the event on as its people may; the rest of its life the clock and the games bring.
func (s *State) advance(c Advance, now int64) ([]Event, error) {
	allowed := s.Organiser(c.By)
	if c.To == Signed {
		allowed = s.staff(c.By)
	}
	if !allowed {
		return nil, refuse(Forbidden, "")
	}
	switch {
	case c.To == Open && s.Phase == Draft, c.To == CheckIn && s.Phase == Open,
		c.To == Signed && s.Phase == Provisional, c.To == Published && s.Phase == Signed:
		return []Event{{Kind: Phased, By: c.By, Phase: c.To}}, nil
	case c.To == Running && (s.Phase == Open || s.Phase == CheckIn):
		return s.start(c.By, now, now)
	}
	return nil, refuse(WrongPhase, "from %s", s.Phase)
}

func (s *State) moveBell(c MoveBell, now int64) ([]Event, error) {
	if !s.Organiser(c.By) {
		return nil, refuse(Forbidden, "")
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	switch {
	case s.Phase != Running || s.Settings.robin():
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case c.Bell < now || c.Bell > s.Started+longest24:
		return nil, refuse(BadBell, "it can ring from now on, until a day after the start")
	}
	return []Event{{Kind: BellMoved, By: c.By, Why: c.Why, Bell: c.Bell}}, nil
}

// presence notes whether somebody has a visible page.
func (s *State) presence(c Presence) ([]Event, error) {
	e := s.entries[c.Who]
	if e == nil {
		return nil, refuse(UnknownEntry, "")
	}
	if e.Here == c.Here || s.Phase > Running { // nobody is paired any more
		return nil, nil
	}
	return []Event{{Kind: Seen, Who: c.Who, Here: c.Here}}, nil
}

// finished takes in a game's end: by D33 a no-show gives nobody a point in an arena and the game to the one who came in a
// round robin, and an end after the bell counts or does not by the event's setting.
func (s *State) finished(c Finished, now int64) ([]Event, error) {
	g := s.games[c.Game]
	switch {
	case g == nil:
		return nil, refuse(UnknownGame, "")
	case g.Over:
		return nil, nil
	}
	out, err := c.Outcome.settled(s.Settings.robin())
	if err != nil {
		return nil, err
	}
	ended := min(now, max(g.At, now-max(0, c.Ago)))
	e := Event{Kind: Ended, Game: c.Game, Time: ended, Outcome: &out}
	e.Change = s.Bell > 0 && s.Settings.Bell == Stop && ended >= s.Bell && out.counts()
	if !g.Opened { // its table stood before its opening could be told: exports and corrections have to find the game
		return []Event{{Kind: Opened, Game: c.Game}, e}, nil
	}
	return []Event{e}, nil
}

// settled is the outcome as the event counts it.
func (o Outcome) settled(robin bool) (Outcome, error) {
	switch o.Score {
	case game.WhiteWins, game.BlackWins, game.Draw, game.Void:
	default:
		return o, refuse(BadResult, "%q", o.Score)
	}
	if o.NoShow == [2]bool{} {
		return o, nil
	}
	o.Reason, o.Forfeit = Absent, true
	switch {
	case !robin:
		o.Score = game.Void
	case o.NoShow == [2]bool{true, true}:
		o.Score = bothAbsent
	case o.NoShow[game.White]:
		o.Score = game.BlackWins
	default:
		o.Score = game.WhiteWins
	}
	return o, nil
}

// MayRule refuses somebody who may not rule on a game: who is no arbiter, and nobody rules on a game of his own.
func (s *State) MayRule(by, id string) error {
	g := s.games[id]
	switch {
	case !s.Arbiter(by):
		return refuse(Forbidden, "")
	case g == nil:
		return refuse(UnknownGame, "")
	case by == g.White || by == g.Black:
		return refuse(OwnGame, "")
	}
	return nil
}

// correct changes an outcome, at any time after the game.
func (s *State) correct(c Correct) ([]Event, error) {
	if err := s.MayRule(c.By, c.Game); err != nil {
		return nil, err
	}
	g := s.games[c.Game]
	if !g.Over {
		return nil, refuse(NotNow, "the game still runs")
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	out := Outcome{Score: c.Outcome.Score, Reason: c.Outcome.Reason, Forfeit: c.Outcome.Forfeit}
	if out.Score != bothAbsent || !out.Forfeit {
		if _, err := out.settled(s.Settings.robin()); err != nil {
			return nil, err
		}
	}
	if again := s.games[againID(g.ID)]; out.counts() && (again != nil || g.Replay && slices.Contains(s.Legs, g.ID)) {
		return nil, refuse(BadResult, "the game was annulled and is played again: correct that one")
	}
	if out.Reason == "" {
		out.Reason = "ruling"
	}
	text := fmt.Sprintf("%s now counts %s: %s", s.pairText(g.White, g.Black), scoreText(&out), c.Why)
	return []Event{{Kind: Corrected, By: c.By, Why: c.Why, Game: c.Game, Outcome: &out, Text: text}}, nil
}

func (s *State) pairText(white, black string) string {
	return s.nameOf(white) + " – " + s.nameOf(black)
}

func scoreText(o *Outcome) string {
	switch {
	case o.Score == game.Void:
		return "for nothing"
	case o.Forfeit:
		return string(o.Score) + " by forfeit"
	}
	return string(o.Score)
}

// Preview is the table as it would be after the correction, or why it is refused.
func (s *State) Preview(c Correct) ([]Row, error) {
	if _, err := s.correct(c); err != nil {
		return nil, err
	}
	after := s.clone()
	after.games[c.Game].Outcome = c.Outcome
	return after.Standings(), nil
}

// pairByHand lets two meet. What the pairing of a pass keeps is the arbiter's to weigh here, but nobody plays twice at once.
func (s *State) pairByHand(c PairByHand, now int64) ([]Event, error) {
	if !s.Arbiter(c.By) {
		return nil, refuse(Forbidden, "")
	}
	if err := reasoned(c.Why); err != nil {
		return nil, err
	}
	switch {
	case s.Phase != Running || !s.Settings.robin() && now >= s.Bell:
		return nil, refuse(WrongPhase, "%s", s.Phase)
	case s.Frozen > 0:
		return nil, refuse(NotNow, "all boards are stopped")
	}
	if c.White == c.Black {
		return nil, refuse(NotNow, "nobody plays himself")
	}
	for _, id := range [2]string{c.White, c.Black} {
		switch e := s.entries[id]; {
		case e == nil:
			return nil, refuse(UnknownEntry, "%s", id)
		case e.Status != In || e.Game != "" || e.Leg || e.Line:
			return nil, refuse(NotNow, "%s is not free", e.Name)
		}
	}
	g := Game{White: c.White, Black: c.Black, ByHand: true, Round: s.Round}
	text := "The arbiter paired " + s.pairText(c.White, c.Black) + ": " + c.Why
	return []Event{{Kind: Paired, By: c.By, Why: c.Why, Games: s.numbered([]Game{g}, now), Text: text}}, nil
}

// numbered gives new games their ids, each a match of its own.
func (s *State) numbered(games []Game, now int64) []Game {
	for i := range games {
		g := &games[i]
		g.At, g.Match = now, s.Matches+1+i
		g.ID = fmt.Sprintf("%s-%d", s.Salt, g.Match)
		if s.Settings.Two && !g.Over && !g.ByHand {
			g.Leg = 1
		}
	}
	return games
}
