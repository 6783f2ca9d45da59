package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/secure/precis"
)

var (
	// ErrPassword says that nobody can take such a password. Why is in the wrapped text, a sentence for people.
	ErrPassword = errors.New("the password cannot be used")
	// ErrBusy says that so many passwords are being checked that another one would wait too long; nothing has changed.
	ErrBusy = errors.New("too many passwords are being checked")
)

type passwordError string

func (e passwordError) Error() string        { return string(e) }
func (e passwordError) Is(target error) bool { return target == ErrPassword }

const (
	errPasswordShort  = passwordError("A password has 8 characters at least.")
	errPasswordLong   = passwordError("A password has 128 characters at most.")
	errPasswordForm   = passwordError("The password has characters that cannot be typed everywhere.")
	errPasswordCommon = passwordError("This password is one of the first that would be tried; choose another one.")
)

// Length of a password in characters; the least is that of OWASP's ASVS 5.0, 6.2.1.
const (
	passwordLeast = 8
	passwordMost  = 128
)

// commonList holds passwords of 8 letters and more that head the published lists of those that were stolen, in lower case.
//
//go:embed common.txt
var commonList string

var common = func() map[string]bool {
	all := map[string]bool{}
	for one := range strings.FieldsSeq(commonList) {
		all[one] = true
	}
	return all
}()

// CheckPassword tells whether a person of this name can choose a password. Every error is an ErrPassword.
func CheckPassword(password, name string) error {
	plain, err := normal(password)
	if err != nil {
		return err
	}
	lower := strings.ToLower(plain)
	different := map[rune]bool{}
	for _, r := range lower {
		different[r] = true
	}
	switch n := utf8.RuneCountInString(plain); {
	case n < passwordLeast:
		return errPasswordShort
	case n > passwordMost:
		return errPasswordLong
	case common[lower] || len(different) < 4 || Skeleton(plain) == Skeleton(name):
		return errPasswordCommon
	}
	return nil
}

// normal is one form for what one person types on two keyboards (OpaqueString of RFC 8265).
func normal(password string) (string, error) {
	if len(password) > 4*passwordMost {
		return "", errPasswordLong
	}
	if password == "" {
		return "", errPasswordShort
	}
	plain, err := precis.OpaqueString.String(password)
	if err != nil {
		return "", errPasswordForm
	}
	return plain, nil
}

// Cost of one argon2id hash (RFC 9106).
type Cost struct {
	KiB     uint32 // memory
	Passes  uint32
	Threads uint8
}

// OWASP is the least that OWASP's Password Storage Cheat Sheet asks for, some 40 ms of a processor.
var OWASP = Cost{KiB: 19 << 10, Passes: 2, Threads: 1}

const (
	saltBytes = 16
	hashBytes = 32
	// hashWait is how long a password waits for its turn.
	hashWait = 2 * time.Second
	// hashQueue is how many wait for each that is checked.
	hashQueue = 16
	// mostKiB is the most memory that a stored hash can ask for.
	mostKiB = 256 << 10
)

// Hasher makes and compares hashes of passwords, a few at a time: games go on beside it. Safe for concurrent use.
type Hasher struct {
	cost    Cost
	turns   chan struct{}
	waiting atomic.Int64
	nobody  string // a hash that no password has
}

// NewHasher hashes so many at once; 0 means one for every two processors, at least one.
func NewHasher(cost Cost, atOnce int) *Hasher {
	if atOnce <= 0 {
		atOnce = max(1, runtime.GOMAXPROCS(0)/2)
	}
	h := &Hasher{cost: cost, turns: make(chan struct{}, atOnce)}
	h.nobody = h.encode(randomBytes(saltBytes), randomBytes(hashBytes))
	return h
}

func randomBytes(n int) []byte {
	out := make([]byte, n)
	rand.Read(out) // never fails since Go 1.24
	return out
}

// Hash gives a password's hash as a PHC string with its salt and its cost. It fails with ErrPassword, ErrBusy or the
// context's error.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	plain, err := normal(password)
	if err != nil {
		return "", err
	}
	if err := h.turn(ctx); err != nil {
		return "", err
	}
	defer h.done()
	salt := randomBytes(saltBytes)
	return h.encode(salt, argon2.IDKey([]byte(plain), salt, h.cost.Passes, h.cost.KiB, h.cost.Threads, hashBytes)), nil
}

// Compare tells whether a password has a hash. With the hash "" of nobody it takes as long and says no. It fails with
// ErrBusy, the context's error or, for a hash that is none, another one.
func (h *Hasher) Compare(ctx context.Context, password, hash string) (bool, error) {
	known := hash != ""
	if !known {
		hash = h.nobody
	}
	cost, salt, want, err := decodeHash(hash)
	if err != nil {
		return false, err
	}
	plain, err := normal(password)
	if err != nil { // nobody has it; the time is spent all the same
		plain, known = "", false
	}
	if err := h.turn(ctx); err != nil {
		return false, err
	}
	defer h.done()
	got := argon2.IDKey([]byte(plain), salt, cost.Passes, cost.KiB, cost.Threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1 && known, nil
}

// Outdated tells whether a hash has another cost than new ones.
func (h *Hasher) Outdated(hash string) bool {
	cost, _, _, err := decodeHash(hash)
	return err == nil && cost != h.cost
}

// turn waits until a password can be hashed.
func (h *Hasher) turn(ctx context.Context) error {
	select {
	case h.turns <- struct{}{}:
		return nil
	default:
	}
	if h.waiting.Add(1) > int64(hashQueue*cap(h.turns)) {
		h.waiting.Add(-1)
		return ErrBusy
	}
	defer h.waiting.Add(-1)
	late := time.NewTimer(hashWait)
	defer late.Stop()
	select {
	case h.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-late.C:
		return ErrBusy
	}
}

func (h *Hasher) done() { <-h.turns }

func (h *Hasher) encode(salt, hash []byte) string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, h.cost.KiB, h.cost.Passes, h.cost.Threads, b64(salt), b64(hash))
}

// decodeHash reads a PHC string of argon2id.
func decodeHash(text string) (c Cost, salt, hash []byte, err error) {
	bad := errors.New("account: a stored password is not an argon2id hash")
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return Cost{}, nil, nil, bad
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.KiB, &c.Passes, &c.Threads); err != nil {
		return Cost{}, nil, nil, bad
	}
	salt, saltErr := base64.RawStdEncoding.DecodeString(parts[4])
	hash, hashErr := base64.RawStdEncoding.DecodeString(parts[5])
	if saltErr != nil || hashErr != nil || len(salt) < 8 || len(hash) < 16 || c.KiB == 0 || c.KiB > mostKiB || c.Passes == 0 || c.Threads == 0 {
		return Cost{}, nil, nil, bad
	}
	return c, salt, hash, nil
}
