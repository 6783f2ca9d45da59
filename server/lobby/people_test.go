package lobby

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/wire"
)

// book keeps people in memory.
type book struct {
	mu     sync.Mutex
	away   bool
	ranks  map[string]map[string]float64
	blocks map[[2]string]bool
	known  map[string]account.Person // by id
}

func newBook() *book {
	return &book{ranks: map[string]map[string]float64{}, blocks: map[[2]string]bool{}, known: map[string]account.Person{}}
}

var errAway = errors.New("the database is away")

// open locks the book, unless it is away.
func (b *book) open() (unlock func(), err error) {
	b.mu.Lock()
	if b.away {
		b.mu.Unlock()
		return nil, errAway
	}
	return b.mu.Unlock, nil
}

func (b *book) Ranks(_ context.Context, person string) (map[string]float64, error) {
	unlock, err := b.open()
	if err != nil {
		return nil, err
	}
	defer unlock()
	return maps.Clone(b.ranks[person]), nil
}

func (b *book) Blocks(_ context.Context, person string) (all []string, err error) {
	unlock, err := b.open()
	if err != nil {
		return nil, err
	}
	defer unlock()
	for pair := range b.blocks {
		switch person {
		case pair[0]:
			all = append(all, pair[1])
		case pair[1]:
			all = append(all, pair[0])
		}
	}
	return all, nil
}

func (b *book) Blocked(_ context.Context, person string) (all []account.Person, err error) {
	unlock, err := b.open()
	if err != nil {
		return nil, err
	}
	defer unlock()
	for pair := range b.blocks {
		if pair[0] == person {
			all = append(all, b.known[pair[1]])
		}
	}
	return all, nil
}

func (b *book) Block(_ context.Context, one, other string) error {
	unlock, err := b.open()
	if err != nil {
		return err
	}
	defer unlock()
	if _, known := b.known[other]; !known {
		return ErrUnknownPerson
	}
	b.blocks[[2]string{one, other}] = true
	return nil
}

func (b *book) Unblock(_ context.Context, one, other string) error {
	unlock, err := b.open()
	if err != nil {
		return err
	}
	defer unlock()
	delete(b.blocks, [2]string{one, other})
	return nil
}

func (b *book) Named(_ context.Context, name string) (account.Person, error) {
	unlock, err := b.open()
	if err != nil {
		return account.Person{}, err
	}
	defer unlock()
	for _, who := range b.known {
		if strings.EqualFold(who.Name, name) && !who.Guest {
			return who, nil
		}
	}
	return account.Person{}, ErrUnknownPerson
}

// member is somebody with an account, and with a rating by the WBCA rules unless that is 0.
func (w *world) member(letter string, rating float64) *guest {
	w.book.mu.Lock()
	who := person(letter)
	w.book.known[who.ID] = who
	if rating > 0 {
		w.book.ranks[who.ID] = map[string]float64{"wbca": rating}
	}
	w.book.mu.Unlock()
	return w.comes(who)
}

// agreed is the set-up of the game at which somebody sits.
func (g *guest) agreed() (setup game.Setup) {
	g.w.t.Helper()
	err := g.w.hall.Inspect(context.Background(), SeatsID, func(m actor.Machine, _ uint64, _ int64) {
		if at := m.(*seats).games[g.game()]; at != nil {
			setup = at.Setup
		}
	})
	if err != nil || setup.RuleSet == "" {
		g.w.t.Fatalf("%s sits nowhere: %v", g.conn.person.Name, err)
	}
	return setup
}

func (g *guest) together(o *guest) bool { return g.game() != "" && g.game() == o.game() }

// A pool pairs who is near at once, and looks further with each second: 400 points apart after 14 seconds.
func TestPoolByRating(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 1500), w.member("B", 1900), w.member("C", 1549)
		a.seek("1", 5)
		seeking := a.expect("seeking")[0]
		reach := seeking["reach"].(map[string]any)
		if seeking["rating"] != 1500.0 || reach["from"] != 50.0 || reach["grows"] != 25.0 || reach["anybody"] != 20_000.0 || reach["waited"] != 0.0 {
			t.Errorf("the seek shows %v", seeking)
		}
		b.seek("1", 5)
		pass(13 * time.Second)
		if a.game() != "" {
			t.Error("400 points apart after 13 seconds")
		}
		pass(1001 * time.Millisecond)
		if !a.together(b) || !a.agreed().Rated {
			t.Errorf("not paired by then, or not rated: %q, %q", a.game(), b.game())
		}
		d := w.member("D", 1500)
		d.seek("1", 5)
		c.seek("1", 5)
		if !c.together(d) {
			t.Error("49 points apart, and not paired at once")
		}
	})
}

