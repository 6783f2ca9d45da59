package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestMain lets the test's binary be the relay, as the program's is.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == relayCommand {
		os.Exit(realMain())
	}
	os.Exit(m.Run())
}

// driven drives a relay of this process until so many moves were received.
func driven(t *testing.T, h http.Handler, boardMode bool, period time.Duration, moves int64) *drive {
	t.Helper()
	srv := httptest.NewServer(h)
	defer srv.Close()
	d := newDrive(boardMode, period)
	connect := func(ctx context.Context, number int) (*websocket.Conn, *websocket.Conn, error) {
		url := fmt.Sprintf("ws%s/?table=%d", strings.TrimPrefix(srv.URL, "http"), number)
		white, _, err := dialerOf(2*number).DialContext(ctx, url, nil)
		if err != nil {
			return nil, nil, err
		}
		black, _, err := dialerOf(2*number+1).DialContext(ctx, url, nil)
		return white, black, err
	}
	if err := d.setUp(context.Background(), 3, [][]string{preparedGame(1, 20_000)}, connect); err != nil {
		t.Fatal(err)
	}
	d.run()
	defer d.close()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for limit := time.Now().Add(10 * time.Second); d.moves.Load() < moves && len(d.kinds()) == 0; <-tick.C {
		if time.Now().After(limit) {
			t.Fatalf("%d moves in ten seconds", d.moves.Load())
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	d.halt(ctx)
	return d
}

func (d *drive) kinds() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]int{}
	for k, n := range d.errors {
		out[k] = n
	}
	return out
}

func TestDrive(t *testing.T) {
	for name, tc := range map[string]struct {
		board  bool
		period time.Duration
	}{
		"fast, closed loop": {}, "over the board, closed loop": {board: true},
		"fast, paced": {period: 10 * time.Millisecond}, "over the board, paced": {board: true, period: 10 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			d := driven(t, newRelay(), tc.board, tc.period, 100)
			if len(d.kinds()) > 0 {
				t.Fatalf("errors: %v", d.kinds())
			}
			d.acks.collect()
			d.receipt.collect()
			if a, r := d.acks.whole.TotalCount(), d.receipt.whole.TotalCount(); a != r || r != d.moves.Load() {
				t.Errorf("%d moves, %d acknowledgements and %d receipts", d.moves.Load(), a, r)
			}
		})
	}
}

// falseRelay is a relay that changes what it passes on.
type falseRelay struct {
	*relay
	change func(n int, sender bool, data []byte) []byte // nil sends nothing
}

func (f *falseRelay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ws, err := f.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	name := r.URL.Query().Get("table")
	one := &relayed{ws: ws}
	f.mu.Lock()
	defer f.mu.Unlock()
	other := f.waiting[name]
	if other == nil {
		f.waiting[name] = one
		return
	}
	one.other, other.other = other, one
	for _, p := range []*relayed{other, one} {
		go func() {
			for n := 0; ; n++ {
				kind, data, err := p.ws.ReadMessage()
				if err != nil {
					return
				}
				for _, to := range []*relayed{p, p.other} {
					if out := f.change(n, to == p, data); out != nil {
						_ = to.send(kind, out)
					}
				}
			}
		}()
	}
}

func TestDriveFindsWhatIsWrong(t *testing.T) {
	const at = 5
	for want, change := range map[string]func(n int, sender bool, data []byte) []byte{
		"acknowledgements and receipts that never came": func(n int, sender bool, data []byte) []byte {
			if n == at {
				return nil
			}
			return data
		},
		"an acknowledgement of something else": func(n int, sender bool, data []byte) []byte {
			if n == at && sender {
				return nil
			}
			return data
		},
		"a move that was not played": func(n int, sender bool, data []byte) []byte {
			if n == at && !sender {
				return bytes.Replace(data, []byte(`"m":"`), []byte(`"m":"x`), 1)
			}
			return data
		},
		"refused: stale_ply": func(n int, sender bool, data []byte) []byte {
			if n == at && sender {
				return []byte(`{"t":"err","id":"m1","code":"stale_ply","msg":""}`)
			}
			return data
		},
		"the game ended": func(n int, sender bool, data []byte) []byte {
			if n == at && sender {
				return []byte(`{"t":"ev","n":1,"e":[{"k":"end"}]}`)
			}
			return data
		},
	} {
		t.Run(want, func(t *testing.T) {
			moves := int64(1_000_000)
			if strings.HasPrefix(want, "acknowledgements") {
				moves = 3 * 2 * at // then nobody moves any more
			}
			d := driven(t, &falseRelay{relay: newRelay(), change: change}, false, 0, moves)
			if d.kinds()[want] == 0 {
				t.Errorf("found %v", d.kinds())
			}
		})
	}
}
