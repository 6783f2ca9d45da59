package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// figure is one number of a report, by a name that thresholds and comparisons know.
type figure struct {
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	Unit     unit    `json:"unit"`
	Measured bool    `json:"measured"` // false where nothing of the kind happened
}

// unit of a figure.
type unit string

const (
	millis unit = "ms"
	micros unit = "us"
	octets unit = "B"
	plain  unit = "" // a count, a rate or a ratio
)

// sizes of the units that a threshold may be written in, in those of the figure.
var sizes = map[unit]map[string]float64{
	millis: {"us": 0.001, "µs": 0.001, "ms": 1, "s": 1000},
	micros: {"us": 1, "µs": 1, "ms": 1000, "s": 1e6},
	octets: {"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30},
	plain:  {"": 1},
}

// spreadFigures are the figures of a histogram: "ack." gives "ack.p99".
func spreadFigures(prefix string, s spread) []figure {
	f := func(name string, v float64) figure {
		return figure{Name: prefix + name, Value: v, Unit: millis, Measured: s.Count > 0}
	}
	return []figure{f("min", s.Min), f("p50", s.P50), f("p95", s.P95), f("p99", s.P99), f("p99.9", s.P999), f("max", s.Max)}
}

// threshold is what a figure has to be: "p99<20ms".
type threshold struct {
	text  string
	name  string
	op    string
	value float64
}

// operators in the order in which they are looked for.
var operators = []string{"<=", ">=", "<", ">"}

// parseThreshold reads "name op number unit" for one of the known figures.
func parseThreshold(text string, known []figure) (threshold, error) {
	t := threshold{text: strings.TrimSpace(text)}
	at := strings.IndexAny(t.text, "<>")
	if at < 0 {
		return t, fmt.Errorf("-fail %q: want a figure, one of < <= > >=, and a number, such as p99<20ms", text)
	}
	t.name = strings.TrimSpace(t.text[:at])
	for _, op := range operators {
		if strings.HasPrefix(t.text[at:], op) {
			t.op = op
			break
		}
	}
	i := slices.IndexFunc(known, func(f figure) bool { return f.Name == t.name })
	if i < 0 {
		return t, fmt.Errorf("-fail %q: there is no figure %q; there are %s", text, t.name, names(known))
	}
	number := strings.TrimSpace(t.text[at+len(t.op):])
	end := strings.LastIndexAny(number, "0123456789.") + 1
	value, err := strconv.ParseFloat(number[:end], 64)
	if err != nil || !(value >= 0 && value < 1e15) {
		return t, fmt.Errorf("-fail %q: %q is not a number", text, number[:end])
	}
	size, ok := sizes[known[i].Unit][strings.TrimSpace(number[end:])]
	if !ok {
		return t, fmt.Errorf("-fail %q: %s", text, wantUnit(known[i]))
	}
	t.value = value * size
	return t, nil
}

func wantUnit(f figure) string {
	if f.Unit == plain {
		return f.Name + " has no unit"
	}
	var units []string
	for u := range sizes[f.Unit] {
		units = append(units, u)
	}
	slices.Sort(units)
	return fmt.Sprintf("%s wants a unit: %s", f.Name, strings.Join(units, ", "))
}

func names(figures []figure) string {
	var out []string
	for _, f := range figures {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

// holds tells whether the figures keep to the threshold, and what they are.
func (t threshold) holds(figures []figure) (ok bool, found string) {
	i := slices.IndexFunc(figures, func(f figure) bool { return f.Name == t.name })
	if i < 0 || !figures[i].Measured {
		return false, "not measured"
	}
	v := figures[i].Value
	switch t.op {
	case "<":
		ok = v < t.value
	case "<=":
		ok = v <= t.value
	case ">":
		ok = v > t.value
	case ">=":
		ok = v >= t.value
	}
	return ok, fmt.Sprintf("%.4g%s", v, figures[i].Unit)
}

// checkThresholds prints each and tells whether all hold.
func checkThresholds(out io.Writer, thresholds []threshold, figures []figure) bool {
	all := true
	for _, t := range thresholds {
		ok, found := t.holds(figures)
		word := "holds"
		if !ok {
			word, all = "FAILS", false
		}
		fmt.Fprintf(out, "threshold %s %s: it was %s\n", t.text, word, found)
	}
	return all
}

// oldReport is what a comparison reads of a report.
type oldReport struct {
	Kind    string   `json:"kind"`
	Version int      `json:"version"`
	Figures []figure `json:"figures"`
}

// readReport reads an earlier report of the same kind.
func readReport(path, kind string) (oldReport, error) {
	var old oldReport
	data, err := os.ReadFile(path)
	if err != nil {
		return old, fmt.Errorf("-compare: %w", err)
	}
	if err := json.Unmarshal(data, &old); err != nil {
		return old, fmt.Errorf("-compare %s: not a report of this program: %w", path, err)
	}
	switch {
	case old.Kind != kind:
		return old, fmt.Errorf("-compare %s: it is a report of the kind %q, this is a run of the kind %q", path, old.Kind, kind)
	case old.Version != reportVersion:
		return old, fmt.Errorf("-compare %s: it has version %d, this program writes %d", path, old.Version, reportVersion)
	}
	return old, nil
}

// compare prints every figure that both have, and the new over the old.
func compare(out io.Writer, path string, old, now []figure) {
	fmt.Fprintf(out, "\n%-28s %12s %12s %9s\n", "compared with "+path, "then", "now", "now/then")
	for _, f := range now {
		i := slices.IndexFunc(old, func(o figure) bool { return o.Name == f.Name && o.Unit == f.Unit })
		if i < 0 || !f.Measured || !old[i].Measured {
			continue
		}
		ratio := "-"
		if old[i].Value != 0 {
			ratio = fmt.Sprintf("%.2f", f.Value/old[i].Value)
		}
		fmt.Fprintf(out, "%-28s %12s %12s %9s\n", f.Name, fmt.Sprintf("%.4g%s", old[i].Value, f.Unit), fmt.Sprintf("%.4g%s", f.Value, f.Unit), ratio)
	}
}
