package poll

import (
	"fmt"
	"os"
	"syscall"
)

// batch is how many connections are found at once.
const batch = 128

// queue is where the system says what is ready: an epoll instance, itself watched by Go's own poller, so that a loop
// with nothing to do blocks no thread.
type queue struct {
	file *os.File
	raw  syscall.RawConn
	fd   int

	// Of the goroutine that waits.
	poll   func(fd uintptr) bool
	events [batch]syscall.EpollEvent
	n      int
	err    error
}

func newLoop(p *Poller) (*loop, error) {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("poll: epoll_create: %w", err)
	}
	if err := syscall.SetNonblock(fd, true); err != nil { // else Go does not watch it
		syscall.Close(fd)
		return nil, fmt.Errorf("poll: %w", err)
	}
	file := os.NewFile(uintptr(fd), "epoll")
	raw, err := file.SyscallConn()
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("poll: %w", err)
	}
	l := &loop{poller: p, conns: map[uint64]*Conn{}, queue: queue{file: file, raw: raw, fd: fd}}
	l.poll = l.look
	return l, nil
}

func (q *queue) close() { q.file.Close() }

// wait waits for connections with something to read and puts their ids into ids, as many as fit.
func (q *queue) wait(ids []uint64) (int, error) {
	if err := q.raw.Read(q.poll); err != nil {
		return 0, err
	}
	if q.err != nil {
		return 0, fmt.Errorf("poll: epoll_wait: %w", q.err)
	}
	for i, e := range q.events[:q.n] {
		ids[i] = uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32
	}
	return q.n, nil
}

// look is false when nothing is ready.
func (q *queue) look(fd uintptr) bool {
	q.n, q.err = syscall.EpollWait(int(fd), q.events[:], 0)
	if q.err == syscall.EINTR {
		q.n, q.err = 0, nil
		return true
	}
	return q.n != 0 // also on an error
}

// watch and unwatch are called with the loop's mutex held.
func (q *queue) watch(c *Conn) error {
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLRDHUP, Fd: int32(uint32(c.id)), Pad: int32(uint32(c.id >> 32))}
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
