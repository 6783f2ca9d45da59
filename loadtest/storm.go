package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// storm cuts all sockets of a drive at once, without a close frame, and has everybody come back by the rule that the
// server's description gives: after 200 to 400 ms, twice as long after each try that fails, up to 10 s, with `since`.
type storm struct {
	drive  *drive
	target *target
	crowd  *crowd

	ctx  context.Context
	cut  atomic.Int64 // when the sockets were cut, in ns since the drive began; 0 before
	away atomic.Int64 // who has not come back yet

	resumed histogram // from the cut to the answer of the join
	returns histogram // the same from the try that led to it

	allResumed, allReturns *hdrhistogram.Histogram // of all storms

	mu      sync.Mutex
	refused map[string]int // tries that were refused, by how
	lost    map[string]int // people who gave up, by the last answer
}

// giveUp is how long somebody tries to come back.
const giveUp = 60 * time.Second

// visitor is the owner of a lost socket, and his way back.
type visitor struct {
	number int // of the address
	token  string
	game   string
	since  uint64
}

// comeBack tries until the socket is open and the game joined; each is given the frames that were missed.
func (st *storm) comeBack(v visitor, code int, each func(data []byte)) (*websocket.Conn, error) {
	since := time.Duration(st.cut.Load())
	for attempt := 0; ; attempt++ {
		if err := rest(st.ctx, retryDelay(code, attempt)); err != nil {
			return nil, err
		}
		began := time.Since(st.drive.began)
		ws, err := st.tryOnce(v, each)
		now := time.Since(st.drive.began)
		if err == nil {
			st.resumed.record(now - since)
			st.returns.record(now - began)
			st.away.Add(-1)
			return ws, nil
		}
		var refused *finalRefusal
		final := errors.As(err, &refused)
		st.note(err, final || now-since > giveUp)
		if final || now-since > giveUp {
			return nil, err
		}
		code = closeCode(err)
	}
}

func (st *storm) note(err error, forGood bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	kind := refusalKind(err)
	if forGood {
		st.lost[kind]++
		st.away.Add(-1)
		return
	}
	st.refused[kind]++
}

// retryDelay is the rule, with what the browser's client does after the codes that ask for more or less.
func retryDelay(code, attempt int) time.Duration {
	ms := func(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }
	switch {
	case code == websocket.CloseServiceRestart:
		return ms(300 + 1200*rand.Float64())
	case code == wire.CloseSlow && attempt == 0:
		return ms(200 * rand.Float64())
	}
	wait := ms(min(10_000, 400*float64(int(1)<<min(attempt, 10))) * (0.5 + rand.Float64()/2))
	if code == websocket.ClosePolicyViolation || code == wire.CloseTooMany {
		wait += 5 * time.Second
	}
	return wait
}

// closeCode is that of a close frame, 0 without one.
func closeCode(err error) int {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return 0
}

// refusalKind names a failed try so that those of a kind are counted together.
func refusalKind(err error) string {
	var answer *refusedHandshake
	var late net.Error
	switch {
	case errors.As(err, &answer):
		return "HTTP " + strconv.Itoa(answer.status)
	case closeCode(err) != 0:
		return "closed with " + strconv.Itoa(closeCode(err))
	case errors.As(err, &late) && late.Timeout():
		return "no answer in time"
	}
	return plainly(err)
}

// finalRefusal is an answer that no other try can change.
type finalRefusal struct{ code string }

func (e *finalRefusal) Error() string { return "refused: " + e.code }

// within bounds one try, from the dial to the answer of the join.
const within = 8 * time.Second

func (st *storm) tryOnce(v visitor, each func(data []byte)) (_ *websocket.Conn, err error) {
	ctx, cancel := context.WithTimeout(st.ctx, within)
	defer cancel()
	ws, err := dialAs(ctx, st.target.base, v.token, v.number)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			ws.Close()
		}
	}()
	if err = ws.SetReadDeadline(time.Now().Add(within)); err != nil {
		return nil, err
	}
	if _, err = awaitFrame(ws, "hello"); err != nil {
		return nil, err
	}
	if err = tell(ws, wire.ClientMessage{T: "join", ID: "join", Game: v.game, Since: v.since}); err != nil {
		return nil, err
	}
	if err = awaitJoined(ws, each); err != nil {
		return nil, err
	}
	return ws, ws.SetReadDeadline(time.Time{})
}

