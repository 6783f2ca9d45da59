package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// Redis, PostgreSQL, one node and then two, for real, two games.
func TestHop(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not here (make setup installs it)")
	}
	h := &hop{baseline: newBaseline(options{hop: true, games: 2, rounds: 1, duration: time.Second, rate: 10, seed: 1}, io.Discard)}
	rep, err := h.run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	rep.print(&out)
	if !rep.passed() || len(rep.Rounds) != 2 || rep.Rounds[0].Target != "one" || rep.Rounds[1].Target != "two" {
		t.Fatal(out.String())
	}
	for _, r := range rep.Rounds {
		if r.Moves < 10 || r.Receipt.Count == 0 || r.Ack.Count == 0 || r.MemoryAfter == 0 {
			t.Errorf("%+v", r)
		}
		// A move is an entry, which a script appends, but for those that are on their way when the measuring begins or ends.
		if u := r.Redis; u == nil || u.Commands < 1.5 || u.In < 100 || u.Out == 0 || u.Calls["xadd"] < 0.7 || u.Calls["publish"]+u.Calls["spublish"] == 0 && r.Target == "two" {
			t.Errorf("%s: Redis: %+v", r.Target, r.Redis)
		}
	}
	if rep.Rounds[1].Redis.Out <= rep.Rounds[0].Redis.Out {
		t.Errorf("Redis carries %v bytes a move between two nodes and %v with one", rep.Rounds[1].Redis.Out, rep.Rounds[0].Redis.Out)
	}
	if !strings.Contains(out.String(), "hop adds") || !strings.Contains(out.String(), "xadd") {
		t.Error(out.String())
	}
}

// sampleHop is a report of two rounds of 1,000 moves a second: 1 and 1.4 ms, 90 and 150 µs, medians 1.05 times as much.
func sampleHop() *hopReport {
	rep := &hopReport{Settings: baselineSettings{Games: 1000, Rounds: 2, Duration: 10, Rate: 1, Mode: "fast"}}
	for i, drift := range []float64{1, 1.1} {
		one := round{
			Target: "one", Number: i + 1, OthersShare: 0.01, ClientShare: 0.1, CPUMove: 90 * drift, ClientUs: 40, Rate: 1000,
			Receipt: spread{Count: 10_000, P50: 1 * drift, P99: 5 * drift}, Ack: spread{Count: 10_000, P50: 0.9 * drift, P99: 4 * drift},
			Lag:   spread{P99: 0.2},
			Redis: &redisUse{CPUMove: 50 * drift, Commands: 3 * drift, In: 400 * drift, Out: 10 * drift, Calls: map[string]float64{"xadd": 1, "evalsha": 1}},
		}
		two := one
		two.Target, two.CPUMove, two.ClientUs = "two", 150*drift, 41
		two.Receipt, two.Ack = spread{Count: 10_000, P50: 1.4 * drift, P99: 9 * drift}, spread{Count: 10_000, P50: 1.5 * drift, P99: 3 * drift}
		two.Redis = &redisUse{CPUMove: 80 * drift, Commands: 5 * drift, In: 700 * drift, Out: 300 * drift, Calls: map[string]float64{"xadd": 1, "publish": 2}}
		rep.Rounds = append(rep.Rounds, one, two)
	}
	rep.conclude()
	return rep
}

