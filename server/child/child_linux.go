package child

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// The kernel takes the end of the thread that started a child for the end of its parent, so that thread stays until the
// child has ended.
func start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if cmd.SysProcAttr.Pdeathsig == 0 {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		pid := 0
		if err == nil {
			pid = cmd.Process.Pid
		}
		done <- err
		if err == nil {
			await(pid)
		}
	}()
	return <-done
}

// await returns when a child has ended, and leaves how it did to whoever waits for it.
func await(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return // ended, or somebody has learned it already
		}
	}
}
