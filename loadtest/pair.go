package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"flagfall/game/board"
	"flagfall/loadtest/judge"
	"flagfall/server/wire"
)

// pair is one game with its two players and its spectators.
type pair struct {
	run        *run
	number     uint64
	plan       plan
	players    [2]*player
	watchers   []*watcher
	transcript judge.Transcript

	mu      sync.Mutex
	started time.Time
	marks   map[mark]time.Time
	gone    [2]bool   // has lost his socket and is not back
	slot    time.Time // in an open loop, the moment that the next action on turn is meant for

	evening bool               // a game of an event: its players stay when it is over
	settled [2]<-chan struct{} // closed when a player has nothing on its way any more, in the drain
	settle  [2]func()
	err     error // the game could not be set up
}

// mark is one move or press on its way to the opponent.
type mark struct {
	kind string
	ply  int
}

// newPair is two people who know each other. Those of the same place come one pair after the other.
func newPair(r *run, number int) *pair {
	rng := rand.New(rand.NewPCG(r.o.seed, uint64(number)))
	pl := newPlan(rng, &r.o)
	number %= r.o.games // of their addresses
	return formPair(r, number, rng, pl, [2]*person{newPerson(r, 2*number, 2*number), newPerson(r, 2*number+1, 2*number+1)})
}

// formPair seats White and Black, and spectators of theirs.
func formPair(r *run, number int, rng *rand.Rand, pl plan, people [2]*person) *pair {
	pr := &pair{run: r, number: uint64(number), marks: map[mark]time.Time{}, plan: pl}
	for c, p := range people {
		settled := make(chan struct{})
		pr.settled[c], pr.settle[c] = settled, sync.OnceFunc(func() { close(settled) })
		pr.players[c] = newPlayer(p, board.Color(c), pr, rng.Uint64())
	}
	for n := r.o.spectators; n > 0; n-- {
		if n >= 1 || rng.Float64() < n {
			i := 2*r.o.games + 6*number + len(pr.watchers)
			w := &watcher{person: newPerson(r, i, number+len(pr.watchers)), slow: rng.Float64() < r.o.slow, rng: rand.New(rand.NewPCG(r.o.seed, uint64(i)))}
			if w.slow {
				w.person.thin()
			}
			pr.watchers = append(pr.watchers, w)
		}
	}
	return pr
}

// left are the men that both sides keep where the board is stripped: the endings of WBCA 8, lone pieces with too many men
// for tables, and others.
var left = [][2]string{
	{"R", "R"}, {"Q", "Q"}, {"B", "B"}, {"N", "N"}, {"BP", "B"}, {"BPP", "BP"}, {"P", ""}, {"RP", "R"},
	{"N", "PP"}, {"B", "PPP"}, {"N", "RP"}, {"B", "P"}, {"NN", ""}, {"BN", "P"}, {"R", ""}, {"N", "PPP"}, {"B", "PP"}, {"B", "RP"},
}

// newPlan spreads the ends of games over the second half of the run.
func newPlan(rng *rand.Rand, o *options) plan {
	part := func(x float64) time.Duration { return time.Duration(x * float64(o.duration)) }
	pl := plan{
		end: ending(rng.IntN(int(endings))), victim: board.Color(rng.IntN(2)),
		appetite: 0.1 + 0.85*rng.Float64(), fast: rng.Float64() < o.fast, rules: "wbca",
		at: part(0.45 + 0.4*rng.Float64()), limit: part(0.9), base: part(2),
	}
	if rng.Float64() < o.rules {
		pl.rules = []string{"uscf", "cca", "fide"}[rng.IntN(3)]
	}
	if rng.Float64() < o.timing {
		pl.timing = []string{"increment", "delay", "bronstein"}[rng.IntN(3)]
		pl.each = []int64{100, 500, 2000}[rng.IntN(3)]
	}
	switch pl.end {
	case flags:
		pl.at, pl.base = part(0.2+0.25*rng.Float64()), part(0.35)
	case stripped:
		pl.at, pl.base, pl.rules, pl.appetite = part(0.35+0.15*rng.Float64()), part(0.45), "wbca", 0
		pl.keep = left[rng.IntN(len(left))]
		if rng.IntN(2) == 0 {
			pl.keep[0], pl.keep[1] = pl.keep[1], pl.keep[0]
		}
	case bothFlags:
		pl.at, pl.base = part(0.2+0.1*rng.Float64()), part(0.2)
	}
	pl.base = max(pl.base, time.Second)
	return pl
}

func (pr *pair) elapsed() time.Duration {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	if pr.started.IsZero() {
		return 0
	}
	return time.Since(pr.started)
}

// mark notes the moment before a move or press is first sent.
func (pr *pair) mark(kind string, ply int, at time.Time) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.marks[mark{kind, ply}] = at
}

// forget drops what is on its way: somebody's socket is gone, so that what comes later measures nothing.
func (pr *pair) forget() {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	clear(pr.marks)
}

