package edge

import (
	"net/netip"
	"time"

	"flagfall/server/account"
)

// tries counts wrong passwords: for one name from one address, and for one name from everywhere. A name that nobody has
// counts like any other. Who is logged in plays on, however often others try his name.
type tries struct {
	near *buckets[nameAt]
	far  *buckets[string]
}

type nameAt struct {
	name string // skeleton
	home netip.Prefix
}

// fromEverywhere is how many times more wrong passwords a name takes from all addresses together than from one.
const fromEverywhere = 10

func newTries(r Rate) tries {
	return tries{newBuckets[nameAt](r), newBuckets[string](r.times(fromEverywhere))}
}

// take counts a password that is about to be checked; spare takes it back when it was right.
func (t tries) take(name string, home netip.Prefix, now time.Time) bool {
	at := key(name, home)
	if !t.near.take(at, now) {
		return false
	}
	if !t.far.take(at.name, now) {
		t.near.put(at)
		return false
	}
	return true
}

func (t tries) spare(name string, home netip.Prefix) {
	at := key(name, home)
	t.near.put(at)
	t.far.put(at.name)
}

func key(name string, home netip.Prefix) nameAt {
	return nameAt{account.Skeleton(name[:min(len(name), 64)]), home}
}
