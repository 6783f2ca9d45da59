package account

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/argon2"
)

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]error{
		"correct horse": nil, "Tr0ub4dor&3": nil, strings.Repeat("abcd", 32): nil, "пешка на e4": nil, "   d4 d5 c4": nil,
		"": errPasswordShort, "e4 e5 f": errPasswordShort, strings.Repeat("abcd", 32) + "e": errPasswordLong, strings.Repeat("a", 513): errPasswordLong,
		"bell\x07 and more": errPasswordForm, "password": errPasswordCommon, "Password123": errPasswordCommon, "12345678": errPasswordCommon,
		"abababab": errPasswordCommon, "Bobby Fischer": errPasswordCommon, "bobby.fischer": errPasswordCommon,
	} {
		err := CheckPassword(password, "Bobby Fischer")
		if !errors.Is(err, want) || want != nil && !errors.Is(err, ErrPassword) {
			t.Errorf("%q: %v, want %v", password, err, want)
		}
	}
}

// The test vector of the reference implementation (github.com/P-H-C/phc-winner-argon2, src/test.c): argon2id, version 0x13,
// "password", "somesalt", t=2, m=65536, p=1.
func TestArgon2idVector(t *testing.T) {
	const want = "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7"
	if got := hex.EncodeToString(argon2.IDKey([]byte("password"), []byte("somesalt"), 2, 65536, 1, 32)); got != want {
		t.Errorf("got %s", got)
	}
	h := NewHasher(OWASP, 1)
	same, err := h.Compare(t.Context(), "password", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	if err != nil || !same {
		t.Errorf("the encoded vector: %v, %v", same, err)
	}
}

var cheap = Cost{KiB: 64, Passes: 1, Threads: 1}

func TestHasher(t *testing.T) {
	h := NewHasher(cheap, 2)
	hash, err := h.Hash(t.Context(), "correct horse")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Fatal(hash, err)
	}
	if again, _ := h.Hash(t.Context(), "correct horse"); again == hash {
		t.Error("two hashes have one salt")
	}
	for password, want := range map[string]bool{
		"correct horse": true, "correct\u00a0horse": true, // RFC 8265, 4.2.2: spaces are one
		"Correct horse": false, "correct horse ": false, "": false, "\x00": false, strings.Repeat("a", 600): false,
	} {
		if same, err := h.Compare(t.Context(), password, hash); err != nil || same != want {
			t.Errorf("%q: %v, %v", password, same, err)
		}
	}
	for _, password := range []string{"correct horse", ""} {
		if same, err := h.Compare(t.Context(), password, ""); err != nil || same {
			t.Errorf("nobody's password %q: %v, %v", password, same, err)
		}
	}
	for _, hash := range []string{
		"plain", "$2a$10$abcdefghijklmnopqrstuv", "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=999999999,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "$argon2id$v=19$m=64,t=0,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
		"$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$", "$argon2id$v=19$m=64,t=1,p=1$$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
	} {
		if _, err := h.Compare(t.Context(), "correct horse", hash); err == nil {
			t.Errorf("%s was taken for a hash", hash)
		}
	}
	if h.Outdated(hash) || !NewHasher(OWASP, 1).Outdated(hash) {
		t.Error("a hash of another cost is not told")
	}
}

// Over the bound a password waits its time, then is refused; so is the one more than can wait.
func TestHasherBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := NewHasher(cheap, 1)
		if err := h.turn(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		var wg sync.WaitGroup
		for range hashQueue {
			wg.Go(func() {
				if _, err := h.Compare(t.Context(), "correct horse", ""); !errors.Is(err, ErrBusy) || time.Since(began) != hashWait {
					t.Errorf("one that waits: %v after %v", err, time.Since(began))
				}
			})
		}
		synctest.Wait()
		if _, err := h.Hash(t.Context(), "correct horse"); !errors.Is(err, ErrBusy) || time.Since(began) != 0 {
			t.Errorf("one more than can wait: %v after %v", err, time.Since(began))
		}
		wg.Wait()
		gone, leave := context.WithCancel(t.Context())
		wg.Go(func() {
			if _, err := h.Hash(gone, "correct horse"); !errors.Is(err, context.Canceled) {
				t.Errorf("one who leaves: %v", err)
			}
		})
		synctest.Wait()
		leave()
		wg.Wait()
		wg.Go(func() {
			if same, err := h.Compare(t.Context(), "correct horse", ""); err != nil || same {
				t.Errorf("when its turn comes: %v, %v", same, err)
			}
		})
		synctest.Wait()
		h.done()
		wg.Wait()
	})
}
