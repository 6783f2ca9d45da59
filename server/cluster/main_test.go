//go:build unix

package cluster

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"
)

var ctx = context.Background()

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// connect opens a URL for the time of a test.
func connect(t testing.TB, url string, opt Options) *Redis {
	t.Helper()
	if opt.Log == nil {
		opt.Log = quiet()
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	r, err := Open(ctx, url, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}
