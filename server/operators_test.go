package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"flagfall/server/actor"
	"flagfall/server/wire"
)

// get asks an operators' address. The error is of the connection.
func get(url string) (status int, text string, err error) {
	res, err := http.Get(url)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

// scrape is what /metrics says.
type scrape struct {
	text   string
	types  map[string]string          // by family
	labels map[string]map[string]bool // by family
	values map[string]float64         // by sample, with its labels
}

var sample = regexp.MustCompile(`^(flagfall_[a-z0-9_]+)(?:\{(.*)\})? (\S+)$`)

func (p *program) scrape(t *testing.T) scrape {
	t.Helper()
	status, text, err := get(p.operators + "/metrics")
	if err != nil || status != http.StatusOK {
		t.Fatalf("/metrics: %d %s %v", status, text, err)
	}
	s := scrape{text, map[string]string{}, map[string]map[string]bool{}, map[string]float64{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if typed, is := strings.CutPrefix(line, "# TYPE "); is {
			name, kind, _ := strings.Cut(typed, " ")
			s.types[name], s.labels[name] = kind, map[string]bool{}
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		family := m[1]
		if s.types[family] == "" {
			family = regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(family, "")
		}
		for _, pair := range regexp.MustCompile(`([a-z]+)="`).FindAllStringSubmatch(m[2], -1) {
			s.labels[family][pair[1]] = true
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		s.values[strings.TrimSuffix(line, " "+m[3])] = value
	}
	return s
}

func (s scrape) want(t *testing.T, sample string, value float64) {
	t.Helper()
	if got, there := s.values[sample]; !there || got != value {
		t.Errorf("%s is %v (there: %v), want %v", sample, got, there, value)
	}
}

// The metrics tell of a game what happened in it, and README.md lists exactly what there is.
func TestMetrics(t *testing.T) {
	p := start(t, t.TempDir(), "-ops", "127.0.0.1:0")
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")
	white.claim("illegal") // the first wrong one is free, and denied
	white.event("denied")
	black.press() // not on move
	black.expect("err")

	s := p.scrape(t)
	s.want(t, "flagfall_ready", 1)
	s.want(t, "flagfall_sockets", 2)
	s.want(t, "flagfall_games", 1)
	s.want(t, "flagfall_seeks", 0)
	s.want(t, `flagfall_actors{kind="game"}`, 1)
	s.want(t, `flagfall_actors{kind="seats"}`, 1)
	s.want(t, "flagfall_claims_denied_total", 1)
	s.want(t, `flagfall_commands_total{kind="game",outcome="refused"}`, 1)
	// set up, both here, two moves and two presses, a claim
	s.want(t, `flagfall_commands_total{kind="game",outcome="accepted"}`, 8)
	s.want(t, `flagfall_sockets_closed_total{code="1006"}`, 0)
	if n := s.values["flagfall_frames_sent_total"]; n < float64(len(white.seen)+len(black.seen)) {
		t.Errorf("%v frames were sent, the players have had %d and %d", n, len(white.seen), len(black.seen))
	}
	if n := s.values["flagfall_journal_append_seconds_count"]; n < 9 { // the game's eight, a pair of seats
		t.Errorf("%v steps were journaled", n)
	}

	white.do(wire.ClientMessage{T: "resign"})
	white.event("end")
	for _, who := range []*somebody{white, black} {
		_ = who.conn.Cut()
		<-who.closed
	}
	eventually(t, func() error {
		s = p.scrape(t)
		for sample, want := range map[string]float64{
			"flagfall_sockets": 0, `flagfall_sockets_closed_total{code="1006"}`: 2, "flagfall_games": 0, `flagfall_actors{kind="game"}`: 0,
		} {
			if s.values[sample] != want {
				return fmt.Errorf("%s is %v", sample, s.values[sample])
			}
		}
		return nil
	})
	problems, err := promlint.New(strings.NewReader(s.text)).Lint()
	for _, problem := range problems {
		if strings.HasPrefix(problem.Metric, "flagfall_") {
			t.Errorf("%s: %s", problem.Metric, problem.Text)
		}
	}
	if err != nil {
		t.Error(err)
	}
	compareWithReadme(t, s)
}

// eventually waits until there is no error any more.
func eventually(t *testing.T, try func() error) {
	t.Helper()
	late := time.After(patience)
	for {
		err := try()
		if err == nil {
			return
		}
		select {
		case <-late:
			t.Fatal(err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// metricRow is a line of README.md's table: name, type, labels.
var metricRow = regexp.MustCompile("(?m)^\\| `(flagfall_[a-z0-9_]+)` \\| (\\w+) \\|([^|]*)\\|")

func compareWithReadme(t *testing.T, s scrape) {
	t.Helper()
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range metricRow.FindAllStringSubmatch(string(readme), -1) {
		name := row[1]
		listed[name] = true
		if s.types[name] != row[2] {
			t.Errorf("README.md has %s as a %s; /metrics as %q", name, row[2], s.types[name])
		}
		var labels []string
		for _, m := range regexp.MustCompile("`([a-z]+)`").FindAllStringSubmatch(row[3], -1) {
			labels = append(labels, m[1])
		}
		for label := range s.labels[name] {
			if label != "le" && !slices.Contains(labels, label) {
				t.Errorf("README.md does not tell of the label %s of %s", label, name)
			}
		}
		for _, label := range labels {
			if !s.labels[name][label] {
				t.Errorf("%s has no label %s", name, label)
			}
		}
	}
	for name := range s.types {
		if strings.HasPrefix(name, "flagfall_") && !listed[name] {
			t.Errorf("README.md does not list %s", name)
		}
	}
}

// What operators see is on their listener only.
func TestOperatorsListener(t *testing.T) {
	p := start(t, t.TempDir(), "-ops", "127.0.0.1:0")
	for path, want := range map[string]string{
		"/livez": "alive\n", "/readyz": "ready\n", "/metrics": "go_goroutines", "/debug/pprof/cmdline": "", "/debug/pprof/heap?debug=1": "heap profile",
	} {
		if status, text, err := get(p.operators + path); err != nil || status != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %.100q %v", path, status, text, err)
		}
		if status, _, err := get(p.URL + path); err != nil || status != http.StatusNotFound {
			t.Errorf("%s among the players' addresses: %d %v", path, status, err)
		}
	}
	if status, _, err := get(p.operators + "/api/games"); err != nil || status != http.StatusNotFound {
		t.Errorf("a players' address among the operators': %d %v", status, err)
	}
}

// From the first moment of a stop the server is not ready, and says so until it is gone.
func TestDraining(t *testing.T) {
	p := start(t, t.TempDir(), "-ops", "127.0.0.1:0")
	who := p.guest(t)
	token := http.Header{"Authorization": {"Bearer " + who.guest.Token}}
	deaf, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.URL, "http")+"/ws", token)
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	if _, _, err := deaf.ReadMessage(); err != nil { // the hello; nobody reads what follows, so that the stop takes a second
		t.Fatal(err)
	}

	ended := make(chan int, 1)
	go func() { ended <- p.stop() }()
	eventually(t, func() error {
		status, text, err := get(p.operators + "/readyz")
		if status == http.StatusServiceUnavailable && text == "not ready: draining\n" {
			return nil
		}
		return fmt.Errorf("%d %q %v", status, text, err)
	})
	if status, text, err := get(p.operators + "/livez"); status != 200 {
		t.Errorf("livez while draining: %d %q %v", status, text, err)
	}
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"healthcheck", p.operators}, nil, &out, &errs); status != 1 ||
		errs.String() != "flagfall: healthcheck: not ready: draining\n" || out.Len() > 0 {
		t.Errorf("healthcheck: %d, %q, %q", status, out.String(), errs.String())
	}
	p.scrape(t).want(t, "flagfall_ready", 0)
	if status := <-ended; status != 0 {
		t.Errorf("status %d", status)
	}
	if _, _, err := get(p.operators + "/livez"); err == nil {
		t.Error("the listener is still there")
	}
}

// Before the house stands there is an answer too.
func TestStarting(t *testing.T) {
	o, err := openOperators(settings{ops: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	if status, text, err := get(o.url() + "/readyz"); status != 503 || text != "not ready: starting\n" {
		t.Errorf("%d %q %v", status, text, err)
	}
	if status, text, err := get(o.url() + "/metrics"); status != 200 || !strings.Contains(text, "\nflagfall_ready 0\n") {
		t.Errorf("%d %s %v", status, text, err)
	}
}

// brokenJournal takes nothing.
type brokenJournal struct{ *actor.Memory }

func (brokenJournal) Beat(context.Context, actor.Beat) error {
	return errors.New("no space left on device")
}

// A journal that takes nothing makes the server not ready.
func TestJournalFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &house{hall: actor.New(actor.Config{Journal: brokenJournal{actor.NewMemory()}, Log: slog.New(slog.DiscardHandler)})}
		if err := h.hall.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		o := &operators{}
		o.house.Store(h)
		if why := o.unready(); !slices.Equal(why, []string{"journal: the last heartbeat could not be written"}) {
			t.Errorf("%q", why)
		}
		if err := h.hall.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

// While the database takes no results, the server stays ready and says what waits.
func TestDatabaseFails(t *testing.T) {
	data := t.TempDir()
	p := start(t, data, "-ops", "127.0.0.1:0", "-log", "error")
	db, err := sql.Open("sqlite", filepath.Join(data, "flagfall.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("ALTER TABLE game RENAME TO away"); err != nil {
		t.Fatal(err)
	}
	white, black, game := p.pair(t, 180000, "board")
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")
	white.do(wire.ClientMessage{T: "resign"})
	white.event("end")
	says := func(want string) func() error {
		return func() error {
			status, text, err := get(p.operators + "/readyz")
			if status == http.StatusOK && text == want {
				return nil
			}
			return fmt.Errorf("%d %q %v", status, text, err)
		}
	}
	eventually(t, says("ready; game: archive fails and is tried again: 1\n"))
	p.scrape(t).want(t, `flagfall_effects_failing{kind="game",pool="archive"}`, 1)
	if _, err := db.Exec("ALTER TABLE away RENAME TO game"); err != nil {
		t.Fatal(err)
	}
	eventually(t, says("ready\n"))
}

// Every line of the log says which node wrote it.
func TestLogNamesTheNode(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	var errs bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"-addr", "127.0.0.1:0", "-data", t.TempDir(), "-log", "debug", "-node", "hall-7"}, nil, in, &errs)
	}()
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cancel()
	if code := <-status; code != 0 {
		t.Fatalf("status %d, %s", code, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(errs.String()), "\n")
	if len(lines) < 3 { // started, stopping, stopped
		t.Errorf("%q", lines)
	}
	for _, line := range lines {
		if !strings.Contains(line, " node=hall-7") {
			t.Error(line)
		}
	}
}