// Guests play in the pools with members, as 1500 and unrated. Programs meet programs.
func TestWhoMeetsInPools(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		bot := func(letter string) *guest {
			who := person(letter)
			who.Bot = true
			return w.comes(who)
		}
		r, m := bot("R"), w.member("M", 1520)
		r.seek("1", 3)
		m.seek("1", 3)
		pass(time.Minute)
		if m.game() != "" || r.game() != "" {
			t.Fatal("a program in a pool with people")
		}
		visitor := person("G")
		visitor.Guest = true
		g := w.comes(visitor)
		g.seek("1", 3)
		if !g.together(m) || m.agreed().Rated {
			t.Errorf("a guest and a member: %q, %q", g.game(), m.game())
		}
		s := bot("S")
		s.seek("1", 3)
		if !s.together(r) || !s.agreed().Rated {
			t.Errorf("two programs: %q, %q", s.game(), r.game())
		}
	})
}

// A seek that is in no pool, or has a range, is open: others see it and may take it, if they fit.
func TestOpenSeeks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 1600), w.member("B", 1700), w.member("C", 1900)
		a.say(wire.ClientMessage{T: "seek", ID: "1", Base: 180000, Mode: "fast", Min: 1500, Max: 1800})
		if f := a.expect("seeking")[0]; f["min"] != 1500.0 || f["max"] != 1800.0 || f["rating"] != 1600.0 {
			t.Errorf("the seek shows %v", f)
		}
		w.member("P", 1500).seek("1", 7) // in a pool: nobody sees it
		list := func(g *guest) []any {
			g.news()
			g.say(wire.ClientMessage{T: "list", ID: "l"})
			return g.expect("seeks")[0]["seeks"].([]any)
		}
		seen := list(b)
		if len(seen) != 1 {
			t.Fatalf("the list has %v", seen)
		}
		one := seen[0].(map[string]any)
		if by := one["by"].(map[string]any); by["name"] != "P A" || one["rating"] != 1600.0 || one["min"] != 1500.0 || one["rated"] != true || one["fits"] != true {
			t.Errorf("it shows %v", one)
		}
		if seen := list(c); seen[0].(map[string]any)["fits"] != false {
			t.Errorf("who does not fit sees %v", seen)
		}
		if seen := list(a); len(seen) != 0 {
			t.Errorf("its owner sees %v", seen)
		}
		id := one["seek"].(string)
		take := func(g *guest, id string) { g.say(wire.ClientMessage{T: "take", ID: "t" + id, Seek: id}) }
		take(a, id)
		a.expect("err:own_seek")
		take(c, id)
		c.expect("err:out_of_range")
		take(c, "nothing")
		c.expect("err:unknown_seek")
		robot := person("R")
		robot.Bot = true
		r := w.comes(robot)
		take(r, id)
		r.expect("err:out_of_range")
		take(b, id)
		if !a.together(b) || a.agreed().Origin != "seek" || !a.agreed().Rated || a.agreed().Base[0] != 180000 {
			t.Errorf("games %q, %q", a.game(), b.game())
		}
		take(c, id)
		c.expect("err:unknown_seek")
		c.say(wire.ClientMessage{T: "seek", ID: "x", Base: 180000, Mode: "fast", Min: 1800, Max: 1700})
		c.expect("err:bad_message")
	})
}

// What is agreed to be casual is not rated, and waits apart from what is.
func TestCasual(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 1500), w.member("B", 1500), w.member("C", 1500)
		a.say(wire.ClientMessage{T: "seek", ID: "1", Base: 300000, Mode: "board", Casual: true})
		if f := a.expect("seeking")[0]; f["casual"] != true || f["reach"] != nil {
			t.Errorf("the seek shows %v", f)
		}
		b.seek("1", 5)
		if b.game() != "" {
			t.Error("a rated seek met a casual one")
		}
		c.say(wire.ClientMessage{T: "seek", ID: "1", Base: 300000, Mode: "board", Casual: true})
		if !a.together(c) || a.agreed().Rated || !a.agreed().Casual {
			t.Errorf("casual: %q, %q", a.game(), c.game())
		}
	})
}

