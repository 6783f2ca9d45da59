package main

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// chart is one diagram of the page.
type chart struct {
	title, x, y string
	percentiles bool // the x values are quantiles of 0 to 100, the tail drawn wide
	curves      []curve
}

// curve is one line; lines of one kind have one colour.
type curve struct {
	name   string // for the legend, "" for none
	kind   int
	points plotter.XYs
}

var colours = []color.RGBA{{0, 0x30, 0x8f, 255}, {0xc6, 0x28, 0x28, 255}, {0x2e, 0x7d, 0x32, 255}, {0xef, 0x8c, 0, 255}}

// tail stretches the quantiles so that each further nine is as wide as the last.
func tail(q float64) float64 { return -math.Log10(1 - min(q, 99.999)/100) }

// tailTicks are the marks of such an axis.
var tailTicks = plot.ConstantTicks{
	{Value: 0, Label: "0 %"}, {Value: tail(50), Label: "50 %"}, {Value: 1, Label: "90 %"}, {Value: 2, Label: "99 %"},
	{Value: 3, Label: "99.9 %"}, {Value: 4, Label: "99.99 %"}, {Value: 5, Label: "100 %"},
}

// svg draws a chart as an element for an HTML page.
func (c *chart) svg() (template.HTML, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Y.Min, p.Legend.Top, p.Legend.Left = 0, true, true
	p.Add(plotter.NewGrid())
	for _, cu := range c.curves {
		if len(cu.points) == 0 {
			continue
		}
		line, err := plotter.NewLine(cu.points)
		if err != nil {
			return "", fmt.Errorf("chart %q: %w", c.title, err)
		}
		line.Color, line.Width = colours[cu.kind%len(colours)], vg.Points(1.5)
		p.Add(line)
		if cu.name != "" {
			p.Legend.Add(cu.name, line)
		}
	}
	p.Y.Min = 0
	if c.percentiles {
		p.X.Tick.Marker, p.X.Min, p.X.Max = tailTicks, 0, 5
	}
	canvas := vgsvg.New(16*vg.Centimeter, 8*vg.Centimeter)
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", fmt.Errorf("chart %q: %w", c.title, err)
	}
	text := out.Bytes()
	if at := bytes.Index(text, []byte("<svg")); at >= 0 {
		text = text[at:] // what stands before is for a file of its own
	}
	return template.HTML(text), nil // the library escapes texts
}

// along draws one figure of a series over its time.
func along(series []moment, name string, kind int, figure func(m *moment) float64) curve {
	c := curve{name: name, kind: kind}
	for i := range series {
		c.points = append(c.points, plotter.XY{X: series[i].At, Y: figure(&series[i])})
	}
	return c
}

// byPercentile draws a spread.
func byPercentile(s spread, name string, kind int) curve {
	c := curve{name: name, kind: kind}
	if s.Count > 0 {
		for i, q := range quantiles {
			c.points = append(c.points, plotter.XY{X: tail(q), Y: s.Curve[i]})
		}
	}
	return c
}

// overTime are the charts of one or more series; a name goes to the first of each kind.
func overTime(add func(figure func(m *moment) float64) []curve, latency []curve) []chart {
	const megabyte = 1 << 20
	return []chart{
		{title: "Send to the opponent's receipt, over time", x: "s", y: "ms", curves: latency},
		{title: "Moves", x: "s", y: "moves/s", curves: add(func(m *moment) float64 { return m.Rate })},
		{title: "CPU", x: "s", y: "cores", curves: add(func(m *moment) float64 { return m.Cores })},
		{title: "Memory", x: "s", y: "MB", curves: add(func(m *moment) float64 { return float64(m.Memory) / megabyte })},
		{title: "Games", x: "s", y: "games", curves: add(func(m *moment) float64 { return float64(m.Running) })},
	}
}

func (rep *runReport) charts() []chart {
	add := func(figure func(m *moment) float64) []curve { return []curve{along(rep.Series, "", 0, figure)} }
	latency := []curve{
		along(rep.Series, "p50", 0, func(m *moment) float64 { return m.P50 }),
		along(rep.Series, "p99", 1, func(m *moment) float64 { return m.P99 }),
	}
	all := overTime(add, latency)
	if slices.ContainsFunc(rep.Series, func(m moment) bool { return m.Goroutines > 0 }) {
		all = append(all, chart{title: "Goroutines of the server", x: "s", y: "goroutines",
			curves: add(func(m *moment) float64 { return float64(m.Goroutines) })})
	}
	return append([]chart{{title: "Times by percentile", y: "ms", percentiles: true, curves: []curve{
		byPercentile(rep.Receipt, "send to receipt", 0), byPercentile(rep.Ack, "send to acknowledgement", 1),
		byPercentile(rep.Pairing, "time to pairing", 2), byPercentile(rep.Return, "reconnect to resumed", 3),
	}}}, all...)
}

func (rep *baselineReport) charts() []chart {
	add := func(figure func(m *moment) float64) []curve {
		var out []curve
		for _, r := range rep.Rounds {
			name, kind := "", 0
			if r.Number == 1 {
				name = r.Target
			}
			if r.Target == "relay" {
				kind = 1
			}
			out = append(out, along(r.Series, name, kind, figure))
		}
		return out
	}
	latency := add(func(m *moment) float64 { return m.P99 })
	all := overTime(add, latency)
	all[0].title = "Send to the opponent's receipt, p99, over time"
	s, r := rep.Medians.Server, rep.Medians.Relay
	return append([]chart{{title: "Times by percentile, medians of the rounds", y: "ms", percentiles: true, curves: []curve{
		byPercentile(s.Receipt, "server, to receipt", 0), byPercentile(r.Receipt, "relay, to receipt", 1),
		byPercentile(s.Ack, "server, to acknowledgement", 2), byPercentile(r.Ack, "relay, to acknowledgement", 3),
	}}}, all...)
}

var page = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flagfall load test</title>
<style>
body { font-family: system-ui, sans-serif; margin: 1rem auto; max-width: 84rem; padding: 0 1rem; color: #1b1b1b; background: #fff }
pre { overflow-x: auto; background: #f3f3f3; padding: 1rem; font-size: .85rem }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(38rem, 100%), 1fr)); gap: 1rem }
svg { width: 100%; height: auto }
</style>
</head>
<body>
<h1>Flagfall load test</h1>
<pre>{{.Text}}</pre>
<div class="charts">
{{range .Charts}}<figure>{{.}}</figure>
{{end}}</div>
</body>
</html>
`))

// writePage writes the report as one file that needs nothing else.
func writePage(path string, printed []byte, rep figured) error {
	data := struct {
		Text   string
		Charts []template.HTML
	}{Text: string(bytes.TrimSpace(printed))}
	for _, c := range rep.charts() {
		svg, err := c.svg()
		if err != nil {
			return err
		}
		data.Charts = append(data.Charts, svg)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, data); err != nil {
		return err
	}
	return writeFile(path, out.Bytes())
}
