package host

import (
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"flagfall/server/arena"
	"flagfall/server/wire"
)

// Bounds of a chat.
const (
	mostChat  = 200 // messages that are kept
	mostWords = 300 // characters of one
	chatEvery = 2 * time.Second
)

// chat is the talk of an event: in memory, and gone with its node.
type chat struct {
	mu    sync.Mutex
	n     int
	lines []chatLine
	gone  []int                // numbers of messages that were taken back
	said  map[string]time.Time // when each said something last
}

type chatLine struct {
	N    int         `json:"n"`
	At   int64       `json:"at"`
	Who  wire.Person `json:"who"`
	Text string      `json:"text"`
}

// begin numbers the messages of an event that goes on here above all that it may have had elsewhere.
func (c *chat) begin(made, now int64) {
	c.said = map[string]time.Time{}
	if now-made > int64(time.Second/time.Millisecond) {
		c.n = int(now / 1000)
	}
}

func (c *chat) last() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lines) == 0 && len(c.gone) == 0 {
		return 0
	}
	return c.n
}

// after are the messages after number n, and those that were taken back.
func (c *chat) after(n int) (list []chatLine, gone []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list = []chatLine{}
	for _, line := range c.lines {
		if line.N > n {
			list = append(list, line)
		}
	}
	return list, append([]int{}, c.gone...)
}

// say adds a message.
func (c *chat) say(who wire.Person, words string, now time.Time) error {
	words = strings.TrimSpace(words)
	if n := utf8.RuneCountInString(words); n == 0 || n > mostWords || !utf8.ValidString(words) ||
		strings.ContainsFunc(words, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return badMessage(`The field "text" must have 1 to %d characters, on one line.`, mostWords)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last, ok := c.said[who.ID]; ok && now.Sub(last) < chatEvery {
		return wire.Refuse(wire.CodeTooMany)
	}
	if len(c.said) > 10*mostChat {
		for id, last := range c.said {
			if now.Sub(last) >= chatEvery {
				delete(c.said, id)
			}
		}
	}
	c.said[who.ID] = now
	c.n++
	c.lines = append(c.lines, chatLine{N: c.n, At: now.UnixMilli(), Who: who, Text: words})
	c.lines = c.lines[max(0, len(c.lines)-mostChat):]
	return nil
}

// nameOf is what somebody who has said something is called, "" where nobody knows.
func (c *chat) nameOf(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, line := range c.lines {
		if line.Who.ID == id {
			return line.Who.Name
		}
	}
	return ""
}

// unsay takes a message back; one that is gone is no fault.
func (c *chat) unsay(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := len(c.lines)
	c.lines = slices.DeleteFunc(c.lines, func(l chatLine) bool { return l.N == n })
	if len(c.lines) == before {
		return
	}
	c.n++ // there is something new to be fetched
	c.gone = append(c.gone, n)
	c.gone = c.gone[max(0, len(c.gone)-mostChat):]
}

// forget puts another name in the place of that of somebody whose account is gone.
func (c *chat) forget(who, name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range c.lines {
		if c.lines[i].Who.ID == who {
			c.lines[i].Who.Name = name
		}
	}
}

// mayTalk refuses who plays a running game. Sits is the game at which he sits, "" for none.
func mayTalk(s *arena.State, sits, id string) error {
	if e := s.Entry(id); sits != "" || e != nil && e.Game != "" {
		return wire.Refuse(wire.CodePlaying)
	}
	return nil
}
