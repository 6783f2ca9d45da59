package prover

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"flagfall/game"
)

func ask(t *testing.T, p *Prover, kind game.QuestionKind, fen string, side game.Side) game.Verdict {
	t.Helper()
	verdict, err := p.Answer(t.Context(), game.Question{Kind: kind, FEN: fen, Side: side})
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}

// A question gets the tables that it needs, and they are kept; a spoilt one is computed again.
func TestAnswer(t *testing.T) {
	dir := t.TempDir()
	open := func() *Prover {
		p, err := Open(Config{Dir: dir, After: -1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		return p
	}
	p := open()
	if v := ask(t, p, game.AskWin, "8/8/8/3k4/8/3K4/7R/8 b - - 0 1", game.White); v != game.Proved {
		t.Errorf("king and rook against king: %s", v)
	}
	if v := ask(t, p, game.AskWin, "8/8/8/3k4/8/3K4/7B/8 b - - 0 1", game.White); v != game.Refuted {
		t.Errorf("king and bishop against king: %s", v)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "*.table"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "KRK.table"), []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if v := ask(t, open(), game.AskWin, "8/8/8/3k4/8/3K4/7R/8 b - - 0 1", game.White); v != game.Proved {
		t.Errorf("after a spoilt table: %s", v)
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
	if _, err := p.Answer(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("a question that was taken back: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Answer(t.Context(), q); !errors.Is(err, ErrClosed) {
		t.Errorf("a question after the end: %v", err)
	}
	if _, err := Open(Config{Dir: filepath.Join(string([]byte{0}))}); err == nil {
		t.Error("a folder that cannot be made was taken")
	}
}
