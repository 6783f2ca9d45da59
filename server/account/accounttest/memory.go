package accounttest

import (
	"context"
	"slices"
	"sync"
	"time"

	"flagfall/server/account"
)

// Memory is an account.KeyStore and an account.RevocationStore for nodes of one process, which can be made to fail. Safe for
// concurrent use.
type Memory struct {
	mu      sync.Mutex
	keys    []account.Key
	revoked []numbered
	number  int64
	err     error
	reads   int
}

type numbered struct {
	account.Revocation
	number int64
}

// Fail makes every call fail until it is given nil.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// Reads counts the calls of SigningKeys.
func (m *Memory) Reads() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads
}

// Lose takes the latest revocation away, and its number is given again: a failover that lost the tail.
func (m *Memory) Lose() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.revoked = m.revoked[:len(m.revoked)-1]
	m.number--
}

func (m *Memory) SigningKeys(context.Context) ([]account.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reads++
	return slices.Clone(m.keys), m.err
}

func (m *Memory) AddSigningKeys(_ context.Context, keys ...account.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, key := range keys {
		taken := func(k account.Key) bool { return k.Number == key.Number }
		if m.err == nil && !slices.ContainsFunc(m.keys, taken) {
			m.keys = append(m.keys, key)
		}
	}
	return m.err
}

func (m *Memory) DropSigningKey(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.keys = slices.DeleteFunc(m.keys, func(k account.Key) bool { return k.ID == id })
	}
	return m.err
}

func (m *Memory) Revoke(_ context.Context, r account.Revocation) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := func(n numbered) bool { return n.ID == r.ID }
	if m.err == nil && !slices.ContainsFunc(m.revoked, known) {
		m.number++
		m.revoked = append(m.revoked, numbered{r, m.number})
	}
	return m.err
}

func (m *Memory) Revocations(_ context.Context, after int64) (list []account.Revocation, last int64, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last = after
	for _, one := range m.revoked {
		if m.err == nil && one.number > after {
			list, last = append(list, one.Revocation), one.number
		}
	}
	return list, last, m.err
}

func (m *Memory) ForgetRevocations(_ context.Context, before time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.err == nil {
		m.revoked = slices.DeleteFunc(m.revoked, func(n numbered) bool { return n.Until.Before(before) })
	}
	return m.err
}
