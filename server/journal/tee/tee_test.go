package tee_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flagfall/server/actor"
	"flagfall/server/actor/journaltest"
	"flagfall/server/journal/tee"
)

func over(t *testing.T, inner actor.Journal, folder string) *tee.Journal {
	t.Helper()
	j, err := tee.Over(inner, folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func load(t *testing.T, folder string) []tee.Copy {
	t.Helper()
	copies, err := tee.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return copies
}

// texts are "actor seq data", and a star where the entry was read.
func texts(c tee.Copy) []string {
	var out []string
	for _, l := range c.Lines {
		s := string(l.Actor) + " " + string(rune('0'+l.Seq)) + " " + string(l.Data)
		if l.Read {
			s += " *"
		}
		out = append(out, s)
	}
	return out
}

func TestCopies(t *testing.T) {
	ctx, inner, folder := context.Background(), actor.NewMemory(), t.TempDir()
	first := over(t, inner, folder)
	appendTo := func(j *tee.Journal, id actor.ID, after uint64, data string) error {
		return j.Append(ctx, id, after, []byte(data))
	}
	for i, data := range []string{`a`, `b`, `c`} {
		if err := appendTo(first, "x", uint64(i), data); err != nil {
			t.Fatal(err)
		}
	}
	if err := appendTo(first, "x", 1, `z`); !errors.Is(err, actor.ErrConflict) {
		t.Fatalf("a conflict gives %v", err)
	}
	if _, err := first.Read(ctx, "x", 0); err != nil { // known already
		t.Fatal(err)
	}
	if err := first.Trim(ctx, "x", 2); err != nil {
		t.Fatal(err)
	}
	second := over(t, inner, folder)
	if _, err := second.Read(ctx, "x", 0); err != nil {
		t.Fatal(err)
	}
	if err := appendTo(second, "x", 3, `d`); err != nil {
		t.Fatal(err)
	}
	if err := second.Forget(ctx, "x"); err != nil {
		t.Fatal(err)
	}
	copies := load(t, folder)
	if len(copies) != 2 {
		t.Fatalf("%d copies of two processes", len(copies))
	}
	if got, want := texts(copies[0]), []string{`x 1 a`, `x 2 b`, `x 3 c`}; !slices.Equal(got, want) {
		t.Errorf("the first copied %q, want %q", got, want)
	}
	if got, want := texts(copies[1]), []string{`x 2 b *`, `x 3 c *`, `x 4 d`}; !slices.Equal(got, want) {
		t.Errorf("the second copied %q, want %q", got, want)
	}
}

func TestLast(t *testing.T) {
	ctx, inner := context.Background(), actor.NewMemory()
	if err := inner.Append(ctx, "x", 0, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if e, ok, err := over(t, inner, t.TempDir()).Last(ctx, "x"); e.Seq != 1 || !ok || err != nil {
		t.Errorf("the last entry is %+v, %v, %v", e, ok, err)
	}
	if _, _, err := over(t, struct{ actor.Journal }{inner}, t.TempDir()).Last(ctx, "x"); err == nil {
		t.Error("a journal of one node tells its last entry")
	}
}

func TestUnfinishedLine(t *testing.T) {
	folder := t.TempDir()
	j := over(t, actor.NewMemory(), folder)
	if err := j.Append(context.Background(), "x", 0, []byte(`a`)); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*"))
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], append(text, `{"t":1,"id":"x","se`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := load(t, folder); len(got[0].Lines) != 1 {
		t.Errorf("%d lines, want the finished one", len(got[0].Lines))
	}
	if err := os.WriteFile(files[0], append([]byte("{\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tee.Load(folder); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a broken line gives %v", err)
	}
}

// What cannot be copied is not acknowledged.
func TestFullDisk(t *testing.T) {
	j := over(t, actor.NewMemory(), t.TempDir())
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(context.Background(), "x", 0, []byte(`a`)); err == nil {
		t.Error("an entry is acknowledged that is not copied")
	}
}

func TestIsAJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) actor.Journal { return over(t, actor.NewMemory(), t.TempDir()) })
}
