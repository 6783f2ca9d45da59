package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// sample is a report of three rounds with the medians 30 and 12 µs, 40 and 80 thousand moves, 2 and 1 ms, 26 and 18 KB.
func sample() *baselineReport {
	rep := &baselineReport{Settings: baselineSettings{Games: 1000, Rounds: 3, Duration: 10, Mode: "fast"}}
	for i, drift := range []float64{1, 1.1, 0.9} {
		quiet := round{Number: i + 1, IdleShare: 0.02, OthersShare: 0.01, ClientShare: 0.5}
		relay, server := quiet, quiet
		relay.Target, relay.CPUMove, relay.Rate, relay.BytesGame = "relay", 12*drift, 80_000*drift, 18<<10
		relay.Receipt, relay.Ack, relay.ClientUs, relay.Lag = spread{P99: 1 * drift}, spread{P99: 1}, 12, spread{P99: 0.1}
		server.Target, server.CPUMove, server.Rate, server.BytesGame = "server", 30*drift, 40_000*drift, 26<<10
		server.Receipt, server.Ack, server.ClientUs, server.Lag = spread{P99: 2 * drift}, spread{P99: 1}, 14, spread{P99: 0.1}
		rep.Rounds = append(rep.Rounds, relay, server)
	}
	return rep
}

func TestRatios(t *testing.T) {
	rep := sample()
	rep.conclude()
	for name, tc := range map[string][2]float64{
		"cpu_per_move": {rep.Ratios.CPUPerMove, 2.5}, "moves_per_s": {rep.Ratios.MovesPerS, 0.5}, "p99": {rep.Ratios.P99, 2},
		"bytes_per_game": {rep.Ratios.BytesPerGame, 26.0 / 18},
	} {
		if math.Abs(tc[0]-tc[1]) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, tc[0], tc[1])
		}
	}
	if !rep.Valid.OK {
		t.Errorf("not valid: %+v", rep.Valid)
	}
	var keys struct{ Ratios, Valid map[string]any }
	data, err := json.Marshal(rep)
	if err != nil || json.Unmarshal(data, &keys) != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"cpu_per_move", "moves_per_s", "p99", "bytes_per_game"} {
		if keys.Ratios[name] == nil {
			t.Errorf("the JSON has no ratio %s", name)
		}
	}
}

func TestMedian(t *testing.T) {
	for want, values := range map[float64][]float64{0: nil, 3: {3}, 2: {9, 2, 1}, 2.5: {4, 1, 2, 3}} {
		if got := median(values); got != want {
			t.Errorf("median of %v: %v, want %v", values, got, want)
		}
	}
}

func TestWhatMakesARunNoFigure(t *testing.T) {
	each := func(target string, change func(r *round)) func(*baselineReport) {
		return func(rep *baselineReport) {
			for i := range rep.Rounds {
				if rep.Rounds[i].Target == target {
					change(&rep.Rounds[i])
				}
			}
		}
	}
	for name, change := range map[string]func(*baselineReport){
		"relay_reached": each("relay", func(r *round) { r.IdleShare = 0.3 }),
		"client_cpu":    each("server", func(r *round) { r.ClientShare = 0.7 }),
		"client_cost":   each("server", func(r *round) { r.ClientUs = 30 }),
		"send_lag":      each("relay", func(r *round) { r.Lag.P99 = r.Receipt.P99 }),
		"quiet_machine": func(rep *baselineReport) { rep.Rounds[3].OthersShare = 0.2 },
		"answered":      func(rep *baselineReport) { rep.Rounds[0].Errors = map[string]int{"refused: no_move": 1} },
		"steady":        func(rep *baselineReport) { rep.Rounds[1].CPUMove = 50 },
		"complete":      func(rep *baselineReport) { rep.Rounds = rep.Rounds[:5] },
	} {
		rep := sample()
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
		var out strings.Builder
		rep.print(&out)
		if !strings.Contains(out.String(), "NOT VALID") {
			t.Errorf("%s: the report is\n%s", name, out.String())
		}
	}
	paced := sample()
	paced.Settings.Rate = 100 // 100,000 moves a second were wanted
	paced.conclude()
	if paced.Valid.RelayReached.OK || paced.Valid.RelayReached.Value != 0.8 {
		t.Errorf("paced: %+v", paced.Valid.RelayReached)
	}
	empty := &baselineReport{Settings: baselineSettings{Rounds: 1}}
	empty.conclude()
	if empty.Valid.OK {
		t.Error("a run without rounds is valid")
	}
}
