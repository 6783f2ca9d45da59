package main

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// watcher is a spectator.
type watcher struct {
	*person
	slow bool
	rng  *rand.Rand
}

// slowReading counts how often spectators did not read, and what came of it.
type slowReading struct {
	times atomic.Int64
	cut   atomic.Int64 // closed with wire.CloseSlow
	reset atomic.Int64 // closed without a code, by the server's deadline for a write
}

const (
	// staysSlow is how long a slow reader reads nothing; a server gives up a write that takes longer than 5 s.
	staysSlow = 4 * time.Second
	// asksEvery is how often he asks for the game meanwhile, which nobody brings him.
	asksEvery = 5 * time.Millisecond
	// thinBuffer and thinSegment keep what the system takes in for him small, in bytes.
	thinBuffer  = 4096
	thinSegment = 536
)

// watch reads what a spectator is told until done; the log has it all. A slow reader now and then reads nothing.
func (w *watcher) watch(ctx context.Context, pr *pair, done <-chan struct{}) {
	pauses := time.NewTimer(time.Hour)
	defer pauses.Stop()
	if w.slow {
		pauses.Reset(w.between())
	}
	for {
		select {
		case <-done:
			return
		case <-w.wake:
			for _, f := range w.take() {
				if f.gone != nil {
					w.run.lost("spectator's socket lost: " + closing(f.gone))
					if w.run.o.outage {
						return // who only watches does not wait for the server
					}
				}
			}
		case <-pauses.C:
			if w.run.active.Err() == nil && !w.dawdle(ctx, pr, done) {
				return
			}
			pauses.Reset(w.between())
		}
	}
}

func (w *watcher) between() time.Duration {
	return time.Second + time.Duration(w.rng.Int64N(int64(3*time.Second)))
}

// dawdle stops reading and asks for the game again and again, until the server has had enough or some time is over; then
// it reads what there is, and comes back if it was cut. False when the spectator has no socket any more.
func (w *watcher) dawdle(ctx context.Context, pr *pair, done <-chan struct{}) bool {
	w.run.slow.times.Add(1)
	last := w.askBlindly(pr, done)
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	for {
		select {
		case <-limit.C:
			w.run.count("slow reader: neither cut nor answered")
			return true
		case <-ctx.Done():
			return true
		case <-w.wake:
		}
		for _, f := range w.take() {
			switch {
			case f.gone != nil:
				w.wasCut(f.gone)
				return w.returnTo(ctx, pr)
			case f.T == "state" && f.ID == last: // not cut
				return true
			}
		}
	}
}

// askBlindly sends joins and reads nothing; it gives the id of the last one.
func (w *watcher) askBlindly(pr *pair, done <-chan struct{}) (last string) {
	free := w.block()
	defer free()
	until := time.NewTimer(staysSlow)
	defer until.Stop()
	ask := time.NewTicker(asksEvery)
	defer ask.Stop()
	for n := 0; ; n++ {
		last = "s" + strconv.Itoa(n)
		if w.send(wire.ClientMessage{T: "join", ID: last, Game: pr.transcript.Game}) != nil {
			return last // the socket is gone; the reader will say why
		}
		select {
		case <-until.C:
			return last
		case <-done:
			return last
		case <-w.run.active.Done():
			return last
		case <-ask.C:
		}
	}
}

// wasCut counts how the server parted from a slow reader; another close code than the one for slowness is an error.
func (w *watcher) wasCut(err error) {
	var closed *websocket.CloseError
	switch {
	case errors.As(err, &closed) && closed.Code == wire.CloseSlow:
		w.run.slow.cut.Add(1)
	case errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure:
		w.run.count("slow reader: " + closing(err))
	default:
		w.run.slow.reset.Add(1)
	}
}

// returnTo opens a new socket and takes what was missed.
func (w *watcher) returnTo(ctx context.Context, pr *pair) bool {
	began := time.Now()
	w.cut()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	err := w.open(ctx)
	if err == nil {
		err = w.send(wire.ClientMessage{T: "join", ID: "back", Game: pr.transcript.Game, Since: w.lastN})
	}
	if err == nil {
		err = w.awaitGame(ctx)
	}
	if err != nil {
		if ctx.Err() == nil {
			w.run.lost("slow reader, come back: " + plainly(err))
		}
		return false
	}
	w.run.returns.record(time.Since(began))
	return true
}

// awaitGame waits for a snapshot or for the end of the missed frames.
func (w *watcher) awaitGame(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-w.wake:
		}
		for _, f := range w.take() {
			switch {
			case f.gone != nil:
				return f.gone
			case f.T == "err" && f.ID == "back":
				return errors.New(f.Code + ": " + f.Msg)
			case f.T == "state" || f.T == "joined":
				return nil
			}
		}
	}
}

// block keeps the person from reading until free is called.
func (p *person) block() (free func()) {
	stuck := make(chan struct{})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = stuck
	return func() {
		p.mu.Lock()
		p.stuck = nil
		p.mu.Unlock()
		close(stuck)
	}
}

// blocked waits while the person does not read.
func (p *person) blocked() {
	p.mu.Lock()
	stuck := p.stuck
	p.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
}

// thin gives the person a line that holds little, so that a server soon sees that he does not read.
func (p *person) thin() {
	d := *p.dialer
	d.Control = func(_, _ string, c syscall.RawConn) error {
		var err error
		failed := c.Control(func(fd uintptr) {
			err = errors.Join(syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, thinBuffer),
				syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, thinSegment))
		})
		return errors.Join(failed, err)
	}
	p.from(&d)
}