// away notes that a player loses his socket and tells whether he may come back by a snapshot: not while the other is
// away too, since a step that snapshots cover for both is in no transcript.
func (pr *pair) away(c board.Color, wanted bool) (snapshot bool) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.gone[c] = true
	return wanted && !pr.gone[c.Other()]
}

func (pr *pair) returned(c board.Color) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	pr.gone[c] = false
}

// sentAt takes the moment of a mark.
func (pr *pair) sentAt(kind string, ply int) (time.Time, bool) {
	pr.mu.Lock()
	defer pr.mu.Unlock()
	at, ok := pr.marks[mark{kind, ply}]
	delete(pr.marks, mark{kind, ply})
	return at, ok
}

// set up logs everybody in, pairs the players by an invitation and seats them.
func (pr *pair) setUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	white, black := pr.players[0], pr.players[1]
	for _, p := range []*player{white, black} {
		if err := p.arrive(ctx); err != nil {
			return err
		}
	}
	game, err := pr.invite(ctx)
	if err != nil {
		return err
	}
	return pr.sitDown(ctx, game)
}

// sitDown brings the players and the spectators to the table of their game.
func (pr *pair) sitDown(ctx context.Context, game string) error {
	white, black := pr.players[0], pr.players[1]
	pr.transcript = judge.Transcript{
		Game: game, Mode: pr.mode(), Base: pr.plan.base.Milliseconds(),
		Rules: pr.plan.rules, Timing: pr.plan.timing, Each: pr.plan.each,
		Travels: len(pr.run.nodes) > 1,
		White:   judge.Log{Seat: "w"}, Black: judge.Log{Seat: "b"}, Spectators: make([]judge.Log, len(pr.watchers)),
	}
	white.record(&pr.transcript.White)
	black.record(&pr.transcript.Black)
	for i, w := range pr.watchers {
		w.record(&pr.transcript.Spectators[i])
		if err := pr.watch(ctx, w.person); err != nil {
			return fmt.Errorf("spectator: %w", err)
		}
	}
	for _, p := range []*player{white, black} {
		if err := p.sit(ctx, 0); err != nil {
			return err
		}
	}
	pr.mu.Lock()
	pr.started = time.Now()
	pr.mu.Unlock()
	return nil
}

func (pr *pair) mode() string {
	if pr.plan.fast {
		return "fast"
	}
	return "board"
}

func (pr *pair) invite(ctx context.Context) (game string, err error) {
	white, black := pr.players[0], pr.players[1]
	began := time.Now()
	err = white.send(wire.ClientMessage{
		T: "invite", ID: "invite", Base: pr.plan.base.Milliseconds(), Mode: pr.mode(), Color: "white",
		Rules: pr.plan.rules, Timing: pr.plan.timing, Each: pr.plan.each,
	})
	if err != nil {
		return "", err
	}
	invited, err := white.await(ctx, "invited", "invite", nil)
	if err != nil {
		return "", err
	}
	if err := black.send(wire.ClientMessage{T: "accept", ID: "accept", Invite: invited.Invite}); err != nil {
		return "", err
	}
	for c, p := range pr.players {
		f, err := p.await(ctx, "paired", "accept", nil)
		if err != nil {
			return "", err
		}
		if f.Color != board.Color(c).String() || f.Game == "" || (game != "" && f.Game != game) {
			pr.run.fail("paired as %q in game %q, want %v in the same game as the other", f.Color, f.Game, board.Color(c))
		}
		game = f.Game
	}
	pr.run.pairing.record(time.Since(began))
	return game, nil
}

// watch seats a spectator.
func (pr *pair) watch(ctx context.Context, w *person) error {
	if err := w.arrive(ctx); err != nil {
		return err
	}
	if err := w.send(wire.ClientMessage{T: "join", ID: "join", Game: pr.transcript.Game}); err != nil {
		return err
	}
	_, err := w.await(ctx, "state", "join", nil)
	return err
}

// playOut plays the game to its end if it could be set up, and lets everybody go.
func (pr *pair) playOut(ctx context.Context) {
	defer pr.leave()
	switch {
	case pr.err == nil:
		pr.play(ctx)
	case pr.run.active.Err() == nil: // else the run was over before
		pr.run.lost("set-up: " + plainly(pr.err))
	}
}

// play runs the game to its end; ctx is the limit of the whole run.
func (pr *pair) play(ctx context.Context) {
	pr.run.playing.Add(1)
	defer pr.run.playing.Add(-1)
	done := make(chan struct{})
	var watching sync.WaitGroup
	for _, w := range pr.watchers {
		watching.Go(func() { w.watch(ctx, pr, done) })
	}
	var playing sync.WaitGroup
	for _, p := range pr.players {
		playing.Go(func() { p.play(ctx) })
	}
	playing.Wait()
	close(done)
	watching.Wait()
}

func (pr *pair) leave() {
	for _, p := range pr.players {
		p.leave()
	}
	for _, w := range pr.watchers {
		w.leave()
	}
}

// record begins the log of a game.
func (p *person) record(l *judge.Log) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = l
}
