package child_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"flagfall/server/child"
)

// asParent in the environment makes this test's binary a process with a child of its own.
const asParent = "FLAGFALL_TEST_PARENT"

// The first thread of a process never ends, so nobody else is to run on it.
func init() {
	if os.Getenv(asParent) != "" {
		runtime.LockOSThread()
	}
}

func TestMain(m *testing.M) {
	if os.Getenv(asParent) == "" {
		os.Exit(m.Run())
	}
	sleeper := exec.Command("sleep", "600")
	// The thread that asks ends at once; the child must not.
	asked := make(chan error)
	go func() {
		runtime.LockOSThread()
		asked <- child.Start(sleeper)
	}()
	if err := <-asked; err != nil {
		panic(err)
	}
	fmt.Println(sleeper.Process.Pid)
	for {
		time.Sleep(time.Hour)
	}
}

func TestChildEndsWithItsParent(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("there is no sleep to start")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(self)
	parent.Env = append(os.Environ(), asParent+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = parent.Process.Kill() })
	var pid int
	if _, err := fmt.Fscanln(out, &pid); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // in which the thread that asked has ended
	if !running(pid) {
		t.Fatal("the child ended with the thread that asked for it")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait()
	for end := time.Now().Add(20 * time.Second); running(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("the child outlives its parent")
		}
	}
}

// running tells whether a process is there and no mere remnant that nobody has waited for.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, os.ErrNotExist) {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(after, "Z")
}

func TestNoSuchProgram(t *testing.T) {
	if err := child.Start(exec.Command("/nonexistent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("started: %v", err)
	}
}