func TestHopAdds(t *testing.T) {
	rep := sampleHop()
	if !rep.Valid.OK || !rep.passed() {
		t.Errorf("not valid: %+v", rep.Valid)
	}
	for name, want := range map[string]float64{
		"hop.p50": 0.42, "hop.p99": 4.2, "hop.ack.p50": 0.63, "hop.ack.p99": -1.05, "hop.cpu_per_move": 63, "hop.redis.cpu_per_move": 31.5,
		"hop.redis.commands_per_move": 2.1, "ratio.cpu_per_move": 150.0 / 90, "p50": 1.47, "one.p99": 5.25, "ack.p99": 3.15, "one.ack.p50": 0.945,
		"cpu_per_move": 157.5, "one.cpu_per_move": 94.5, "redis.cpu_per_move": 84, "one.redis.commands_per_move": 3.15,
		"redis.bytes_in_per_move": 735, "one.redis.bytes_out_per_move": 10.5, "moves_per_s": 1000, "errors": 0, "valid": 1,
	} {
		i := slices.IndexFunc(rep.Figures, func(f figure) bool { return f.Name == name })
		if i < 0 || !rep.Figures[i].Measured || math.Abs(rep.Figures[i].Value-want) > 1e-9 {
			t.Errorf("%s: %+v, want %v", name, rep.Figures[max(i, 0)], want)
		}
	}
	var out strings.Builder
	rep.print(&out)
	for _, want := range []string{"receipt p50      1.050     1.470     0.420", "one: evalsha 1.00, xadd 1.00; two: publish 2.00, xadd 1.00", "\nVALID"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	var keys struct {
		Adds    map[string]float64 `json:"hop_adds"`
		Medians map[string]map[string]any
		Valid   map[string]any
	}
	if data, err := json.Marshal(rep); err != nil || json.Unmarshal(data, &keys) != nil {
		t.Fatal(err)
	}
	if math.Abs(keys.Adds["p50_ms"]-0.42) > 1e-9 || keys.Medians["two"]["redis"] == nil || keys.Medians["one"]["send_to_receipt"] == nil || keys.Valid["ok"] != true {
		t.Errorf("the JSON has %+v", keys)
	}
}

func TestWhatMakesAHopNoFigure(t *testing.T) {
	each := func(target string, change func(r *round)) func(*hopReport) {
		return func(rep *hopReport) {
			for i := range rep.Rounds {
				if rep.Rounds[i].Target == target {
					change(&rep.Rounds[i])
				}
			}
		}
	}
	for name, change := range map[string]func(*hopReport){
		"on_pace":       each("two", func(r *round) { r.Rate = 900 }),
		"client_cpu":    each("one", func(r *round) { r.ClientShare = 0.7 }),
		"client_cost":   each("two", func(r *round) { r.ClientUs = 100 }),
		"send_lag":      each("one", func(r *round) { r.Lag.P99 = 4 }),
		"quiet_machine": func(rep *hopReport) { rep.Rounds[2].OthersShare = 0.2 },
		"answered":      func(rep *hopReport) { rep.Rounds[0].Errors = map[string]int{"refused: no_move": 1} },
		"steady":        func(rep *hopReport) { rep.Rounds[1].CPUMove = 300 },
		"complete":      func(rep *hopReport) { rep.Rounds = rep.Rounds[:3] },
	} {
		rep := sampleHop()
		change(rep)
		rep.conclude()
		var broken []string
		for _, c := range rep.Valid.all() {
			if !c.OK {
				broken = append(broken, c.name)
			}
		}
		if rep.Valid.OK || strings.Join(broken, " ") != name {
			t.Errorf("%s: broken are %v", name, broken)
		}
	}
	empty := &hopReport{Settings: baselineSettings{Rounds: 1}}
	if empty.conclude(); empty.Valid.OK {
		t.Error("a run without rounds is valid")
	}
}

// info is what Redis 7.0.15 answers to INFO stats commandstats, some lines left out.
const info = "# Stats\r\ntotal_connections_received:2\r\ntotal_commands_processed:1301\r\ninstantaneous_ops_per_sec:0\r\n" +
	"total_net_input_bytes:90017\r\ntotal_net_output_bytes:4021\r\ninstantaneous_input_kbps:0.00\r\n\r\n# Commandstats\r\n" +
	"cmdstat_xadd:calls=400,usec=1802,usec_per_call=4.50,rejected_calls=0,failed_calls=0\r\n" +
	"cmdstat_client|setname:calls=1,usec=2,usec_per_call=2.00,rejected_calls=0,failed_calls=0\r\n"

func TestCountOfRedis(t *testing.T) {
	c, err := parseCount(info)
	if err != nil || c.commands != 1301 || c.in != 90017 || c.out != 4021 || !reflect.DeepEqual(c.calls, map[string]int64{"xadd": 400, "client|setname": 1}) {
		t.Fatalf("%+v, %v", c, err)
	}
	c.cpu = 3 * time.Second
	use := c.since(redisCount{cpu: time.Second, commands: 301, in: 10017, out: 21, calls: map[string]int64{"xadd": 200}}, 200)
	want := redisUse{CPU: 2, CPUMove: 10_000, Commands: 5, In: 400, Out: 20, Calls: map[string]float64{"xadd": 1}}
	if !reflect.DeepEqual(use, want) {
		t.Errorf("%+v, want %+v", use, want)
	}
	for text, want := range map[string]string{
		"":                                     "lacks 3 of",
		strings.Replace(info, "1301", "x", 1):  `total_commands_processed is no number: "x"`,
		strings.Replace(info, "=400", "=?", 1): `cmdstat_xadd is no number: "?"`,
	} {
		if _, err := parseCount(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func TestNoRedisServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := startRedis(t.Context()); err == nil || !strings.Contains(err.Error(), "apt-get install redis-server") {
		t.Errorf("got %v", err)
	}
}
