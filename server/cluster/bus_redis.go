package cluster

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisCarrier has a channel for each incarnation; in a cluster a sharded one, which
// only the server of its slot knows.
type redisCarrier struct {
	client  redis.UniversalClient
	sharded bool
}

func busChannel(incarnation string) string { return prefix + "bus:" + incarnation }

// OpenBus opens a member's bus, by connections of its own.
func (r *Redis) OpenBus(ctx context.Context, m *Members, h Handler, opts BusOptions) (*Bus, error) {
	client := r.address.client(r.opt)
	_, sharded := client.(*redis.ClusterClient)
	b, err := openBus(ctx, redisCarrier{client, sharded}, m, h, opts)
	if err != nil {
		return nil, fmt.Errorf("%w (redis at %s)", err, r.address)
	}
	return b, nil
}

func (c redisCarrier) publish(ctx context.Context, _ Peer, to string, packet []byte) (int64, error) {
	if c.sharded {
		return c.client.SPublish(ctx, busChannel(to), packet).Result()
	}
	return c.client.Publish(ctx, busChannel(to), packet).Result()
}

func (c redisCarrier) subscribe(ctx context.Context, self Peer) (subscription, error) {
	channel := busChannel(self.Incarnation)
	var ps *redis.PubSub
	if c.sharded {
		ps = c.client.SSubscribe(ctx, channel)
	} else {
		ps = c.client.Subscribe(ctx, channel)
	}
	timeout := 2 * time.Second
	if deadline, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(deadline))
	}
	first, err := ps.ReceiveTimeout(ctx, max(timeout, time.Millisecond))
	if err == nil {
		if _, ok := first.(*redis.Subscription); ok {
			return &redisSubscription{ps: ps}, nil
		}
		err = fmt.Errorf("the answer to a subscription is a %T", first)
	}
	ps.Close()
	unheard(ctx, c.client, err)
	return nil, err
}

type redisSubscription struct {
	ps     *redis.PubSub
	closed sync.Once
}

var errResubscribed = errors.New("the connection was lost")

func (s *redisSubscription) receive(ctx context.Context, silence time.Duration) ([]byte, error) {
	got, err := s.ps.ReceiveTimeout(ctx, silence)
	if err != nil {
		return nil, err
	}
	if m, ok := got.(*redis.Message); ok {
		return []byte(m.Payload), nil
	}
	// The client has subscribed again by itself, or the server has ended it (a slot
	// that moved): messages are lost either way.
	return nil, errResubscribed
}

func (s *redisSubscription) close() { s.closed.Do(func() { s.ps.Close() }) }

func (c redisCarrier) close() { c.client.Close() }
