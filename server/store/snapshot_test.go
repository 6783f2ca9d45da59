package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/store/pgtest"
)

// restored is the address of a new database with what a snapshot has written.
type restore func(t *testing.T, file string) (address string)

func TestSnapshot(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		where := filepath.Join(t.TempDir(), "a name with #signs%.db")
		snapshots(t, where, func(t *testing.T, file string) string { return file })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		server := pgtest.Start(t)
		snapshots(t, server.Database(t), func(t *testing.T, file string) string {
			address := server.Database(t)
			if out, err := exec.Command("pg_restore", "--no-owner", "--exit-on-error", "--dbname", address, file).CombinedOutput(); err != nil {
				t.Fatalf("pg_restore: %v\n%s", err, out)
			}
			return address
		})
	})
}

// Games are saved all the time. Whatever was saved before a snapshot was asked for is in it, and in the same moment as
// what was read meanwhile: nothing that was not begun by then.
func snapshots(t *testing.T, where string, restored restore) {
	s := open(t, where)
	var begun, saved atomic.Int64
	var writer sync.WaitGroup
	end := make(chan struct{})
	writer.Go(func() {
		for n := int64(1); ; n++ {
			select {
			case <-end:
				return
			default:
			}
			begun.Store(n)
			if _, err := s.SaveGame(context.Background(), store.Game{ID: fmt.Sprint("g", n), White: "P", Record: []byte("{}")}); err != nil {
				t.Error(err)
				return
			}
			saved.Store(n)
		}
	})
	defer writer.Wait()
	defer close(end)
	for saved.Load() < 10 {
		time.Sleep(time.Millisecond)
	}
	for range 3 {
		var before, after int64
		snapshot, err := store.TakeSnapshot(t.Context(), where, func() error {
			before, after = saved.Load(), begun.Load()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for more := saved.Load() + 5; saved.Load() < more; { // it goes on beside the copying
			time.Sleep(time.Millisecond)
		}
		name, err := snapshot.WriteTo(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := snapshot.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v; want a file for its owner alone", info.Mode(), err)
		}
		copied := open(t, restored(t, name))
		if _, err := copied.Game(t.Context(), fmt.Sprint("g", before)); err != nil {
			t.Errorf("game %d was saved before: %v", before, err)
		}
		if _, err := copied.Game(t.Context(), fmt.Sprint("g", after+1)); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("game %d was begun after: %v", after+1, err)
		}
	}
}

// While the other part of a backup is read no result is saved, and nothing of a snapshot stays when that part fails.
func TestSnapshotHolds(t *testing.T) {
	hold := func(t *testing.T, where string) {
		s := open(t, where)
		if err := s.SavePerson(t.Context(), store.Person{ID: "P"}); err != nil {
			t.Fatal(err)
		}
		failure := errors.New("the other part fails")
		_, err := store.TakeSnapshot(t.Context(), where, func() error {
			short, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if _, err := s.SaveGame(short, store.Game{ID: "g", Record: []byte("{}")}); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("saved meanwhile: %v", err)
			}
			short, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			if err := s.SaveEvent(short, store.Event{Name: "e", Edition: 1}); !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("an event saved meanwhile: %v", err)
			}
			if _, err := s.Person(t.Context(), "P"); err != nil {
				t.Errorf("read meanwhile: %v", err)
			}
			return failure
		})
		if !errors.Is(err, failure) {
			t.Errorf("%v, want the failure", err)
		}
		if _, err := s.SaveGame(t.Context(), store.Game{ID: "g", Record: []byte("{}")}); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	t.Run("SQLite", func(t *testing.T) { hold(t, filepath.Join(t.TempDir(), "flagfall.db")) })
	t.Run("PostgreSQL", func(t *testing.T) { hold(t, pgtest.Start(t).Database(t)) })
}

func TestSnapshotRefused(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	database{driver: "sqlite"}.run(t, other, "CREATE TABLE recipe (id TEXT)")
	for _, c := range []struct{ name, address, want string }{
		{"no file", filepath.Join(t.TempDir(), "none.db"), "no such file"},
		{"a folder", t.TempDir(), "is no file"},
		{"no database", text, "file is not a database"},
		{"somebody else's database", other, "no tables of people and games"},
		{"another kind", "mysql://root:s3cret@localhost/x", "not a database of this program"},
		{"nobody listens", "postgres://flagfall:s3cret@127.0.0.1:1/hall", "connection refused"},
		{"a URL that cannot be read", "postgres://flagfall:s3%cret@localhost/hall", "%XX"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := store.TakeSnapshot(t.Context(), c.address, func() error { t.Error("asked"); return nil })
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "cret") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	t.Run("the file is there", func(t *testing.T) {
		where := filepath.Join(t.TempDir(), store.FileName)
		open(t, where)
		s, err := store.TakeSnapshot(t.Context(), where, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if _, err := s.WriteTo(t.Context(), filepath.Dir(where)); !errors.Is(err, os.ErrExist) {
			t.Error(err)
		}
	})
}
