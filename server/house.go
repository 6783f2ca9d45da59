package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena/host"
	"flagfall/server/edge"
	"flagfall/server/journal"
	"flagfall/server/journal/tee"
	"flagfall/server/lobby"
	"flagfall/server/prover"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/web"
)

// house is the whole server, put together.
type house struct {
	url    string
	http   *http.Server
	edge   *edge.Server
	tables *table.Tables
	lobby  *lobby.Lobby
	events *host.Host
	hall   *actor.Hall
	still  *standstill
	log    *journal.Log // nil among nodes
	nodes  *nodes       // nil where this is the only one
	logger *slog.Logger
	tee    *tee.Journal // nil without -journal-copy
	store  *store.Store
	prover *prover.Prover

	rerater *rerater

	keys        *account.Keys
	revocations *account.Revocations
	members     *account.Members
}

// tablesAfter is how long a new server plays before it begins to compute endgame tables in the background.
const tablesAfter = time.Minute

// newHouse opens the data folder, brings back the games that were running, and is ready to serve.
func newHouse(ctx context.Context, s settings, addr *net.TCPAddr, log *slog.Logger) (_ *house, err error) {
	h := &house{url: publicURL(s, addr), logger: log}
	defer func() {
		if err != nil {
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
			defer cancel()
			err = errors.Join(err, h.close(closing))
		}
	}()
	if s.redis != "" {
		if h.nodes, err = joinNodes(ctx, s, addr.String(), log); err != nil {
			return h, err
		}
	}
	if err := h.openData(ctx, s, log); err != nil {
		return h, err
	}
	tokens, err := h.openTokens(ctx, s.data, log)
	if err != nil {
		return h, err
	}
	h.furnish(log)
	front := edge.Config{
		PublicURL: h.url, LocalHosts: s.url == "", TrustedProxies: s.proxies,
		Tokens: tokens, People: h.store, Members: h.members, Archive: h.store, History: h.store, Tables: h.tables, Lobby: h.lobby, Seat: h.lobby.Seated,
		Events: h.events, Clubs: h.store,
		Web: web.Dist(), Limits: s.limits, Log: log,
	}
	if h.nodes != nil {
		// Every move waits for Redis, and its answer for a processor: there is one more than loops that read sockets.
		front.Loops = runtime.GOMAXPROCS(0)
		runtime.GOMAXPROCS(front.Loops + 1)
		front.Tables, front.Lobby, front.Seat = h.nodes.gateway, h.nodes.gateway, h.nodes.gateway.Seat
	}
	h.edge, err = edge.New(front)
	if err != nil {
		return h, err
	}
	h.http = edge.HTTPServer(h.edge, log)
	h.still.watch(h.hold)
	if err := h.hall.Start(ctx); err != nil {
		return h, err
	}
	if err := h.lobby.Start(ctx); err != nil && (h.nodes == nil || !errors.Is(err, actor.ErrMoved)) { // it may stand on another node
		return h, err
	}
	if h.nodes == nil {
		return h, nil
	}
	return h, h.nodes.serve(ctx, h)
}

// hold tells everybody that the clocks stand, or go on.
func (h *house) hold(on bool) {
	if h.nodes != nil {
		h.nodes.gateway.Hold(on)
	}
	h.edge.Hold(on)
}

