package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestPage(t *testing.T) {
	series := []moment{{At: 0.5, Rate: 10, P99: 1, Memory: 1 << 20, Running: 2}, {At: 1, Rate: 20, P99: 3, Memory: 2 << 20, Running: 1}}
	var h histogram
	for i := range 1000 {
		h.record(time.Duration(i) * time.Microsecond)
	}
	baseline := sample()
	baseline.Rounds[0].Series, baseline.Rounds[1].Series = series, series
	baseline.conclude()
	for name, rep := range map[string]figured{
		"games": &runReport{Series: series, Receipt: h.spread()}, "nothing played": &runReport{},
		"goroutines": &runReport{Series: []moment{{At: 0.5}, {At: 1, Goroutines: 70}}},
		"baseline":   baseline, "no rounds": &baselineReport{}, "hop": sampleHop(), "no hop": &hopReport{},
	} {
		path := filepath.Join(t.TempDir(), "report.html")
		if err := writePage(path, []byte("moves & <b>more</b>"), rep); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if strings.Count(text, "<svg") != len(rep.charts()) || strings.Contains(text, "<?xml") || strings.Contains(text, "NaN") {
			t.Errorf("%s: charts are missing or broken", name)
		}
		if strings.Contains(text, "Goroutines of the server") != (name == "goroutines") {
			t.Errorf("%s: goroutines are drawn only where they are known", name)
		}
		if !strings.Contains(text, "moves &amp; &lt;b&gt;more&lt;/b&gt;") {
			t.Errorf("%s: the report is not in it, or not escaped", name)
		}
		if loads := regexp.MustCompile(`(?i)(src|href)="[^"#]*"|@import|url\(`).FindString(text); loads != "" {
			t.Errorf("%s: the page loads %s", name, loads)
		}
	}
}

func TestTail(t *testing.T) {
	for q, want := range map[float64]float64{0: 0, 90: 1, 99: 2, 99.9: 3, 100: 5} {
		if got := tail(q); got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%v %%: %v, want %v", q, got, want)
		}
	}
}
