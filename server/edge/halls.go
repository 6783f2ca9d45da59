package edge

import (
	"net/netip"
	"time"

	"flagfall/server/wire"
)

// A hall has one address for hundreds of people. Who comes by the link of an event that takes entries or runs counts
// against that event; once it is used up, or with no such link, against the address.

// strayRate is how many links that are not good an address may come by before they are not looked at any more.
var strayRate = Rate{PerSecond: 10, Burst: 1000}

// hallOf is the event by whose link somebody comes, "" for none.
func (s *Server) hallOf(event, key string, home netip.Prefix) string {
	if s.cfg.Events == nil || !wire.ValidEvent(event) || !wire.ValidKey(key) || !s.strays.take(home, time.Now()) {
		return ""
	}
	if !s.cfg.Events.Known(event, key) {
		return ""
	}
	s.strays.put(home)
	return event
}

// within counts something that a limit by address holds down.
func (s *Server) within(halls *buckets[string], homes *buckets[netip.Prefix], hall string, home netip.Prefix, now time.Time) bool {
	return hall != "" && halls.take(hall, now) || homes.take(home, now)
}
