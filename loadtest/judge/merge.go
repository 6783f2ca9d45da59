package judge

import (
	"fmt"
	"math"
	"slices"
)

// step is one numbered step of the server, as the seats were told it.
type step struct {
	w, b *item // nil where that seat was not told: a private step, or one that a snapshot covered
}

func (s *step) any() *item {
	if s.w != nil {
		return s.w
	}
	return s.b
}

// note is something in one seat's story between two steps: a refusal or a snapshot.
type note struct {
	seat string
	it   *item
	next bool // frames follow it in this story
}

// line is the whole game in the server's order: notes[i] come before steps[i]; the last notes come after all steps.
type line struct {
	steps []step
	notes [][]note
	wrong []string

	outage  int       // index of the step before which both seats missed something; -1 without
	missing [2][]span // by White and by Black
}

// merge lays White's and Black's stories side by side. Steps that both were told are the anchors; a private step comes
// where its own story has it, by its game time where both have one; a step that a snapshot covered for one seat comes
// from the other.
func merge(w, b *story) *line {
	l := &line{notes: make([][]note, 1), outage: -1, missing: [2][]span{w.missing(), b.missing()}}
	i, j := 0, 0
	for {
		i, j = l.remarks(w, i), l.remarks(b, j)
		x, y := w.at(i), b.at(j)
		switch {
		case x == nil && y == nil && i == len(w.items) && j == len(b.items):
			return l
		case i == 0 && j == 0 && w.jumps(0) && b.jumps(0): // who came first is told what the other's snapshot covers
			if b.items[0].state.N < w.items[0].state.N {
				j = l.remark(b, 0)
			} else {
				i = l.remark(w, 0)
			}
		case w.jumps(i) && b.jumps(j) && i > 0 && j == 0 && l.outage < 0 && neither(w, i, b): // away before the start
			l.outage = len(l.steps)
		case w.jumps(i) && b.jumps(j) && i > 0 && j == 0: // his first snapshot comes before the other's second
			j = l.remark(b, j)
		case w.jumps(i) && b.jumps(j) && i > 0 && j > 0 && l.outage < 0:
			l.outage = len(l.steps)
		case w.jumps(i) && y != nil && w.nextKey(i) == y.key && b.repeats(j) > w.repeats(i): // the first of several alike
			l.add(step{b: y})
			j++
		case b.jumps(j) && x != nil && b.nextKey(j) == x.key && w.repeats(i) > b.repeats(j):
			l.add(step{w: x})
			i++
		case w.jumps(i) && (y == nil || y.ev.At > w.nextAt(i) || w.nextKey(i) == y.key):
			i = l.remark(w, i)
		case b.jumps(j) && (x == nil || x.ev.At > b.nextAt(j) || b.nextKey(j) == x.key):
			j = l.remark(b, j)
		case y == nil || (x != nil && x.key == y.key && x.open):
			l.add(step{w: x, b: y})
			i++
			if y != nil {
				j++
			}
		case x == nil || first(y, x):
			l.add(step{b: y})
			j++
		case first(x, y):
			l.add(step{w: x})
			i++
		case l.outage >= 0: // both may have missed more than once, and from the first time on only the end counts
			if x.ev.At <= y.ev.At {
				l.add(step{w: x})
				i++
			} else {
				l.add(step{b: y})
				j++
			}
		default:
			l.wrong = append(l.wrong, fmt.Sprintf("White and Black were told different stories: frame %d of White is %s, frame %d of Black is %s",
				x.ev.N, x.raw, y.ev.N, y.raw))
			return l
		}
	}
}

// neither tells whether steps before the start are in nobody's story: they came after w's item i-1, and b's first
// snapshot, taken before the start, covers them. Until then nothing is told to one seat alone, so that the numbers of
// both are the same.
func neither(w *story, i int, b *story) bool {
	known := b.items[0].state
	return known.Phase == "waiting" && w.number(i-1) < known.N
}

// number is that of the last frame up to item i.
func (s *story) number(i int) uint64 {
	for ; i >= 0; i-- {
		if it := &s.items[i]; it.ev != nil {
			return it.ev.N
		} else if it.state != nil {
			return it.state.N
		}
	}
	return 0
}

// span is game time of which a story may not have everything.
type span struct{ from, to int64 }

