package arena

import (
	"cmp"
	"crypto/subtle"
	"slices"
)

// What a page shows at most.
const (
	pageRows    = 10
	pageNotices = 20
)

func keyFits(key, want string) bool {
	return want != "" && subtle.ConstantTimeCompare([]byte(key), []byte(want)) == 1
}

// Opens tells whether the key is that of the link which people join by.
func (s *State) Opens(key string) bool { return keyFits(key, s.Making.Link) }

// Shows tells whether the key is that of the projector.
func (s *State) Shows(key string) bool { return keyFits(key, s.Making.Screen) }

// May tells whether somebody may see the event. One that is being written is for its people and who has a key; one by link
// also for those in it.
func (s *State) May(v Viewer) bool {
	switch {
	case v.ID != "" && (s.staff(v.ID) || s.entries[v.ID] != nil), s.Opens(v.Key), s.Shows(v.Key):
		return true
	}
	return s.Settings.Access != ByLink && s.Phase != Draft
}

// MayEnter tells whether somebody has come by the link where one is needed. A password is the caller's to ask for.
func (s *State) MayEnter(v Viewer) bool {
	return s.Settings.Access != ByLink || s.Opens(v.Key) || v.ID != "" && (s.staff(v.ID) || s.entries[v.ID] != nil)
}

// Staff tells whether somebody is an organiser or arbiter.
func (s *State) Staff(id string) bool { return id != "" && s.staff(id) }

// Views is an event at one moment, for many to look at: the table is made once.
type Views struct {
	s   *State
	now int64
	top []Row
	at  map[string]*Row
}

// Views is for a look at civil time now, before the next event.
func (s *State) Views(now int64) *Views {
	v := &Views{s: s, now: now, top: s.Standings(), at: map[string]*Row{}}
	for i := range v.top {
		v.at[v.top[i].ID] = &v.top[i]
	}
	return v
}

// Page is the event as one person may see it.
func (s *State) Page(viewer Viewer, now int64) Page { return s.Views(now).Page(viewer) }

// Mine is how somebody stands, or nil.
func (s *State) Mine(id string, now int64) *Mine { return s.Views(now).Mine(id) }

// DeskView is what the arbiter by has before him. What waits in games of his own is not in it.
func (s *State) DeskView(by string, now int64) DeskPage { return s.Views(now).Desk(by) }

// Table is everybody's row.
func (v *Views) Table() []Row { return v.top }

// Place is somebody's place in the table, 0 for none.
func (v *Views) Place(id string) int {
	if row := v.at[id]; row != nil {
		return row.Place
	}
	return 0
}

// Page is the event as one person may see it.
func (v *Views) Page(viewer Viewer) Page {
	s, set := v.s, &v.s.Settings
	p := Page{
		Event: s.Making.Name, Name: set.Name, Phase: s.Phase.String(), Format: set.Format, Terms: set.terms(), Rated: set.Rated,
		Two: set.Two, Scoring: set.Scoring, AtBell: set.Bell, Access: set.Access, Approve: set.Approve, Guests: set.Guests,
		Bots: set.Bots, Late: set.Late, MinRating: set.MinRating, MaxRating: set.MaxRating, Most: set.most(), Club: s.Making.Club,
		Zone: set.Zone, Starts: set.StartAt, CheckIn: set.CheckInAt, Started: s.Started, Bell: s.Bell, Now: v.now, Held: s.Held,
		Frozen: s.Frozen > 0, Round: s.Round, Top: v.top[:min(pageRows, len(v.top))], Next: s.next(), Notices: []NoticeView{},
		Staff: s.people(), Cancelled: s.Cancelled, You: v.you(viewer),
	}
	if set.robin() {
		p.Rounds = s.last()
	} else {
		p.Duration = set.Duration
	}
	v.count(&p)
	for _, n := range slices.Backward(s.Notices) {
		if len(p.Notices) < pageNotices {
			p.Notices = append(p.Notices, NoticeView{At: n.At, By: s.nameOf(n.By), Text: n.Text})
		}
	}
	for _, e := range s.Entries {
		if e.Line && e.Status == In && s.claimable() {
			p.Roster = append(p.Roster, Line{ID: e.ID, Name: e.Name})
		}
	}
	return p
}

