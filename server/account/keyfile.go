package account

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// KeyFile keeps the keyset of one program in a file (mode 0600), which is made with the first key.
type KeyFile struct {
	path string
	mu   sync.Mutex
}

// NewKeyFile is the keyset of a file; nothing is read or written yet.
func NewKeyFile(path string) *KeyFile { return &KeyFile{path: path} }

// keyFile is the file's form: the latest key first.
type keyFile struct {
	Keys []storedKey `json:"keys"`
}

// storedKey has no number and no time in files of the first release, whose first key signs.
type storedKey struct {
	Number int64     `json:"number,omitempty"`
	Kid    string    `json:"kid"`
	Seed   string    `json:"seed"` // base64 of 32 bytes
	Signs  time.Time `json:"signs,omitzero"`
}

// SigningKeys reads the file; none is no keys.
func (f *KeyFile) SigningKeys(context.Context) ([]Key, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.read()
}

// AddSigningKeys writes the file anew, if anything is new.
func (f *KeyFile) AddSigningKeys(_ context.Context, added ...Key) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys, err := f.read()
	if err != nil {
		return err
	}
	before := len(keys)
	for _, key := range added {
		if !slices.ContainsFunc(keys, func(k Key) bool { return k.Number == key.Number }) {
			keys = append(keys, key)
		}
	}
	if len(keys) == before {
		return nil
	}
	return f.write(keys)
}

// DropSigningKey writes the file anew, if the key is there.
func (f *KeyFile) DropSigningKey(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys, err := f.read()
	if err != nil {
		return err
	}
	rest := slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.ID == id })
	if len(rest) == len(keys) {
		return nil
	}
	return f.write(rest)
}

func (f *KeyFile) read() ([]Key, error) {
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file keyFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	if len(file.Keys) == 0 {
		return nil, fmt.Errorf("%s: no key in it", f.path)
	}
	keys := make([]Key, len(file.Keys))
	for i, s := range file.Keys {
		seed, err := base64.StdEncoding.DecodeString(s.Seed)
		if err != nil {
			return nil, fmt.Errorf("%s: the key %q is not good", f.path, s.Kid)
		}
		keys[i] = Key{Number: s.Number, ID: s.Kid, Seed: seed, Signs: s.Signs}
		if s.Number == 0 {
			keys[i].Number = int64(len(file.Keys) - i)
		}
		if s.Signs.IsZero() {
			if keys[i].Signs, err = f.changed(); err != nil {
				return nil, err
			}
		}
	}
	if _, err := pairsOf(keys); err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	return keys, nil
}

// changed is when the file got what is in it.
func (f *KeyFile) changed() (time.Time, error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime().Truncate(time.Millisecond), nil
}

// write replaces the file in one step, so that a crash leaves the old set or the new one.
func (f *KeyFile) write(keys []Key) (err error) {
	pairs, err := pairsOf(keys)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	var file keyFile
	for _, p := range slices.Backward(pairs) {
		file.Keys = append(file.Keys, storedKey{p.Number, p.ID, base64.StdEncoding.EncodeToString(p.Seed), p.Signs.UTC()})
	}
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(f.path), ".keys-*") // mode 0600
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
		err = os.Rename(tmp.Name(), f.path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(f.path))
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

// moved is added to the name of a file whose keys are elsewhere.
const moved = ".moved"

// Move brings the keys of a file into a keyset that has none, so that tokens stay good when a server gets a database for
// many nodes. The file is renamed: what is removed from the keyset later does not come back. done is false, and all is as
// it was, where there is no file or the keyset has keys of its own.
func (f *KeyFile) Move(ctx context.Context, to KeyStore) (done bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	keys, err := f.read()
	if err != nil {
		return false, fmt.Errorf("account: keyset: %w", err)
	}
	if len(keys) == 0 {
		return false, nil
	}
	present, err := to.SigningKeys(ctx)
	if err == nil && len(present) == 0 {
		err = to.AddSigningKeys(ctx, keys...)
	}
	if err == nil {
		present, err = to.SigningKeys(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("account: move the keyset: %w", err)
	}
	for _, key := range keys {
		if !slices.ContainsFunc(present, func(p Key) bool { return p.ID == key.ID }) {
			return false, nil
		}
	}
	if err := os.Rename(f.path, f.path+moved); err != nil {
		return false, fmt.Errorf("account: move the keyset: %w", err)
	}
	return true, syncFolder(filepath.Dir(f.path))
}
