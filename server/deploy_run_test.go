//go:build linux

package main

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/types"
	"github.com/gorilla/websocket"
	"github.com/jackc/pgx/v5"

	"flagfall/server/cluster/redistest"
	"flagfall/server/store/pgtest"
	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// street is a deployment without containers: the same programs with the same settings. A service's name is an address
// of its own on this machine, its ports are free ones.
type street struct {
	t       *testing.T
	d       *deployment
	program string            // what the Dockerfile makes
	moved   *strings.Replacer // addresses of the files to addresses of this machine
	url     string            // where players are told to go
	hosts   map[string]string // node to address
	roots   map[string]string // node to the root of its file system
	running map[string]*exec.Cmd
}

func openStreet(t *testing.T) *street {
	t.Helper()
	s := &street{t: t, url: "http://" + freeAddr(t), hosts: map[string]string{}, roots: map[string]string{}, running: map[string]*exec.Cmd{}}
	var err error
	if s.d, err = readDeployment(t, deploymentFiles(t), map[string]string{"FLAGFALL_URL": s.url}); err != nil {
		t.Fatal(err)
	}
	redis := redistest.Single(t, s.d.project.Services["redis"].Command[1:]...)
	moves := []string{"redis:6379", redis.Addr(), "postgres:5432", s.startPostgres(), s.d.caddy.Admin.Listen, freeAddr(t)}
	players, operators := port(freeAddr(t)), port(freeAddr(t))
	health := strconv.Itoa(s.d.caddy.proxy.Health.Active.Port)
	moves = append(moves, "health_port "+health, "health_port "+operators)
	network := fmt.Sprintf("127.%d.%d.", 1+rand.IntN(250), rand.IntN(250))
	for i, node := range s.d.nodes() {
		host := network + strconv.Itoa(i+2)
		s.hosts[node.Name] = host
		set, err := readSettings(nil, s.d.environ(node), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, node.Name+set.addr, host+":"+players, node.Name+set.ops, host+":"+operators)
	}
	s.moved = strings.NewReplacer(moves...)
	s.program = s.build()
	for _, node := range s.d.nodes() {
		s.unpack(node)
	}
	return s
}

// startPostgres runs the database that the files speak of, and returns its address.
func (s *street) startPostgres() string {
	s.t.Helper()
	server := pgtest.Start(s.t)
	service := s.d.project.Services["postgres"]
	password, err := os.ReadFile(filepath.Join(s.d.secrets, "postgres-password"))
	if err != nil {
		s.t.Fatal(err)
	}
	conn, err := pgx.Connect(s.t.Context(), server.URL("postgres"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if user := deref(service.Environment["POSTGRES_USER"]); user != pgtest.Owner {
		s.t.Fatalf("the user is %s, the tests' %s", user, pgtest.Owner)
	}
	for _, sql := range []string{
		"CREATE DATABASE " + deref(service.Environment["POSTGRES_DB"]),
		"ALTER USER " + pgtest.Owner + " PASSWORD '" + strings.TrimSpace(string(password)) + "'",
	} {
		if _, err := conn.Exec(s.t.Context(), sql); err != nil {
			s.t.Fatal(err)
		}
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(server.Port))
}

// build runs what the Dockerfile runs, in a folder that has what it copies and nothing else.
func (s *street) build() string {
	s.t.Helper()
	source, out := s.t.TempDir(), s.t.TempDir()
	for _, line := range s.d.image.copied {
		words := strings.Fields(line)
		for _, from := range words[:len(words)-1] {
			to := filepath.Join(source, words[len(words)-1])
			if strings.HasSuffix(words[len(words)-1], "/") {
				to = filepath.Join(to, filepath.Base(from))
			}
			copyAll(s.t, filepath.Join(repository, from), to)
		}
	}
	cmd := exec.Command("sh", "-c", strings.ReplaceAll(s.d.image.buildCommand(), "/out/", out+"/"))
	cmd.Dir = source
	if text, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", s.d.image.buildCommand(), err, text)
	}
	return filepath.Join(out, filepath.Base(s.d.image.entrypoint[0]))
}

func copyAll(t *testing.T, from, to string) {
	t.Helper()
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	if info.IsDir() {
		err = os.CopyFS(to, os.DirFS(from))
	} else {
		var data []byte
		if data, err = os.ReadFile(from); err == nil {
			err = errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, data, info.Mode()))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// caged: only root may give a process a root folder and a user of its own. For others it runs as who they are.
func caged() bool { return os.Getuid() == 0 }

// user is whom the image runs as.
func (s *street) user() (uid, gid int) {
	u, g, _ := strings.Cut(s.d.image.user, ":")
	uid, _ = strconv.Atoi(u) // checkImage has seen that they are numbers
	gid, _ = strconv.Atoi(g)
	return uid, gid
}

// unpack lays out the files that a node's container has.
func (s *street) unpack(node types.ServiceConfig) {
	s.t.Helper()
	root := s.t.TempDir()
	s.roots[node.Name] = root
	copyAll(s.t, s.program, filepath.Join(root, s.d.image.entrypoint[0]))
	for _, secret := range node.Secrets {
		text, err := os.ReadFile(filepath.Join(s.d.secrets, secret.Source))
		if err != nil {
			s.t.Fatal(err)
		}
		path := filepath.Join(root, secretFolder, secret.Source)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(s.moved.Replace(string(text))), 0o644)); err != nil {
			s.t.Fatal(err)
		}
	}
	volume := filepath.Join(root, s.d.image.volume)
	err := os.Mkdir(volume, 0o755)
	if uid, gid := s.user(); err == nil && caged() {
		err = os.Chown(volume, uid, gid)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// command is a program of a node's container with the node's environment.
func (s *street) command(node string, args ...string) *exec.Cmd {
	service, root := s.d.project.Services[node], s.roots[node]
	all := map[string]string{}
	for name, value := range s.d.image.env {
		all[name] = value
	}
	for name, value := range service.Environment {
		all[name] = deref(value)
	}
	cmd := exec.Command(args[0], args[1:]...)
	for name, value := range all {
		switch {
		case strings.HasPrefix(value, ":"): // a port on every address of the container
			value = s.moved.Replace(node + value)
		case strings.HasPrefix(value, "/") && !caged():
			value = filepath.Join(root, value)
		default:
			value = s.moved.Replace(value)
		}
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	cmd.Dir = "/"
	if !caged() {
		cmd.Path = filepath.Join(root, args[0])
		return cmd
	}
	uid, gid := s.user()
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return cmd
}

// run starts a process that ends with the test at the latest.
func (s *street) run(name string, cmd *exec.Cmd) {
	s.t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	s.running[name] = cmd
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		_ = cmd.Wait()
		if s.t.Failed() {
			s.t.Logf("%s said:\n%s", name, log.String())
		}
	})
}

// open starts a node and waits until its health check says that it is healthy.
func (s *street) open(node string) {
	s.t.Helper()
	s.run(node, s.command(node, s.d.image.entrypoint...))
	eventually(s.t, func() error { return s.health(node) })
}

// health runs the health check that docker-compose.yml has for a node.
func (s *street) health(node string) error {
	out, err := s.command(node, s.d.project.Services[node].HealthCheck.Test[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", node, err, out)
	}
	return nil
}

// openCaddy starts the load balancer and waits until its health check would be content.
func (s *street) openCaddy() {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), "Caddyfile")
	if err := os.WriteFile(path, []byte(s.moved.Replace(s.d.texts[caddyFile])), 0o600); err != nil {
		s.t.Fatal(err)
	}
	service := s.d.project.Services["caddy"]
	s.run("caddy", caddyCommand(s.t, service.Environment, "run", "--adapter", "caddyfile", "--config", path))
	eventually(s.t, func() error {
		status, _, err := get(s.moved.Replace(service.HealthCheck.Test[len(service.HealthCheck.Test)-1]))
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("caddy: %d", status)
		}
		return err
	})
}

