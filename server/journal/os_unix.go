//go:build unix

package journal

import (
	"os"
	"syscall"
)

// lockFile takes the lock until the file is closed, by the process's death too.
func lockFile(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// syncDir makes the names of new and removed files last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
