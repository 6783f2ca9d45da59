package account

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Keys is a set of signing keys. The first one signs; all verify, so a key can be rotated out while its tokens live.
// Safe for concurrent use.
type Keys struct {
	mu    sync.RWMutex
	path  string // "" keeps the set in memory only
	pairs []keyPair
}

// keyPair is one key of the set; its public half is typed, so no other algorithm can use it.
type keyPair struct {
	kid     string
	private ed25519.PrivateKey
	public  ed25519.PublicKey
}

// keyFile is the file's form.
type keyFile struct {
	Keys []storedKey `json:"keys"`
}

type storedKey struct {
	Kid  string `json:"kid"`
	Seed string `json:"seed"` // base64 of 32 bytes (RFC 8032)
}

// OpenKeys reads the keyset of a file, which it makes with one new key (mode 0600) if it is not there.
func OpenKeys(path string) (*Keys, error) {
	k := &Keys{path: path}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, k.Rotate()
	}
	if err != nil {
		return nil, fmt.Errorf("account: keyset: %w", err)
	}
	var file keyFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("account: keyset %s: %w", path, err)
	}
	for _, s := range file.Keys {
		seed, err := base64.StdEncoding.DecodeString(s.Seed)
		if err != nil || len(seed) != ed25519.SeedSize || s.Kid == "" || k.has(s.Kid) {
			return nil, fmt.Errorf("account: keyset %s: the key %q is not good", path, s.Kid)
		}
		k.pairs = append(k.pairs, newPair(s.Kid, ed25519.NewKeyFromSeed(seed)))
	}
	if len(k.pairs) == 0 {
		return nil, fmt.Errorf("account: keyset %s: no key in it", path)
	}
	return k, nil
}

// MemoryKeys is a keyset with one key that ends with the process.
func MemoryKeys() *Keys {
	k := &Keys{}
	if err := k.Rotate(); err != nil {
		panic(err) // without a file nothing can fail
	}
	return k
}

// Rotate puts a new key in front; the old ones go on verifying until Retire.
func (k *Keys) Rotate() error {
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return fmt.Errorf("account: new key: %w", err)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.replace(append([]keyPair{newPair(random(8), private)}, k.pairs...))
}

// Retire drops every key but the newest n, at least one; tokens signed by them are refused from then on.
func (k *Keys) Retire(n int) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.replace(k.pairs[:min(max(n, 1), len(k.pairs))])
}

// replace writes the set and then uses it; on an error the old one stays.
func (k *Keys) replace(pairs []keyPair) error {
	if k.path != "" {
		if err := writeKeys(k.path, pairs); err != nil {
			return fmt.Errorf("account: keyset: %w", err)
		}
	}
	k.pairs = pairs
	return nil
}

func newPair(kid string, private ed25519.PrivateKey) keyPair {
	return keyPair{kid: kid, private: private, public: private.Public().(ed25519.PublicKey)}
}

func (k *Keys) has(kid string) bool {
	_, ok := k.verifying(kid)
	return ok
}

func (k *Keys) signing() (string, ed25519.PrivateKey) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return k.pairs[0].kid, k.pairs[0].private
}

func (k *Keys) verifying(kid string) (ed25519.PublicKey, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	for _, p := range k.pairs {
		if p.kid == kid {
			return p.public, true
		}
	}
	return nil, false
}

// writeKeys replaces the file in one step, so that a crash leaves the old set or the new one.
func writeKeys(path string, pairs []keyPair) (err error) {
	var file keyFile
	for _, p := range pairs {
		file.Keys = append(file.Keys, storedKey{p.kid, base64.StdEncoding.EncodeToString(p.private.Seed())})
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".keys-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	_, err = tmp.Write(append(data, '\n'))
	if err == nil {
		err = tmp.Sync()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	return err
}

func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}