// stop ends a service as docker compose stops it, and says how long it took and how it ended.
func (s *street) stop(name string) (took time.Duration, err error) {
	began := time.Now()
	cmd := s.running[name]
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	err = cmd.Wait()
	return time.Since(began), err
}

// The program that the Dockerfile makes runs as the image and docker-compose.yml run it; people play through Caddy, and
// when their node stops they are led to the other one.
func TestDeploymentRuns(t *testing.T) {
	s := openStreet(t)
	static(t, s.program)
	s.open("node1")
	s.openCaddy()
	hall := &program{Server: client.Server{URL: s.url}}
	white, black, game := hall.pair(t, 180000, "board") // all on node1: nobody is sent to a node that is not there
	begin(white, black, game)
	play(white, black, "e2e4", "e7e5")

	s.open("node2")
	for _, target := range s.d.prometheus {
		status, text, err := get("http://" + s.moved.Replace(target) + "/metrics")
		if err != nil || status != http.StatusOK || !strings.Contains(text, "\nflagfall_ready 1\n") {
			t.Errorf("prometheus gets from %s: %d, %v", target, status, err)
		}
	}
	for _, path := range []string{"/livez", "/readyz", "/metrics", "/debug/pprof/", "/debug/pprof/cmdline"} {
		if status, text, err := get(s.url + path); err != nil || status != http.StatusNotFound {
			t.Errorf("%s is open to everybody: %d, %q, %v", path, status, text, err)
		}
	}
	play(white, black, "g1f3", "b8c6")

	took, err := s.stop("node1")
	if grace := time.Duration(*s.d.project.Services["node1"].StopGracePeriod); err != nil || took > grace {
		t.Errorf("node1 ended after %v of %v: %v", took, grace, err)
	}
	for _, who := range []*somebody{white, black} {
		if code := client.CloseCode(<-who.closed); code != websocket.CloseServiceRestart {
			t.Errorf("%s was told %d, want 1012", who.guest.Name, code)
		}
	}
	if err := s.health("node1"); err == nil {
		t.Error("node1 is gone and healthy")
	}
	var state wire.State
	eventually(t, func() error { return hall.Get(t.Context(), "", "/api/games/"+game, &state) })
	if len(state.Moves) != 4 || state.End != nil {
		t.Errorf("node2 has the game after %d moves, want 4; end %+v", len(state.Moves), state.End)
	}
	newcomer := hall.guest(t)
	newcomer.do(wire.ClientMessage{T: "invite", Base: 180000, Mode: "board", Color: "white"})
	newcomer.expect("invited")
}

// static holds a program to what runs where there is nothing else.
func static(t *testing.T, path string) {
	t.Helper()
	file, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	if err != nil || len(libraries) > 0 || slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Errorf("the program needs others: %q, %v", libraries, err)
	}
}
