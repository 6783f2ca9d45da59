package account

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"
	"time"
)

// Key is a key of the keyset. It signs from a moment on, until a later one does, and verifies until no token of its is left.
type Key struct {
	Number int64     // 1, 2, 3...: each new key takes the next one, so that of two made at once one is kept
	ID     string    // the `kid` of its tokens
	Seed   []byte    // 32 bytes (RFC 8032)
	Signs  time.Time // civil time, in whole ms
}

// KeyStore keeps the keyset. Every method may be called again after an error: then nothing is done twice.
type KeyStore interface {
	// SigningKeys lists all keys, in any order.
	SigningKeys(ctx context.Context) ([]Key, error)
	// AddSigningKeys adds keys in one step, all or none. One whose number is taken is passed over without an error.
	AddSigningKeys(ctx context.Context, keys ...Key) error
	// DropSigningKey removes the key of an id, if it is there.
	DropSigningKey(ctx context.Context, id string) error
}

func newKey(number int64, signs time.Time) Key {
	_, private, _ := ed25519.GenerateKey(nil) // never fails with the system's random source
	return Key{Number: number, ID: random(8), Seed: private.Seed(), Signs: signs.Truncate(time.Millisecond)}
}

// keyPair is a key made ready. The public half is typed, so no other algorithm can use it.
type keyPair struct {
	Key
	private ed25519.PrivateKey
	public  ed25519.PublicKey
}

// pairsOf makes a keyset ready: earliest first.
func pairsOf(keys []Key) ([]keyPair, error) {
	pairs := make([]keyPair, 0, len(keys))
	for _, key := range keys {
		known := func(p keyPair) bool { return p.ID == key.ID }
		if key.ID == "" || len(key.Seed) != ed25519.SeedSize || slices.ContainsFunc(pairs, known) {
			return nil, fmt.Errorf("the key %q is not good", key.ID)
		}
		private := ed25519.NewKeyFromSeed(key.Seed)
		pairs = append(pairs, keyPair{key, private, private.Public().(ed25519.PublicKey)})
	}
	slices.SortFunc(pairs, func(a, b keyPair) int {
		if c := a.Signs.Compare(b.Signs); c != 0 {
			return c
		}
		return int(a.Number - b.Number)
	})
	return pairs, nil
}
