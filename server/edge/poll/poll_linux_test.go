package poll

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const wait = 10 * time.Second

// watched is one end of a connection that a poller watches; what comes is given to got.
type watched struct {
	t    *testing.T
	far  net.Conn
	near *net.TCPConn
	raw  syscall.RawConn
	conn *Conn
	got  chan string // "" at the end
	held chan struct{}
	busy atomic.Int32
}

func newPoller(t *testing.T) *Poller {
	t.Helper()
	p, err := New(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func watch(t *testing.T, p *Poller, during func(w *watched, text string)) *watched {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	w := &watched{t: t, got: make(chan string, 1000), held: make(chan struct{})}
	if w.far, err = net.Dial("tcp", ln.Addr().String()); err != nil {
		t.Fatal(err)
	}
	c, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	w.near = c.(*net.TCPConn)
	t.Cleanup(func() { w.near.Close(); w.far.Close() })
	if w.raw, err = w.near.SyscallConn(); err != nil {
		t.Fatal(err)
	}
	w.conn = p.Add(w.raw, func(buffer []byte, ended bool) {
		if w.busy.Add(1) != 1 {
			t.Error("called twice at a time")
		}
		defer w.busy.Add(-1)
		for {
			n, err := read(w.raw, buffer)
			if err == syscall.EAGAIN {
				return
			}
			if n <= 0 || err != nil {
				w.conn.Forget()
				w.got <- ""
				return
			}
			text := string(buffer[:n])
			if during != nil {
				during(w, text)
			}
			w.got <- text
			if n < len(buffer) && !ended {
				return
			}
		}
	})
	if err := w.conn.Watch(); err != nil {
		t.Fatal(err)
	}
	return w
}

// read reads what is there, without waiting.
func read(raw syscall.RawConn, buffer []byte) (n int, err error) {
	if failed := raw.Control(func(fd uintptr) { n, err = syscall.Read(int(fd), buffer) }); failed != nil {
		return 0, failed
	}
	return n, err
}

func (w *watched) say(text string) {
	w.t.Helper()
	if _, err := w.far.Write([]byte(text)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *watched) expect(text string) {
	w.t.Helper()
	select {
	case got := <-w.got:
		if got != text {
			w.t.Errorf("got %q, want %q", got, text)
		}
	case <-time.After(wait):
		w.t.Fatalf("%q does not come", text)
	}
}

func TestReady(t *testing.T) {
	p := newPoller(t)
	var all []*watched
	for range 50 {
		all = append(all, watch(t, p, nil))
	}
	for _, text := range []string{"one", "two", "three"} {
		for _, w := range all {
			w.say(text)
		}
		for _, w := range all {
			w.expect(text)
		}
	}
	for i, w := range all {
		if i%2 == 0 {
			w.far.Close()
		} else if err := w.near.CloseRead(); err != nil { // our own side ends it
			t.Fatal(err)
		}
		w.expect("")
	}
}

// More than a buffer holds is read to the end.
func TestMoreThanABuffer(t *testing.T) {
	p := newPoller(t)
	w := watch(t, p, nil)
	big := make([]byte, 3*BufferSize)
	for i := range big {
		big[i] = 'x'
	}
	w.say(string(big))
	total := 0
	for total < len(big) {
		select {
		case got := <-w.got:
			total += len(got)
		case <-time.After(wait):
			t.Fatalf("%d of %d bytes", total, len(big))
		}
	}
}

// A callback that takes long holds up nobody else, whether it says so or not, and is not called again meanwhile.
func TestLongCallbacks(t *testing.T) {
	for name, aside := range map[string]bool{"says so": true, "does not say so": false} {
		t.Run(name, func(t *testing.T) {
			p := newPoller(t)
			var long []*watched
			for range 3 * len(p.loops) {
				long = append(long, watch(t, p, func(w *watched, text string) {
					if aside {
						w.conn.StepAside()
						w.conn.StepAside() // once is enough
					}
					if text == "long" {
						<-w.held
					}
				}))
			}
			quick := watch(t, p, nil)
			other := watch(t, p, nil)
			for _, w := range long {
				w.say("long")
			}
			for range 20 {
				quick.say("quick")
				quick.expect("quick")
				other.say("other")
				other.expect("other")
			}
			for _, w := range long {
				w.say("next")
				if len(w.got) > 0 {
					t.Errorf("%q came before its callback had ended", <-w.got)
				}
				close(w.held)
			}
			for _, w := range long {
				w.expect("long")
				w.expect("next")
			}
		})
	}
}

func TestForget(t *testing.T) {
	p := newPoller(t)
	w := watch(t, p, func(w *watched, text string) {
		if text == "last" {
			w.conn.StepAside()
			w.conn.Forget()
			w.conn.Forget()
		}
	})
	w.say("first")
	w.expect("first")
	w.say("last")
	w.expect("last")
	w.say("more")
	other := watch(t, p, nil)
	other.say("other")
	other.expect("other")
	if len(w.got) > 0 {
		t.Errorf("a forgotten connection is served: %q", <-w.got)
	}
}

func TestClose(t *testing.T) {
	p := newPoller(t)
	w := watch(t, p, nil)
	w.say("one")
	w.expect("one")
	p.Close()
	p.Close()
	if err := w.conn.Watch(); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed poller watches: %v", err)
	}
	w.conn.Forget()
}

// Connections come and go, and file descriptors are used again, while everybody speaks.
func TestComingAndGoing(t *testing.T) {
	p := newPoller(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 40 {
				w := watch(t, p, func(w *watched, text string) {
					if text == "b" {
						w.conn.StepAside()
					}
				})
				for _, text := range []string{"a", "b", "c"} {
					w.say(text)
					w.expect(text)
				}
				w.far.Close()
				w.expect("")
				w.near.Close()
			}
		})
	}
	wg.Wait()
}

// The last words of a side that has ended are read before the end, whether they come with it or before it.
func TestLastWords(t *testing.T) {
	p := newPoller(t)
	for range 200 {
		w := watch(t, p, nil)
		w.say("last words")
		w.far.Close()
		w.expect("last words")
		w.expect("")
	}
}

// What was found together with a connection whose callback takes long is served meanwhile.
func TestFoundTogether(t *testing.T) {
	p := newPoller(t)
	gate := make(chan struct{})
	var all []*watched
	for range 40 {
		all = append(all, watch(t, p, func(w *watched, text string) {
			if text == "gate" { // holds the loop until all have spoken
				<-gate
			}
			if text == "long" {
				w.conn.StepAside()
				<-w.held
			}
		}))
	}
	all[0].say("gate")
	all[1].say("gate")
	for i, w := range all[2:] {
		w.say([]string{"long", "quick"}[i%2])
	}
	close(gate)
	for i, w := range all[2:] {
		if i%2 == 1 {
			w.expect("quick")
		}
	}
	for _, w := range all[2:] {
		close(w.held)
	}
}
