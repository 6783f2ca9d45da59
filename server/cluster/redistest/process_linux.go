package redistest

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// The kernel kills a child when the thread that started it ends, so one thread,
// which lives as long as the test process, starts them all.
var starter = sync.OnceValue(func() chan func() {
	starts := make(chan func())
	go func() {
		runtime.LockOSThread()
		for start := range starts {
			start()
		}
	}()
	return starts
})

// startBound starts a child that does not outlive the test process, however that
// ends.
func startBound(cmd *exec.Cmd) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	done := make(chan error, 1)
	starter() <- func() { done <- cmd.Start() }
	return <-done
}
