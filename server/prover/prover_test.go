package prover

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/game/endgame"
)

func ask(t *testing.T, p *Prover, kind game.QuestionKind, fen string, side game.Side) game.Verdict {
	t.Helper()
	verdict, err := p.Answer(t.Context(), "g1", game.Question{Kind: kind, FEN: fen, Side: side})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

const (
	rookWins = "8/8/8/3k4/8/3K4/7R/8 b - - 0 1" // won for White
	bishop   = "8/8/8/3k4/8/3K4/7B/8 b - - 0 1" // never won
	pawnWins = "8/8/8/4k3/8/4K3/4P3/8 b - - 0 1"
)

// open is a prover over a folder that computes only what is asked for, and what it logs.
func open(t *testing.T, dir string, after time.Duration) (*Prover, *logged) {
	t.Helper()
	log := &logged{}
	p, err := Open(Config{Dir: dir, After: after, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, log
}

// logged is a log that can be read while it is written.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *logged) count(part string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), part)
}

// Questions that come together are answered each for itself, and no table is computed twice.
func TestTogether(t *testing.T) {
	p, log := open(t, t.TempDir(), -1)
	want := map[string]game.Verdict{rookWins: game.Proved, bishop: game.Refuted}
	var all sync.WaitGroup
	for range 4 {
		for fen, verdict := range want {
			all.Go(func() {
				got, err := p.Answer(t.Context(), "g1", game.Question{Kind: game.AskWin, FEN: fen, Side: game.White})
				if err != nil || got != verdict {
					t.Errorf("%s: %s, %v", fen, got, err)
				}
			})
		}
	}
	all.Wait()
	if n := log.count("KRK.table"); n != 1 {
		t.Errorf("the rook's table was made %d times", n)
	}
	if n := log.count("msg=proof game=g1 "); n != 8 {
		t.Errorf("%d proofs are in the log", n)
	}
	s := p.Stats()
	if s.Answers[game.Proved] != 4 || s.Answers[game.Refuted] != 4 || s.Answers[game.Undecided]+s.Answers[""] != 0 ||
		s.Pending != 0 || s.Time <= 0 {
		t.Errorf("%+v", s)
	}
}

// The background stops for a question, and goes on when it has been answered.
func TestBackgroundMakesWay(t *testing.T) {
	p, log := open(t, t.TempDir(), -1)
	p.waiting.Add(1)
	if err := p.next(); !errors.Is(err, endgame.ErrStopped) {
		t.Errorf("with a question that waits: %v", err)
	}
	p.waiting.Add(-1)
	if err := p.next(); err != nil || log.count("table is kept") != 1 {
		t.Errorf("with none: %v, %d tables", err, log.count("table is kept"))
	}
	if p.Ready() {
		t.Error("one table is not all")
	}
}

// The background makes one table after the other, a question in between is answered, and after a restart only those are
// made that are not there.
func TestBackground(t *testing.T) {
	dir := t.TempDir()
	p, log := open(t, dir, 0)
	if v := ask(t, p, game.AskWin, rookWins, game.White); v != game.Proved {
		t.Errorf("king and rook against king: %s", v)
	}
	wait(t, log, "table is kept", 3)
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if log.count("level=ERROR")+log.count("level=WARN") > 0 {
		t.Error("the log complains")
	}
	kept := files(t, dir)
	if len(kept) < 3 {
		t.Errorf("kept %v", kept)
	}
	again, log := open(t, dir, -1)
	if v := ask(t, again, game.AskWin, pawnWins, game.White); v == game.Undecided {
		t.Errorf("a pawn ending is %s", v)
	}
	for name, made := range kept {
		if now := files(t, dir)[name]; !now.Equal(made) {
			t.Errorf("%s was made again after a restart", name)
		}
	}
	if n := log.count("table is kept"); n != len(files(t, dir))-len(kept) {
		t.Errorf("%d tables were made after the restart", n)
	}
}

// wait is until the log has a text so often.
func wait(t *testing.T, log *logged, text string, times int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); log.count(text) < times; {
		if <-tick.C; time.Now().After(deadline) {
			t.Fatalf("%d times %q after a minute, want %d", log.count(text), text, times)
		}
	}
}

// files are the tables in a folder, with the time at which each was written.
func files(t *testing.T, dir string) map[string]time.Time {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.table"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]time.Time{}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = info.ModTime()
	}
	return found
}

