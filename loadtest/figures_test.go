package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestThresholds(t *testing.T) {
	figures := append(spreadFigures("", spread{Count: 9, P50: 1, P99: 20, P999: 30}), spreadFigures("reconnect.", spread{})...)
	figures = append(figures, figure{"errors", 0, plain, true}, figure{"cpu_per_move", 40, micros, true}, figure{"memory", 3 << 20, octets, true})
	for text, want := range map[string]bool{
		"p99<20ms": false, "p99<=20ms": true, "p99 < 20.001 ms": true, "p99>0.02s": false, "p99>=20000us": true, "p99.9<31ms": true,
		"errors<1": true, "errors<=0": true, "errors>0": false, "cpu_per_move<50us": true, "cpu_per_move<0.05ms": true,
		"memory<3MB": false, "memory<=3072KB": true, "reconnect.p99<1s": false,
	} {
		th, err := parseThreshold(text, figures)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if ok, found := th.holds(figures); ok != want {
			t.Errorf("%s: %v (%s), want %v", text, ok, found, want)
		}
	}
	for text, want := range map[string]string{
		"":             "want a figure, one of < <= > >=, and a number",
		"p99":          "want a figure",
		"p99=20ms":     "want a figure",
		"p98<20ms":     `there is no figure "p98"; there are min, p50`,
		"p99<":         `"" is not a number`,
		"p99<ms":       "is not a number",
		"p99<1e99ms":   "is not a number",
		"p99<-1ms":     "is not a number",
		"p99<20":       "p99 wants a unit: ms, s, us, µs",
		"p99<20m":      "p99 wants a unit",
		"errors<1ms":   "errors has no unit",
		"memory<1TB":   "memory wants a unit: B, GB, KB, MB",
		"p99<<20ms":    "is not a number",
		"p99<1.2.3 ms": "is not a number",
	} {
		if _, err := parseThreshold(text, figures); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestSpread(t *testing.T) {
	var h histogram
	if h.spread() != (spread{}) {
		t.Error("an empty histogram has figures")
	}
	var r recorder
	for i := 1; i <= 1000; i++ {
		h.record(time.Duration(i) * time.Millisecond)
		r.record(i, time.Duration(i)*time.Millisecond)
		if i == 500 {
			r.collect()
		}
	}
	r.collect()
	for name, s := range map[string]spread{"histogram": h.spread(), "recorder": spreadOf(r.whole)} {
		near := func(got, want float64) bool { return got > want*0.999 && got < want*1.001 }
		if s.Count != 1000 || !near(s.Min, 1) || !near(s.P50, 500) || !near(s.P95, 950) || !near(s.P99, 990) || !near(s.P999, 999) || !near(s.Max, 1000) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestCompare(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write("good", `{"kind":"baseline","version":1,"figures":[{"name":"p99","value":4,"unit":"ms","measured":true},{"name":"gone","value":1,"unit":"","measured":true}]}`)
	old, err := readReport(good, "baseline")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	compare(&out, "good", old.Figures, []figure{{"p99", 6, millis, true}, {"new", 1, plain, true}})
	if !strings.Contains(out.String(), "1.50") || strings.Contains(out.String(), "gone") || strings.Contains(out.String(), "new") {
		t.Error(out.String())
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"):                              "no such file",
		write("text", "hello"):                                  "not a report",
		write("other", `{"kind":"games","version":1}`):          `of the kind "games", this is a run of the kind "baseline"`,
		write("later", `{"kind":"baseline","version":1000000}`): "it has version 1000000",
	} {
		if _, err := readReport(path, "baseline"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
