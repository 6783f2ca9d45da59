//go:build unix

// Package drill is the chaos run: a hall of real processes, loadtest playing in it, and a driver that breaks one thing
// after the other by a seed. What is known afterwards is checked by the package chaos. `make chaos` runs it in full;
// without its variables it takes half a minute.
package drill

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9/logging"

	"flagfall/loadtest/chaos"
	"flagfall/server/journal/tee"
	"flagfall/server/store/pgtest"
	"flagfall/server/table"
)

// That a killed Redis does not answer is no news.
func TestMain(m *testing.M) {
	logging.Disable()
	os.Exit(m.Run())
}

// setting reads a whole number of the environment.
func setting(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s=%q: want a whole number", name, text)
	}
	return n
}

func TestChaos(t *testing.T) {
	seconds := setting(t, "CHAOS_SECONDS", 25)
	if seconds < 5 || seconds > 3600 {
		t.Fatalf("CHAOS_SECONDS=%d: want 5 to 3600", seconds)
	}
	seed, games, nodes := setting(t, "CHAOS_SEED", 1), setting(t, "CHAOS_GAMES", 20), setting(t, "CHAOS_NODES", 3)
	if nodes < 1 || nodes > 20 {
		t.Fatalf("CHAOS_NODES=%d: want 1 to 20", nodes)
	}
	what := hallOf{nodes: int(nodes), redis: nodes > 1 || setting(t, "CHAOS_REDIS", 0) > 0}
	length := time.Duration(seconds) * time.Second
	t.Logf("seed %d, %d s, %d games, %d nodes, Redis %v", seed, seconds, games, nodes, what.redis)

	h, faults := open(t, what), plan(seed, length, what)
	rolls := func(f fault) bool { return f.kind == roll }
	if slices.ContainsFunc(faults, rolls) {
		h.next = build(t, h.folder, "server", nextRelease)
	}
	players := h.play(seed, games, length)
	began := time.Now()
	for _, f := range faults {
		time.Sleep(time.Until(began.Add(f.at)))
		t.Log(f)
		h.strike(f)
	}
	players.wait(length + time.Minute)
	h.alive()
	settled := h.settle(length)
	for _, n := range h.nodes {
		n.leave()
	}
	history := h.history(players.saw)
	history.Claimed, history.Settled = what.redis, settled
	report := chaos.Check(history)
	h.report(report, history, seed)
	// In a long run others die after the first half, and the node of the next release has taken over games.
	if length >= time.Minute && slices.ContainsFunc(faults[:len(faults)/2], rolls) && report.Counts.Rolled == 0 {
		t.Error("no game went on with events of the next version")
	}
}

// mostTold failures are printed with the entries that they are about.
const mostTold = 5

// report prints what was found. A run in which nothing happened proves nothing.
func (h *hall) report(r *chaos.Report, history *chaos.History, seed uint64) {
	var out bytes.Buffer
	r.Print(&out, seed)
	h.t.Logf("\n%s", out.String())
	for i, f := range r.Failures {
		if i < mostTold {
			var story bytes.Buffer
			history.Tell(&story, f.Subject)
			h.t.Logf("%s: %s: %s\n%s", f.Invariant, f.Subject, f.Why, story.String())
		}
	}
	if len(r.Failures) > 0 {
		h.t.Errorf("%d checks failed with the seed %d", len(r.Failures), seed)
		for _, n := range h.nodes {
			if said := n.log.troubles(); said != "" {
				h.t.Logf("%s said:\n%s", n.name, said)
			}
		}
	}
	if c := r.Counts; c.Ended == 0 || c.Acknowledged == 0 || c.Moves == 0 || c.Takeovers == 0 || c.Paused == 0 {
		h.t.Errorf("there was nothing to check: %+v", c)
	}
	for _, of := range chaos.Invariants {
		if r.Passed[of] == 0 {
			h.t.Errorf("nothing was checked of: %s", of)
		}
	}
}

