//go:build unix

package edge

import (
	"net"
	"sync"
	"syscall"
)

// rawOf gives access to a connection, nil where it is no plain TCP.
func rawOf(conn net.Conn) syscall.RawConn {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return nil
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// access is a read or write that does not wait, made once and used again.
type access struct {
	data  []byte
	n     int
	err   error
	read  func(fd uintptr)
	write func(fd uintptr)
}

var accesses = sync.Pool{New: func() any {
	a := &access{}
	a.read = func(fd uintptr) {
		for {
			if a.n, a.err = syscall.Read(int(fd), a.data); a.err != syscall.EINTR {
				return
			}
		}
	}
	a.write = func(fd uintptr) { a.n, a.err = syscall.Write(int(fd), a.data) }
	return a
}}

// result is what came of an access, errNotNow for none.
func (a *access) result(failed error) (int, error) {
	n, err := max(a.n, 0), a.err
	a.data, a.n, a.err = nil, 0, nil
	accesses.Put(a)
	switch {
	case failed != nil:
		return 0, failed
	case err == syscall.EAGAIN || err == syscall.EINTR:
		return 0, errNotNow
	}
	return n, err
}

// tryRead reads what is there. No bytes and no error are the end.
func (c *socket) tryRead(buffer []byte) (int, error) {
	a := accesses.Get().(*access)
	a.data = buffer
	return a.result(c.raw.Control(a.read))
}

// tryWrite writes what the system takes without waiting. One at a time writes, see outbox.
func (c *socket) tryWrite(data []byte) (int, error) {
	a := accesses.Get().(*access)
	a.data = data
	return a.result(c.raw.Control(a.write))
}
