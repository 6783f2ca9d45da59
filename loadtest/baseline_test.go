package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Three processes, two games, the real server.
func TestBaseline(t *testing.T) {
	for name, o := range map[string]options{
		"closed loop":           {games: 2, rounds: 1, duration: time.Second, seed: 1},
		"paced, over the board": {games: 2, rounds: 1, duration: time.Second, seed: 1, rate: 20, board: true},
	} {
		t.Run(name, func(t *testing.T) {
			rep, err := newBaseline(o, io.Discard).run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Rounds) != 2 || rep.Rounds[0].Target != "relay" || rep.Rounds[1].Target != "server" {
				t.Fatalf("rounds: %+v", rep.Rounds)
			}
			for _, r := range rep.Rounds {
				if r.Moves == 0 || len(r.Errors) > 0 || r.Ack.Count == 0 || r.Receipt.Count == 0 || r.MemoryAfter == 0 || len(r.Series) == 0 {
					t.Errorf("%+v", r)
				}
				if o.rate > 0 && (r.Rate < 30 || r.Rate > 50) {
					t.Errorf("%s: %v moves/s, want 40", r.Target, r.Rate)
				}
			}
			if rep.Rounds[1].Pairing.Count != 2 {
				t.Errorf("pairings: %+v", rep.Rounds[1].Pairing)
			}
			path := filepath.Join(t.TempDir(), "figures.json")
			if err := writeJSON(path, rep); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil || !json.Valid(data) {
				t.Errorf("%v: %s", err, data)
			}
		})
	}
}

func TestBaselineStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	b := newBaseline(options{games: 1, rounds: 2, duration: time.Hour, rate: 10, seed: 1}, writerFunc(func(p []byte) {
		if strings.Contains(string(p), "seating") {
			cancel()
		}
	}))
	rep, err := b.run(ctx)
	if err != nil || !rep.Stopped || rep.Valid.OK {
		t.Errorf("got %+v, %v", rep, err)
	}
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) {
	f(p)
	return len(p), nil
}

func TestTooFewDescriptors(t *testing.T) {
	if err := enoughDescriptors(2); err != nil {
		t.Error(err)
	}
	if raiseDescriptors() < 1<<40 {
		if err := enoughDescriptors(1 << 40); err == nil || !strings.Contains(err.Error(), "raise the hard limit") {
			t.Errorf("got %v", err)
		}
	}
}

func TestUnwritableFile(t *testing.T) {
	if err := writeJSON(filepath.Join(t.TempDir(), "no", "such", "file"), 1); err == nil {
		t.Error("written")
	}
}
