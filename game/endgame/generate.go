package endgame

import (
	"bytes"
	"errors"
	"fmt"
)

// ErrStopped is returned by Generate when it was asked to stop.
var ErrStopped = errors.New("stopped")

// Options say how a table is made. The zero value is what a server wants.
type Options struct {
	// Depth keeps the number of plies to mate of every position, one byte
	// each, beside the values. The tables it leads to must have it as well.
	Depth bool
	// Stop is asked every few milliseconds; once it says true Generate
	// returns ErrStopped. Nil never stops.
	Stop func() bool
}

// Generate computes the table of one material by retrograde analysis from the
// tables it leads to by captures and promotions, all of which must be there.
// It holds at most 40 MB while it runs (55 MB with Depth) and takes some
// seconds of one core; others may be made and probed beside it.
func Generate(name string, have *Tables, options Options) (*Table, Stats, error) {
	n, err := number(name)
	if err != nil {
		return nil, Stats{}, err
	}
	g := &generator{number: n, material: materials[n], options: options}
	if err := g.findExits(have); err != nil {
		return nil, Stats{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := g.solve(); err != nil {
		return nil, Stats{}, fmt.Errorf("%s: %w", name, err)
	}
	return g.newTable(), g.stats(), nil
}

// generator holds one material under way. In every array the first index is
// the side on move.
type generator struct {
	*material
	number  int
	options Options
	exits   exits
	value   [2][]byte // see impossible, known
	// What leaves the material: the plies of the shortest win (odd), else those
	// of the longest defeat among the moves that lose (even), else 0.
	leaving [2][]byte
	passing *passing // where en passant is possible
	deepest int      // plies of the deepest value found so far
	polled  int
}

// solve finds all values, nearest mate first.
func (g *generator) solve() error {
	for s := range g.value {
		g.value[s], g.leaving[s] = make([]byte, g.size), make([]byte, g.size)
	}
	if g.enPassant() {
		g.passing = newPassing()
	}
	for s := range strong + 2 {
		for n := range g.size {
			if g.stopped(n) {
				return ErrStopped
			}
			g.start(n, s)
		}
	}
	for ply := 0; ply <= g.deepest; ply++ {
		for s := range strong + 2 {
			if err := g.level(s, ply); err != nil {
				return err
			}
		}
	}
	return nil
}

// stopped polls Stop once in a while.
func (g *generator) stopped(n int) bool {
	return n&0xFFFF == 0 && g.options.Stop != nil && g.options.Stop()
}

// start gives a position its first value from its own moves.
func (g *generator) start(n int, s side) {
	p := g.place(n)
	if !g.possible(p, s) {
		g.value[s][n] = impossible
		return
	}
	e := g.expand(p, s)
	if c := g.passing.code(g.material, p, s); c >= 0 {
		both := e
		both.leave(g.exits.passing(p, s))
		g.passing.value[s][c], g.passing.leaving[s][c] = g.settle(both, false)
	}
	g.value[s][n], g.leaving[s][n] = g.settle(e, e.moves == 0 && g.checked(p, s))
}

// settle turns the moves of a position into its first value and what leaves
// the material.
func (g *generator) settle(e edges, check bool) (value, leaving byte) {
	switch {
	case e.moves == 0 && check:
		return known, 0
	case e.best > 0:
		g.deepest = max(g.deepest, int(e.best))
		return byte(e.open), e.best
	case e.moves > 0 && e.open == 0:
		g.deepest = max(g.deepest, int(e.worst))
		return known + e.worst, e.worst
	}
	return byte(e.open), e.worst
}

// level hands on everything decided in that many plies with side s on move to
// the positions before it.
func (g *generator) level(s side, ply int) error {
	if ply&1 == 1 {
		if err := g.each(g.leaving[s], byte(ply), func(n int) { claim(g.value[s], n, byte(ply)) }); err != nil {
			return err
		}
	}
	err := g.each(g.value[s], known+byte(ply), func(n int) { g.retract(n, s, ply) })
	if err != nil || g.passing == nil {
		return err
	}
	q := g.passing
	if ply&1 == 1 {
		if err := g.each(q.leaving[s], byte(ply), func(c int) { claim(q.value[s], c, byte(ply)) }); err != nil {
			return err
		}
	}
	return g.each(q.value[s], known+byte(ply), func(c int) {
		g.relax(g.value[s^1], g.leaving[s^1], q.before(g.material, c, s), ply)
	})
}

// each calls f for every place in an array that holds a value.
func (g *generator) each(values []byte, v byte, f func(n int)) error {
	for n := 0; ; n++ {
		next := bytes.IndexByte(values[n:], v)
		if next < 0 {
			return nil
		}
		n += next
		if g.polled++; g.stopped(g.polled) {
			return ErrStopped
		}
		f(n)
	}
}

// claim records a win by a move that leaves the material.
func claim(values []byte, n int, ply byte) {
	if values[n] < impossible {
		values[n] = known + ply
	}
}

// relax tells a position that one of its moves leads to a value.
func (g *generator) relax(values, leaving []byte, n, ply int) {
	v := values[n]
	if v >= impossible {
		return
	}
	next := ply + 1
	if ply&1 == 1 { // one more move that loses
		v--
		values[n] = v
		if v > 0 || leaving[n]&1 == 1 {
			return
		}
		next = max(next, int(leaving[n]))
	}
	values[n] = known + byte(next)
	g.deepest = max(g.deepest, next)
}
