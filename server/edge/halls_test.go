package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"testing"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// hall400 is how many people sit behind one router.
const hall400 = 400

// hallStage has the limits of a server with default settings, but nothing that is used up comes back.
func hallStage(t *testing.T, change func(*Limits)) (*memberStage, *evening) {
	return eveningStage(t, func(c *Config) {
		l := Limits{}.withDefaults()
		for _, r := range []*Rate{&l.Guests, &l.Handshakes, &l.Passwords, &l.Account, &l.EventGuests, &l.EventHandshakes, &l.EventPasswords, &l.Acts} {
			r.PerSecond = 1e-6
		}
		if change != nil {
			change(&l)
		}
		c.Limits = l
	})
}

// post sends JSON and gives the status and the body.
func (st *memberStage) post(t *testing.T, path, token string, body any) (int, []byte) {
	t.Helper()
	r, err := http.NewRequest("POST", st.http.URL+path, bytes.NewReader(wire.Encode(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := st.http.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, data
}

// come is somebody who gets a token, a socket and a place in the event; steps are how far he came: a status or close code
// of each.
func (st *memberStage) come(t *testing.T, key string) (steps [3]int) {
	t.Helper()
	guest := map[string]any{"token": true, "event": "friday-arena", "key": key}
	query, link := "?event=friday-arena&key="+key, "?key="+key
	if key == "" {
		guest, query, link = map[string]any{"token": true}, "", ""
	}
	status, body := st.post(t, "/api/guest", "", guest)
	steps[0] = status
	var who me
	if status != 201 {
		s, err := st.cfg.Tokens.Issue(account.NewGuest()) // who has a token from before
		if err != nil {
			t.Fatal(err)
		}
		who.Token = s.Token
	} else if err := json.Unmarshal(body, &who); err != nil {
		t.Fatal(err)
	}
	ws, res, err := st.dial(http.Header{"Authorization": {"Bearer " + who.Token}}, "/ws"+query)
	switch {
	case errors.Is(err, websocket.ErrBadHandshake):
		steps[1] = res.StatusCode
	case err != nil:
		t.Fatal(err)
	default:
		t.Cleanup(func() { ws.Close() })
		steps[1] = 101
		if _, data, err := ws.ReadMessage(); err != nil {
			steps[1] = closeOf(err)
		} else if !bytes.HasPrefix(data, []byte(`{"t":"hello"`)) {
			t.Fatalf("first frame %s", data)
		}
	}
	steps[2], _ = st.post(t, friday+"/acts"+link, who.Token, map[string]any{"do": "enter", "password": password})
	return steps
}

func closeOf(err error) int {
	var closed *websocket.CloseError
	if errors.As(err, &closed) {
		return closed.Code
	}
	return 0
}

// tally counts how far people came at each step.
func tally(all [][3]int) string {
	text := ""
	for step := range 3 {
		counts := map[int]int{}
		for _, one := range all {
			counts[one[step]]++
		}
		text += fmt.Sprintln(counts)
	}
	return text
}

// Four hundred people behind one address come by the link of the event without a refusal; without the link, or with a
// wrong key, no more than an address may.
func TestFourHundredByLink(t *testing.T) {
	for _, c := range []struct{ name, key, want string }{
		{"by the link", linkKey, "map[201:400]\nmap[101:400]\nmap[200:400]\n"},
		{"without it", "", "map[201:100 429:300]\nmap[101:64 429:300 4005:36]\nmap[200:100 429:300]\n"},
		{"with another key", "other-key", "map[201:100 429:300]\nmap[101:64 429:300 4005:36]\nmap[200:100 429:300]\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st, e := hallStage(t, nil)
			var all [][3]int
			for range hall400 {
				all = append(all, st.come(t, c.key))
			}
			if got := tally(all); got != c.want {
				t.Errorf("guests, sockets, entries:\n%swant\n%s", got, c.want)
			}
			if said := e.take(); contains(said, linkKey) {
				t.Errorf("the key goes on in the body: %q", said)
			}
		})
	}
}

// When the event's share is used up, who comes counts against his address, and a socket that ends makes room again.
func TestLinkUsedUp(t *testing.T) {
	st, _ := hallStage(t, func(l *Limits) {
		l.EventGuests.Burst, l.EventHandshakes.Burst, l.EventPasswords.Burst, l.SocketsPerEvent = 20, 30, 10, 25
		l.Guests.Burst, l.Handshakes.Burst, l.Passwords.Burst, l.SocketsPerAddress = 5, 8, 6, 4
	})
	var all [][3]int
	for range 50 {
		all = append(all, st.come(t, linkKey))
	}
	// Sockets: 30 + 8 handshakes, of which 25 + 4 have room.
	if got, want := tally(all), "map[201:25 429:25]\nmap[101:29 429:12 4005:9]\nmap[200:16 429:34]\n"; got != want {
		t.Errorf("guests, sockets, entries:\n%swant\n%s", got, want)
	}
}

// What counted against an event ends with the sockets.
func TestLinkSocketsEnd(t *testing.T) {
	st, _ := hallStage(t, nil)
	s := st.person(t)
	ws, _, err := st.dial(bearer(s), "/ws?event=friday-arena&key="+linkKey)
	if err != nil {
		t.Fatal(err)
	}
	read(t, ws)
	count := func() (events, homes int) {
		st.mu.Lock()
		defer st.mu.Unlock()
		return len(st.byEvent), len(st.byAddress)
	}
	if events, homes := count(); events != 1 || homes != 0 {
		t.Errorf("%d events and %d addresses counted, want one event", events, homes)
	}
	ws.Close()
	st.hall.await(t, "disconnect")
	other := st.open(t, s) // after the end of the first one was counted, or with it
	defer other.Close()
	for range 1000 {
		if events, _ := count(); events == 0 {
			return
		}
		send(t, other, `{"t":"list","id":"1"}`)
		st.hall.await(t, "lobby list")
	}
	t.Error("a socket that has ended counts on")
}

// Wrong passwords of an event are counted by person and by address, right ones are not.
func TestEventPasswords(t *testing.T) {
	st, e := hallStage(t, func(l *Limits) { l.Passwords.Burst, l.Acts.Burst, l.Guests.Burst = 1000, 1000, 1000 })
	enter := func(token, word string) int {
		status, _ := st.post(t, friday+"/acts", token, map[string]any{"do": "enter", "password": word})
		return status
	}
	judit := st.guest(t)
	for i := range 30 { // right ones cost nothing
		if status := enter(judit.Token, password); status != 200 {
			t.Fatalf("right password %d: %d", i+1, status)
		}
	}
	burst := st.limits.Account.Burst
	for i := range burst + 1 {
		want := 403
		if i == burst {
			want = 429
		}
		if status := enter(judit.Token, "wrong"); status != want {
			t.Fatalf("wrong password %d: %d, want %d", i+1, status, want)
		}
	}
	e.take()
	if status := enter(judit.Token, password); status != 429 || len(e.take()) != 0 {
		t.Errorf("the right one after too many: %d", status)
	}
	if status := enter(st.guest(t).Token, password); status != 200 {
		t.Errorf("somebody else: %d", status)
	}
	wrong := burst
	for wrong < burst*fromEverywhere {
		guest := st.guest(t)
		for range min(burst, burst*fromEverywhere-wrong) {
			if status := enter(guest.Token, "wrong"); status != 403 {
				t.Fatalf("wrong password %d of the address: %d", wrong+1, status)
			}
			wrong++
		}
	}
	if status := enter(st.guest(t).Token, "wrong"); status != 429 {
		t.Errorf("one more of the address: %d", status)
	}
}

// Links that are not good are looked at so often and no more, whoever comes by a good one meanwhile.
func TestStrayLinks(t *testing.T) {
	st, _ := hallStage(t, nil)
	home := netip.MustParsePrefix("192.0.2.7/32")
	for range 3 * strayRate.Burst {
		if st.hallOf("friday-arena", linkKey, home) == "" {
			t.Fatal("a good link is refused")
		}
	}
	looked := 0
	st.strays = newBuckets[netip.Prefix](Rate{1e-6, strayRate.Burst}) // nothing comes back
	st.cfg.Events = &counted{Events: st.cfg.Events, known: &looked}
	for range strayRate.Burst + 500 {
		if st.hallOf("friday-arena", "other-key", home) != "" {
			t.Fatal("another key is good")
		}
	}
	if looked != strayRate.Burst {
		t.Errorf("%d links were looked at, want %d", looked, strayRate.Burst)
	}
	if st.hallOf("friday-arena", linkKey, netip.MustParsePrefix("192.0.2.8/32")) == "" {
		t.Error("a good link from another address is refused")
	}
}

// counted counts the links that are looked at.
type counted struct {
	Events
	known *int
}

func (c *counted) Known(name, key string) bool {
	*c.known++
	return c.Events.Known(name, key)
}