// missing lists what snapshots have covered in a story.
func (s *story) missing() []span {
	var out []span
	at, open := int64(0), false
	for i := range s.items {
		switch it := &s.items[i]; {
		case s.jumps(i) && !open:
			out, open = append(out, span{at, math.MaxInt64}), true
		case it.ev != nil:
			if at = it.ev.At; open {
				out[len(out)-1].to, open = at, false
			}
		}
	}
	return out
}

// untold tells whether neither player need have been told of what happened at a game time.
func (l *line) untold(at int64) bool {
	for _, missing := range l.missing {
		if !slices.ContainsFunc(missing, func(s span) bool { return s.from <= at && at <= s.to }) {
			return false
		}
	}
	return true
}

// first tells whether x may come before y: it was told to its own seat alone, or y's seat had it in a snapshot.
func first(x, y *item) bool {
	if !x.open {
		return y.open || x.ev.At <= y.ev.At
	}
	return y.hole && (x.ev.At < y.ev.At || (x.ev.At == y.ev.At && y.open))
}

// at is the step at i; nil at the end of the story and at a snapshot that covers steps.
func (s *story) at(i int) *item {
	if i < len(s.items) && s.items[i].ev != nil {
		return &s.items[i]
	}
	return nil
}

// remarks takes refusals and snapshots up to the next step, or to a snapshot that covers steps.
func (l *line) remarks(s *story, i int) int {
	for i < len(s.items) && s.items[i].ev == nil && !s.jumps(i) {
		i = l.remark(s, i)
	}
	return i
}

// jumps tells whether item i is a snapshot that covers steps which this story does not have.
func (s *story) jumps(i int) bool {
	return i < len(s.items) && s.items[i].state != nil && s.items[i].hole
}

// next is the first public step after item i, or nil.
func (s *story) next(i int) *item {
	for k := i + 1; k < len(s.items); k++ {
		if s.items[k].open {
			return &s.items[k]
		}
	}
	return nil
}

func (s *story) nextKey(i int) string {
	if it := s.next(i); it != nil {
		return it.key
	}
	return ""
}

func (s *story) nextAt(i int) int64 {
	if it := s.next(i); it != nil {
		return it.ev.At
	}
	return math.MaxInt64
}

// repeats is how often the public step at item i, or the next one after it, is told in a row, as pauses of one moment are.
func (s *story) repeats(i int) (n int) {
	for first := ""; i < len(s.items); i++ {
		switch it := &s.items[i]; {
		case !it.open:
		case first == "" || it.key == first:
			first = it.key
			n++
		default:
			return n
		}
	}
	return n
}

// remark puts item i between the last step and the next one.
func (l *line) remark(s *story, i int) int {
	last := len(l.notes) - 1
	l.notes[last] = append(l.notes[last], note{seat: s.seat, it: &s.items[i], next: followed(s, i)})
	return i + 1
}

// followed tells whether a public step comes after item i before the next snapshot, which fixes where i belongs.
func followed(s *story, i int) bool {
	for _, it := range s.items[i+1:] {
		if it.state != nil {
			return false
		}
		if it.open {
			return true
		}
	}
	return false
}

func (l *line) add(s step) {
	l.steps = append(l.steps, s)
	l.notes = append(l.notes, nil)
}

// watched checks that a spectator was told the players' story from where he came in.
func (l *line) watched(s *story) {
	at := -1
	for i := range s.items {
		it := &s.items[i]
		if it.ev == nil {
			continue
		}
		if it.ev.ID != "" {
			l.wrong = append(l.wrong, fmt.Sprintf("a spectator was told the id of a command: %s", it.raw))
		}
		if len(it.ev.E) == 0 || len(watchable(public(it.ev))) != len(it.ev.E) {
			l.wrong = append(l.wrong, fmt.Sprintf("a spectator was told what is for the players alone: %s", it.raw))
			continue
		}
		found := -1
		for k := at + 1; k < len(l.steps); k++ {
			told := l.steps[k].any()
			if told.all == "" {
				continue
			}
			if told.all == key(it.ev, it.ev.E) {
				found = k
				break
			}
			if at >= 0 && !it.hole && (l.outage < 0 || k < l.outage) { // after an outage players may have been told more than he
				break
			}
		}
		if found < 0 && l.outage >= 0 && l.untold(it.ev.At) {
			continue // he was back before the players
		}
		if found < 0 {
			l.wrong = append(l.wrong, fmt.Sprintf("a spectator was told another story: %s", it.raw))
			return
		}
		at = found
	}
}