// claimable tells whether lines of the organiser's list can be claimed.
func (s *State) claimable() bool {
	return s.Phase == Open || s.Phase == CheckIn || s.Phase == Running && !s.Settings.robin() && s.Settings.Late
}

func (v *Views) count(p *Page) {
	s := v.s
	p.Lines, p.Playing, p.Games = s.lines(), 2*len(s.running), len(s.counted())
	p.Entries = s.People()
	for _, e := range s.Entries {
		if e.Here && (e.Status == In || e.Status == Paused) {
			p.Here++
		}
		if e.free() && s.Phase == Running {
			p.Waiting++
		}
	}
}

// people are the organisers and arbiters, each once.
func (s *State) people() []Member {
	list := []Member{}
	for _, id := range s.Organisers {
		list = append(list, Member{ID: id, Name: s.nameOf(id), Role: "organiser"})
	}
	for _, id := range s.Arbiters {
		if !s.Organiser(id) {
			list = append(list, Member{ID: id, Name: s.nameOf(id), Role: "arbiter"})
		}
	}
	return list
}

// next is what comes next, in words; moments are in the page's other fields.
func (s *State) next() string {
	switch {
	case s.Cancelled != "":
		return ""
	case s.Phase == Running && s.Frozen > 0:
		return "All boards stand until an arbiter lets them go on"
	case s.Phase == Running && s.Held:
		return "No games are paired until an arbiter or organiser lets them be"
	case s.Phase == Running && s.Settings.robin():
		return s.nextRobin()
	}
	return map[Phase]string{
		Draft:       "The organiser is still preparing the event",
		Open:        onOff(s.Settings.StartAt > 0, "Entries are taken until the start", "Entries are taken; the organiser starts the event"),
		CheckIn:     "Who is there says so; then the event starts",
		Running:     "Games are paired until the bell",
		LastGames:   "The last games are being played",
		Provisional: "The results wait for the signature of an arbiter or organiser",
		Signed:      "The results are signed and wait for their publication",
	}[s.Phase]
}

func (s *State) nextRobin() string {
	switch {
	case s.Rested == 0:
		return "The games of the round are being played"
	case s.Round < s.last() && !s.Settings.AutoRound:
		return "The organiser starts the next round"
	}
	return "The next round starts by itself"
}

func (v *Views) you(viewer Viewer) You {
	s := v.s
	if viewer.ID == "" {
		return You{}
	}
	y := You{Role: Role{Organiser: s.Organiser(viewer.ID), Arbiter: s.Arbiter(viewer.ID)}, Entry: v.Mine(viewer.ID)}
	if y.Entry != nil {
		y.Playing = y.Entry.Game
	}
	if s.staff(viewer.ID) {
		settings := s.Settings
		y.Link, y.Screen, y.Settings = s.Making.Link, s.Making.Screen, &settings
	}
	return y
}

// Mine is how somebody stands, or nil.
func (v *Views) Mine(id string) *Mine {
	s := v.s
	e := s.entries[id]
	if e == nil {
		return nil
	}
	m := &Mine{Status: e.Status, Why: e.Why, Here: e.Here, Checked: e.Checked, Since: e.Since, Ready: e.Since <= v.now}
	if row := v.at[id]; row != nil {
		m.Place, m.Points, m.Games = row.Place, row.Points, row.Games
	}
	if g := s.games[e.Game]; g != nil && g.Opened {
		m.Game = g.ID
		m.Color, m.Opponent = "w", s.entries[g.Black].Name
		if g.Black == id {
			m.Color, m.Opponent = "b", s.entries[g.White].Name
		}
		return m
	}
	b := s.Why(id, v.now)
	m.Because = &WaitsView{Code: b.Code, Text: b.Text(v.now), Others: b.Others, Next: b.Next}
	return m
}

