package account

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// The life of a key.
const (
	// Lifetime is how long a token is good unless a Config says otherwise.
	Lifetime = 30 * 24 * time.Hour
	// rotateEvery is how long a key signs.
	rotateEvery = 30 * 24 * time.Hour
	// announced is how long a new key is known before it signs. By so much the clocks of nodes may differ.
	announced = time.Hour
	// keysEvery is the time between two readings of the keyset.
	keysEvery = 10 * time.Second
	// unknownEvery is the least time between two readings because of a key that is not known.
	unknownEvery = time.Second
	// readTime bounds one reading.
	readTime = 5 * time.Second
)

// KeysConfig is what a keyset is made of. Store is needed.
type KeysConfig struct {
	Store    KeyStore
	Lifetime time.Duration // of the tokens; 0 means Lifetime
	Log      *slog.Logger  // nil means slog.Default
}

// Keys is the keyset that signs and verifies tokens, as all nodes over one KeyStore share it. Each reads it every ten
// seconds, and when it meets a key that it does not know. A key signs for 30 days; the next one is there an hour before.
// While the store cannot be read, the set in memory serves on. Safe for concurrent use.
type Keys struct {
	store    KeyStore // nil for a set in memory only
	lifetime time.Duration
	log      *slog.Logger
	loop     *repeater

	reading sync.Mutex // one reads at a time
	read    time.Time  // when the last reading ended
	sought  time.Time  // when the last one because of an unknown key did

	mu    sync.RWMutex
	pairs []keyPair // earliest first, never empty
}

// OpenKeys reads a keyset, which gets its first key if it has none, and keeps it up to date until Close.
func OpenKeys(ctx context.Context, c KeysConfig) (*Keys, error) {
	k := &Keys{store: c.Store, lifetime: c.Lifetime, log: c.Log}
	if k.lifetime <= 0 {
		k.lifetime = Lifetime
	}
	if k.log == nil {
		k.log = slog.Default()
	}
	if err := k.refresh(ctx); err != nil {
		return nil, err
	}
	k.loop = repeat(keysEvery, "the keyset", k.log, k.refresh)
	return k, nil
}

// MemoryKeys is a keyset with one key that ends with the process.
func MemoryKeys() *Keys {
	pairs, err := pairsOf([]Key{newKey(1, time.Time{})})
	if err != nil {
		panic(err) // a new key is good
	}
	return &Keys{lifetime: Lifetime, pairs: pairs}
}

// Close ends the readings; the set goes on to work as it is.
func (k *Keys) Close() {
	if k.loop != nil {
		k.loop.end()
	}
}

// refresh reads the keyset, and does to it what is due: a new key, an old one dropped.
func (k *Keys) refresh(ctx context.Context) error {
	k.reading.Lock()
	defer k.reading.Unlock()
	return k.refreshLocked(ctx)
}

func (k *Keys) refreshLocked(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	defer func() { k.read = time.Now() }()
	pairs, err := k.load(ctx)
	if err != nil {
		return err
	}
	now := time.Now()
	if next, due := nextKey(pairs, now); due {
		if err := k.store.AddSigningKeys(ctx, next); err != nil {
			return fmt.Errorf("account: new key: %w", err)
		}
		if pairs, err = k.load(ctx); err != nil {
			return err
		}
		if len(pairs) == 0 {
			return errors.New("account: keyset: it takes no key")
		}
		if _, kept := k.find(next.ID); kept {
			k.log.Info("the keyset has a new key", "kid", next.ID, "signs", next.Signs.UTC())
		}
	}
	for i := range outlived(pairs, now, k.lifetime) {
		if err := k.store.DropSigningKey(ctx, pairs[i].ID); err != nil {
			return fmt.Errorf("account: old key: %w", err)
		}
	}
	return nil
}

// load takes what the store has into use; a set without a key changes nothing.
func (k *Keys) load(ctx context.Context) ([]keyPair, error) {
	keys, err := k.store.SigningKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("account: keyset: %w", err)
	}
	pairs, err := pairsOf(keys)
	if err != nil {
		return nil, fmt.Errorf("account: keyset: %w", err)
	}
	if len(pairs) > 0 {
		k.mu.Lock()
		k.pairs = pairs
		k.mu.Unlock()
	}
	return pairs, nil
}

// nextKey makes the key that is due: the first one, which signs at once, or the one after the latest.
func nextKey(pairs []keyPair, now time.Time) (next Key, due bool) {
	if len(pairs) == 0 {
		return newKey(1, now), true
	}
	if now.Add(announced).Before(pairs[len(pairs)-1].Signs.Add(rotateEvery)) {
		return Key{}, false
	}
	number := int64(0)
	for _, p := range pairs {
		number = max(number, p.Number)
	}
	return newKey(number+1, now.Add(announced)), true
}

// outlived counts the keys, from the earliest, whose last token is out: the one after has signed for a token's life, and
// for as long again as clocks may differ.
func outlived(pairs []keyPair, now time.Time, lifetime time.Duration) int {
	for i := range pairs {
		if i+1 == len(pairs) || now.Before(pairs[i+1].Signs.Add(lifetime+leeway+announced)) {
			return i
		}
	}
	return 0
}

// signing is the key that signs now. Where the clock is behind all keys, the earliest does.
func (k *Keys) signing(now time.Time) (kid string, key ed25519.PrivateKey) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	chosen := k.pairs[0]
	for _, p := range k.pairs {
		if !p.Signs.After(now) {
			chosen = p
		}
	}
	return chosen.ID, chosen.private
}

// verifying finds a key, and reads the keyset for one that is not known.
func (k *Keys) verifying(kid string) (ed25519.PublicKey, bool) {
	key, ok := k.find(kid)
	if !ok && kid != "" && k.lookAgain() {
		key, ok = k.find(kid)
	}
	return key, ok
}

func (k *Keys) find(kid string) (ed25519.PublicKey, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, p := range k.pairs {
		if p.ID == kid {
			return p.public, true
		}
	}
	return nil, false
}

// lookAgain reads the keyset, unless that was done a moment ago: whoever invents keys costs one reading a second. Those who
// come during a reading wait for it. It tells whether there was a reading since the call.
func (k *Keys) lookAgain() bool {
	if k.store == nil {
		return false
	}
	began := time.Now()
	k.reading.Lock()
	defer k.reading.Unlock()
	if k.read.After(began) {
		return true
	}
	if time.Since(k.sought) < unknownEvery {
		return false
	}
	if err := k.refreshLocked(context.Background()); err != nil {
		k.log.Debug("the keyset is not read for an unknown key", "err", err)
	}
	k.sought = time.Now()
	return true
}
