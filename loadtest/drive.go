package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// drive plays prepared games as fast as they go, or each at a pace, and times every move. It drives the server and the
// relay alike.
type drive struct {
	board  bool          // over the board: two frames a move; else one that presses, too
	period time.Duration // between the moves of one game; 0 plays as fast as it goes
	tables []*table
	began  time.Time
	start  time.Duration // of the moves, since began

	running  atomic.Bool // all are seated; start is set
	stopping atomic.Bool
	closing  atomic.Bool
	readers  sync.WaitGroup

	moves   atomic.Int64 // received by the opponent
	acks    recorder     // send to acknowledgement
	receipt recorder     // send to the opponent's receipt
	lag     recorder     // how late this client was

	// apart has the recorders of game 0 alone where that is the one to look at, else nil.
	apart *ownTimes
	// back opens the socket of a player again who has lost it; false when he stays away. nil: none may be lost.
	back func(s *seat, err error) bool

	mu     sync.Mutex
	errors map[string]int
}

// ownTimes are what one game's players saw.
type ownTimes struct{ acks, receipt recorder }

// recorders are all of a drive.
func (d *drive) recorders() []*recorder {
	all := []*recorder{&d.acks, &d.receipt, &d.lag}
	if d.apart != nil {
		all = append(all, &d.apart.acks, &d.apart.receipt)
	}
	return all
}

// table is one game of a drive.
type table struct {
	drive  *drive
	number int

	acks, receipt *recorder
	line          []string
	seats         [2]*seat

	mu    sync.Mutex
	ply   int              // on its way, or the next to be sent
	ready bool             // it is not on its way yet
	sent  [2]time.Duration // when the last move of each side was to be sent
}

// seat is one player's socket.
type seat struct {
	table *table
	me    int // 0 White, 1 Black
	ws    *websocket.Conn

	writing sync.Mutex
	out     []byte
	down    bool // the socket is lost; guarded by writing

	n uint64 // of the last numbered frame; the reader's own

	// The reader's own, guarded by the table's mutex.
	acked    int  // the next ply to be acknowledged
	ackedOne bool // its release was; only over the board
	heardOne bool // the release of the opponent's ply was received; only over the board
}

func newDrive(boardMode bool, period time.Duration) *drive {
	return &drive{board: boardMode, period: period, began: time.Now(), errors: map[string]int{}}
}

// seatPair takes two sockets as a table, White's first, and reads them from now on: the server's pings want answers.
func (d *drive) seatPair(number int, line []string, white, black *websocket.Conn) *table {
	t := &table{drive: d, number: number, line: line, ready: true, acks: &d.acks, receipt: &d.receipt}
	if d.apart != nil && number == 0 {
		t.acks, t.receipt = &d.apart.acks, &d.apart.receipt
	}
	for me, ws := range []*websocket.Conn{white, black} {
		t.seats[me] = &seat{table: t, me: me, ws: ws, acked: me}
	}
	for _, s := range t.seats {
		d.readers.Add(1)
		go s.read()
	}
	t.next(0)
	return t
}

// firstMoves are played as soon as a game is seated: a game does not wait long for its first moves, and seating thousands
// takes a while.
const firstMoves = 2

// run begins to play, until halt.
func (d *drive) run() {
	d.start = time.Since(d.began)
	d.running.Store(true)
	if d.period > 0 {
		go d.pace()
		return
	}
	for _, t := range d.tables {
		t.next(firstMoves)
	}
}

// pace sends every move at its moment, game after game, evenly spread over the period. A move whose turn has not come by
// then is sent as soon as it has, and its time still counts from the moment it was meant for.
func (d *drive) pace() {
	runtime.LockOSThread() // it sleeps in the system
	for ply := firstMoves; ; ply++ {
		for _, t := range d.tables {
			due := t.due(ply)
			for {
				wait := due - time.Since(d.began)
				if wait <= 0 {
					break
				}
				pause(wait)
			}
			if d.stopping.Load() {
				return
			}
			t.next(ply)
		}
	}
}

