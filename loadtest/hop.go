package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"flagfall/server/store/pgserver"
)

// hop is a run that measures one node over Redis beside two, where the players of each game sit at different ones.
type hop struct {
	*baseline
	binary   string
	postgres *pgserver.Server
}

// nodesOf are how many nodes each target of such a run has.
var nodesOf = map[string]int{"one": 1, "two": 2}

// run plays all rounds. PostgreSQL is one server, with a database for each drive; each drive has a Redis of its own.
func (h *hop) run(ctx context.Context) (*hopReport, error) {
	binary, remove, err := h.build(ctx, 2*h.o.games)
	if err != nil {
		return nil, err
	}
	defer remove()
	h.binary = binary
	if h.postgres, err = pgserver.Start(ctx, "loadtest"); err != nil {
		return nil, err
	}
	defer h.postgres.Close()
	rep := &hopReport{
		Kind: "hop", Version: reportVersion, Began: time.Now().UTC().Truncate(time.Second),
		Machine: thisMachine(), Versions: theseVersions(), Settings: h.settings(),
	}
	rep.Stopped, err = alternate(ctx, h.o.rounds, [2]string{"one", "two"},
		func(name string) (round, error) { return h.drive(ctx, name) },
		func(r round, number int) {
			r.Number, r.Order = number, len(rep.Rounds)+1
			rep.Rounds = append(rep.Rounds, r)
		})
	if err != nil {
		return nil, err
	}
	rep.conclude()
	return rep, nil
}

// drive starts a hall, drives it and ends it.
func (h *hop) drive(ctx context.Context, name string) (round, error) {
	t, err := h.target(ctx, name)
	if err != nil {
		return round{}, err
	}
	defer t.stop()
	r, err := h.driveTarget(ctx, t)
	if err != nil {
		return round{}, err
	}
	if h.live {
		fmt.Fprint(h.out, "\r\x1b[K")
	}
	h.say("%s: %.0f moves/s, %.1f µs CPU a move and %.1f of Redis, p50 %.2f ms, p99 %.2f ms, %d errors", name, r.Rate, r.CPUMove, r.Redis.CPUMove,
		r.Receipt.P50, r.Receipt.P99, total(r.Errors))
	return r, nil
}

// target is a hall of nodes over a Redis and a database of their own.
func (h *hop) target(ctx context.Context, name string) (t *target, err error) {
	shared, err := startRedis(ctx)
	if err != nil {
		return nil, err
	}
	var servers []*server
	stop := func() {
		for _, s := range servers {
			s.stop()
		}
		shared.stop()
	}
	defer func() {
		if err != nil {
			stop()
		}
	}()
	database, err := h.postgres.Database(ctx)
	if err != nil {
		return nil, err
	}
	for n := range nodesOf[name] {
		settings := []string{"FLAGFALL_REDIS=" + shared.url(), "FLAGFALL_DB=" + database, fmt.Sprint("FLAGFALL_NODE=n", n+1)}
		if n > 0 {
			settings = append(settings, "FLAGFALL_URL="+servers[0].base) // they are one hall
		}
		s, err := h.node(ctx, settings)
		if err != nil {
			return nil, err
		}
		servers = append(servers, s)
	}
	t = seatingTarget(name, h.mode(), servers, stop)
	t.redis = shared
	return t, nil
}

// node starts a node of a hall and waits until it says that it is ready.
func (h *hop) node(ctx context.Context, settings []string) (*server, error) {
	ops, err := freeAddr()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "flagfall-loadtest-")
	if err != nil {
		return nil, err
	}
	s, err := launch(ctx, h.binary, dir, append(settings, opsSetting+"="+ops)...)
	if err != nil {
		return nil, err
	}
	if err := s.answers(ctx, "http://"+ops+"/readyz", func(status int) bool { return status == 200 }); err != nil {
		s.stop()
		return nil, errors.Join(fmt.Errorf("a node does not become ready: %w", err), errors.New(s.log.String()))
	}
	return s, nil
}
