package cluster

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
)

// asks are the questions without an answer yet.
type asks struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]ask
}

type ask struct {
	incarnation string
	done        chan answer // with room for one
}

type answer struct {
	payload []byte
	err     error
}

// RemoteError is what the other node's handler replied as an error.
type RemoteError struct{ Text string }

func (e *RemoteError) Error() string { return e.Text }

// Ask sends a question to a node and waits for its reply: a *RemoteError if the node
// refused, ErrNodeLeft as soon as it leaves the hall, the error of ctx when that ends
// first. After all but a *RemoteError, and after a reply, the node may have acted.
func (b *Bus) Ask(ctx context.Context, node string, payload []byte) ([]byte, error) {
	incarnation, ok := b.find(node)
	if !ok {
		return nil, ErrUnknownNode
	}
	if len(payload) > payloadLimit-binary.MaxVarintLen64 {
		return nil, ErrTooLarge
	}
	id, done := b.asks.add(incarnation)
	defer b.asks.remove(id)
	if now, ok := b.find(node); !ok || now != incarnation {
		return nil, ErrNodeLeft // before the question was known to dropLeft
	}
	question := append(binary.AppendUvarint(nil, id), payload...)
	if err := b.send(incarnation, kindAsk, question); err != nil {
		return nil, err
	}
	select {
	case a := <-done:
		return a.payload, a.err
	case <-ctx.Done():
		return nil, fmt.Errorf("asking node %q: %w", node, ctx.Err())
	}
}

func (a *asks) add(incarnation string) (id uint64, done <-chan answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	c := make(chan answer, 1)
	a.waiting[a.last] = ask{incarnation, c}
	return a.last, c
}

func (a *asks) remove(id uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.waiting, id)
}

// fail answers those to certain incarnations with an error.
func (a *asks) fail(err error, gone func(incarnation string) bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, q := range a.waiting {
		if gone(q.incarnation) {
			delete(a.waiting, id)
			q.done <- answer{err: err}
		}
	}
}

// answer ends a question that this incarnation was asked.
func (a *asks) answer(id uint64, incarnation string, what answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if q, ok := a.waiting[id]; ok && q.incarnation == incarnation {
		delete(a.waiting, id)
		q.done <- what
	}
}

func (b *Bus) asked(m Message) {
	id, size := binary.Uvarint(m.Payload)
	if size <= 0 {
		b.counts.malformed.Add(1)
		return
	}
	m.Payload = m.Payload[size:]
	var once sync.Once
	b.handler.Asked(m, func(payload []byte, err error) {
		once.Do(func() { b.reply(m.From, id, payload, err) })
	})
}

func (b *Bus) reply(to Peer, id uint64, payload []byte, err error) {
	kind := byte(kindReply)
	if err == nil && len(payload) > payloadLimit-binary.MaxVarintLen64 {
		err = ErrTooLarge
	}
	if err != nil {
		kind, payload = kindRefusal, []byte(err.Error())
	}
	text := append(binary.AppendUvarint(nil, id), payload...)
	if err := b.send(to.Incarnation, kind, text); err != nil && !errors.Is(err, ErrBusClosed) {
		b.log.Warn("a reply on the bus was not taken", "to", to.Name, "err", err)
	}
}

func (b *Bus) replied(m Message) {
	id, size := binary.Uvarint(m.Payload)
	if size <= 0 {
		b.counts.malformed.Add(1)
		return
	}
	a := answer{payload: append([]byte{}, m.Payload[size:]...)}
	if m.Kind == kindRefusal {
		a = answer{err: &RemoteError{string(m.Payload[size:])}}
	}
	b.asks.answer(id, m.From.Incarnation, a)
}