// due is the moment that a ply after the first moves is meant for, since the drive began.
func (t *table) due(ply int) time.Duration {
	d := t.drive
	if d.period == 0 {
		return 0 // at once
	}
	phase := time.Duration(float64(d.period) * float64(t.number) / float64(len(d.tables)))
	return d.start + phase + time.Duration(ply-firstMoves)*d.period
}

// next sends a ply if it is that one's turn.
func (t *table) next(ply int) {
	t.mu.Lock()
	if !t.ready || t.ply != ply || t.drive.stopping.Load() {
		t.mu.Unlock()
		return
	}
	now := time.Since(t.drive.began)
	if t.drive.paced(ply) {
		t.drive.lag.record(t.number, now-t.due(ply))
	}
	t.send(now)
}

// send plays the ply that is ready; it unlocks the mutex before it writes.
func (t *table) send(now time.Duration) {
	d, ply := t.drive, t.ply
	if ply >= len(t.line) {
		t.ready = false
		t.mu.Unlock()
		d.fail("the prepared game was too short")
		return
	}
	t.ready = false
	s := t.seats[ply&1]
	meant := now
	if d.paced(ply) {
		meant = t.due(ply)
	}
	t.sent[ply&1] = meant
	t.mu.Unlock()
	s.writing.Lock() // nobody ever waits here: it is the order that the network gives, told to Go
	defer s.writing.Unlock()
	if s.down {
		return // it is sent when he is back
	}
	s.write(ply)
}

// write sends a ply; writing is held.
func (s *seat) write(ply int) {
	t, d := s.table, s.table.drive
	s.out = appendMove(s.out[:0], ply, t.line[ply], !d.board)
	err := s.ws.WriteMessage(websocket.TextMessage, s.out)
	if err == nil && d.board {
		s.out = appendPress(s.out[:0], ply)
		err = s.ws.WriteMessage(websocket.TextMessage, s.out)
	}
	if err != nil && !d.closing.Load() && d.back == nil {
		d.fail("send: " + plainly(err))
	}
}

// read takes in all that a socket brings.
func (s *seat) read() {
	d := s.table.drive
	defer d.readers.Done()
	buf := make([]byte, 0, 512)
	for {
		data, err := readFrame(s.ws, buf)
		if err != nil {
			switch {
			case d.closing.Load():
			case d.back == nil:
				d.fail("socket lost: " + closing(err))
			case d.back(s, err):
				continue
			}
			return
		}
		s.take(data)
		buf = data[:0]
	}
}

// take takes a frame in.
func (s *seat) take(data []byte) {
	if n, ok := frameNumber(data); ok {
		if s.n > 0 && n != s.n+1 {
			s.table.drive.fail("a gap in the numbers of a player's frames")
		}
		s.n = n
	}
	s.hear(scan(data), time.Since(s.table.drive.began))
}

