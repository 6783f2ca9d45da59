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
		case w.items[i].hole && ahead(b, j, w.items[i].key):
			l.add(step{b: &b.items[j]})
			j++
		case b.items[j].hole && ahead(w, i, b.items[j].key):
			l.add(step{w: &w.items[i]})
			i++
		default:
			l.wrong = append(l.wrong, fmt.Sprintf("White and Black were told different stories: frame %d of White is %s, frame %d of Black is %s",
				w.items[i].ev.N, w.items[i].raw, b.items[j].ev.N, b.items[j].raw))
			return l
		}
	}
	return l
}

// private takes everything of a story up to its next public step.
func (l *line) private(s *story, i int) int {
	for ; i < len(s.items); i++ {
		it := &s.items[i]
		if it.open {
			return i
		}
		switch {
		case it.ev == nil:
			last := len(l.notes) - 1
			l.notes[last] = append(l.notes[last], note{seat: s.seat, it: it, next: followed(s, i)})
		case s.seat == "w":
			l.add(step{w: it})
		default:
			l.add(step{b: it})
		}
	}
	return i
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

// ahead tells whether the step with key k comes later in the story.
func ahead(s *story, from int, k string) bool {
	for _, it := range s.items[from:] {
		if it.open && it.key == k {
			return true
		}
	}
	return false
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
