package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"flagfall/server/wire"
)

// poolRun has people with ratings seek in the pools, play a little, and seek again.
type poolRun struct {
	o    options
	run  *run
	wait histogram // seek to paired

	mu       sync.Mutex
	everyone []*seeker
	tables   map[string]*poolTable
	at       map[string]string // by person: the game at which he sits
	apart    *hdrhistogram.Histogram
	pairs    int
	again    int // pairs that had played their last game against each other
	left     int // who waited when the time was up
	oldest   time.Duration
}

// seeker is one person.
type seeker struct {
	*person
	rated
	base  int64 // of his pool, ms
	dice  *rand.Rand
	last  string // the opponent of his last game
	seats int    // games to which he was called
}

// poolTable is a game that the server has made.
type poolTable struct {
	seats [2]*seeker
}

// poolMinutes are the pools of a server.
var poolMinutes = [3]int64{3, 5, 7}

const (
	// connecting is how many people open their sockets at the same time.
	connecting = 64
	// longestGame is how long anybody plays before he resigns: less than the limit of the first move.
	longestGame = 6 * time.Second
	// longestRest is how long anybody rests before he seeks again.
	longestRest = 4 * time.Second
	// endOfGame bounds the wait for the end of a game.
	endOfGame = 30 * time.Second
)

func newPoolRun(o options, r *run, people []rated, tokens []string) *poolRun {
	p := &poolRun{o: o, run: r, tables: map[string]*poolTable{}, at: map[string]string{}, apart: hdrhistogram.New(1, 10_000, 3)}
	for i, one := range people {
		s := &seeker{person: newPerson(r, i, i), rated: one, base: poolMinutes[i%len(poolMinutes)] * 60_000,
			dice: rand.New(rand.NewPCG(o.seed, uint64(i)))}
		s.person.id, s.person.name, s.person.token = one.ID, one.Name, tokens[i]
		p.everyone = append(p.everyone, s)
	}
	return p
}

// play connects everybody, and lets them seek and play until the time is up or soft ends.
func (p *poolRun) play(soft context.Context) {
	p.connect(soft)
	ctx, cancel := context.WithTimeout(soft, p.o.ramp+p.o.duration)
	defer cancel()
	var living sync.WaitGroup
	for i, s := range p.everyone {
		living.Go(func() {
			if s.conn != nil && rest(ctx, p.o.ramp*time.Duration(i)/time.Duration(len(p.everyone))) == nil {
				p.live(ctx, s)
			}
		})
	}
	living.Wait()
	for _, s := range p.everyone {
		s.leave()
	}
	p.run.readers.Wait()
}

func (p *poolRun) connect(ctx context.Context) {
	turns := make(chan struct{}, connecting)
	var coming sync.WaitGroup
	for _, s := range p.everyone {
		turns <- struct{}{}
		coming.Go(func() {
			defer func() { <-turns }()
			err := s.open(ctx)
			if err == nil {
				var f frame
				if f, err = s.await(ctx, "hello", "", nil); err == nil && f.Game != "" {
					err = fmt.Errorf("somebody new sits at a table")
				}
			}
			if err != nil {
				s.leave()
				p.run.count("connect: " + plainly(err))
			}
		})
	}
	coming.Wait()
}

// live is a person's time in the hall: he seeks, plays, rests and seeks again.
func (p *poolRun) live(ctx context.Context, s *seeker) {
	for turn := 0; ctx.Err() == nil; turn++ {
		f, err := p.seek(ctx, s, fmt.Sprint("s", turn))
		if ctx.Err() != nil && err != nil {
			return
		}
		if err == nil {
			err = p.game(s, f)
		}
		if err != nil {
			p.run.count(plainly(err))
			return
		}
		_ = rest(ctx, time.Duration(s.dice.Int64N(int64(longestRest)))) // the loop sees it
	}
}

