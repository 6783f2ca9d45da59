// Command table is the server of the browser tests that need games from other positions than the usual one, which the
// lobby does not offer. It is put together from the packages of the real server and keeps everything in a folder of its
// own. Games are ordered on the standard input, one JSON order a line; each is answered by a line with its address.
//
//	{"white":{"id":"...","name":"..."},"black":{...},"rules":"wbca","mode":"fast","base":[300000,300000],"fen":"8/8/..."}
//	{"path":"/g/XXXX"}
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"flagfall/clock"
	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/edge"
	"flagfall/server/journal"
	"flagfall/server/lobby"
	"flagfall/server/prover"
	"flagfall/server/table"
	"flagfall/web"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "`host:port` to listen on")
	data := flag.String("data", "", "`folder` of the journal and the keys")
	tables := flag.String("tables", "", "`folder` of the endgame tables (default: the user's cache)")
	url := flag.String("url", "", "the public `address`")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *addr, *data, *tables, *url, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

// memory keeps finished games as long as the program runs.
type memory struct{ games sync.Map }

func (m *memory) Save(_ context.Context, r table.Record) error {
	m.games.Store(r.ID, r)
	return nil
}

func (m *memory) Load(_ context.Context, id string) (table.Record, error) {
	if r, ok := m.games.Load(id); ok {
		return r.(table.Record), nil
	}
	return table.Record{}, table.ErrUnknownGame
}

func run(ctx context.Context, addr, data, shelf, url string, in io.Reader, out io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if shelf == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		shelf = filepath.Join(cache, "flagfall", "endgames")
	}
	file, err := journal.Open(filepath.Join(data, "journal"), journal.Options{Log: log})
	if err != nil {
		return err
	}
	proofs, err := prover.Open(prover.Config{Dir: shelf, After: -1, Log: log})
	if err != nil {
		return err
	}
	keys, err := account.OpenKeys(ctx, account.KeysConfig{Store: account.NewKeyFile(filepath.Join(data, "keys.json")), Log: log})
	if err != nil {
		return err
	}
	defer keys.Close()
	tokens, err := account.NewTokens(account.Config{Keys: keys, Audience: url})
	if err != nil {
		return err
	}
	hall := actor.New(actor.Config{Journal: file, Log: log})
	var lob *lobby.Lobby
	games := table.New(table.Config{
		Hall: hall, Archive: &memory{}, Prove: proofs.Answer, Log: log,
		Free: func(ctx context.Context, f table.Freed) error { return lob.Free(ctx, f) },
	})
	lob = lobby.New(lobby.Config{Hall: hall, PublicURL: url, Log: log, Open: games.Open, Finished: games.Finished})
	server, err := edge.New(edge.Config{
		PublicURL: url, Tokens: tokens, Tables: games, Lobby: lob, Seat: lob.Seated, Web: web.Dist(), Log: log,
	})
	if err != nil {
		return err
	}
	if err := errors.Join(hall.Start(ctx), lob.Start(ctx)); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	site := edge.HTTPServer(server, log)
	served := make(chan error, 2)
	go func() { served <- site.Serve(listener) }()
	go func() { served <- takeOrders(ctx, games, in, out) }()
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	bye := context.WithoutCancel(ctx)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, site.Close(), server.Close(bye), proofs.Close(), hall.Close(bye), file.Close())
}

// order is a game to be set up. Times are ms; a mode that is left out is "fast".
type order struct {
	White  game.Player   `json:"white"`
	Black  game.Player   `json:"black"`
	Rules  string        `json:"rules"`
	Mode   game.Mode     `json:"mode"`
	Base   [2]int64      `json:"base"`
	FEN    string        `json:"fen"`
	Timing clock.Timing  `json:"timing"`
	Set    *game.Options `json:"options"` // instead of those of the lobby
}

// takeOrders answers orders until the input ends.
func takeOrders(ctx context.Context, games *table.Tables, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var o order
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			return fmt.Errorf("order: %w", err)
		}
		if o.Mode == "" {
			o.Mode = game.Fast
		}
		setup := game.Terms{RuleSet: o.Rules, Base: o.Base[game.White], Mode: o.Mode, Timing: o.Timing}.Setup(o.White, o.Black)
		setup.Base, setup.FEN = o.Base, o.FEN
		if o.Set != nil {
			setup.Options = *o.Set
		}
		id := rand.Text()[:10]
		if err := games.Open(ctx, id, setup); err != nil {
			return fmt.Errorf("order: %w", err)
		}
		fmt.Fprintf(out, "{\"path\":\"/g/%s\"}\n", id)
	}
	return lines.Err()
}
