package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// round is what one drive gave.
type round struct {
	Target   string  `json:"target"` // "server" or "relay"; "one" or "two" nodes
	Number   int     `json:"round"`
	Order    int     `json:"order"` // of all drives of the run
	Seconds  float64 `json:"seconds"`
	Moves    int64   `json:"moves"`
	Rate     float64 `json:"moves_per_s"`
	CPU      float64 `json:"cpu_s"`       // of the target's processes
	CPUMove  float64 `json:"cpu_us_move"` // the same for each move
	Client   float64 `json:"client_cpu_s"`
	ClientUs float64 `json:"client_us_move"`

	// Shares of the machine's whole CPU time.
	TargetShare float64 `json:"target_share"`
	ClientShare float64 `json:"client_share"`
	OthersShare float64 `json:"others_share"` // whatever is neither, nor Redis
	IdleShare   float64 `json:"idle_share"`

	MemoryBefore int64   `json:"memory_before"`         // bytes, resident, nobody there yet
	MemoryReady  int64   `json:"memory_ready"`          // everybody seated, nothing played
	MemoryAfter  int64   `json:"memory_after"`          // at the end of the measured time
	BytesGame    float64 `json:"bytes_per_game"`        // grown by the end of the measured time
	BytesSeated  float64 `json:"bytes_per_game_seated"` // grown until everybody was seated

	Ack     spread         `json:"send_to_acknowledgement"`
	Receipt spread         `json:"send_to_receipt"`
	Lag     spread         `json:"client_lag"`
	Pairing spread         `json:"time_to_pairing"`
	Redis   *redisUse      `json:"redis,omitempty"` // that the nodes share
	Errors  map[string]int `json:"errors"`
	Series  []moment       `json:"series"`
}

// moment is a part of the measured time.
type moment struct {
	At      float64 `json:"at_s"` // its end, since the measuring began
	Rate    float64 `json:"moves_per_s"`
	P50     float64 `json:"p50_ms"` // send to receipt
	P99     float64 `json:"p99_ms"`
	Cores   float64 `json:"cores"` // that the target kept busy
	Memory  int64   `json:"memory"`
	Running int     `json:"games"`

	Goroutines int64 `json:"goroutines,omitempty"` // of the servers; 0 where they do not tell
}

// target is what a drive drives: a process, or several that are one hall.
type target struct {
	name    string
	pids    []int
	connect func(ctx context.Context, number int) (white, black *websocket.Conn, err error)
	stop    func()
	pairing *histogram

	redis *redisServer // that the processes share; nil for none

	base string // of the first server; the relay has none
	mu   sync.Mutex
	seen map[int]admission // by the game's number; the server's only
}

// admission is what the players of a game need to come back to it.
type admission struct {
	game   string
	tokens [2]string
}

// usage is what the processes together have used.
func (t *target) usage() (all usageOf, ok bool) {
	for _, pid := range t.pids {
		u, ok := readUsage(pid)
		if !ok {
			return all, false
		}
		all.cpu, all.now, all.peak = all.cpu+u.cpu, all.now+u.now, all.peak+u.peak
	}
	return all, len(t.pids) > 0
}

// countRedis is what Redis has done so far; nothing where there is none.
func (t *target) countRedis(ctx context.Context) (redisCount, error) {
	if t.redis == nil {
		return redisCount{}, nil
	}
	return t.redis.count(ctx)
}

func (t *target) admitted(number int) admission {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.seen[number]
}

// company is whoever is there besides the players; a drive may be without.
type company interface {
	arrive(ctx context.Context, d *drive, t *target) error // all are seated, nothing is played
	begin()                                                // the measuring begins
	leave(ctx context.Context)                             // no more moves are played
}

// every is how long a moment is.
const every = 500 * time.Millisecond

// warmUp passes before the measuring begins.
func warmUp(period time.Duration) time.Duration { return max(2*time.Second, 2*period) }

// driveTarget seats all games at a target, plays, measures and leaves.
func (b *baseline) driveTarget(ctx context.Context, t *target) (round, error) {
	return b.driveWith(ctx, t, newDrive(b.o.board, b.period()), nil)
}