// seek waits for a pair.
func (p *poolRun) seek(ctx context.Context, s *seeker, id string) (frame, error) {
	began := time.Now()
	if err := s.send(wire.ClientMessage{T: "seek", ID: id, Base: s.base, Mode: "fast"}); err != nil {
		return frame{}, fmt.Errorf("seek: %w", err)
	}
	f, err := s.await(ctx, "paired", id, nil)
	waited := time.Since(began)
	if ctx.Err() == nil && err != nil {
		return f, fmt.Errorf("seek: %w", err)
	}
	p.mu.Lock()
	p.oldest = max(p.oldest, waited)
	if err != nil {
		p.left++
	}
	p.mu.Unlock()
	if err == nil {
		p.wait.record(waited)
		p.sit(s, f)
	}
	return f, err
}

// sit notes who sits where, and fails the run when that cannot be.
func (p *poolRun) sit(s *seeker, f frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s.seats++
	if at := p.at[s.ID]; at != "" {
		p.run.fail("%s is seated twice: at game %s, and at %s", s.Name, at, f.Game)
	}
	p.at[s.ID] = f.Game
	side := 0
	if f.Color == "b" {
		side = 1
	}
	t := p.tables[f.Game]
	if t == nil {
		t = &poolTable{}
		p.tables[f.Game] = t
	}
	switch other := t.seats[1-side]; {
	case f.Game == "" || f.Color != "w" && f.Color != "b":
		p.run.fail("%s is paired as %q in game %q", s.Name, f.Color, f.Game)
	case t.seats[side] != nil:
		p.run.fail("%s and %s both sit on side %s of game %s", t.seats[side].Name, s.Name, f.Color, f.Game)
	case other == s:
		p.run.fail("%s plays himself in game %s", s.Name, f.Game)
	case other != nil:
		p.met(s, other, f.Game)
	}
	t.seats[side] = s
}

// met notes a pair that is complete.
func (p *poolRun) met(s, other *seeker, game string) {
	p.pairs++
	if s.base != other.base {
		p.run.fail("game %s: one seeks %d ms, the other %d", game, s.base, other.base)
	}
	if s.last == other.ID && other.last == s.ID {
		p.again++
	}
	s.last, other.last = other.ID, s.ID
	_ = p.apart.RecordValue(max(1, int64(math.Round(math.Abs(s.rating-other.rating))))) // ratings are in its range
}

// game sits down, waits a while, and sees the game end: White resigns.
func (p *poolRun) game(s *seeker, f frame) error {
	ctx, cancel := context.WithTimeout(context.Background(), endOfGame)
	defer cancel()
	strange := func(other *frame) {
		if other.T == "paired" {
			p.run.fail("%s sits at game %s and is called to %s", s.Name, f.Game, other.Game)
		}
	}
	if err := s.send(wire.ClientMessage{T: "join", ID: "j" + f.Game, Game: f.Game}); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	state, err := s.await(ctx, "state", "j"+f.Game, strange)
	if err != nil {
		return fmt.Errorf("join: %w", err)
	}
	if state.End != nil { // White was quick
		p.stand(s, f)
		return s.send(wire.ClientMessage{T: "leave"})
	}
	if err := s.send(wire.ClientMessage{T: "here", Visible: true}); err != nil {
		return fmt.Errorf("sit down: %w", err)
	}
	if f.Color == "w" {
		_ = rest(ctx, time.Duration(s.dice.Int64N(int64(longestGame)))) // shorter than ctx
		if err := s.send(wire.ClientMessage{T: "resign", ID: "r" + f.Game}); err != nil {
			return fmt.Errorf("resign: %w", err)
		}
	}
	for {
		ev, err := s.await(ctx, "ev", "r"+f.Game, strange)
		if err != nil {
			return fmt.Errorf("the end of the game: %w", err)
		}
		for _, e := range ev.E {
			if e.K == "end" {
				p.stand(s, f)
				return s.send(wire.ClientMessage{T: "leave"})
			}
		}
	}
}

func (p *poolRun) stand(s *seeker, f frame) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.at, s.ID)
	for i, one := range p.tables[f.Game].seats {
		if one == nil {
			p.run.fail("game %s ended, and nobody was called to side %d", f.Game, i)
		}
	}
}
