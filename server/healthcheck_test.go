package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestHealthcheck(t *testing.T) {
	p := start(t, t.TempDir(), "-ops", "127.0.0.1:0")
	addr := strings.TrimPrefix(p.operators, "http://")
	_, port, _ := strings.Cut(addr, ":")
	nobody := freeAddr(t)
	for _, c := range []struct {
		name    string
		args    []string
		environ []string
		status  int
		said    string
	}{
		{"by URL", []string{p.operators}, nil, 0, "ready"},
		{"by its whole URL", []string{p.operators + "/readyz"}, nil, 0, "ready"},
		{"by the variable", nil, []string{"FLAGFALL_OPS=" + addr}, 0, "ready"},
		{"by the flag", []string{"-ops", addr}, []string{"FLAGFALL_OPS=127.0.0.1:1"}, 0, "ready"},
		{"of a server on every address", []string{"-ops", ":" + port}, nil, 0, "ready"},
		{"of a server on every IPv4 address", []string{"-ops", "0.0.0.0:" + port}, nil, 0, "ready"},
		{"without a listener", nil, nil, 1, "there is no operators' listener"},
		{"a port to be chosen", []string{"-ops", "127.0.0.1:0"}, nil, 1, "give the URL"},
		{"no URL", []string{addr}, nil, 1, "want a URL"},
		{"nobody there", []string{"http://" + nobody}, nil, 1, "connection refused"},
		{"the players' listener", []string{p.URL}, nil, 1, "404"},
		{"a wrong setting", []string{"-ops", "9090"}, nil, 1, "want host:port"},
		{"two URLs", []string{p.operators, p.operators}, nil, 1, "is not a flag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			status := run(t.Context(), append([]string{"healthcheck"}, c.args...), c.environ, &out, &errs)
			said, silent := &out, &errs
			if c.status != 0 {
				said, silent = &errs, &out
			}
			if status != c.status || !strings.Contains(said.String(), c.said) || strings.Count(said.String(), "\n") != 1 || silent.Len() > 0 {
				t.Errorf("status %d, out %q, errors %q", status, out.String(), errs.String())
			}
		})
	}
}
