package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"flagfall/server/wire"
)

// Print writes a game's transcript in short form, one line an entry: local time in ms, who, what.
func Print(out io.Writer, t *Transcript) {
	type line struct {
		at   time.Duration
		text string
	}
	var lines []line
	logs := append([]Log{t.White, t.Black}, t.Spectators...)
	for i := range logs {
		who := logs[i].Seat
		if who == "" {
			who = fmt.Sprintf("s%d", i-1)
		}
		for j := range logs[i].Entries {
			e := &logs[i].Entries[j]
			lines = append(lines, line{e.At, who + " " + e.text()})
		}
	}
	sort.SliceStable(lines, func(a, b int) bool { return lines[a].at < lines[b].at })
	for _, l := range lines {
		fmt.Fprintf(out, "    %9.1f %s\n", ms(l.at), l.text)
	}
}

func (e *Entry) text() string {
	switch e.Kind {
	case Opened:
		return "opened a socket"
	case Cut:
		return "lost the socket"
	case Sent:
		text := "> " + short(&e.Msg)
		if e.Msg.T == "join" {
			text += fmt.Sprintf(" since %d", e.Msg.Since)
		}
		return text
	}
	var ev wire.Events
	if json.Unmarshal(e.Raw, &ev) != nil || ev.T != "ev" {
		return "< " + string(e.Raw)
	}
	var parts []string
	for i := range ev.E {
		p := event(&ev.E[i])
		if ev.E[i].End != nil {
			p += fmt.Sprintf(" %s %s %s", ev.E[i].End.Result, ev.E[i].End.Reason, ev.E[i].End.Rule)
		}
		if ev.E[i].Lag > 0 {
			p += fmt.Sprintf(" lag %d", ev.E[i].Lag)
		}
		parts = append(parts, p)
	}
	text := fmt.Sprintf("< %d at %d w %d b %d run %s %s: %s", ev.N, ev.At, ev.Clocks.W, ev.Clocks.B, ev.Clocks.Run, ev.Clocks.Flags, strings.Join(parts, "; "))
	if ev.ID != "" {
		text += " [" + ev.ID + "]"
	}
	return text
}

// unfinished begins the differences that a run cut short explains.
const unfinished = "unfinished: "

// Unfinished tells whether a difference means no more than that the game was not played to its end.
func Unfinished(difference string) bool { return strings.HasPrefix(difference, unfinished) }
