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
	"strconv"
	"time"

	"flagfall/server/account"
	"flagfall/server/actor"
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
	hall   *actor.Hall
	log    *journal.Log
	tee    *tee.Journal // nil without -journal-copy
	store  *store.Store
	prover *prover.Prover
}

// tablesAfter is how long a new server plays before it begins to compute endgame tables in the background.
const tablesAfter = time.Minute

// newHouse opens the data folder, brings back the games that were running, and is ready to serve.
func newHouse(ctx context.Context, s settings, addr *net.TCPAddr, log *slog.Logger) (_ *house, err error) {
	h := &house{url: publicURL(s, addr)}
	defer func() {
		if err != nil {
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
			defer cancel()
			err = errors.Join(err, h.close(closing))
		}
	}()
	keys, err := h.openData(ctx, s, log)
	if err != nil {
		return h, err
	}
	tokens, err := account.NewTokens(account.Config{Keys: keys, Audience: h.url})
	if err != nil {
		return h, err
	}
	h.furnish(log)
	h.edge, err = edge.New(edge.Config{
		PublicURL: h.url, LocalHosts: s.url == "", TrustedProxies: s.proxies,
		Tokens: tokens, People: h.store, Tables: h.tables, Lobby: h.lobby, Seat: h.lobby.Seated,
		Web: web.Dist(), Limits: s.limits, Log: log,
	})
	if err != nil {
		return h, err
	}
	h.http = edge.HTTPServer(h.edge, log)
	if err := h.hall.Start(ctx); err != nil {
		return h, err
	}
	return h, h.lobby.Start(ctx)
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

// openData opens all that is kept in the data folder.
func (h *house) openData(ctx context.Context, s settings, log *slog.Logger) (*account.Keys, error) {
	if err := os.MkdirAll(s.data, 0o700); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	var err error
	if h.log, err = journal.Open(filepath.Join(s.data, "journal"), journal.Options{Log: log}); err != nil {
		return nil, err
	}
	if s.copy != "" {
		if h.tee, err = tee.Over(h.log, s.copy); err != nil {
			return nil, err
		}
	}
	database := s.db
	if database == "" {
		database = filepath.Join(s.data, "flagfall.db")
	}
	if h.store, err = store.Open(ctx, database, store.Options{Log: log}); err != nil {
		return nil, err
	}
	dir := s.tables
	if dir == "" {
		dir = filepath.Join(s.data, "endgames")
	}
	if h.prover, err = prover.Open(prover.Config{Dir: dir, After: tablesAfter, Log: log}); err != nil {
		return nil, err
	}
	return account.OpenKeys(filepath.Join(s.data, "keys.json"))
}

// furnish sets up the hall with its tables and its lobby.
func (h *house) furnish(log *slog.Logger) {
	h.hall = actor.New(actor.Config{Journal: h.journal(), Log: log})
	h.tables = table.New(table.Config{
		Hall: h.hall, Archive: archive{h.store}, Prove: h.prover.Answer, Log: log,
		Free: func(ctx context.Context, f table.Freed) error { return h.lobby.Free(ctx, f) },
	})
	h.lobby = lobby.New(lobby.Config{
		Hall: h.hall, PublicURL: h.url, Log: log,
		Open:     h.tables.Open,
		Finished: h.tables.Finished,
	})
}

// journal is that of the hall, with a copy of all that passes through it where one is wanted.
func (h *house) journal() actor.Journal {
	if h.tee != nil {
		return h.tee
	}
	return h.log
}

// byeTime is how long sockets and HTTP requests have to end by themselves once the games stand.
const byeTime = 2 * time.Second

// close ends everything that was opened. The sockets are told first, and the games stand at once: nobody is charged for
// those who take their time to leave. ctx bounds the wait for the journal, which is let go last.
func (h *house) close(ctx context.Context) error {
	var errs []error
	if h.edge != nil {
		h.edge.Dismiss()
	}
	if h.prover != nil {
		errs = append(errs, h.prover.Close())
	}
	if h.hall != nil {
		errs = append(errs, h.hall.Close(ctx))
	}
	h.closeNetwork()
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