// readFrame reads one message into buf, which grows as it must.
func readFrame(ws *websocket.Conn, buf []byte) ([]byte, error) {
	_, r, err := ws.NextReader()
	if err != nil {
		return nil, err
	}
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// hear takes a frame: the acknowledgement of a move of one's own, the opponent's move, or something that says nothing of
// either.
func (s *seat) hear(h heard, now time.Duration) {
	switch {
	case h.refuse != nil:
		s.table.drive.fail("refused: " + string(h.refuse))
	case h.letter != 0 && h.ply&1 == s.me:
		s.ack(h, now)
	case h.moved || h.press:
		s.receive(h, now)
	}
	if h.over {
		s.table.drive.fail("the game ended")
	}
}

func (s *seat) ack(h heard, now time.Duration) {
	t := s.table
	t.mu.Lock()
	meant, want := t.sent[s.me], byte('m')
	if s.ackedOne {
		want = 'p'
	}
	if h.letter != want || h.ply != s.acked {
		t.mu.Unlock()
		t.drive.fail("an acknowledgement of something else")
		return
	}
	if t.drive.board && !s.ackedOne {
		s.ackedOne = true
		t.mu.Unlock()
		return
	}
	s.ackedOne = false
	s.acked += 2
	t.mu.Unlock()
	t.acks.record(t.number, now-meant)
}

func (s *seat) receive(h heard, now time.Duration) {
	t, d := s.table, s.table.drive
	t.mu.Lock()
	released, wantMove := s.heardOne, !s.heardOne
	right := t.ply&1 != s.me && !t.ready && h.moved == wantMove && h.press == (!d.board || released) &&
		(!h.moved || t.ply < len(t.line) && string(h.move) == t.line[t.ply])
	if !right {
		t.mu.Unlock()
		d.fail("a move that was not played")
		return
	}
	if d.board && !released {
		s.heardOne = true
		t.mu.Unlock()
		return
	}
	s.heardOne = false
	meant := t.sent[t.ply&1]
	t.ply++
	t.ready = true
	if t.mayGo(now) {
		t.send(now)
	} else {
		t.mu.Unlock()
	}
	d.moves.Add(1)
	t.receipt.record(t.number, now-meant)
}

// paced tells whether a ply has a moment that it is meant for.
func (d *drive) paced(ply int) bool { return d.period > 0 && ply >= firstMoves }

// mayGo tells whether the next ply follows at once; the mutex is held.
func (t *table) mayGo(now time.Duration) bool {
	d := t.drive
	switch {
	case d.stopping.Load():
		return false
	case t.ply < firstMoves:
		return true
	}
	return d.running.Load() && now >= t.due(t.ply)
}

func (d *drive) fail(kind string) { d.failBy(kind, 1) }

func (d *drive) failBy(kind string, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.errors[kind] += n
}

// patience is how long the last answers may take.
const patience = 5 * time.Second

// halt sends no more, waits for what is on its way, and counts what never came.
func (d *drive) halt(ctx context.Context) {
	d.stopping.Store(true)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		missing := 0
		for _, t := range d.tables {
			missing += t.missing()
		}
		if missing == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			d.failBy("acknowledgements and receipts that never came", missing)
			return
		}
	}
}

// missing counts the acknowledgements and receipts that are still to come.
func (t *table) missing() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	sent := t.ply // plies
	n := 0
	if !t.ready && t.ply < len(t.line) {
		sent, n = sent+1, 1
	}
	for me, s := range t.seats {
		n += (sent - me + 1) / 2
		n -= (s.acked - me) / 2
	}
	return n
}

// close ends all sockets and waits for their readers.
func (d *drive) close() {
	d.closing.Store(true)
	var closing sync.WaitGroup
	for _, t := range d.tables {
		if t == nil {
			continue // the set-up failed
		}
		for _, s := range t.seats {
			closing.Go(func() {
				s.writing.Lock()
				defer s.writing.Unlock()
				s.ws.Close()
			})
		}
	}
	closing.Wait()
	d.readers.Wait()
}

// seating is how many tables are set up at the same time.
const seating = 16

// setUp seats all games; connect opens the two sockets of one.
func (d *drive) setUp(ctx context.Context, games int, lines [][]string,
	connect func(ctx context.Context, number int) (white, black *websocket.Conn, err error)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.tables = make([]*table, games)
	numbers := make(chan int)
	var workers sync.WaitGroup
	for range seating {
		workers.Go(func() {
			for n := range numbers {
				white, black, err := connect(ctx, n)
				if err != nil {
					cancel(fmt.Errorf("game %d could not be set up: %w", n, err))
					continue
				}
				d.tables[n] = d.seatPair(n, lines[n%len(lines)], white, black)
			}
		})
	}
	for n := range games {
		if ctx.Err() != nil {
			break
		}
		numbers <- n
	}
	close(numbers)
	workers.Wait()
	if ctx.Err() == nil {
		return nil
	}
	d.close()
	return context.Cause(ctx)
}
