//go:build unix

package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
)

const childURL = "FLAGFALL_TEST_MEMBER"

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		if err := holdAndSay(url); err != nil {
			fmt.Println("error", err)
		}
		return
	}
	os.Exit(m.Run())
}

// holdAndSay is the child: a member that asks every few ms whether it holds, as an
// actor does before it acts, and says so whenever the answer is another. It says "woke"
// with the first answer after it did not run for a second.
func holdAndSay(url string) error {
	r, err := Open(context.Background(), url, Options{Log: silent()})
	if err != nil {
		return err
	}
	m, err := r.Join(context.Background(), MembersOptions{Name: "child", Log: silent()})
	if err != nil {
		return err
	}
	m.Lost(func() { fmt.Println("lost") })
	m.Back(func(gap time.Duration) { fmt.Println("back", gap.Milliseconds()) })
	fmt.Println("incarnation", m.Self().Incarnation)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent is done
		os.Exit(0)
	}()
	last, held := m.opts.Now(), true
	for range time.Tick(2 * time.Millisecond) {
		before := m.opts.Now()
		holds := m.Holding()
		if before-last > time.Second {
			fmt.Println("woke", holds)
		} else if holds != held {
			fmt.Println("holds", holds)
		}
		last, held = m.opts.Now(), holds
	}
	return nil
}

// A holder that is stopped past its lease and wakes finds out before it acts, though its
// connection is fine and its timers have not fired yet.
func TestHolderStopped(t *testing.T) {
	t.Parallel()
	s := redistest.Single(t)
	a := member(t, connect(t, s.URL(), Options{}), MembersOptions{Name: "a"})
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childURL+"="+s.URL())
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		in.Close()
		_ = child.Wait() // it ends when its input does
	}()
	lines := make(chan string, 100)
	go func() {
		for scan := bufio.NewScanner(out); scan.Scan(); {
			lines <- scan.Text()
		}
	}()
	incarnation, ok := strings.CutPrefix(receive(t, "first line", lines), "incarnation ")
	if !ok {
		t.Fatal("the child does not begin with its incarnation")
	}
	a.until("the child is seen", func() bool { return a.sees("a", "child") })
	a.settle()
	for range 3 {
		if err := child.Process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		if a.MayClaim("child", incarnation) {
			t.Error("the child may be claimed as soon as it is stopped")
		}
		stopped := a.opts.Now()
		a.until("the child may be claimed", func() bool { return a.MayClaim("child", incarnation) })
		if took := a.opts.Now() - stopped; took < 500*ms {
			t.Errorf("the child may be claimed after %v", took)
		} else {
			t.Logf("the child may be claimed after %v", took)
		}
		if len(lines) > 0 {
			t.Errorf("the child said %q before it was stopped", <-lines)
		}
		if err := child.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		said := map[string]bool{}
		for !said["back"] || !said["holds true"] && !said["woke true"] {
			line := receive(t, "word of the child", lines)
			word, rest, _ := strings.Cut(line, " ")
			switch word {
			case "woke":
				// A renewal may have been quicker; then the loss has been told.
				if rest != "false" && !said["lost"] {
					t.Error("the child wakes and believes that it holds")
				}
				said[word], said[line] = true, true
			case "back":
				var gap int
				if _, err := fmt.Sscan(rest, &gap); err != nil || gap < 100 || gap > 10_000 {
					t.Errorf("back after %s ms", rest)
				}
				if !said["lost"] {
					t.Error("back before lost")
				}
				said[word] = true
			default:
				said[line] = true
			}
		}
		if !said["woke"] || !said["lost"] {
			t.Errorf("the child said %v", said)
		}
		a.until("the child is seen again", func() bool { return a.sees("a", "child") })
		if a.MayClaim("child", incarnation) {
			t.Error("the child is back and may be claimed")
		}
	}
}
