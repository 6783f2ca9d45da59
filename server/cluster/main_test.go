//go:build unix

package cluster

import (
	"context"
	"io"
	"log/slog"
	"testing"
)

var ctx = context.Background()

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// connect opens a URL for the time of a test.
// unhurried are for tests in which nothing fails: a busy machine is no fault.
var unhurried = Options{Timeout: patience, WaitTimeout: patience}

func connect(t testing.TB, url string, opt Options) *Redis {
	t.Helper()
	if opt.Log == nil {
		opt.Log = quiet()
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := Open(ctx, url, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}
