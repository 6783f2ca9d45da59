package endgame

import (
	"flag"
	"slices"
	"sync"
	"testing"

	"flagfall/game/board"
)

var all = flag.Bool("endgame.all", false, "hold all 35 tables and long proofs against the published numbers (some minutes)")

// made keeps the tables that some test has asked for, with depths.
var made struct {
	sync.Mutex
	tables Tables
	stats  map[string]Stats
}

// need makes the named tables, and those they lead to, once for all tests.
func need(t testing.TB, names ...string) *Tables {
	t.Helper()
	made.Lock()
	defer made.Unlock()
	if made.stats == nil {
		made.stats = map[string]Stats{}
	}
	wanted := closure(names)
	for _, name := range Materials() {
		if !slices.Contains(wanted, name) || made.tables.Has(name) {
			continue
		}
		table, stats, err := Generate(name, &made.tables, Options{Depth: true})
		if err != nil {
			t.Fatal(err)
		}
		made.tables.Add(table)
		made.stats[name] = stats
	}
	return &made.tables
}

func statsOf(t testing.TB, name string) Stats {
	t.Helper()
	need(t, name)
	made.Lock()
	defer made.Unlock()
	return made.stats[name]
}

// closure adds the materials that captures and promotions lead to.
func closure(names []string) (list []string) {
	for _, name := range names {
		if name == "KK" || slices.Contains(list, name) {
			continue
		}
		list = append(list, name)
		list = append(list, closure(leads(name))...)
	}
	return list
}

// leads spells out where one capture or promotion leads to.
func leads(name string) (list []string) {
	for i := 1; i < len(name); i++ {
		if name[i] == 'K' {
			continue
		}
		list = append(list, named(name[:i]+name[i+1:]))
		if name[i] == 'P' {
			for _, k := range "QRBN" {
				list = append(list, named(name[:i]+string(k)+name[i+1:]))
				// By a capture, where there is something to take.
				if taken := []byte(name[:i] + string(k) + name[i+1:]); len(name) == 4 && name[2] == 'K' {
					j := 4 - i
					list = append(list, named(string(taken[:j])+string(taken[j+1:])))
				}
			}
		}
	}
	return list
}

// named puts the men of a name in order.
func named(name string) string {
	const order = "KQRBNP"
	value := func(x, y byte) int { return slices.Index([]byte(order), x) - slices.Index([]byte(order), y) }
	at := slices.Index([]byte(name[1:]), 'K') + 1
	a, b := []byte(name[:at]), []byte(name[at:])
	slices.SortFunc(a, value)
	slices.SortFunc(b, value)
	if len(a) < len(b) || len(a) == len(b) && slices.CompareFunc(a, b, value) > 0 {
		a, b = b, a
	}
	return string(a) + string(b)
}

func position(t testing.TB, fen string) board.Board {
	t.Helper()
	b, err := board.ParseArrangement(fen)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// placement spells men by square as FEN does.
func placement(men map[int]byte) string {
	var fen []byte
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			n := len(fen)
			switch man := men[rank*8+file]; {
			case man != 0:
				fen = append(fen, man)
			case n > 0 && fen[n-1] >= '1' && fen[n-1] <= '7':
				fen[n-1]++
			default:
				fen = append(fen, '1')
			}
		}
		if rank > 0 {
			fen = append(fen, '/')
		}
	}
	return string(fen)
}
