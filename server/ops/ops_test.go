package ops

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

var described = []Metric{
	{Name: "flagfall_things", Help: "Things.", Type: Gauge},
	{Name: "flagfall_done_total", Help: "Done.", Type: Counter, Labels: []string{"how"}},
	{Name: "flagfall_wait_seconds", Help: "Waits.", Type: Histogram},
}

// listen serves a handler and gives its address.
func listen(t *testing.T, cfg Config) string {
	t.Helper()
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	h, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func get(t *testing.T, url string) (status int, text string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestHealth(t *testing.T) {
	var unready, notes []string
	url := listen(t, Config{
		Unready: func() []string { return unready }, Notes: func() []string { return notes }, Collect: func(*Samples) {},
	})
	for _, c := range []struct {
		unready, notes []string
		status         int
		text           string
	}{
		{nil, nil, 200, "ready\n"},
		{nil, []string{"store: away"}, 200, "ready; store: away\n"},
		{[]string{"draining"}, []string{"store: away"}, 503, "not ready: draining\n"},
		{[]string{"draining", "journal: two\nlines"}, nil, 503, "not ready: draining; journal: two lines\n"},
	} {
		unready, notes = c.unready, c.notes
		if status, text := get(t, url+"/livez"); status != 200 || text != "alive\n" {
			t.Errorf("livez: %d %q", status, text)
		}
		if status, text := get(t, url+"/readyz"); status != c.status || text != c.text {
			t.Errorf("readyz: %d %q, want %d %q", status, text, c.status, c.text)
		}
		line, ready, err := Ask(t.Context(), url+"/readyz")
		if line+"\n" != c.text || ready != (c.status == 200) || err != nil {
			t.Errorf("asked: %q, %v, %v", line, ready, err)
		}
	}
	res, err := http.Post(url+"/readyz", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST gave %d", res.StatusCode)
	}
	if _, _, err := Ask(t.Context(), url+"/nothing"); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("asked at a wrong address: %v", err)
	}
	if status, _ := get(t, url+"/debug/pprof/goroutine?debug=1"); status != 200 {
		t.Errorf("pprof: %d", status)
	}
}

func TestMetrics(t *testing.T) {
	url := listen(t, Config{Metrics: described, Collect: func(s *Samples) {
		s.Add("flagfall_things", 3)
		s.Add("flagfall_done_total", 2, "well")
		s.Add("flagfall_done_total", 1, "badly")
		s.AddTimes("flagfall_wait_seconds", []time.Duration{time.Millisecond, time.Second}, []uint64{5, 2, 1}, 4*time.Second)
	}})
	status, text := get(t, url+"/metrics")
	if status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	for _, want := range []string{
		"# HELP flagfall_things Things.\n# TYPE flagfall_things gauge\nflagfall_things 3\n",
		"# TYPE flagfall_done_total counter\nflagfall_done_total{how=\"badly\"} 1\nflagfall_done_total{how=\"well\"} 2\n",
		"# TYPE flagfall_wait_seconds histogram\nflagfall_wait_seconds_bucket{le=\"0.001\"} 5\nflagfall_wait_seconds_bucket{le=\"1\"} 7\n" +
			"flagfall_wait_seconds_bucket{le=\"+Inf\"} 8\nflagfall_wait_seconds_sum 4\nflagfall_wait_seconds_count 8\n",
		"\ngo_goroutines ", "\nprocess_cpu_seconds_total ",
	} {
		if !strings.Contains("\n"+text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// What does not fit its description fails the scrape and is told in the log, instead of exposing a wrong value.
func TestWrongMetrics(t *testing.T) {
	for name, collect := range map[string]func(*Samples){
		"not described":  func(s *Samples) { s.Add("flagfall_other", 1) },
		"too few labels": func(s *Samples) { s.Add("flagfall_done_total", 1) },
		"a histogram":    func(s *Samples) { s.Add("flagfall_wait_seconds", 1) },
		"no histogram":   func(s *Samples) { s.AddTimes("flagfall_things", nil, []uint64{1}, 0) },
		"counts lack": func(s *Samples) {
			s.AddTimes("flagfall_wait_seconds", []time.Duration{time.Second}, []uint64{1}, 0)
		},
		"given twice": func(s *Samples) { s.Add("flagfall_things", 1); s.Add("flagfall_things", 1) },
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			url := listen(t, Config{Metrics: described, Collect: collect, Log: slog.New(slog.NewTextHandler(&log, nil))})
			if status, text := get(t, url+"/metrics"); status != 500 || log.Len() == 0 {
				t.Errorf("%d %s, log %q", status, text, log.String())
			}
		})
	}
	for name, metrics := range map[string][]Metric{
		"twice":    {described[0], described[0]},
		"bad name": {{Name: "flagfall things\xff", Help: "x"}},
		"go's own": {{Name: "go_goroutines", Help: "x", Type: Gauge}},
	} {
		if _, err := New(Config{Metrics: metrics, Collect: func(*Samples) {}, Log: slog.New(slog.DiscardHandler)}); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
}
