package host

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"flagfall/server/wire"
)

// known are the keys of links that were looked at, so that a hall full of people asks for its event once.
type known struct {
	mu   sync.Mutex
	keys map[[2]string]*knownKey
}

type knownKey struct {
	until time.Time
	good  bool
	asked chan struct{} // closed when the answer is there
}

// How long an answer counts, how long it is waited for, and how many are kept.
const (
	knownFor   = 10 * time.Second
	unknownFor = time.Second
	knownWait  = 300 * time.Millisecond
	mostKnown  = 10000
)

// Known tells whether the key is that of the link of an event which takes entries or runs.
func (h *Host) Known(name, key string) bool {
	if key == "" || !wire.ValidEvent(name) {
		return false
	}
	k := h.known.find(h, [2]string{name, key})
	timer := time.NewTimer(knownWait)
	defer timer.Stop()
	select {
	case <-k.asked:
	case <-timer.C:
		return false
	}
	h.known.mu.Lock()
	defer h.known.mu.Unlock()
	return k.good
}

func (k *known) find(h *Host, of [2]string) *knownKey {
	now := time.Now()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.keys == nil || len(k.keys) >= mostKnown {
		k.keys = map[[2]string]*knownKey{}
	}
	if one := k.keys[of]; one != nil && now.Before(one.until) {
		return one
	}
	one := &knownKey{until: now.Add(knownFor), asked: make(chan struct{})}
	k.keys[of] = one
	if !h.spawn(func() { h.learn(one, of) }) {
		close(one.asked)
	}
	return one
}

// learn asks for a key.
func (h *Host) learn(one *knownKey, of [2]string) {
	defer close(one.asked)
	ctx, cancel := context.WithTimeout(h.ctx, lookTime)
	defer cancel()
	good := false
	answer, err := h.cfg.Ask(ctx, Question{Event: of[0], What: "known", Key: of[1]})
	if err == nil {
		err = json.Unmarshal(answer, &good)
	}
	h.known.mu.Lock()
	defer h.known.mu.Unlock()
	if one.good = good && err == nil; !one.good {
		one.until = time.Now().Add(unknownFor)
	}
}
