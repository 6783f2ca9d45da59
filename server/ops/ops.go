// Package ops is the operators' listener: whether the server works and takes players, its metrics, its profiles. It is
// no public address: whoever reaches it can profile the process.
package ops

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"strings"
	"time"
)

// Config of a handler.
type Config struct {
	// Unready lists why no new players should be sent here, in few words each; none means ready. It is asked by every
	// request of /readyz and must not wait.
	Unready func() []string
	// Notes lists what is wrong although players are welcome; /readyz says it behind "ready". It may be nil.
	Notes func() []string
	// Metrics are what /metrics exposes beside the Go runtime and the process; Collect gives their values. It is
	// called by every scrape, by several at once too.
	Metrics []Metric
	Collect func(*Samples)
	Log     *slog.Logger
}

// New makes the handler of the listener. It fails on metrics that Prometheus would not take.
func New(cfg Config) (http.Handler, error) {
	metrics, err := metricsHandler(cfg)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := cfg.Unready(); len(why) > 0 {
			say(w, http.StatusServiceUnavailable, "not ready: "+strings.Join(why, "; "))
			return
		}
		line := "ready"
		if cfg.Notes != nil {
			line = strings.Join(append([]string{line}, cfg.Notes()...), "; ")
		}
		say(w, http.StatusOK, line)
	})
	mux.Handle("GET /metrics", metrics)
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux, nil
}

// say answers with one line.
func say(w http.ResponseWriter, status int, line string) {
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	fmt.Fprintln(w, oneLine(line))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// Server wraps the handler with timeouts. A profile may take five minutes.
func Server(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      5*time.Minute + 10*time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    8 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

// longestAnswer is how much of a server's answer Ask repeats, in bytes.
const longestAnswer = 1 << 10

// Ask gets the one line that a server's /readyz says, and whether it means ready. The error says that there was no
// such answer.
func Ask(ctx context.Context, url string) (line string, ready bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", false, err
	}
	direct := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true}, // no proxy: the server is beside us
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	res, err := direct.Do(req)
	if err != nil {
		return "", false, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, longestAnswer))
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", url, err)
	}
	switch res.StatusCode {
	case http.StatusOK, http.StatusServiceUnavailable:
		return oneLine(string(text)), res.StatusCode == http.StatusOK, nil
	}
	return "", false, fmt.Errorf("%s: answered %s", url, res.Status)
}
