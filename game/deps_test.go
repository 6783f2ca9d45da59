package game_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "flagfall"

// pkg is what `go list` says of a package.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// listed are the module's packages, by path without the module's name. Test files are not looked at.
func listed(t *testing.T) map[string]pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps", module+"/...")
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, complaints.String())
	}
	all := map[string]pkg{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(p.ImportPath, module+"/")] = p
	}
	if len(all) < 5 {
		t.Fatalf("go list found %d packages", len(all))
	}
	return all
}

// within tells whether a package is one of the folder's.
func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// pure tells whether the package is one of those that know no world outside.
func pure(path string) bool {
	return within(path, "clock") || within(path, "game") && !within(path, "game/referee")
}

// outside are the imports that read the time, talk or store. The time package itself is forbidden but to the writers of
// records, who are handed a civil time and read no clock.
var outside = []string{"context", "net", "log", "os", "database/sql", "syscall", "math/rand"}

func TestPureCore(t *testing.T) {
	for path, p := range listed(t) {
		if !pure(path) {
			continue
		}
		for _, imported := range p.Imports {
			for _, folder := range outside {
				if within(imported, folder) {
					t.Errorf("%s imports %s", path, imported)
				}
			}
			if imported == "time" && path != "game" {
				t.Errorf("%s imports %s", path, imported)
			}
			foreign := strings.Contains(strings.Split(imported, "/")[0], ".")
			chess := path == "game/board" && imported == "github.com/notnil/chess"
			if foreign && !chess {
				t.Errorf("%s imports %s", path, imported)
			}
			if inner, own := strings.CutPrefix(imported, module+"/"); own && !pure(inner) {
				t.Errorf("%s imports %s", path, imported)
			}
		}
	}
}

// machines are the servers' packages that decide and are told the time: beside the core they know the actors' types alone.
var machines = []string{"server/arena", "server/lobby/pairing", "server/rating"}

func TestPureMachines(t *testing.T) {
	all := listed(t)
	for _, path := range machines {
		p, known := all[path]
		if !known {
			t.Errorf("there is no %s", path)
		}
		for _, imported := range p.Imports {
			for _, folder := range outside {
				if within(imported, folder) {
					t.Errorf("%s imports %s", path, imported)
				}
			}
			if inner, own := strings.CutPrefix(imported, module+"/"); own && !pure(inner) && inner != "server/actor" {
				t.Errorf("%s imports %s", path, imported)
			}
		}
	}
}

func TestOnlyTheBoardKnowsTheChessLibrary(t *testing.T) {
	for path, p := range listed(t) {
		for _, imported := range p.Imports {
			if strings.Contains(imported, "/chess") && path != "game/board" && path != "loadtest/examplebot" { // which knows nothing of this module
				t.Errorf("%s imports %s", path, imported)
			}
		}
	}
}

// mayKnow are the folders of this module that each folder may stand on, whether directly or through others. Folders that
// are not listed here, programs, may know everything.
var mayKnow = []struct {
	folder string
	others []string
}{
	{"clock", nil},
	{"game/board", nil},
	{"game/endgame", []string{"game/board"}},
	{"game/vector", []string{"clock", "game"}},
	{"game/referee", []string{"clock", "game"}},
	{"game", []string{"clock"}},
	{"loadtest/examplebot", nil},
	{"server/rating", nil},
	{"server/actor", nil},
	{"server/wire", nil},
	{"server/ops", nil},
	{"server/child", nil},
	{"server/account", nil},
	{"server/prover", []string{"clock", "game"}},
	{"server/rulepage", []string{"clock", "game"}},
	{"server/journal", []string{"server/actor"}},
	{"server/cluster", []string{"server/actor", "server/child"}},
	{"server/store", []string{"clock", "game", "server/account", "server/actor", "server/arena", "server/child", "server/lobby",
		"server/rating", "server/table", "server/wire"}},
	{"server/table", []string{"clock", "game", "server/account", "server/actor", "server/rating", "server/wire"}},
	{"server/lobby", []string{"clock", "game", "server/account", "server/actor", "server/rating", "server/table", "server/wire"}},
	{"server/arena/host", []string{"clock", "game", "server/account", "server/actor", "server/arena", "server/lobby", "server/rating",
		"server/table", "server/wire"}},
	{"server/arena", []string{"clock", "game", "server/actor"}},
	{"server/gateway", []string{"clock", "game", "server/account", "server/actor", "server/arena", "server/lobby", "server/rating", "server/table",
		"server/wire"}},
	{"server/edge/poll", nil},
	{"server/edge", []string{"clock", "game", "server/account", "server/actor", "server/arena", "server/child", "server/lobby",
		"server/rating", "server/rulepage", "server/store", "server/table", "server/wire", "web"}},
}

// TestArrows holds the way of the imports: clock <- game <- table, lobby, arena <- gateway, edge <- server; cluster, journal and
// store know neither one another nor edge.
func TestArrows(t *testing.T) {
	for path, p := range listed(t) {
		for _, rule := range mayKnow {
			if !within(path, rule.folder) {
				continue
			}
			for _, dep := range p.Deps {
				inner, own := strings.CutPrefix(dep, module+"/")
				if !own || within(inner, rule.folder) || slices.ContainsFunc(rule.others, func(f string) bool { return within(inner, f) }) {
					continue
				}
				t.Errorf("%s stands on %s", path, inner)
			}
			break // the first rule that fits is the narrowest
		}
	}
}

// The world outside the module, by folder.
func TestFoldersOfTheServer(t *testing.T) {
	for path, p := range listed(t) {
		for _, imported := range p.Imports {
			switch {
			case within(imported, "database/sql") && !within(path, "server/store"):
				t.Errorf("%s imports %s", path, imported)
			case strings.Contains(imported, "redis") && !within(path, "server/cluster") && !within(path, "loadtest"):
				t.Errorf("%s imports %s", path, imported)
			case (strings.Contains(imported, "prometheus") || imported == "net/http/pprof") && !within(path, "server/ops"):
				t.Errorf("%s imports %s", path, imported)
			case strings.Contains(imported, "gorilla/websocket") && within(path, "server") &&
				!within(path, "server/edge") && !within(path, "server/wire/client"):
				t.Errorf("%s imports %s", path, imported)
			}
		}
		if path == "server/edge" || path == "server" {
			continue
		}
		if within(path, "server") && slices.Contains(p.Deps, module+"/server/edge") {
			t.Errorf("%s stands on the edge", path)
		}
	}
}
