package edge

import (
	"errors"
	"time"

	"flagfall/server/edge/poll"
	"flagfall/server/wire"
)

// wake starts what serves sockets, when the first one comes.
func (s *Server) wake() {
	s.waking.Do(func() {
		var err error
		if s.poller, err = poll.New(s.cfg.Loops); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			s.log.Warn("every socket gets a goroutine that reads it", "err", err)
		}
		s.kept.Go(s.keeper)
	})
}

// rest ends what wake has started; there are no sockets any more.
func (s *Server) rest() {
	s.waking.Do(func() {}) // not any more
	s.resting.Do(func() {
		close(s.stop)
		s.kept.Wait()
		if s.poller != nil {
			s.poller.Close()
		}
	})
}

// keeper looks after all sockets in rounds: it pings them, and ends those that are silent, slow to finish what they began,
// or whose token is no longer good. A round goes in small steps, so that it holds up nobody who plays.
func (s *Server) keeper() {
	const steps = 32
	ticker := time.NewTicker(s.limits.round() / steps)
	defer ticker.Stop()
	var sockets []*socket
	for step := 0; ; step++ {
		select {
		case <-ticker.C:
		case <-s.stop:
			return
		}
		if step%steps == 0 {
			clear(sockets)
			sockets = s.list(sockets[:0])
		}
		now := s.now()
		n := len(sockets)
		for _, c := range sockets[n*(step%steps)/steps : n*(step%steps+1)/steps] {
			c.look(now)
		}
	}
}

// round is the time between two looks: short enough that none of the limits is missed by much.
func (l Limits) round() time.Duration {
	least := min(l.PingEvery, l.PingIdleEvery, l.ReadTimeout, l.MessageTimeout)
	return min(max(least/8, time.Millisecond), time.Second)
}

// now is the server's clock, in ms; never 0.
func (s *Server) now() int64 { return s.at(time.Now()) }

func (s *Server) at(t time.Time) int64 { return t.Sub(s.began).Milliseconds() + 1 }

// tokenEnded is said with wire.CloseToken.
const tokenEnded = "the token has expired or its session was ended; get a new one"

// look is the keeper's look at one socket.
func (c *socket) look(now int64) {
	limits := &c.server.limits
	begun := c.begun.Load()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.out.closing:
		if c.cutAt > 0 && now > c.cutAt {
			c.shut()
		}
	case begun > 0 && now-begun > limits.MessageTimeout.Milliseconds():
		c.shut()
	case now-c.heard.Load() > limits.ReadTimeout.Milliseconds():
		// Should it read again, it finds out that it was too slow, and that it may come back.
		c.close(wire.CloseSlow, "no answer to a ping; come back and ask for the state")
	case c.out.held: // not greeted yet
	case c.nonce == "" && now >= c.nextPing:
		if !time.Now().Before(c.expires) || c.server.cfg.Tokens.Revoked(c.sessionID) {
			c.close(wire.CloseToken, tokenEnded)
			return
		}
		c.ping(now)
	}
}
