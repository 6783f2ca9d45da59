package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// exposition is what Prometheus's own client for Go writes.
const exposition = `# HELP go_gc_duration_seconds A summary of the wall-time pause (stop-the-world) duration in garbage collection cycles.
# TYPE go_gc_duration_seconds summary
go_gc_duration_seconds{quantile="0"} 2.0529e-05
go_gc_duration_seconds_count 7
# HELP go_goroutines Number of goroutines that currently exist.
# TYPE go_goroutines gauge
go_goroutines 1203
# HELP process_resident_memory_bytes Resident memory size in bytes.
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 4.9238016e+07
`

func TestSamples(t *testing.T) {
	for name, want := range map[string]float64{"go_goroutines": 1203, "process_resident_memory_bytes": 49238016} {
		if got, err := sampleOf(strings.NewReader(exposition), name); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for text, want := range map[string]string{"": "there is no go_goroutines", "go_goroutines many\n": "invalid syntax", "go_goroutines_x 3\n": "there is no"} {
		if _, err := sampleOf(strings.NewReader(text), "go_goroutines"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestMeter(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, exposition)
	}))
	defer srv.Close()
	if m, err := newMeter(t.Context(), nil); m != nil || err != nil || m.goroutines() != 0 {
		t.Errorf("without URLs: %v, %v", m, err)
	}
	if _, err := newMeter(t.Context(), []string{srv.URL + "/metrics", srv.URL + "/other"}); err == nil || !strings.Contains(err.Error(), "/other: the answer is 404") {
		t.Errorf("a URL without metrics: %v", err)
	}
}

// answers is a transport without a network.
type answers func() string

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	rec.WriteString(a())
	return rec.Result(), nil
}

func TestMeterWatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 100
		m := &meter{urls: []string{"http://a", "http://b"}, http: http.Client{Transport: answers(func() string {
			n++
			return fmt.Sprintf("go_goroutines %d\n", n)
		})}}
		ctx, stop := context.WithCancel(t.Context())
		go m.watch(ctx.Done())
		synctest.Wait()
		if got := m.goroutines(); got != 101+102 {
			t.Errorf("%d goroutines of two servers, want 203", got)
		}
		time.Sleep(1500 * time.Millisecond)
		if got := m.goroutines(); got != 103+104 {
			t.Errorf("%d goroutines a second later, want 207", got)
		}
		stop()
	})
}
