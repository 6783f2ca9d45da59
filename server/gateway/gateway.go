package gateway

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"flagfall/server/arena/host"
	"flagfall/server/lobby"
	"flagfall/server/table"
)

// Config of a Gateway.
type Config struct {
	Log *slog.Logger         // default slog.Default
	Now func() time.Duration // a monotonic clock, for ages of messages
}

// Parts are what a Gateway stands between. All are needed, Events where there are any.
type Parts struct {
	Bus    Bus
	Owners Owners
	Nodes  Nodes
	Tables *table.Tables
	Lobby  *lobby.Lobby
	Events *host.Host
}

// Gateway is made by New. Until Start it serves nobody.
type Gateway struct {
	parts Parts
	log   *slog.Logger
	now   func() time.Duration

	ready    atomic.Bool // Start was called, Close was not
	ctx      context.Context
	cancel   context.CancelFunc
	starting sync.Mutex // with running, against Close
	running  sync.WaitGroup
	last     atomic.Uint64 // number that was given to an attachment or a gallery

	away  away
	hosts hosts
	home  home
	lists lists

	holding holding
}

// New makes a Gateway whose parts are still to come.
func New(cfg Config) *Gateway {
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		start := time.Now()
		cfg.Now = func() time.Duration { return time.Since(start) }
	}
	g := &Gateway{log: cfg.Log, now: cfg.Now}
	g.ctx, g.cancel = context.WithCancel(context.Background())
	// Another incarnation of this node gives other numbers: what was meant for one never reaches the other's sockets.
	g.last.Store(rand.Uint64() >> 1)
	g.away.init()
	g.hosts.init()
	g.home.init()
	g.lists.init()
	return g
}

// Start begins to serve: the hall and the lobby have been started.
func (g *Gateway) Start(p Parts) {
	g.parts = p
	g.ready.Store(true)
	g.NodesChanged()
	g.spawn(g.steward)
}

// Close ends what runs in the background. Sockets are the edge's business, and have been closed before; the bus is
// closed after.
func (g *Gateway) Close() {
	g.ready.Store(false)
	g.starting.Lock()
	g.cancel()
	g.starting.Unlock()
	g.running.Wait()
}

// number is one that this process gives once.
func (g *Gateway) number() uint64 { return g.last.Add(1) }