// awaitJoined hands what was missed to each. A game that is over or unknown is nothing to come back to.
func awaitJoined(ws *websocket.Conn, each func(data []byte)) error {
	var missed [][]byte
	for {
		data, err := readFrame(ws, make([]byte, 0, 256))
		if err != nil {
			return fmt.Errorf("no joined came: %w", err)
		}
		switch kind := string(value(data, kindKey)); kind {
		case "ev":
			missed = append(missed, data)
		case "joined":
			for _, frame := range missed {
				each(frame)
			}
			return nil
		case "state":
			return &finalRefusal{"a snapshot instead of what was missed"}
		case "err":
			if code := string(value(data, codeKey)); code != wire.CodeTooMany && code != wire.CodeUnavailable {
				return &finalRefusal{code}
			}
			return fmt.Errorf("join: %s", value(data, codeKey))
		}
	}
}

var kindKey = []byte(`"t":"`)

// begin forgets the last storm.
func (st *storm) begin() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.refused, st.lost = map[string]int{}, map[string]int{}
	if st.allResumed == nil {
		st.allResumed, st.allReturns = newHDR(), newHDR()
	}
}

// end tells of the storm and adds its times to those of all.
func (st *storm) end() stormRound {
	st.mu.Lock()
	defer st.mu.Unlock()
	r := stormRound{Refused: st.refused, RefusedGood: st.lost}
	for _, h := range []struct {
		one  *histogram
		all  *hdrhistogram.Histogram
		into *spread
	}{{&st.resumed, st.allResumed, &r.Resumed}, {&st.returns, st.allReturns, &r.Return}} {
		h.one.mu.Lock()
		if h.one.h != nil {
			h.all.Merge(h.one.h)
		}
		h.one.mu.Unlock()
		*h.into = h.one.take()
	}
	r.Back = int(r.Resumed.Count)
	return r
}

// playerBack is the drive's way for its players.
func (st *storm) playerBack(s *seat, lost error) bool {
	if st.cut.Load() == 0 {
		st.drive.fail("socket lost: " + closing(lost))
		return false
	}
	in := st.target.admitted(s.table.number)
	v := visitor{number: 2*s.table.number + s.me, token: in.tokens[s.me], game: in.game, since: s.n}
	ws, err := st.comeBack(v, closeCode(lost), s.take)
	if err != nil {
		return false
	}
	if err := tell(ws, wire.ClientMessage{T: "here", Visible: true}); err != nil {
		st.drive.fail("here: " + plainly(err))
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.ws, s.down = ws, false
	if ply, open := s.unanswered(); open {
		s.write(ply)
	}
	return true
}

// unanswered is the ply of this player that was on its way and is not acknowledged.
func (s *seat) unanswered() (ply int, open bool) {
	t := s.table
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ready || t.ply&1 != s.me {
		return 0, false
	}
	return t.ply, s.acked == t.ply
}

// spectatorBack is the same for a spectator.
func (st *storm) spectatorBack(s *spectator, lost error) bool {
	if st.cut.Load() == 0 {
		return false
	}
	v := visitor{number: spectatorsFrom + s.number, token: s.token, game: st.target.admitted(0).game, since: s.n}
	ws, err := st.comeBack(v, closeCode(lost), s.take)
	if err != nil {
		return false
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.ws = ws
	return true
}

// strike cuts every socket.
func (st *storm) strike() {
	var sockets []net.Conn
	for _, t := range st.drive.tables {
		for _, s := range t.seats {
			s.writing.Lock()
			s.down = true
			sockets = append(sockets, s.ws.NetConn())
			s.writing.Unlock()
		}
	}
	for _, s := range st.crowd.everyone {
		s.writing.Lock()
		sockets = append(sockets, s.ws.NetConn())
		s.writing.Unlock()
	}
	st.away.Store(int64(len(sockets)))
	st.cut.Store(int64(time.Since(st.drive.began)))
	for _, c := range sockets {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // reset, not closed; a plain close would do
		}
		c.Close()
	}
}
