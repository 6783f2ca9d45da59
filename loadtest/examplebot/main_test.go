package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flagfall/server/wire"
	"flagfall/server/wire/client"
)

// serve builds the server and runs it until the end of the test.
func serve(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "server")
	if out, err := exec.Command("go", "build", "-o", program, "flagfall/server").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "-addr", "127.0.0.1:0", "-data", t.TempDir(), "-log", "error", "-limit-messages", "1000")
	cmd.Cancel = func() error { return cmd.Process.Kill() }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url, found := strings.CutPrefix(strings.TrimSpace(line), "Flagfall listens on ")
	if err != nil || !found {
		t.Fatalf("the server said %q, %v", line, err)
	}
	return strings.Replace(url, "localhost", "127.0.0.1", 1)
}

// patience bounds a whole game.
const patience = time.Minute

// start lets a bot play; what it prints, or its error, comes when it is done.
func start(url, minutes string) <-chan string {
	done := make(chan string, 1)
	go func() {
		var out bytes.Buffer
		if err := run([]string{"-url", url, "-minutes", minutes, "-think", "0"}, &out); err != nil {
			out.WriteString(err.Error())
		}
		done <- out.String()
	}()
	return done
}

func await(t *testing.T, done <-chan string) string {
	t.Helper()
	select {
	case line := <-done:
		return line
	case <-time.After(patience):
		t.Fatal("the game does not end")
		return ""
	}
}

var said = regexp.MustCompile(`^(1-0|0-1|1/2-1/2) as ([wb]) in game (\S+) after (\d+) moves: (.+) \(([a-z_]+)\)\n$`)

// Two bots find each other and play to the end, of which both and the archive say the same; the server refuses nothing
// that they send, and takes no move of theirs for illegal.
func TestTwoBots(t *testing.T) {
	url := serve(t)
	one, two := start(url, "0.1"), start(url, "0.1")
	first, second := said.FindStringSubmatch(await(t, one)), said.FindStringSubmatch(await(t, two))
	if first == nil || second == nil {
		t.Fatalf("said %q and %q", first, second)
	}
	if first[1] != second[1] || first[2] == second[2] || first[3] != second[3] || first[4] != second[4] || first[6] != second[6] {
		t.Errorf("%q and %q do not agree", first[0], second[0])
	}
	var record struct {
		State wire.State `json:"state"`
		Log   []struct {
			K     string
			Legal *bool
		} `json:"log"`
	}
	if err := (client.Server{URL: url}).Get(t.Context(), "", "/api/games/"+first[3], &record); err != nil {
		t.Fatal(err)
	}
	if end := record.State.End; end == nil || end.Result != first[1] || end.Reason != first[6] {
		t.Errorf("the archive has the end %+v, the bots said %q", end, first[0])
	}
	moves := 0
	for _, e := range record.Log {
		if e.K == "move" {
			moves++
			if e.Legal == nil || !*e.Legal {
				t.Errorf("move %d was not legal", moves)
			}
		}
		if e.K == "denied" {
			t.Error("a claim was denied")
		}
	}
	if moves < 4 {
		t.Errorf("%d moves", moves)
	}
	t.Log(first[0])
}

// opponent is a guest who does what the test says.
type opponent struct {
	t    *testing.T
	conn *client.Conn
}

// meet pairs an opponent with a bot.
func meet(t *testing.T, url string) (o opponent, side string, bot <-chan string) {
	t.Helper()
	server := client.Server{URL: url}
	guest, err := server.NewGuest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := server.Connect(t.Context(), guest.Token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	o = opponent{t, conn}
	o.do(wire.ClientMessage{T: "seek", Base: 6000, Mode: "board"})
	o.expect("seeking")
	bot = start(url, "0.1")
	paired := o.expect("paired").Body.(*wire.Paired)
	o.do(wire.ClientMessage{T: "join", Game: paired.Game})
	o.expect("state")
	if err := conn.Send(wire.ClientMessage{T: "here", Visible: true}); err != nil {
		t.Fatal(err)
	}
	return o, paired.Color, bot
}

func (o opponent) do(m wire.ClientMessage) {
	o.t.Helper()
	if _, err := o.conn.Do(m); err != nil {
		o.t.Fatal(err)
	}
}

func (o opponent) expect(kind string) client.Frame {
	o.t.Helper()
	for {
		f, err := o.conn.Receive()
		if err != nil {
			o.t.Fatalf("waiting for %s: %v", kind, err)
		}
		if f.T == kind {
			return f
		}
	}
}

// onMove waits until the clock of a side runs.
func (o opponent) onMove(side string) {
	o.t.Helper()
	for o.expect("ev").Body.(*wire.Events).Clocks.Run != side {
	}
}

// A bot claims an illegal move when it is pressed, and a flag when it has fallen, and wins.
func TestBotClaims(t *testing.T) {
	url := serve(t)
	for _, c := range []struct{ reason, white, black string }{
		{"illegal_move", "e1e3", "e8e6"},
		{"time", "e2e4", "e7e5"}, // and no other
	} {
		t.Run(c.reason, func(t *testing.T) {
			o, side, bot := meet(t, url)
			move, ply, want := c.white, 0, "0-1 as b"
			if side == "b" {
				move, ply, want = c.black, 1, "1-0 as w"
			}
			o.onMove(side)
			o.do(wire.ClientMessage{T: "move", Move: move, Ply: &ply, Press: true})
			for ended := false; !ended; {
				for _, e := range o.expect("ev").Body.(*wire.Events).E {
					ended = ended || e.End != nil
				}
			}
			if got := await(t, bot); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "("+c.reason+")\n") {
				t.Errorf("the bot said %q, want %s by %s", got, want, c.reason)
			}
		})
	}
}

// A line that breaks again and again, in the middle of a frame too, costs no game: the bot comes back to its seat.
func TestBotComesBack(t *testing.T) {
	url := serve(t)
	broken, cuts := breaking(t, strings.TrimPrefix(url, "http://"))
	one, two := start("http://"+broken, "0.1"), start(url, "0.1")
	first, second := said.FindStringSubmatch(await(t, one)), said.FindStringSubmatch(await(t, two))
	if first == nil || second == nil || first[1] != second[1] || first[3] != second[3] || first[6] != second[6] {
		t.Errorf("said %q and %q", first, second)
	}
	if n := cuts.Load(); n < 2 {
		t.Errorf("the line broke %d times", n)
	}
}

// breaking relays to an address; of the first connections each breaks when 5,000 bytes have come from there.
func breaking(t *testing.T, to string) (address string, cuts *atomic.Int64) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	cuts = &atomic.Int64{}
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", to)
			if err != nil {
				in.Close()
				continue
			}
			go func() { _, _ = io.Copy(out, in); out.Close() }()
			go func() {
				defer in.Close()
				if cuts.Load() >= 3 {
					_, _ = io.Copy(in, out)
				} else if n, _ := io.CopyN(in, out, 5000); n == 5000 {
					cuts.Add(1)
				}
				out.Close()
			}()
		}
	}()
	return l.Addr().String(), cuts
}
