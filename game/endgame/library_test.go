package endgame

import (
	"errors"
	"slices"
	"testing"

	"flagfall/game/board"
)

func TestNeeds(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want []string
	}{
		{"8/8/8/3k4/8/3K4/8/8 w - - 0 1", nil},
		{"8/8/8/3k4/8/3K4/7R/8 w - - 0 1", []string{"KRK"}},
		{"8/7r/8/3k4/8/3K4/7R/8 w - - 0 1", []string{"KRK", "KRKR"}},
		{"8/8/8/8/8/p7/k1K5/1N6 b - - 0 1", []string{"KQK", "KRK", "KBK", "KNK", "KPK", "KQKN", "KRKN", "KBKN", "KNKN", "KNKP"}},
	} {
		b, err := board.ParseFEN(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		if got := Needs(b); !slices.Equal(got, c.want) {
			t.Errorf("%s needs %v, want %v", c.fen, got, c.want)
		}
	}
	if got := Needs(board.Start()); !slices.Equal(got, Materials()) {
		t.Errorf("the first position needs %v", got)
	}
}

// A library computes what is not kept, keeps it, and does not trust what it cannot read.
func TestLibrary(t *testing.T) {
	kept := map[string][]byte{"KQK": []byte("no table")}
	library := func() *Library {
		return &Library{Tables: &Tables{},
			Load: func(name string) ([]byte, error) { return kept[name], nil },
			Save: func(name string, packed []byte) error { kept[name] = packed; return nil },
		}
	}
	first := library()
	if err := first.Prepare([]string{"KQK"}); err != nil || !first.Tables.Has("KQK") {
		t.Fatalf("prepared: %v", err)
	}
	second := library()
	second.Stop = func() bool { return true }
	if err := second.Prepare([]string{"KQK"}); err != nil {
		t.Errorf("a kept table was computed again: %v", err)
	}
	if err := second.Prepare([]string{"KRK"}); !errors.Is(err, ErrStopped) {
		t.Errorf("stopped with %v", err)
	}
}
