package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// Shapes collects, over all games, what frames look like after legal and after illegal moves: fields, their order and
// the kinds of their values, for every audience. Nobody may be able to tell the two apart (WBCA 12). It is safe for
// concurrent use.
type Shapes struct {
	mu   sync.Mutex
	seen map[string]*[2]map[string]int // category -> illegal, legal -> shape -> count
}

// enough is how many frames of a category must have been seen before a difference means anything.
const enough = 20

// step adds the frames of one step.
func (s *Shapes) step(st *step, author interface{ String() string }, command string, legal bool) {
	for seat, it := range map[string]*item{"w": st.w, "b": st.b} {
		if it == nil {
			continue
		}
		audience := "opponent"
		if seat == author.String() {
			audience = "author"
		}
		s.add(audience+" "+command+" "+kinds(it.ev), legal, shape(it.raw))
	}
}

func (s *Shapes) add(category string, legal bool, shape string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = map[string]*[2]map[string]int{}
	}
	c := s.seen[category]
	if c == nil {
		c = &[2]map[string]int{{}, {}}
		s.seen[category] = c
	}
	i := 0
	if legal {
		i = 1
	}
	c[i][shape]++
}

// Compared is the number of frames after illegal moves that had legal ones to be compared with.
func (s *Shapes) Compared() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.seen {
		if total(c[1]) >= enough {
			n += total(c[0])
		}
	}
	return n
}

// Differences lists shapes that only illegal moves have, or that legal moves usually have and illegal ones never.
func (s *Shapes) Differences() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for name, c := range s.seen {
		illegal, legal := total(c[0]), total(c[1])
		if legal < enough {
			continue
		}
		for shape := range c[0] {
			if c[1][shape] == 0 {
				out = append(out, fmt.Sprintf("the frame for %s looks like %s after an illegal move and never so after %d legal ones", name, shape, legal))
			}
		}
		for shape, n := range c[1] {
			if illegal >= enough && n*2 > legal && c[0][shape] == 0 {
				out = append(out, fmt.Sprintf("the frame for %s usually looks like %s after a legal move and never so after %d illegal ones", name, shape, illegal))
			}
		}
	}
	sort.Strings(out)
	return out
}

func total(m map[string]int) int {
	n := 0
	for _, c := range m {
		n += c
	}
	return n
}

// shape is a frame with its values blanked: names, order and kinds remain. Fields that are absent when 0 and
// have to do with numbers only - ply, lag, seen, delay - are left out.
func shape(raw []byte) string {
	var out strings.Builder
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	name, skip := "", false
	var stack []byte // '{' before a name, ':' before a value, '['
	for {
		tok, err := dec.Token()
		if err != nil {
			return out.String()
		}
		top := byte(0)
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		if d, ok := tok.(json.Delim); ok {
			out.WriteString(d.String())
			switch d {
			case '{', '[':
				if top == ':' {
					stack[len(stack)-1] = '{'
				}
				stack = append(stack, byte(d))
			default:
				stack = stack[:len(stack)-1]
			}
			continue
		}
		if top == '{' {
			name, _ = tok.(string)
			skip = name == "ply" || name == "lag" || name == "seen" || name == "delay"
			stack[len(stack)-1] = ':'
			if !skip {
				out.WriteString(name + ":")
			}
			continue
		}
		if top == ':' {
			stack[len(stack)-1] = '{'
		}
		if !skip {
			out.WriteString(blank(name, tok))
		}
	}
}

func blank(name string, tok json.Token) string {
	switch v := tok.(type) {
	case json.Number:
		return "0 "
	case string:
		if name == "k" || name == "t" {
			return v + " "
		}
		return "s "
	}
	return fmt.Sprintf("%v ", tok)
}
