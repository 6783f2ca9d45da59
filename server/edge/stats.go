package edge

import (
	"errors"
	"slices"
	"sync/atomic"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// Stats are what a Server counts. Counters begin at zero with the Server.
type Stats struct {
	Sockets int    // open
	Frames  uint64 // text frames handed to the system; pings, pongs and close frames are not counted
	// Closed are the sockets that have ended, those that were refused at once too, by close code: ours, or that of
	// the client if he closed first; 1006 where the connection ended without any. Code 0 stands for every other code.
	Closed map[int]uint64
}

// countedCodes are the close codes that are counted apart.
var countedCodes = [...]int{
	websocket.CloseNormalClosure, websocket.CloseGoingAway, websocket.CloseProtocolError, websocket.CloseUnsupportedData,
	websocket.CloseNoStatusReceived, websocket.CloseAbnormalClosure, websocket.CloseInvalidFramePayloadData,
	websocket.ClosePolicyViolation, websocket.CloseMessageTooBig, websocket.CloseInternalServerErr, websocket.CloseServiceRestart,
	wire.CloseReplaced, wire.CloseSlow, wire.CloseToken, wire.CloseProtocol, wire.CloseTooMany,
}

type counts struct {
	frames  atomic.Uint64
	byCode  [len(countedCodes)]atomic.Uint64
	byOther atomic.Uint64
}

func (c *counts) closed(code int) {
	if i := slices.Index(countedCodes[:], code); i >= 0 {
		c.byCode[i].Add(1)
	} else {
		c.byOther.Add(1)
	}
}

// Stats reads the counters.
func (s *Server) Stats() Stats {
	out := Stats{Sockets: s.Sockets(), Frames: s.counts.frames.Load(), Closed: map[int]uint64{0: s.counts.byOther.Load()}}
	for i, code := range countedCodes {
		out.Closed[code] = s.counts.byCode[i].Load()
	}
	return out
}

// endCode is the close code with which the socket has ended.
func (c *socket) endCode() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	var theirs *websocket.CloseError
	switch {
	case c.out.code != 0:
		return c.out.code
	case errors.As(c.gone, &theirs):
		return theirs.Code
	case errors.Is(c.gone, websocket.ErrReadLimit):
		return websocket.CloseMessageTooBig // gorilla has said so
	}
	return websocket.CloseAbnormalClosure
}
