package judge

import "fmt"

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
}

// merge lays White's and Black's stories side by side. Steps that both were told are the anchors; a private step comes
// where its own story has it.
func merge(w, b *story) *line {
	l := &line{notes: make([][]note, 1)}
	i, j := 0, 0
	for i < len(w.items) || j < len(b.items) {
		i = l.private(w, i)
		j = l.private(b, j)
		switch {
		case w.jumps(i) && (j == len(b.items) || b.jumps(j) || w.nextKey(i) == b.items[j].key):
			i = l.remark(w, i)
		case w.jumps(i):
			l.add(step{b: &b.items[j]})
			j++
		case b.jumps(j) && (i == len(w.items) || b.nextKey(j) == w.items[i].key):
			j = l.remark(b, j)
		case b.jumps(j):
			l.add(step{w: &w.items[i]})
			i++
		case i == len(w.items) && j == len(b.items):
		case i == len(w.items):
			l.add(step{b: &b.items[j]})
			j++
		case j == len(b.items):
			l.add(step{w: &w.items[i]})
			i++
		case w.items[i].key == b.items[j].key:
			l.add(step{w: &w.items[i], b: &b.items[j]})
			i, j = i+1, j+1
		default:
			l.wrong = append(l.wrong, fmt.Sprintf("White and Black were told different stories: frame %d of White is %s, frame %d of Black is %s",
				w.items[i].ev.N, w.items[i].raw, b.items[j].ev.N, b.items[j].raw))
			return l
		}
	}
	return l
}

// private takes everything of a story up to its next public step, or to a snapshot that covers steps of its own.
func (l *line) private(s *story, i int) int {
	for ; i < len(s.items) && !s.jumps(i); i++ {
		it := &s.items[i]
		switch {
		case it.open:
			return i
		case it.ev == nil:
			l.remark(s, i)
		case s.seat == "w":
			l.add(step{w: it})
		default:
			l.add(step{b: it})
		}
	}
	return i
}

// jumps tells whether item i is a snapshot that covers steps which this story does not have.
func (s *story) jumps(i int) bool {
	return i < len(s.items) && s.items[i].state != nil && s.items[i].hole
}

// nextKey is the key of the first public step after item i; "" if there is none.
func (s *story) nextKey(i int) string {
	for _, it := range s.items[i+1:] {
		if it.open {
			return it.key
		}
	}
	return ""
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
		if len(it.ev.E) == 0 || len(public(it.ev)) != len(it.ev.E) {
			l.wrong = append(l.wrong, fmt.Sprintf("a spectator was told of a queued reply: %s", it.raw))
			continue
		}
		found := -1
		for k := at + 1; k < len(l.steps); k++ {
			told := l.steps[k].any()
			if !told.open {
				continue
			}
			if told.key == it.key {
				found = k
				break
			}
			if at >= 0 && !it.hole {
				break
			}
		}
		if found < 0 {
			l.wrong = append(l.wrong, fmt.Sprintf("a spectator was told another story: %s", it.raw))
			return
		}
		at = found
	}
}