// What stands in the place of a table and is none is not believed, and said; one that cannot be kept serves nevertheless.
func TestSpoilt(t *testing.T) {
	whole := t.TempDir()
	p, _ := open(t, whole, -1)
	ask(t, p, game.AskWin, rookWins, game.White)
	ask(t, p, game.AskWin, bishop, game.White)
	rook, err := os.ReadFile(filepath.Join(whole, "KRK.table"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(filepath.Join(whole, "KBK.table"))
	if err != nil {
		t.Fatal(err)
	}
	flipped := slices.Clone(rook)
	flipped[len(flipped)/2] ^= 0x10
	for name, spoilt := range map[string][]byte{
		"empty": {}, "cut": rook[:len(rook)-1], "longer": append(slices.Clone(rook), 0), "another table": other, "one bit": flipped, "text": []byte("rook"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "KRK.table")
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			p, log := open(t, dir, -1)
			if v := ask(t, p, game.AskWin, rookWins, game.White); v != game.Proved {
				t.Errorf("king and rook against king: %s", v)
			}
			if now, err := os.ReadFile(path); err != nil || !slices.Equal(now, rook) {
				t.Errorf("the file was not made good: %v", err)
			}
			if log.count("could not be read") != 1 {
				t.Error("the log does not say it")
			}
		})
	}
	t.Run("a folder in its place", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "KRK.table", "x"), 0o700); err != nil {
			t.Fatal(err)
		}
		p, log := open(t, dir, -1)
		if v := ask(t, p, game.AskWin, rookWins, game.White); v != game.Proved || log.count("is not kept") != 1 {
			t.Errorf("king and rook against king: %s, log %d", v, log.count("is not kept"))
		}
	})
	t.Run("a write that was cut off", func(t *testing.T) {
		dir := t.TempDir()
		left, fresh := filepath.Join(dir, newFile+"1"), filepath.Join(dir, newFile+"2")
		for _, name := range []string{left, fresh} {
			if err := os.WriteFile(name, rook[:10], 0o600); err != nil {
				t.Fatal(err)
			}
		}
		long := time.Now().Add(-2 * time.Hour)
		if err := os.Chtimes(left, long, long); err != nil {
			t.Fatal(err)
		}
		open(t, dir, -1)
		if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is still there: %v", err)
		}
		if _, err := os.Stat(fresh); err != nil {
			t.Errorf("a write that may go on was removed: %v", err)
		}
	})
}

// A question that was taken back does not wait for the others, and one about what is possible waits for no search.
func TestLines(t *testing.T) {
	p, _ := open(t, t.TempDir(), -1)
	ask(t, p, game.AskWin, rookWins, game.White) // its table is there now
	for range cap(p.search) {
		p.search <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Answer(ctx, "g1", game.Question{Kind: game.AskWin, FEN: rookWins, Side: game.White}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if v := ask(t, p, game.AskPossible, bishop, game.White); v != game.Refuted {
		t.Errorf("a lone bishop mates: %s", v)
	}
}

// A computation ends with its question, and with the prover.
func TestStop(t *testing.T) {
	p, err := Open(Config{Dir: t.TempDir(), After: -1})
	if err != nil {
		t.Fatal(err)
	}
	q := game.Question{Kind: game.AskWin, FEN: "8/8/3k4/7r/8/3K4/7R/8 w - - 0 1", Side: game.White}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Answer(ctx, "g1", q); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that was taken back: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Answer(t.Context(), "g1", q); !errors.Is(err, ErrClosed) {
		t.Errorf("a question after the end: %v", err)
	}
	if _, err := Open(Config{Dir: filepath.Join(string([]byte{0}))}); err == nil {
		t.Error("a folder that cannot be made was taken")
	}
}