func (g *guest) challenge(id, to string) {
	g.say(wire.ClientMessage{T: "invite", ID: id, Base: 300000, Mode: "board", Color: "white", To: to})
}

// A challenge goes to one person, at once or when he comes, and is his alone to take.
func TestChallenge(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 1600), w.member("B", 0), w.member("C", 0)
		a.challenge("1", "p b")
		id := a.expect("invited:white")[0]["invite"].(string)
		told := b.expect("challenge:black")[0]
		if by := told["by"].(map[string]any); told["invite"] != id || by["name"] != "P A" || told["rating"] != 1600.0 || told["rated"] != true || told["base"] != 300000.0 {
			t.Errorf("he is told %v", told)
		}
		c.accept("1", id)
		c.expect("err:not_for_you")
		c.say(wire.ClientMessage{T: "decline", ID: "2", Invite: id})
		c.expect("err:unknown_invite")
		b.close()
		pass(30 * time.Second)
		b = w.come("B")
		b.expect("challenge:black")
		b.accept("1", id)
		if !a.together(b) || a.agreed().White.ID != person("A").ID || !a.agreed().Rated {
			t.Errorf("games %q, %q", a.game(), b.game())
		}
		b.expect("uninvited:withdrawn paired:b")
	})
}

// Ways in which a challenge ends without a game.
func TestChallengeEnds(t *testing.T) {
	for _, test := range []struct {
		name       string
		end        func(w *world, a, b *guest, id string)
		forA, forB string
	}{
		{"declined", func(_ *world, _, b *guest, id string) { b.say(wire.ClientMessage{T: "decline", ID: "d", Invite: id}) },
			"uninvited:declined", "uninvited:declined"},
		{"unanswered", func(*world, *guest, *guest, string) { pass(10*time.Minute + time.Second) }, "uninvited:unanswered", "uninvited:unanswered"},
		{"not yet", func(*world, *guest, *guest, string) { pass(10*time.Minute - time.Second) }, "", ""},
		{"cancelled", func(_ *world, a, _ *guest, _ string) { a.say(wire.ClientMessage{T: "cancel", ID: "c"}) }, "idle:cancelled", "uninvited:withdrawn"},
		{"another challenge", func(w *world, a, _ *guest, _ string) { w.member("C", 0); a.challenge("2", "P C") }, "invited:white", "uninvited:withdrawn"},
		{"its author is gone", func(_ *world, a, _ *guest, _ string) { a.close(); pass(11 * time.Second) }, "", "uninvited:withdrawn"},
		{"its author plays", func(w *world, a, _ *guest, _ string) {
			a.seek("s", 3)
			w.comes(person("D")).seek("s", 3)
			a.news()
		}, "", "uninvited:withdrawn"},
		{"blocked", func(_ *world, a, b *guest, _ string) {
			b.say(wire.ClientMessage{T: "block", ID: "b", Who: a.hello.You.ID})
		}, "uninvited:withdrawn", "uninvited:withdrawn done"},
	} {
		t.Run(test.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				a, b := w.member("A", 0), w.member("B", 0)
				a.challenge("1", "P B")
				id := a.expect("invited:white")[0]["invite"].(string)
				b.expect("challenge:black")
				test.end(w, a, b, id)
				a.expect(test.forA)
				b.expect(test.forB)
				if test.forB == "" {
					return
				}
				b.accept("x", id)
				b.expect("err:unknown_invite")
			})
		})
	}
}

// Who can be challenged: accounts, and guests who are here and have their name alone.
func TestWhoIsChallenged(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a := w.member("A", 0)
		guestOf := func(letter, name string) *guest {
			return w.comes(account.Person{ID: person(letter).ID, Name: name, Guest: true})
		}
		g := guestOf("G", "Guest 4F7K")
		guestOf("H", "Guest 2222")
		guestOf("K", "Guest 2222")
		a.challenge("1", "Guest 4F7K")
		a.expect("invited:white")
		if told := g.expect("challenge:black"); len(told) == 1 && told[0]["rated"] != false {
			t.Errorf("a guest is told %v", told[0])
		}
		for i, name := range []string{"Guest 2222", "nobody"} {
			a.challenge(string(rune('x'+i)), name)
			a.expect("err:unknown_person")
		}
		a.challenge("2", "P A")
		a.expect("err:no_challenge")
		for i := range 21 {
			one := w.comes(account.Person{ID: strings.Repeat(string(rune('2'+i/7)), 15) + string(rune('2'+i%7)), Name: "Many", Guest: true})
			one.challenge("m", "P A")
			if i < 20 {
				one.expect("invited:white")
			} else {
				one.expect("err:too_many")
			}
		}
	})
}

