//go:build unix

package actor

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// A process that was really stopped past its deadline says so before it ticks.
func TestRealStop(t *testing.T) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childHall+"=1")
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
	defer child.Wait()
	defer in.Close()
	lines := bufio.NewScanner(out)
	read := func() (what string, at, elapsed, gap int64) {
		if !lines.Scan() {
			t.Fatal("the child says no more")
		}
		_, _ = fmt.Sscanf(lines.Text(), "%s %d %d+%d", &what, &at, &elapsed, &gap)
		return what, at, elapsed, gap
	}
	set, from, _, _ := read()
	if set != "alarm" {
		t.Fatal(set)
	}
	if err := child.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	<-time.After(1500 * time.Millisecond)
	if err := child.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	what, at, elapsed, gap := read()
	if what != "recovered" || at >= 1000 || elapsed != at-from || gap < 1400 || gap > 5000 {
		t.Errorf("%s at %d: %d elapsed, a gap of %d", what, at, elapsed, gap)
	}
	if what, at, _, _ := read(); what != "tick" || at != 1000 {
		t.Errorf("%s at %d", what, at)
	}
}
