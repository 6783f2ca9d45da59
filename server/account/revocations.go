package account

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

const (
	// revocationsEvery is the time between two readings: so late a node may learn what another one was told.
	revocationsEvery = 2 * time.Second
	// forgetEvery is the time between two removals of revocations that nobody needs any more.
	forgetEvery = time.Hour
)

// Revocation is a session that was ended before its tokens were out.
type Revocation struct {
	ID    string    // of the Session
	Until time.Time // civil time, in whole ms: its last token is out then
}

// RevocationStore keeps revocations. Every method may be called again after an error.
type RevocationStore interface {
	// Revoke adds one, with a number greater than that of each one that was ever visible before. The same id again is no error.
	Revoke(ctx context.Context, r Revocation) error
	// Revocations lists some of those with a number greater than after, the smallest first, and gives the number of the
	// last; when there are none, after. Once it has given a number it never shows a new one below it.
	Revocations(ctx context.Context, after int64) (list []Revocation, last int64, err error)
	// ForgetRevocations removes those that ended before a time.
	ForgetRevocations(ctx context.Context, before time.Time) error
}

// Revocations are the sessions that were ended, in memory, as all nodes over one RevocationStore share them. Each node
// learns of another's within two seconds. While the store cannot be read, those in memory hold on. Safe for concurrent use.
type Revocations struct {
	store RevocationStore // nil keeps them in memory only
	loop  *repeater
	after int64     // number of the last one read
	tidy  time.Time // when old ones were last removed

	mu  sync.RWMutex
	all map[string]time.Time // id to Until
}

// OpenRevocations reads all revocations and keeps them up to date until Close. A nil log means slog.Default.
func OpenRevocations(ctx context.Context, store RevocationStore, log *slog.Logger) (*Revocations, error) {
	if log == nil {
		log = slog.Default()
	}
	r := &Revocations{store: store, all: map[string]time.Time{}}
	if err := r.refresh(ctx); err != nil {
		return nil, err
	}
	r.loop = repeat(revocationsEvery, "the list of revoked tokens", log, r.refresh)
	return r, nil
}

// MemoryRevocations end with the process.
func MemoryRevocations() *Revocations { return &Revocations{all: map[string]time.Time{}} }

// Close ends the readings.
func (r *Revocations) Close() {
	if r.loop != nil {
		r.loop.end()
	}
}

// Revoked tells whether a session was ended. It looks in memory only.
func (r *Revocations) Revoked(id string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, revoked := r.all[id]
	return revoked
}

// Revoke ends a session whose last token is out at a time: here at once, elsewhere within two seconds. After an error of
// the store it has not ended here.
func (r *Revocations) Revoke(ctx context.Context, id string, until time.Time) error {
	one := Revocation{ID: id, Until: until.Truncate(time.Millisecond)}
	if r.store != nil {
		if err := r.store.Revoke(ctx, one); err != nil {
			return fmt.Errorf("account: revoke: %w", err)
		}
	}
	r.take(one)
	return nil
}

func (r *Revocations) take(list ...Revocation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range list {
		r.all[one.ID] = one.Until
	}
}

// refresh reads what is new. After an error it begins anew: a database that failed over may have lost its latest rows, and
// given their numbers again.
func (r *Revocations) refresh(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	defer func() {
		if err != nil {
			r.after = 0
			err = fmt.Errorf("account: revocations: %w", err)
		}
	}()
	for {
		list, last, err := r.store.Revocations(ctx, r.after)
		if err != nil {
			return err
		}
		if last == r.after {
			break
		}
		r.take(list...)
		r.after = last
	}
	now := time.Now()
	if now.Sub(r.tidy) < forgetEvery {
		return nil
	}
	r.forget(now.Add(-announced))
	if err := r.store.ForgetRevocations(ctx, now.Add(-announced)); err != nil {
		return err
	}
	r.tidy = now
	return nil
}

// forget removes from memory those that ended before a time.
func (r *Revocations) forget(before time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, until := range r.all {
		if until.Before(before) {
			delete(r.all, id)
		}
	}
}
