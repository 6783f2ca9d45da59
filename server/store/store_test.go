package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/store/storetest"
)

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSQLite(t *testing.T) {
	storetest.Run(t, func(t *testing.T) *store.Store {
		return open(t, filepath.Join(t.TempDir(), "a name with #signs%.db"))
	})
}

func TestReopen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagfall.db")
	first := open(t, path)
	at := time.UnixMilli(1_700_000_000_000).UTC()
	if err := first.SavePerson(t.Context(), store.Person{ID: "P", Name: "Jo", Created: at, LastSeen: at}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if p, err := open(t, path).Person(t.Context(), "P"); err != nil || p.Name != "Jo" {
		t.Errorf("after a restart: %+v, %v", p, err)
	}
}

func TestOpenRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flagfall.db")
	if err := os.WriteFile(path, []byte("this is not a database, and it is long enough to tell"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := store.Open(t.Context(), path); err == nil {
		s.Close()
		t.Error("a file that is no database was opened")
	}
	if s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "missing", "flagfall.db")); err == nil {
		s.Close()
		t.Error("a folder that is not there: no error")
	}
}
