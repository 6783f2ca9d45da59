package ops

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Type of a metric.
type Type int

// The types of metrics.
const (
	Counter Type = iota
	Gauge
	Histogram
)

func (t Type) String() string { return [...]string{"counter", "gauge", "histogram"}[t] }

// Metric describes one family. Names and units follow Prometheus: flagfall_, seconds, bytes, _total for counters. Labels
// must have few values: never a person or a game.
type Metric struct {
	Name, Help string
	Type       Type
	Labels     []string
}

// Samples takes the values of one scrape.
type Samples struct {
	known map[string]known
	out   chan<- prometheus.Metric
}

type known struct {
	Metric
	desc *prometheus.Desc
}

// Add gives the value of a counter or a gauge. Each combination of labels is given once.
func (s *Samples) Add(name string, value float64, labels ...string) {
	k := s.known[name]
	s.send(k, name, func() (prometheus.Metric, error) {
		kind := prometheus.CounterValue
		switch k.Type {
		case Gauge:
			kind = prometheus.GaugeValue
		case Histogram:
			return nil, fmt.Errorf("%s is a histogram", name)
		}
		return prometheus.NewConstMetric(k.desc, kind, value, labels...)
	})
}

// AddTimes gives a histogram in seconds: counts[i] took bounds[i] at most and more than the bound before, the last
// count more than every bound.
func (s *Samples) AddTimes(name string, bounds []time.Duration, counts []uint64, sum time.Duration, labels ...string) {
	k := s.known[name]
	s.send(k, name, func() (prometheus.Metric, error) {
		if k.Type != Histogram || len(counts) != len(bounds)+1 {
			return nil, fmt.Errorf("%s is no histogram, or lacks counts", name)
		}
		buckets := make(map[float64]uint64, len(bounds))
		var total uint64
		for i, bound := range bounds {
			total += counts[i]
			buckets[bound.Seconds()] = total
		}
		total += counts[len(bounds)]
		return prometheus.NewConstHistogram(k.desc, total, sum.Seconds(), buckets, labels...)
	})
}

// send makes a mistake of the caller an error of the scrape.
func (s *Samples) send(k known, name string, build func() (prometheus.Metric, error)) {
	if k.desc == nil {
		err := fmt.Errorf("%s is not described", name)
		s.out <- prometheus.NewInvalidMetric(prometheus.NewInvalidDesc(err), err)
		return
	}
	m, err := build()
	if err != nil {
		m = prometheus.NewInvalidMetric(k.desc, err)
	}
	s.out <- m
}

// collector hands Config.Collect to Prometheus.
type collector struct {
	known   map[string]known
	collect func(*Samples)
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, k := range c.known {
		out <- k.desc
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) { c.collect(&Samples{c.known, out}) }

func metricsHandler(cfg Config) (http.Handler, error) {
	own := &collector{known: map[string]known{}, collect: cfg.Collect}
	for _, m := range cfg.Metrics {
		if own.known[m.Name].desc != nil {
			return nil, fmt.Errorf("ops: metric %s is described twice", m.Name)
		}
		own.known[m.Name] = known{m, prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)}
	}
	registry := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{
		own, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	} {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("ops: %w", err)
		}
	}
	log := slog.NewLogLogger(cfg.Log.Handler(), slog.LevelError)
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorLog: log, Registry: registry}), nil
}