// Blocks keep two people apart, whoever of them made it, and count at once.
func TestBlocks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b := w.member("A", 0), w.member("B", 0)
		blockOf := func(g *guest, kind string, o *guest) {
			g.news()
			g.say(wire.ClientMessage{T: kind, ID: kind + time.Now().String(), Who: o.hello.You.ID})
			g.expect("done")
		}
		a.seek("1", 5)
		blockOf(a, "block", b)
		b.seek("1", 5)
		b.expect("seeking")
		pass(time.Minute)
		if a.game() != "" || b.game() != "" {
			t.Fatal("paired, though one has blocked the other")
		}
		b.challenge("2", "P A")
		b.expect("err:no_challenge")
		a.challenge("2", "P B")
		a.expect("err:no_challenge")
		b.say(wire.ClientMessage{T: "seek", ID: "3", Base: 60000, Mode: "board"})
		a.news()
		a.say(wire.ClientMessage{T: "list", ID: "l"})
		if seen := a.expect("seeks")[0]["seeks"].([]any); len(seen) != 0 {
			t.Errorf("he sees %v", seen)
		}
		link := b.invite2("4")
		a.accept("5", link)
		a.expect("err:unknown_invite")
		a.say(wire.ClientMessage{T: "blocks", ID: "q"})
		if people := a.expect("blocks")[0]["people"].([]any); len(people) != 1 || people[0].(map[string]any)["name"] != "P B" {
			t.Errorf("he blocks %v", people)
		}
		blockOf(b, "block", a)
		blockOf(a, "unblock", b)
		a.seek("6", 5)
		b.seek("6", 5)
		if a.game() != "" {
			t.Error("the other one's block does not count")
		}
		blockOf(b, "unblock", a)
		pass(2 * time.Second)
		if !a.together(b) {
			t.Error("they are still kept apart")
		}
		a.say(wire.ClientMessage{T: "block", ID: "z", Who: "nobody"})
		if f := a.news(); f[len(f)-1]["code"] != "unknown_person" {
			t.Errorf("nobody is blocked: %v", f)
		}
	})
}

// invite2 makes a link, whatever else it is told.
func (g *guest) invite2(id string) string {
	g.news()
	g.say(wire.ClientMessage{T: "invite", ID: id, Base: 300000, Mode: "board", Color: "white"})
	frames := g.news()
	i := slices.IndexFunc(frames, func(f map[string]any) bool { return f["t"] == "invited" })
	return frames[i]["invite"].(string)
}

// While the database is away people whom the lobby knows play on; a block that it cannot know pairs nobody.
func TestPeopleAway(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 0), w.member("B", 0), w.member("C", 0)
		for _, g := range []*guest{a, b} {
			g.say(wire.ClientMessage{T: "list", ID: "l"})
			g.expect("seeks")
		}
		w.book.mu.Lock()
		w.book.away = true
		w.book.mu.Unlock()
		c.seek("1", 5)
		c.expect("err:unavailable")
		a.seek("1", 5)
		b.seek("1", 5)
		if !a.together(b) {
			t.Error("who is known does not play")
		}
		c.challenge("2", "P B")
		c.expect("err:internal")
	})
}

// Two who have just played do not meet again while somebody else waits, and do when nobody does.
func TestNotTheSameAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		a, b, c := w.member("A", 1500), w.member("B", 1500), w.member("C", 1549)
		w.play(a, b)
		c.seek("1", 5)
		a.seek("2", 5)
		if !a.together(c) {
			t.Fatal("not paired")
		}
		d := w.member("D", 1500)
		w.play(b, d)
		b.seek("3", 5)
		d.seek("3", 5)
		if !b.together(d) {
			t.Error("nobody else waits, and they are not paired")
		}
	})
}