// players are a running loadtest.
type players struct {
	t       *testing.T
	saw     string // file
	out     bytes.Buffer
	command *exec.Cmd
	ended   chan error
}

// play starts loadtest against all nodes.
func (h *hall) play(seed, games uint64, length time.Duration, more ...string) *players {
	h.t.Helper()
	p := &players{t: h.t, saw: filepath.Join(h.folder, "saw"), ended: make(chan error, 1)}
	p.command = exec.Command(build(h.t, h.folder, "loadtest", ""), append([]string{"-addr", h.addresses(), "-outage", "-renew",
		"-games", strconv.FormatUint(games, 10), "-seed", strconv.FormatUint(seed, 10), "-duration", length.String(), "-drain", "20s",
		"-saw", p.saw}, more...)...)
	p.command.Env = environ()
	p.command.Stdout, p.command.Stderr = &p.out, io.Discard
	if err := p.command.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = p.command.Process.Kill() })
	go func() { p.ended <- p.command.Wait() }()
	return p
}

// wait waits for the end of loadtest, whose own referee has to be content.
func (p *players) wait(most time.Duration) {
	p.t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Errorf("loadtest: %v\n%s", err, p.out.String())
		}
	case <-time.After(most):
		p.t.Fatalf("loadtest does not end:\n%s", p.out.String())
	}
}

// settleTime is how long games may take that nobody plays any more: a flag falls, and is called a minute later.
const settleTime = 2 * time.Minute

// settle waits until every game has ended and is archived; in a short run only until what has ended is archived.
func (h *hall) settle(length time.Duration) (settled bool) {
	h.t.Helper()
	short := length < time.Minute
	for end := time.Now().Add(length + settleTime); ; time.Sleep(time.Second) {
		running, owing := chaos.Unsettled(h.entries())
		if running == 0 && owing == 0 {
			return true
		}
		if short && owing == 0 {
			return false
		}
		if time.Now().After(end) || short && time.Now().After(end.Add(-settleTime)) {
			h.t.Errorf("%d games have not ended and %d are not archived", running, owing)
			return false
		}
	}
}

func (h *hall) entries() []chaos.Entry {
	h.t.Helper()
	copies, err := tee.Load(h.copies)
	if err != nil {
		h.t.Fatal(err)
	}
	var out []chaos.Entry
	for _, c := range copies {
		for _, l := range c.Lines {
			out = append(out, chaos.Entry{Process: c.Process, Time: l.Time, Read: l.Read, Actor: string(l.Actor), Seq: l.Seq, Data: l.Data})
		}
	}
	return out
}

// history is all that is known.
func (h *hall) history(saw string) *chaos.History {
	h.t.Helper()
	return &chaos.History{Entries: h.entries(), Archive: h.archive(), Clients: h.clients(saw)}
}

func (h *hall) archive() []chaos.Record {
	h.t.Helper()
	text := pgtest.Scalar[string](h.t, h.database, `SELECT coalesce(json_agg(json_build_object('Game', id, 'White', white, 'Black', black,
		'Result', result, 'Reason', reason, 'Record', record)), '[]')::text FROM game`)
	var rows []struct {
		chaos.Record
		Text string `json:"Record"`
	}
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		h.t.Fatal(err)
	}
	var out []chaos.Record
	for _, row := range rows {
		r, err := table.ParseRecord([]byte(row.Text))
		if err != nil {
			h.t.Fatalf("game %s: %v", row.Game, err)
		}
		row.Events = r.Events
		out = append(out, row.Record)
	}
	return out
}

func (h *hall) clients(name string) []chaos.Client {
	h.t.Helper()
	file, err := os.Open(name)
	if err != nil {
		h.t.Fatal(err)
	}
	defer file.Close()
	var out []chaos.Client
	for d := json.NewDecoder(bufio.NewReader(file)); ; {
		var c chaos.Client
		if err := d.Decode(&c); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			h.t.Fatalf("%s: %v", name, err)
		}
		out = append(out, c)
	}
}
