// Package child starts programs that do not outlive this process, however it ends, as far as the system can see to that:
// Linux does.
package child

import "os/exec"

// Start is cmd.Start. On Linux the kernel sends the child SIGKILL, or the Pdeathsig that cmd names, when this process ends.
func Start(cmd *exec.Cmd) error { return start(cmd) }
