package journal

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"

	"flagfall/server/actor"
)

const childFolder = "FLAGFALL_TEST_JOURNAL"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childFolder); dir != "" {
		appendForever(dir)
	}
	os.Exit(m.Run())
}

// appendForever is what the child does until it is killed: eight actors that print
// each entry once it is acknowledged.
func appendForever(dir string) {
	l, err := Open(dir, Options{SegmentSize: 20000})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var mu sync.Mutex
	for g := range 8 {
		go func() {
			id := actor.ID(fmt.Sprint("game/", g))
			entries, err := l.Read(ctx, id, 0)
			for seq := uint64(len(entries)) + 1; err == nil; seq++ {
				err = l.Append(ctx, id, seq-1, fmt.Appendf(nil, "entry %d of %s", seq, id))
				if err == nil {
					mu.Lock()
					fmt.Println(g, seq)
					mu.Unlock()
				}
			}
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}()
	}
	select {}
}

// Every entry that a killed process acknowledged is there afterwards, again and again
// in the same folder.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	var acked [8]uint64
	for round := range 5 {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childFolder+"="+dir)
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; lines.Scan(); n++ {
			var g int
			var seq uint64
			if k, _ := fmt.Sscan(lines.Text(), &g, &seq); k == 2 {
				acked[g] = max(acked[g], seq)
			}
			if n == 500+300*round {
				if err := child.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = child.Wait() // killed
		l := open(t, dir, Options{})
		for g, last := range acked {
			id := actor.ID("game/" + strconv.Itoa(g))
			entries, err := l.Read(ctx, id, 0)
			if err != nil {
				t.Fatal(err)
			}
			if uint64(len(entries)) < last {
				t.Errorf("round %d: %s has %d entries, %d were acknowledged", round, id, len(entries), last)
			}
			for i, e := range entries {
				if want := fmt.Sprintf("entry %d of %s", i+1, id); e.Seq != uint64(i+1) || string(e.Data) != want {
					t.Fatalf("entry %d: %q, want %q", e.Seq, e.Data, want)
				}
			}
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