// driveWith is driveTarget with others than players; nil for none.
func (b *baseline) driveWith(ctx context.Context, t *target, d *drive, with company) (round, error) {
	r := round{Target: t.name}
	before, ok := t.usage()
	if !ok {
		return r, fmt.Errorf("the CPU and memory of the %s cannot be read: this needs Linux", t.name)
	}
	r.MemoryBefore = before.now
	b.say("%s: seating %d games", t.name, b.o.games)
	if err := d.setUp(ctx, b.o.games, b.lines, t.connect); err != nil {
		return r, err
	}
	ready, _ := t.usage()
	r.MemoryReady = ready.now
	r.BytesSeated = float64(r.MemoryReady-r.MemoryBefore) / float64(b.o.games)
	defer d.close()
	if with != nil {
		if err := with.arrive(ctx, d, t); err != nil {
			return r, err
		}
	}
	d.run()
	err := b.hold(ctx, d, t, &r, with)
	d.halt(ctx)
	if with != nil {
		with.leave(ctx)
	}
	r.Ack, r.Receipt, r.Lag = spreadOf(d.acks.whole), spreadOf(d.receipt.whole), spreadOf(d.lag.whole)
	r.Pairing = t.pairing.spread()
	d.mu.Lock()
	defer d.mu.Unlock()
	r.Errors = d.errors
	return r, err
}

// hold measures for as long as was asked for.
func (b *baseline) hold(ctx context.Context, d *drive, t *target, r *round, with company) error {
	if err := rest(ctx, warmUp(d.period)); err != nil {
		return err
	}
	for _, h := range d.recorders() {
		h.collect()
		h.whole = nil // the measuring begins
	}
	if with != nil {
		with.begin()
	}
	if d.period == 0 {
		stop := make(chan struct{})
		defer close(stop)
		go d.probe(stop)
	}
	began, moves, own := time.Now(), d.moves.Load(), ownCPU()
	first, _ := t.usage()
	redisBefore, err := t.countRedis(ctx)
	if err != nil {
		return err
	}
	busy, _ := readBusy()
	last, lastMoves, lastAt := first, moves, began
	tick := time.NewTicker(every)
	defer tick.Stop()
	for time.Since(began) < b.o.duration {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		u, ok := t.usage()
		if !ok {
			return fmt.Errorf("the %s ended during the run", t.name)
		}
		part, now, m := d.receipt.collect(), time.Now(), d.moves.Load()
		seconds := now.Sub(lastAt).Seconds()
		r.Series = append(r.Series, moment{
			At: now.Sub(began).Seconds(), Rate: float64(m-lastMoves) / seconds, P50: spreadOf(part).P50, P99: spreadOf(part).P99,
			Cores: (u.cpu - last.cpu).Seconds() / seconds, Memory: u.now, Running: len(d.tables),
		})
		b.show(t.name, r.Series[len(r.Series)-1], d)
		last, lastMoves, lastAt = u, m, now
	}
	for _, h := range d.recorders() {
		h.collect()
	}
	after, _ := readBusy()
	if err := r.useOfRedis(ctx, t, redisBefore, lastMoves-moves); err != nil {
		return err
	}
	r.fill(lastMoves-moves, lastAt.Sub(began), last.cpu-first.cpu, ownCPU()-own, after.sub(busy))
	r.MemoryAfter = last.now
	r.BytesGame = float64(r.MemoryAfter-r.MemoryBefore) / float64(len(d.tables))
	return nil
}

// useOfRedis notes what so many moves have cost the Redis that the nodes share, where they do.
func (r *round) useOfRedis(ctx context.Context, t *target, before redisCount, moves int64) error {
	if t.redis == nil {
		return nil
	}
	after, err := t.countRedis(ctx)
	use := after.since(before, moves)
	r.Redis = &use
	return err
}

func (r *round) fill(moves int64, took, cpu, client time.Duration, busy busyTime) {
	r.Moves, r.Seconds, r.CPU, r.Client = moves, took.Seconds(), cpu.Seconds(), client.Seconds()
	r.Rate = float64(moves) / r.Seconds
	if moves > 0 {
		r.CPUMove, r.ClientUs = r.CPU*1e6/float64(moves), r.Client*1e6/float64(moves)
	}
	if whole := busy.total().Seconds(); whole > 0 {
		r.TargetShare, r.ClientShare = r.CPU/whole, r.Client/whole
		known := r.CPU + r.Client
		if r.Redis != nil {
			known += r.Redis.CPU
		}
		r.OthersShare = max(0, busy.busy.Seconds()-known) / whole
		r.IdleShare = busy.idle.Seconds() / whole
	}
}

// probe records how late this process wakes up where no move has a moment that it was meant for.
func (d *drive) probe(stop <-chan struct{}) {
	const step = 10 * time.Millisecond
	runtime.LockOSThread()
	for next := time.Now().Add(step); ; next = time.Now().Add(step) {
		pause(step)
		d.lag.record(0, max(0, time.Since(next)))
		select {
		case <-stop:
			return
		default:
		}
	}
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
