package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"flagfall/game"
	"flagfall/server/actor"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const eventID actor.ID = "arena/night"

// club is a hall with one event, over a journal that outlives it. Tables outlive it too: a result is told until it is taken.
type club struct {
	t       *testing.T
	journal *actor.Memory
	hall    *actor.Hall

	mu     sync.Mutex
	log    []Event
	sits   map[string]string // player -> game
	games  map[string]OpenGame
	stored int
}

func (c *club) up() {
	c.t.Helper()
	c.hall = actor.New(actor.Config{Journal: c.journal, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	k := ActorKind()
	k.SnapshotEvery = 40
	k.Effect = c.effect
	k.Observe = func(actor.ID, actor.Machine) actor.Observer { return c }
	c.hall.Register(k)
	if err := c.hall.Start(context.Background()); err != nil {
		c.t.Fatal(err)
	}
}

func (c *club) down() {
	c.t.Helper()
	if err := c.hall.Close(context.Background()); err != nil {
		c.t.Error(err)
	}
}

func (c *club) Step(s actor.Step) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range s.Events {
		if e := e.(Event); e.Kind != Snapshot {
			c.log = append(c.log, e)
		}
	}
}

func (c *club) Ended(error) {}

func (c *club) effect(_ context.Context, _ actor.ID, f actor.Effect) (any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch do := f.Do.(type) {
	case OpenGame:
		if _, again := c.games[do.Game]; again {
			return nil, nil
		}
		if err := do.Setup.Check(); err != nil {
			return nil, actor.Final(err)
		}
		busy := &Busy{}
		for _, id := range [2]string{do.Setup.White.ID, do.Setup.Black.ID} {
			if c.sits[id] != "" {
				busy.Who = append(busy.Who, id)
			}
		}
		if len(busy.Who) > 0 {
			return nil, actor.Final(busy)
		}
		c.games[do.Game] = do
		c.sits[do.Setup.White.ID], c.sits[do.Setup.Black.ID] = do.Game, do.Game
		if len(c.games)%7 == 3 { // the answer is lost, and the effect comes again
			return nil, errors.New("connection reset")
		}
	case StopGame:
		c.t.Errorf("%s is to be stopped", do.Game)
	case Store:
		c.stored = do.Edition
	}
	return nil, nil
}

func (c *club) ask(body any) error {
	r, err := c.hall.Ask(context.Background(), eventID, actor.Command{Body: body})
	if err != nil {
		return err
	}
	return r.Err
}

func (c *club) must(body any) {
	c.t.Helper()
	if err := c.ask(body); err != nil {
		c.t.Fatalf("%T: %v", body, err)
	}
}

// finish ends the oldest games; each seat is free once the event has taken the result.
func (c *club) finish(most int) {
	for range most {
		c.mu.Lock()
		id := ""
		for at := range c.games {
			if c.sits[c.games[at].Setup.White.ID] == at && (id == "" || at < id) {
				id = at
			}
		}
		setup := c.games[id].Setup
		c.mu.Unlock()
		if id == "" {
			return
		}
		if err := c.ask(Finished{Game: id, Outcome: Outcome{Score: game.WhiteWins, Reason: "checkmate"}}); err != nil {
			c.t.Errorf("%s: %v", id, err)
		}
		c.mu.Lock()
		c.sits[setup.White.ID], c.sits[setup.Black.ID] = "", ""
		c.mu.Unlock()
	}
}

func (c *club) state() (text string, phase Phase) {
	c.t.Helper()
	err := c.hall.Inspect(context.Background(), eventID, func(m actor.Machine, _ uint64, _ int64) {
		text, phase = stateText(c.t, m.(*State)), m.(*State).Phase
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return text, phase
}

// essence is what no restart may change: entries, games, scores and colours.
func (c *club) essence() string {
	c.t.Helper()
	var b strings.Builder
	err := c.hall.Inspect(context.Background(), eventID, func(m actor.Machine, _ uint64, _ int64) {
		s := m.(*State)
		fmt.Fprintln(&b, s.Phase, s.Bell, s.Standings())
		for _, e := range s.Entries {
			fmt.Fprintln(&b, e.ID, e.Status, e.Game, e.Last, e.Colors, e.Out)
		}
		for _, g := range s.Games {
			fmt.Fprintln(&b, g.ID, g.White, g.Black, g.At, g.Over, g.Outcome)
		}
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return b.String()
}

func (c *club) all() []string { return players(7) }

// An arena on the runtime, whose server is taken down five times: no entry, score, colour or pairing is lost, nobody sits
// twice, and the bell rings when it was to ring.
func TestAnArenaOutlivesItsServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &club{t: t, journal: actor.NewMemory(), sits: map[string]string{}, games: map[string]OpenGame{}}
		c.up()
		set := Defaults(Arena)
		set.Name, set.Duration = "Night", 20*minute
		begun := time.Now()
		if err := c.hall.Create(context.Background(), eventID, Create{By: "o", Salt: "n", Settings: set, Civil: begun.UnixMilli()}); err != nil {
			t.Fatal(err)
		}
		c.must(Advance{By: "o", To: Open})
		for i, id := range c.all() {
			c.must(Enter{By: id, Player: account(id), Rating: 1500 + i})
			c.must(Presence{Who: id, Here: true})
		}
		c.must(Advance{By: "o", To: Running})
		for round := 0; time.Since(begun) < 19*time.Minute; round++ {
			time.Sleep(20 * time.Second)
			c.finish(2)
			if round%10 != 4 {
				continue
			}
			before := c.essence()
			c.down()
			time.Sleep(7 * time.Second)
			c.up()
			synctest.Wait()
			if after := c.essence(); after != before {
				t.Errorf("after the restart:\n%s\nbefore it\n%s", after, before)
			}
			for _, id := range c.all() {
				c.must(Presence{Who: id, Here: true})
			}
		}
		time.Sleep(20*time.Minute - time.Since(begun) + 2*time.Second)
		if _, phase := c.state(); phase != LastGames {
			t.Errorf("%s after the bell", phase)
		}
		c.finish(10)
		synctest.Wait()
		time.Sleep(time.Second)
		if _, phase := c.state(); phase != Provisional {
			t.Errorf("%s after the last game", phase)
		}
		c.must(Advance{By: "o", To: Signed})
		synctest.Wait()
		var rows []Row
		edition := 0
		err := c.hall.Inspect(context.Background(), eventID, func(m actor.Machine, _ uint64, _ int64) {
			rows, edition = m.(*State).Standings(), m.(*State).Edition
		})
		if err != nil || c.stored != edition {
			t.Errorf("%v, edition %d of %d is stored", err, c.stored, edition)
		}
		last, _ := c.state()
		c.down()
		a := audit(t, set, c.log)
		a.table(rows)
		if len(rows) != 7 || a.games < 40 {
			t.Errorf("%d rows, %d games", len(rows), a.games)
		}
		c.again(last)
	})
}

// again replays the journal once more and holds the state against the last one.
func (c *club) again(last string) {
	c.up()
	defer c.down()
	synctest.Wait()
	var replayed *State
	err := c.hall.Inspect(context.Background(), eventID, func(m actor.Machine, _ uint64, _ int64) { replayed = m.(*State).clone() })
	if err != nil {
		c.t.Fatal(err)
	}
	old, err := Load([]byte(last))
	if err != nil {
		c.t.Fatal(err)
	}
	for _, s := range []*State{old, replayed} { // the gap of the restart moved these
		s.Now, s.Origin = 0, 0
		for _, e := range s.Entries {
			e.Here = false
		}
	}
	if a, b := stateText(c.t, old), stateText(c.t, replayed); a != b {
		c.t.Errorf("replayed:\n%s\nwant\n%s", b, a)
	}
}

// One person is asked for at the same moment by two events: one gets him, the other pairs on without a penalty (ARN-01).
func TestTwoEventsWantOnePlayer(t *testing.T) {
	seats, refused := map[string]string{}, 0
	events := []*event{open(t, Defaults(Arena)), open(t, Defaults(Arena))}
	for i, e := range events {
		e.enter(fmt.Sprintf("a%d", i), "both", fmt.Sprintf("b%d", i)) // both events pair him first
		e.do(Advance{By: "o", To: Running})
		e.do(actor.Tick{})
	}
	for range 40 {
		for i, e := range events {
			for _, f := range e.m.Effects() {
				do, opens := f.Do.(OpenGame)
				if !opens {
					continue
				}
				ack := actor.Acked{Effect: f.ID}
				mine := fmt.Sprint(i, do.Game)
				busy := &Busy{}
				for _, id := range [2]string{do.Setup.White.ID, do.Setup.Black.ID} {
					if seats[id] != "" && seats[id] != mine {
						busy.Who = append(busy.Who, id)
					}
				}
				if len(busy.Who) > 0 {
					ack.Err = busy
					refused++
				} else {
					seats[do.Setup.White.ID], seats[do.Setup.Black.ID] = mine, mine
				}
				e.do(ack)
			}
			e.pass(500)
		}
	}
	playing := 0
	for _, e := range events {
		for _, g := range e.m.live() {
			if !g.Opened {
				t.Errorf("%+v waits for a seat", g)
			}
			playing++
		}
		if n := len(e.m.live()); n != 1 {
			t.Errorf("%d games", n)
		}
	}
	if playing != 2 || seats["both"] == "" || refused == 0 {
		t.Errorf("%d games, both sits at %q, %d were refused", playing, seats["both"], refused)
	}
}
