package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
)

// held is what every run of the pools has to show.
func held(t *testing.T, rep *poolReport, people int) {
	t.Helper()
	var out bytes.Buffer
	rep.print(&out)
	if !rep.passed() {
		t.Fatal(out.String())
	}
	if rep.Seated < people-3 || rep.Pairing.Count < int64(rep.Seated) || rep.Apart.Count != int64(rep.Pairs) || rep.Apart.Max == 0 {
		t.Errorf("%s%+v", &out, rep)
	}
	if !strings.Contains(out.String(), "time to pairing") || !strings.Contains(out.String(), "PASSED") || len(rep.figures()) == 0 {
		t.Errorf("printed %s", &out)
	}
}

// The real server seats sixty people through its pools.
func TestLobby(t *testing.T) {
	rep, err := lobbyRun(context.Background(), options{lobby: 60, duration: 6 * time.Second, seed: 1}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	held(t, rep, 60)
}

// So do two nodes of one hall, with people on both.
func TestLobbyOnTwoNodes(t *testing.T) {
	dir := t.TempDir()
	binary, err := buildServer(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	redis, database := redistest.Single(t), pgtest.Start(t).Database(t)
	o := options{lobby: 60, duration: 8 * time.Second, seed: 2, db: database}
	for _, name := range []string{"one", "two"} {
		s, err := launch(t.Context(), binary, filepath.Join(dir, name), "FLAGFALL_URL=http://hall.example", "FLAGFALL_DB="+database,
			"FLAGFALL_REDIS="+redis.URL(), "FLAGFALL_NODE="+name)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.stop)
		o.addrs = append(o.addrs, s.base)
	}
	rep, err := lobbyRun(context.Background(), o, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	held(t, rep, 60)
	for _, n := range rep.Nodes {
		if n.Sockets != 30 {
			t.Errorf("%d sockets at %s", n.Sockets, n.Address)
		}
	}
}

// Whatever a server seats wrongly fails the run.
func TestLobbyNotices(t *testing.T) {
	run := func() (*poolRun, []*seeker) {
		p := newPoolRun(options{}, newRun(options{}, []string{"http://127.0.0.1:1"}, nil), make([]rated, 6), make([]string, 6))
		for i, s := range p.everyone {
			s.ID = string(rune('A' + i))
			s.rating = 1500 + 10*float64(i)
		}
		return p, []*seeker{p.everyone[0], p.everyone[3], p.everyone[1], p.everyone[4]} // two of one pool, two of another
	}
	paired := func(game, color string) frame { return frame{T: "paired", Game: game, Color: color} }
	for name, test := range map[string]struct {
		do   func(p *poolRun, s []*seeker)
		want string // "" for nothing
	}{
		"a good pair":     {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.sit(s[1], paired("g", "b")) }, ""},
		"at two tables":   {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.sit(s[0], paired("h", "w")) }, "seated twice"},
		"the same side":   {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.sit(s[1], paired("g", "w")) }, "both sit"},
		"another pool":    {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.sit(s[2], paired("g", "b")) }, "seeks"},
		"with himself":    {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.sit(s[0], paired("g", "b")) }, "plays himself"},
		"no game":         {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("", "w")) }, "is paired as"},
		"nobody opposite": {func(p *poolRun, s []*seeker) { p.sit(s[0], paired("g", "w")); p.stand(s[0], paired("g", "w")) }, "nobody was called"},
		"one after another": {func(p *poolRun, s []*seeker) {
			for _, game := range []string{"g", "h"} {
				p.sit(s[0], paired(game, "w"))
				p.sit(s[1], paired(game, "b"))
				p.stand(s[0], paired(game, "w"))
				p.stand(s[1], paired(game, "b"))
			}
			if p.again != 1 || p.pairs != 2 {
				p.run.fail("%d pairs, %d again", p.pairs, p.again)
			}
		}, ""},
	} {
		p, s := run()
		test.do(p, s)
		if said := strings.Join(p.run.failed, "\n"); test.want == "" && said != "" || !strings.Contains(said, test.want) {
			t.Errorf("%s: %q, want %q", name, said, test.want)
		}
		if rep := p.report(time.Now()); len(rep.Failures) > 0 && rep.passed() {
			t.Errorf("%s: passed", name)
		}
	}
}

// The flags of such a run.
func TestLobbyOptions(t *testing.T) {
	for args, want := range map[string]string{
		"-lobby 2000":                              "",
		"-lobby 2000 -duration 60s -ramp 5s":       "",
		"-lobby 20 -addr http://a,http://b -db x":  "",
		"-lobby 19":                                "want 20 to 20000",
		"-lobby 20 -games 3":                       "-games does not go with -lobby",
		"-lobby 20 -addr http://a":                 "go together",
		"-lobby 20 -db x":                          "go together",
		"-db x":                                    "-db is for -lobby",
		"-lobby 20 -fail p99<3s -fail apart.p50<9": "",
		"-lobby 20 -fail ack.p99<3s":               "there is no figure",
	} {
		_, err := parse(strings.Fields(args), io.Discard)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// Who is stronger wins as often as Elo's formula says: 400 points, ten of eleven.
func TestPastResults(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 1))
	won := 0
	const games = 11_000
	for range games {
		if result(dice, 400) == "1-0" {
			won++
		}
	}
	if won < 9_800 || won > 10_200 {
		t.Errorf("%d of %d", won, games)
	}
}