// adopted opens the lobby where its seats have come to.
func (h *house) adopted(id actor.ID) {
	if id != lobby.SeatsID {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	if err := h.lobby.Start(ctx); err != nil {
		h.logger.Error("the lobby could not be opened here", "err", err)
	}
}

// publicURL is the address that people use.
func publicURL(s settings, addr *net.TCPAddr) string {
	if s.url != "" {
		return s.url
	}
	host := "localhost"
	if !addr.IP.IsUnspecified() && !addr.IP.IsLoopback() {
		host = addr.IP.String()
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(addr.Port))
}

// What is in the data folder, beside the endgame tables and, unless it is elsewhere, the database.
const (
	journalFolder = "journal"
	keyFile       = "keys.json"
)

// openData opens all that is kept in the data folder.
func (h *house) openData(ctx context.Context, s settings, log *slog.Logger) error {
	if err := os.MkdirAll(s.data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	var err error
	if h.nodes == nil {
		if h.log, err = journal.Open(filepath.Join(s.data, journalFolder), journal.Options{Log: log}); err != nil {
			return err
		}
	}
	if s.copy != "" {
		if h.tee, err = tee.Over(h.journal(), s.copy); err != nil {
			return err
		}
	}
	if h.store, err = store.Open(ctx, s.database(), store.Options{Log: log}); err != nil {
		return err
	}
	h.rerater = startRerater(h.store.Rerate, log)
	dir := s.tables
	if dir == "" {
		dir = filepath.Join(s.data, "endgames")
	}
	h.prover, err = prover.Open(prover.Config{Dir: dir, After: tablesAfter, Log: log})
	return err
}

// furnish sets up the hall with its tables and its lobby.
func (h *house) furnish(log *slog.Logger) {
	cfg := actor.Config{Journal: h.journal(), Log: log}
	if h.nodes != nil {
		cfg.Peers, cfg.Now, cfg.Adopted = peers{h.nodes.members}, bootTime(), h.adopted
	}
	h.hall = actor.New(cfg)
	h.still = newStandstill(h.hall)
	if h.nodes != nil {
		h.nodes.tend(h.hall, h.still)
	}
	h.tables = table.New(table.Config{
		Hall: h.hall, Archive: archive{h.store}, Prove: h.prover.Answer, Log: log, Free: h.freed,
		Tell: func(ctx context.Context, m table.Matter) error { return h.events.TakeMatter(ctx, m) },
	})
	open, finished := h.tables.Open, h.tables.Finished
	if h.nodes != nil {
		open, finished = h.nodes.gateway.Open, h.nodes.gateway.Finished
	}
	h.lobby = lobby.New(lobby.Config{Hall: h.hall, PublicURL: h.url, Log: log, Open: open, Finished: finished, People: people{h.store}})
	h.hostEvents(log)
}

// journal is that of the hall, with a copy of all that passes through it where one is wanted.
func (h *house) journal() actor.Journal {
	switch {
	case h.tee != nil:
		return h.tee
	case h.nodes != nil:
		return h.nodes.journal
	}
	return h.log
}

// byeTime is how long sockets and HTTP requests have to end by themselves once the games stand.
const byeTime = 2 * time.Second

// close ends everything that was opened. The sockets are told first, and the games stand at once: nobody is charged for
// those who take their time to leave. ctx bounds the wait for the journal, which is let go last.
func (h *house) close(ctx context.Context) error {
	var errs []error
	if h.nodes != nil && h.nodes.members != nil {
		h.nodes.members.Draining(true)
	}
	if h.edge != nil {
		h.edge.Dismiss()
	}
	if h.still != nil {
		h.still.close()
	}
	if h.prover != nil {
		errs = append(errs, h.prover.Close())
	}
	if h.hall != nil {
		errs = append(errs, h.hall.Close(ctx))
	}
	if h.events != nil {
		h.events.Close()
	}
	if h.nodes != nil {
		errs = append(errs, h.nodes.close(ctx))
	}
	h.closeNetwork()
	h.closeTokens()
	if h.rerater != nil {
		h.rerater.close()
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	if h.tee != nil {
		errs = append(errs, h.tee.Close())
	}
	if h.log != nil {
		errs = append(errs, h.log.Close())
	}
	return errors.Join(errs...)
}

// closeNetwork lets sockets and requests end, and cuts those that do not: a client that dawdles is no failure.
func (h *house) closeNetwork() {
	ctx, cancel := context.WithTimeout(context.Background(), byeTime)
	defer cancel()
	if h.http != nil && h.http.Shutdown(ctx) != nil {
		h.http.Close()
	}
	if h.edge != nil {
		_ = h.edge.Close(ctx) // says that it had to cut some
	}
}
