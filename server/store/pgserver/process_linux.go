package pgserver

import (
	"errors"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// servant is whom the server runs as when this process is root, since PostgreSQL refuses to be.
func servant() (uid, gid int, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		var found *user.User
		if found, err = user.Lookup(name); err != nil {
			continue
		}
		uid, err = strconv.Atoi(found.Uid)
		gid, gidErr := strconv.Atoi(found.Gid)
		return uid, gid, errors.Join(err, gidErr)
	}
	return 0, 0, err
}

// giveAway hands a folder to the servant.
func giveAway(dir string) error {
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid, err := servant()
	if err != nil {
		return err
	}
	return os.Chown(dir, uid, gid)
}

// asServant has a process run as the servant, and end when this process does, however that ends.
func asServant() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT, Setpgid: true} // Ctrl-C is for this process
	if os.Getuid() != 0 {
		return attr
	}
	if uid, gid, err := servant(); err == nil { // giveAway has told an error already
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	return attr
}

// kill has every process of the server end at once.
func (s *Server) kill() error { return s.end(syscall.SIGQUIT) }
