// Command server is Flagfall: blitz chess by the rules of the board, in the browser.
//
//	go run ./server
//
// It needs nothing but itself: the web client is in the program, the database is a file in the data folder unless it is
// told of a PostgreSQL.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"flagfall/server/table"
)

// closeTime bounds how long a server that is asked to end waits for the journal.
const closeTime = 10 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	go tendHeap(ctx)
	os.Exit(run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// commands are what the program does besides serving, by its first argument. Each gives the exit status.
var commands = map[string]func(ctx context.Context, args, environ []string, out, errs io.Writer) int{
	"healthcheck": healthcheck,
	"correct":     correct,
	"backup":      backup,
	"admin":       admin,
}

// run is the whole program: it ends when ctx does, with the exit status.
func run(ctx context.Context, args, environ []string, out, errs io.Writer) int {
	if len(args) > 0 {
		if command, ok := commands[args[0]]; ok {
			return command(ctx, args[1:], environ, out, errs)
		}
	}
	s, err := readSettings(args, environ, out)
	if errors.Is(err, errHelp) {
		return 0
	}
	if err == nil {
		err = serve(ctx, s, out, errs)
	}
	if err != nil {
		fmt.Fprintln(errs, "flagfall:", strings.ReplaceAll(err.Error(), "\n", "; ")) // joined errors stand on lines of their own
		return 1
	}
	return 0
}

func serve(ctx context.Context, s settings, out, errs io.Writer) error {
	log := slog.New(slog.NewTextHandler(errs, &slog.HandlerOptions{Level: s.level})).With("node", s.node)
	operators, err := openOperators(s, log)
	if err != nil {
		return err
	}
	defer operators.close()
	listener, err := net.Listen("tcp", s.addr)
	if err != nil {
		return err
	}
	defer listener.Close()
	h, err := newHouse(ctx, s, listener.Addr().(*net.TCPAddr), log)
	if ctx.Err() != nil && (errors.Is(err, context.Cause(ctx)) || errors.Is(err, context.Canceled)) {
		return nil // asked to end before it had begun
	}
	if err != nil {
		return err
	}
	operators.house.Store(h)
	served := make(chan error, 1)
	go func() { served <- h.http.Serve(listener) }()
	if s.url == "" {
		fmt.Fprintln(out, "Flagfall listens on", h.url)
	} else {
		fmt.Fprintf(out, "Flagfall listens on %s for %s\n", listener.Addr(), h.url)
	}
	if url := operators.url(); url != "" {
		fmt.Fprintln(out, "Flagfall listens for operators on", url)
	}
	log.Info("started", "data", s.data, "database", h.store, "games", len(h.hall.IDs(table.KindName)))
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	operators.draining.Store(true)
	bye, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	log.Info("stopping", "games", len(h.hall.IDs(table.KindName)), "sockets", h.edge.Sockets())
	err = errors.Join(err, h.close(bye))
	log.Info("stopped")
	return err
}
