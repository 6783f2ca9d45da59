package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every wrong setting gives one line that says what is wrong, and a status that is not zero.
func TestBadSettings(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	used := t.TempDir()
	start(t, used)
	for _, c := range []struct {
		name    string
		args    []string
		environ []string
		want    string
	}{
		{"unknown flag", []string{"-colour", "red"}, nil, "flag provided but not defined: -colour"},
		{"no flag", []string{"play"}, nil, `"play" is not a flag`},
		{"unknown variable", nil, []string{"FLAGFALL_COLOUR=red"}, "FLAGFALL_COLOUR is not known"},
		{"variable twice", nil, []string{"FLAGFALL_DATA=x", "FLAGFALL_DATA_FILE=" + file}, "are both set"},
		{"file not there", nil, []string{"FLAGFALL_DATA_FILE=" + file + "x"}, "no such file"},
		{"address without a port", []string{"-addr", "localhost"}, nil, "want host:port"},
		{"port too large", nil, []string{"FLAGFALL_ADDR=:99999"}, "want 0 to 65535"},
		{"port in use", []string{"-addr", taken.Addr().String()}, nil, "address already in use"},
		{"URL with a path", []string{"-url", "https://chess.example/blitz"}, nil, "must have no path"},
		{"URL of another kind", []string{"-url", "ftp://chess.example"}, nil, "must begin with http"},
		{"URL with a port too large", []string{"-url", "https://chess.example:99999"}, nil, "must have a port from 1 to 65535"},
		{"database of another kind", nil, []string{"FLAGFALL_DB=mysql://root:s3cret@localhost/hall"}, "mysql:// is not a database of this program"},
		{"database URL", nil, []string{"FLAGFALL_DB=postgres://root:s3cret%zz@localhost/hall"}, "cannot be read"},
		{"proxy", []string{"-proxies", "10.0.0.0/8,router"}, nil, `"router" is neither`},
		{"level", []string{"-log", "loud"}, nil, "want debug, info, warn or error"},
		{"empty level", nil, []string{"FLAGFALL_LOG="}, "want debug, info, warn or error"},
		{"operators' address", []string{"-ops", "9090"}, nil, "-ops (FLAGFALL_OPS): want host:port"},
		{"operators' port", nil, []string{"FLAGFALL_OPS=:x"}, `port "x": want 0 to 65535`},
		{"operators' port in use", []string{"-ops", taken.Addr().String()}, nil, "operators' listener: listen tcp"},
		{"node", []string{"-node", "two words"}, nil, "1 to 64 letters"},
		{"limit", []string{"-limit-sockets-per-person", "none"}, nil, "want a whole number"},
		{"empty data folder", []string{"-data", ""}, nil, "must not be empty"},
		{"data folder is a file", []string{"-addr", "127.0.0.1:0", "-data", file}, nil, "data folder"},
		{"copy of the journal in a file", []string{"-addr", "127.0.0.1:0", "-data", t.TempDir(), "-journal-copy", file}, nil, "copy of the journal"},
		{"data folder in use", []string{"-addr", "127.0.0.1:0", "-data", used}, nil, "in use by another process"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if status := run(ctx, c.args, c.environ, &out, &errs); status == 0 {
				t.Errorf("status 0, output %s", out.String())
			}
			if out.Len() > 0 {
				t.Errorf("also printed %q", out.String())
			}
			said := errs.String()
			if strings.Contains(said, "s3cret") {
				t.Errorf("said %q, with the password", said)
			}
			if !strings.Contains(said, c.want) || strings.Count(said, "\n") != 1 {
				t.Errorf("said %q, want one line with %q", said, c.want)
			}
		})
	}
}

func TestSettingsFromEverywhere(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(secret, []byte("https://Chess.Example:443/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := readSettings([]string{"-addr", "127.0.0.1:9000", "-proxies", "10.1.2.3, 192.168.0.0/16"},
		[]string{"FLAGFALL_ADDR=:1", "FLAGFALL_URL_FILE=" + secret, "FLAGFALL_LIMIT_MESSAGES=50", "HOME=/"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil || s.node != host || s.ops != "" {
		t.Errorf("node %q on host %q (%v), operators' listener %q", s.node, host, err, s.ops)
	}
	if s.addr != "127.0.0.1:9000" || s.url != "https://chess.example" || s.data != "data" ||
		len(s.proxies) != 2 || s.limits.Messages.PerSecond != 50 || s.limits.Messages.Burst != 100 {
		t.Errorf("settings %+v", s)
	}
}

func TestHelp(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run(t.Context(), []string{"-help"}, nil, &out, &errs); status != 0 || errs.Len() > 0 {
		t.Errorf("status %d, %s", status, errs.String())
	}
	for _, one := range allSettings() {
		if !strings.Contains(out.String(), "-"+one.name) || !strings.Contains(out.String(), one.variable()) {
			t.Errorf("-help does not tell of -%s [%s]", one.name, one.variable())
		}
	}
}