// EntryViews are all entries, in the order in which they came, for organisers and arbiters.
func (s *State) EntryViews() []EntryView {
	list := []EntryView{}
	for _, e := range s.Entries {
		list = append(list, EntryView{ID: e.ID, Name: e.Name, Real: e.Real, Rating: e.Rating, Account: e.Account, Status: e.Status,
			Why: e.Why, Checked: e.Checked, Here: e.Here, Game: e.Game, Colors: e.Colors, Last: e.Last, Claimed: e.Claimed})
	}
	return list
}

// Desk is what the arbiter by has before him. What waits in games of his own is not in it.
func (v *Views) Desk(by string) DeskPage {
	s := v.s
	d := DeskPage{Page: v.Page(Viewer{ID: by}), Duty: []Person{}, Frozen: s.Frozen > 0, Games: []DeskGame{}, Queue: []Waiting{},
		Acts: []ActView{}, Reports: []ReportView{}}
	for _, seat := range s.AtDesk {
		if slices.Contains(s.Duty, seat.ID) && s.Arbiter(seat.ID) {
			d.Duty = append(d.Duty, Person{ID: seat.ID, Name: s.nameOf(seat.ID)})
		}
	}
	for _, id := range s.Hushed {
		d.Hushed = append(d.Hushed, Person{ID: id, Name: s.nameOf(id)})
	}
	for _, g := range s.live() {
		if own := by == g.White || by == g.Black; !own {
			d.Games = append(d.Games, s.deskGame(g))
		}
	}
	d.Queue = s.waiting(by)
	for _, a := range slices.Backward(s.Acts) {
		view := ActView{N: a.N, At: a.At, By: s.nameOf(a.By), Do: a.Do, Game: a.Game, Text: a.Text, Failed: a.Failed}
		if a.Who != "" {
			view.Who = s.nameOf(a.Who)
		}
		d.Acts = append(d.Acts, view)
	}
	for _, m := range slices.Backward(s.Reported) {
		g := s.games[m.Game]
		if by == g.White || by == g.Black {
			continue
		}
		d.Reports = append(d.Reports, ReportView{ID: m.ID, At: m.At, By: s.nameOf([2]string{g.White, g.Black}[m.By]), Game: m.Game,
			Text: m.Text, Settled: m.Settled})
	}
	return d
}

// Person is somebody in the event as tables show him.
func (s *State) Person(id string) Person {
	e := s.entries[id]
	if e == nil {
		return Person{ID: id}
	}
	return Person{ID: id, Name: e.Name, Rating: e.Rating, Account: e.Account, Bot: e.Bot}
}

func (s *State) deskGame(g *Game) DeskGame {
	d := DeskGame{Game: g.ID, White: s.Person(g.White), Black: s.Person(g.Black), Round: g.Round, Started: g.At}
	for _, m := range s.Queue {
		if m.Game == g.ID && m.Kind == QueueDispute && (m.Stops || d.Dispute == "") {
			d.Dispute = m.By.String()
		}
	}
	return d
}

// waiting is the queue: what stops clocks first, then in the order in which it came.
func (s *State) waiting(by string) []Waiting {
	list := []Waiting{}
	for _, m := range slices.Concat(s.Queue, s.Reported) {
		g := s.games[m.Game]
		if m.Settled != "" || by == g.White || by == g.Black {
			continue
		}
		w := Waiting{ID: m.ID, Kind: m.Kind, Game: m.Game, White: s.Person(g.White), Black: s.Person(g.Black), By: m.By.String(),
			At: m.At, Text: m.Text, Stops: m.Stops, Until: m.Until}
		if m.Kind == QueueReport {
			w.By = s.nameOf([2]string{g.White, g.Black}[m.By])
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b Waiting) int {
		if a.Stops != b.Stops {
			return map[bool]int{true: -1, false: 1}[a.Stops]
		}
		return cmp.Compare(a.At, b.At)
	})
	return list
}
