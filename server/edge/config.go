// Package edge is where Flagfall meets the network: HTTP and WebSockets in, frames out. It knows who is speaking and
// how much he may say; what is said it passes on to the tables and the lobby.
package edge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

// People keeps who was here; *store.Store is one. store.ErrUnavailable is shown as 503: come back later.
type People interface {
	SavePerson(ctx context.Context, p store.Person) error
}

// Archive lists the finished games of a person, the latest first, and whom he blocks; *store.Store is one.
type Archive interface {
	GamesOf(ctx context.Context, person string, after store.Cursor, limit int) ([]store.Game, error)
	Blocked(ctx context.Context, person string) ([]store.Person, error)
}

// Config of a Server. Tokens, Tables, Lobby and PublicURL are needed.
type Config struct {
	// PublicURL is the address that browsers know: scheme, host and port. The Origin check and the cookie follow it.
	PublicURL string
	// LocalHosts lets pages in that were opened by another address of this machine: an Origin that is http, an IP address
	// or localhost, and the very host the request went to. For a server whose owner set no public URL.
	LocalHosts bool
	// TrustedProxies are believed about X-Forwarded-For; nobody else is.
	TrustedProxies []netip.Prefix

	Tokens *account.Tokens
	People People // nil keeps nobody
	// Members are the people with an account; nil means that there are only guests.
	Members *account.Members
	Archive Archive // the finished games that a member takes with him; needed with Members
	Tables  Tables
	Lobby   Lobby
	// History is what is known of people and finished games; nil means nothing is.
	History History
	Events  Events // nil means that there are none
	Clubs   Clubs  // of members; nil means that there are none
	// Seat names the running game of a person, "" for none; nil means that nobody sits.
	Seat func(person string) string
	Web  fs.FS // the browser client; nil serves none

	// Loops is how many goroutines read the sockets, see package poll; 0 means one for each processor.
	Loops  int
	Limits Limits
	Log    *slog.Logger // nil means slog.Default
}

// Limits of what one peer may use. A zero field means its default.
type Limits struct {
	SocketsPerPerson  int           // 8
	SocketsPerAddress int           // 64; an IPv6 address counts by its /64
	Handshakes        Rate          // of sockets, by address: 20 a second, burst 100
	Guests            Rate          // new guests, and as many log-outs, by address: 2 a second, burst 100
	Passwords         Rate          // checked or set, by address: 1 a second, burst 100
	Account           Rate          // wrong passwords for one name from one address: 1 a minute, burst 10; from all, ten times as many
	Messages          Rate          // 20 a second, burst 40
	Pings             Rate          // of the client, and pongs nobody asked for: 2 a second, burst 10
	Heres             Rate          // pages shown and hidden: 1 a second, burst 20
	EventGuests       Rate          // by the link of an event, instead of the address: 20 a second, burst 500
	EventHandshakes   Rate          // of sockets, likewise: 40 a second, burst 1000
	EventPasswords    Rate          // checked, likewise: 20 a second, burst 500
	SocketsPerEvent   int           // by its link, instead of the address: 4000
	Makings           Rate          // of events and clubs, by person: 1 a minute, burst 10
	Acts              Rate          // in events and clubs, by person: 5 a second, burst 40
	Chats             Rate          // said in events, by person: 1 in 2 s, burst 3
	QueueFrames       int           // waiting for one socket: 512
	QueueBytes        int           // 256 KiB, and the frame that goes beyond
	WriteTimeout      time.Duration // for one frame: 5 s
	ReadTimeout       time.Duration // without a whole message or an answered ping: 10 s
	MessageTimeout    time.Duration // from a message's first frame to its last: 5 s
	PingEvery         time.Duration // of a player's socket: 5 s, the first ones every second
	PingIdleEvery     time.Duration // of any other: 5 s
}

// Rate is a token bucket: so many a second on average, at most burst at once.
type Rate struct {
	PerSecond float64
	Burst     int
}

func (l Limits) withDefaults() Limits {
	orInt := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	orTime := func(v *time.Duration, d time.Duration) {
		if *v <= 0 {
			*v = d
		}
	}
	orRate := func(v *Rate, d Rate) {
		if v.PerSecond <= 0 {
			v.PerSecond = d.PerSecond
		}
		orInt(&v.Burst, d.Burst)
	}
	orInt(&l.SocketsPerPerson, 8)
	orInt(&l.SocketsPerAddress, 64)
	orRate(&l.Handshakes, Rate{20, 100})
	orRate(&l.Guests, Rate{2, 100})
	orRate(&l.Passwords, Rate{1, 100})
	orRate(&l.Account, Rate{1. / 60, 10})
	orRate(&l.Messages, Rate{20, 40})
	orRate(&l.Pings, Rate{2, 10})
	orRate(&l.Heres, Rate{1, 20})
	orRate(&l.EventGuests, Rate{20, 500})
	orRate(&l.EventHandshakes, Rate{40, 1000})
	orRate(&l.EventPasswords, Rate{20, 500})
	orInt(&l.SocketsPerEvent, 4000)
	orRate(&l.Makings, Rate{1. / 60, 10})
	orRate(&l.Acts, Rate{5, 40})
	orRate(&l.Chats, Rate{.5, 3})
	orInt(&l.QueueFrames, 512)
	orInt(&l.QueueBytes, 256<<10)
	orTime(&l.WriteTimeout, 5*time.Second)
	orTime(&l.ReadTimeout, 10*time.Second)
	orTime(&l.MessageTimeout, 5*time.Second)
	orTime(&l.PingEvery, 5*time.Second)
	orTime(&l.PingIdleEvery, 5*time.Second)
	return l
}

// ParsePublicURL checks a public address and gives its origin: "https://chess.example", "http://10.0.0.5:8080".
func ParsePublicURL(text string) (origin string, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return "", fmt.Errorf("the public URL %q is not a URL", text)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("the public URL %q must begin with http:// or https://", text)
	case u.Hostname() == "" || u.User != nil:
		return "", fmt.Errorf("the public URL %q must be a host and, if needed, a port", text)
	case !validPort(u.Port()):
		return "", fmt.Errorf("the public URL %q must have a port from 1 to 65535, or none", text)
	case u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("the public URL %q must have no path", text)
	}
	// Browsers write an Origin in lower case and leave the scheme's own port out.
	host := strings.ToLower(u.Host)
	if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	} else {
		host = strings.TrimSuffix(host, ":443")
	}
	return u.Scheme + "://" + host, nil
}

// validPort takes none, too.
func validPort(text string) bool {
	n, err := strconv.Atoi(text)
	return text == "" || err == nil && n >= 1 && n <= 65535
}

func (c *Config) check() error {
	switch {
	case c.Tokens == nil:
		return errors.New("edge: no tokens")
	case c.Tables == nil || c.Lobby == nil:
		return errors.New("edge: no tables or no lobby")
	case c.Members != nil && c.Archive == nil:
		return errors.New("edge: members and no archive")
	case c.Limits.PingEvery >= c.Limits.ReadTimeout || c.Limits.PingIdleEvery >= c.Limits.ReadTimeout:
		return errors.New("edge: the time between pings must be shorter than the read timeout")
	}
	return nil
}
