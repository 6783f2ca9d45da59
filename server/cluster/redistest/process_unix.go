//go:build unix && !linux

package redistest

import "os/exec"

// startBound starts a child; it ends with the test's cleanup.
func startBound(cmd *exec.Cmd) error { return cmd.Start() }
