//go:build !unix

package edge

import (
	"net"
	"syscall"
)

// rawOf gives no access: every socket has a goroutine that reads it, and one that writes.
func rawOf(net.Conn) syscall.RawConn { return nil }

func (c *socket) tryRead([]byte) (int, error)  { return 0, errNotNow }
func (c *socket) tryWrite([]byte) (int, error) { return 0, errNotNow }
