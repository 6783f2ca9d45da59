package endgame

import (
	"fmt"

	"flagfall/game/board"
)

// Library brings tables together: those that are kept somewhere are loaded, the others computed and given back to be
// kept. Where and how is not its business. One goroutine at a time.
type Library struct {
	Tables *Tables
	// Load returns what Save was given for a material, or nil when there is nothing.
	Load func(material string) ([]byte, error)
	Save func(material string, packed []byte) error
	// Stop, if set, is asked every few milliseconds of a computation; true ends it with ErrStopped.
	Stop func() bool
}

// Prepare makes the named tables available, in the order given: see Needs and Materials. A kept table that cannot be read
// is computed anew.
func (l *Library) Prepare(names []string) error {
	for _, name := range names {
		if l.Tables.Has(name) {
			continue
		}
		if err := l.prepare(name); err != nil {
			return fmt.Errorf("endgame table %s: %w", name, err)
		}
	}
	return nil
}

func (l *Library) prepare(name string) error {
	if packed, err := l.Load(name); err == nil && packed != nil {
		if table, err := Unpack(packed); err == nil && table.Material() == name {
			l.Tables.Add(table)
			return nil
		}
	}
	table, _, err := Generate(name, l.Tables, Options{Stop: l.Stop})
	if err != nil {
		return err
	}
	l.Tables.Add(table)
	return l.Save(name, table.Pack())
}

// Needs names the tables to which a position can lead by captures and promotions, in an order in which each can be
// computed. With more than three men beside the kings these are all.
func Needs(b board.Board) []string {
	var start army
	total := 0
	for _, c := range [2]board.Color{board.White, board.Black} {
		for k := board.Pawn; k <= board.Queen; k++ {
			start[c][k] = b.Count(c, k)
			total += start[c][k]
		}
	}
	if total > 3 {
		return Materials()
	}
	needed := map[string]bool{}
	start.collect(needed, map[army]bool{})
	var names []string
	for _, name := range Materials() {
		if needed[name] {
			names = append(names, name)
		}
	}
	return names
}

// army counts the men of both sides by kind, kings aside.
type army [2][board.King]int

// collect adds the materials of an army and of all that it can become.
func (f army) collect(needed map[string]bool, seen map[army]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	if name, ok := f.material(); ok {
		needed[name] = true
	}
	for c := range f {
		for k := board.Pawn; k <= board.Queen; k++ {
			if f[c][k] == 0 {
				continue
			}
			less := f
			less[c][k]--
			less.collect(needed, seen)
			if k != board.Pawn {
				continue
			}
			for _, to := range order[:4] {
				promoted := less
				promoted[c][to]++
				promoted.collect(needed, seen)
			}
		}
	}
}

// material is the name of one or two men beside the kings.
func (f army) material() (string, bool) {
	var codes []int
	for c := range f {
		for k := board.Pawn; k <= board.Queen; k++ {
			for range f[c][k] {
				codes = append(codes, code(man{side(c), k}))
			}
		}
	}
	switch len(codes) {
	case 1:
		return materials[seats[codes[0]][0].number].name, true
	case 2:
		return materials[seats[codes[0]][codes[1]].number].name, true
	}
	return "", false
}
