package poll

import (
	"fmt"
	"syscall"
)

// batch is how many connections are found at once.
const batch = 128

// queue is where the system says what is ready: an epoll instance. A loop waits in the system call, not in Go's own
// poller: at a few thousand messages a second on an idle machine most of the cost is in waking up, and this wakes one
// thread once.
type queue struct {
	fd     int
	wakeup [2]int                    // a pipe; closing its second end ends the waiting
	events [batch]syscall.EpollEvent // of the goroutine that waits
}

func newLoop(p *Poller) (*loop, error) {
	l := &loop{poller: p, conns: map[uint64]*Conn{}}
	var err error
	if l.fd, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return nil, fmt.Errorf("poll: epoll_create: %w", err)
	}
	if err = syscall.Pipe2(l.wakeup[:], syscall.O_CLOEXEC); err != nil {
		syscall.Close(l.fd)
		return nil, fmt.Errorf("poll: pipe: %w", err)
	}
	event := syscall.EpollEvent{Events: syscall.EPOLLIN} // its id is 0
	if err = syscall.EpollCtl(l.fd, syscall.EPOLL_CTL_ADD, l.wakeup[0], &event); err != nil {
		syscall.Close(l.fd)
		syscall.Close(l.wakeup[0])
		syscall.Close(l.wakeup[1])
		return nil, fmt.Errorf("poll: epoll_ctl: %w", err)
	}
	return l, nil
}

// wake ends a wait with ErrClosed, now or later.
func (q *queue) wake() { syscall.Close(q.wakeup[1]) }

// close gives everything back; nobody waits any more.
func (q *queue) close() {
	syscall.Close(q.wakeup[0])
	syscall.Close(q.fd)
}

// wait waits for connections to which something has come, and puts as many as fit into found.
func (q *queue) wait(found []event) (int, error) {
	for {
		n, err := syscall.EpollWait(q.fd, q.events[:], -1)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("poll: epoll_wait: %w", err)
		}
		for i, e := range q.events[:n] {
			found[i].id = uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32
			found[i].ended = e.Events&(syscall.EPOLLRDHUP|syscall.EPOLLHUP|syscall.EPOLLERR) != 0
			if found[i].id == 0 {
				return 0, ErrClosed
			}
		}
		return n, nil
	}
}

// watch and unwatch are called with the loop's mutex held.
func (q *queue) watch(c *Conn) error {
	const edges = 1 << 31 // EPOLLET: told once, not as long as there is something
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLRDHUP | edges, Fd: int32(uint32(c.id)), Pad: int32(uint32(c.id >> 32))}
	var err error
	if failed := c.raw.Control(func(fd uintptr) {
		err = syscall.EpollCtl(q.fd, syscall.EPOLL_CTL_ADD, int(fd), &event)
	}); failed != nil {
		return failed
	}
	return err
}

func (q *queue) unwatch(c *Conn) {
	// A connection that is closed has left by itself.
	_ = c.raw.Control(func(fd uintptr) {
		_ = syscall.EpollCtl(q.fd, syscall.EPOLL_CTL_DEL, int(fd), &syscall.EpollEvent{})
	})
}
