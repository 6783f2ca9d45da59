package gateway

import (
	"bytes"
	"context"
	"runtime/debug"
	"time"

	"flagfall/server/table"
	"flagfall/server/wire"
)

// Received takes what another node has sent; waited is how long it waited there. It is called by the bus, in order, and
// does not block. The payload is not kept.
func (g *Gateway) Received(from Peer, kind byte, payload []byte, waited time.Duration) {
	if !g.ready.Load() {
		return
	}
	defer g.survive("a message", from)
	n, rest, ok := number(payload)
	if !ok {
		g.log.Error("a message that cannot be read", "peer", from.Name, "kind", kind)
		return
	}
	switch kind {
	case kindSay:
		g.said(from, n, rest, waited)
	case kindLeave:
		if !g.hosts.drop(from, n) {
			_ = g.send(from.Name, kindLeft, n, nil, nil)
		}
	case kindUnfollow:
		g.hosts.unfollow(from, n)
	case kindFrame, kindFrameNow:
		if e := g.away.find(n, from.Name); e != nil {
			e.hear(bytes.Clone(rest), kind == kindFrameNow)
			return
		}
		_ = g.send(from.Name, kindLeave, n, nil, nil) // it may not know; the next frame says it again
	case kindClose:
		if code, reason, ok := number(rest); ok {
			if e := g.away.find(n, from.Name); e != nil {
				e.close(int(code), string(reason))
			}
		}
	case kindAdmit, kindPublic, kindOver:
		g.toGallery(from, kind, n, rest)
	case kindLeft:
		if e := g.away.find(n, from.Name); e != nil {
			e.left()
		}
	case kindReset:
		g.lose(from.Name)
	}
}

// toGallery takes what concerns the spectators of a table of another node.
func (g *Gateway) toGallery(from Peer, kind byte, n uint64, rest []byte) {
	switch kind {
	case kindAdmit:
		in, _, _ := number(rest)
		if e, to := g.away.find(n, from.Name), g.away.gallery(in, from.Name); e != nil && to != nil {
			e.admit(to)
		}
	case kindPublic:
		if to := g.away.gallery(n, from.Name); to != nil {
			to.crowd.Tell(rest)
			return
		}
		_ = g.send(from.Name, kindUnfollow, n, nil, nil) // as with kindLeave
	case kindOver:
		if to := g.away.gallery(n, from.Name); to != nil && len(rest) == 1 && rest[0] == 1 {
			to.crowd.Dismiss(wire.CloseRestart, table.Moves)
		}
	}
}

// survive is deferred around what handles messages: a bug there must not end the bus.
func (g *Gateway) survive(what string, from Peer) {
	if p := recover(); p != nil {
		g.log.Error("the gateway failed at "+what, "peer", from.Name, "panic", p, "stack", string(debug.Stack()))
	}
}

// Missed says that messages of a peer are lost: whatever hung on them is ended on both sides. It is called by the bus.
func (g *Gateway) Missed(from Peer) {
	if !g.ready.Load() {
		return
	}
	defer g.survive("a gap", from)
	g.log.Warn("messages of a node are lost; its sockets come back", "peer", from.Name)
	g.lose(from.Name)
	g.hosts.dropAll(from)
	if g.send(from.Name, kindReset, 0, nil, nil) != nil {
		g.hosts.owe(from, g.now())
	}
}

// Resynced says that nothing was heard for a while. What is asked of every node now shows by its number, and by that of
// its reply, whether anything is missing; a node that does not answer is treated as if it were. It is called by the bus.
func (g *Gateway) Resynced() {
	if !g.ready.Load() {
		return
	}
	for _, n := range g.parts.Nodes.Alive() {
		if n.Name != g.parts.Nodes.Self() {
			g.spawn(func() { g.echo(n.Peer) })
		}
	}
	g.home.look()
}

// echoAfter is how much later than this one all others hear again, after an outage of the bus: what is sent before that
// may be lost, and a gap itself.
const echoAfter = 2 * time.Second

func (g *Gateway) echo(peer Peer) {
	pause(g.ctx, echoAfter)
	for g.holding.on.Load() && g.ctx.Err() == nil {
		pause(g.ctx, 200*time.Millisecond) // nothing is asked in a hold
	}
	for range 5 {
		ctx, cancel := context.WithTimeout(g.ctx, time.Second)
		err := g.ask(ctx, peer.Name, question{Ask: askEcho}, nil)
		cancel()
		if err == nil || g.ctx.Err() != nil {
			return
		}
		pause(g.ctx, 200*time.Millisecond)
	}
	g.Missed(peer)
}

// spawn runs f on a goroutine that Close waits for.
func (g *Gateway) spawn(f func()) {
	g.starting.Lock()
	defer g.starting.Unlock()
	if g.ctx.Err() != nil {
		return
	}
	g.running.Go(f)
}
