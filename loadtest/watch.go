package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// crowd is everybody who watches one game of a drive. It holds what they are told against the numbers of the frames: each
// must get every one, in order, or be closed with wire.CloseSlow.
type crowd struct {
	size, slow int // so many, and how many of them stop to read

	drive    *drive
	table    *table
	everyone []*spectator

	measuring atomic.Bool
	frames    atomic.Int64 // received while it is measured
	receipt   recorder     // from a move's sending to a spectator's receipt
	// back opens the socket of a spectator again who has lost it; false when he stays away. nil: none may be lost.
	back    func(s *spectator, err error) bool
	closing atomic.Bool
	readers sync.WaitGroup

	mu   sync.Mutex
	cut  map[string]int // spectators who read and were closed all the same, by how
	told int            // slow ones who were told wire.CloseSlow
}

// spectator is one socket of a crowd.
type spectator struct {
	crowd  *crowd
	number int
	token  string
	slow   bool

	writing sync.Mutex // while ws changes
	ws      *websocket.Conn
	resume  chan struct{} // a slow one reads again when it is closed

	n    uint64       // of the last frame; the reader's own
	ply  atomic.Int64 // of the last move seen, -1 before the first
	gone atomic.Bool
}

// spectatorsFrom is the number of the first spectator's address.
const spectatorsFrom = 1 << 17

// arrive opens the sockets of all and joins them to game 0.
func (c *crowd) arrive(ctx context.Context, d *drive, t *target) error {
	c.drive, c.table, c.cut = d, d.tables[0], map[string]int{}
	c.everyone = make([]*spectator, c.size)
	game := t.admitted(0).game
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range seating {
		workers.Go(func() {
			for n := range numbers {
				if err := c.seat(ctx, t.base, game, n); err != nil {
					cancel(fmt.Errorf("spectator %d could not join: %w", n, err))
				}
			}
		})
	}
	for n := range c.size {
		if ctx.Err() != nil {
			break
		}
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	if ctx.Err() != nil {
		c.close()
	}
	return context.Cause(ctx)
}

func (c *crowd) seat(ctx context.Context, base, game string, number int) error {
	ws, token, err := openSocket(ctx, base, spectatorsFrom+number)
	if err != nil {
		return err
	}
	f, err := watch(ws, game, 0)
	if err != nil {
		ws.Close()
		return err
	}
	s := &spectator{crowd: c, number: number, token: token, ws: ws, slow: number < c.slow, resume: make(chan struct{}), n: f.N}
	s.ply.Store(-1)
	c.everyone[number] = s
	c.readers.Add(1)
	go s.read()
	return nil
}

// watch joins a game and waits for its state; reads have no deadline then.
func watch(ws *websocket.Conn, game string, since uint64) (frame, error) {
	if err := tell(ws, wire.ClientMessage{T: "join", ID: "join", Game: game, Since: since}); err != nil {
		return frame{}, err
	}
	f, err := awaitFrame(ws, "state")
	if err == nil {
		err = ws.SetReadDeadline(time.Time{})
	}
	return f, err
}

func (c *crowd) begin() {
	c.receipt.collect()
	c.receipt.whole = nil
	c.frames.Store(0)
	c.measuring.Store(true)
}

// leave waits for what is on its way to those who read, has the slow ones read what was left for them, and closes all.
func (c *crowd) leave(ctx context.Context) {
	defer c.close()
	c.measuring.Store(false)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for missing := c.missing(); missing > 0; missing = c.missing() {
		select {
		case <-tick.C:
			continue
		case <-ctx.Done():
		}
		c.drive.failBy("moves that spectators were not told of", missing)
		break
	}
	c.receipt.collect()
	for _, s := range c.everyone[:c.slow] {
		close(s.resume)
	}
	for slow := c.everyone[:c.slow]; len(slow) > 0 && ctx.Err() == nil; {
		if slow[0].gone.Load() {
			slow = slow[1:]
			continue
		}
		<-tick.C
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told < c.slow {
		c.drive.failBy("slow spectators who were not told so", c.slow-c.told)
	}
}

// missing counts the moves that spectators who read have not been told of yet.
func (c *crowd) missing() int {
	c.table.mu.Lock()
	last := int64(c.table.ply - 1)
	c.table.mu.Unlock()
	n := 0
	for _, s := range c.everyone {
		if !s.slow && !s.gone.Load() {
			n += int(last - s.ply.Load())
		}
	}
	return n
}

func (c *crowd) close() {
	c.closing.Store(true)
	for _, s := range c.everyone {
		if s != nil {
			s.writing.Lock()
			s.ws.Close()
			s.writing.Unlock()
		}
	}
	c.readers.Wait()
}

// read takes in what the socket brings; a slow one first waits until the moves are over.
func (s *spectator) read() {
	defer s.crowd.readers.Done()
	defer s.gone.Store(true)
	if s.slow {
		<-s.resume
		// Answering the pings that wait, too, would only have the system throw away what follows them: the server is gone.
		s.ws.SetPingHandler(func(string) error { return nil })
	}
	buf := make([]byte, 0, 256)
	for {
		data, err := readFrame(s.ws, buf)
		if err != nil {
			if !s.crowd.closing.Load() && s.crowd.back != nil && s.crowd.back(s, err) {
				continue
			}
			s.ended(err)
			return
		}
		s.take(data)
		buf = data[:0]
	}
}

func (s *spectator) take(data []byte) {
	if n, ok := frameNumber(data); ok {
		s.hear(n, data, time.Since(s.crowd.drive.began))
	}
}

func (s *spectator) hear(n uint64, data []byte, now time.Duration) {
	c := s.crowd
	if n != s.n+1 {
		c.drive.fail("a gap in the numbers of a spectator's frames")
	}
	s.n = n
	measuring := c.measuring.Load() && !s.slow
	if measuring {
		c.frames.Add(1)
	}
	if ply, ok := movedPly(data); ok {
		s.ply.Store(int64(ply))
		if measuring && c.drive.paced(ply) {
			c.receipt.record(s.number, now-c.table.due(ply))
		}
	}
}

// ended notes how a socket was closed that nobody here has closed.
func (s *spectator) ended(err error) {
	c := s.crowd
	if c.closing.Load() {
		return
	}
	var closed *websocket.CloseError
	slow := errors.As(err, &closed) && closed.Code == wire.CloseSlow
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case s.slow && slow:
		c.told++
	case !s.slow:
		c.cut[closing(err)]++
		if !slow {
			c.drive.fail("spectator lost: " + closing(err))
		}
	}
}

// watched is what a crowd saw in a drive.
type watched struct {
	Spectators int            `json:"spectators"`
	Slow       int            `json:"slow"`      // of them stopped to read
	SlowTold   int            `json:"slow_told"` // and were closed with the code for it
	Cut        map[string]int `json:"cut"`       // others who were closed, by code
	Frames     int64          `json:"frames"`    // received in the measured time
	Receipt    spread         `json:"send_to_receipt"`
}

func (c *crowd) result() watched {
	c.mu.Lock()
	defer c.mu.Unlock()
	return watched{Spectators: c.size, Slow: c.slow, SlowTold: c.told, Cut: c.cut, Frames: c.frames.Load(), Receipt: spreadOf(c.receipt.whole)}
}
