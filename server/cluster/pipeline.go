package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// A group is what travels in one pipeline to one server.
	groupCalls = 512
	groupBytes = 1 << 20
	// groupsAtOnce travel to one server at the same time: while Redis works on one,
	// the next gathers and the third is on its way.
	groupsAtOnce = 2
	// waitingCalls to one server at most; a journal that takes nothing must not
	// eat the memory.
	waitingCalls = 100_000
	// redirects of one call, in a cluster whose slots move.
	redirects = 4
	// probeEvery is how often a server is asked for replicas until it has some.
	probeEvery = 5 * time.Second
)

var (
	errFull          = errors.New("redis: too many entries are waiting")
	errLate          = errors.New("redis: not sent in time, others were waiting before it")
	errSlow          = errors.New("redis: no answer in time")
	errNotReplicated = errors.New("redis: no replica has confirmed in time")
)

// command is one command of a call, and its answer.
type command struct {
	script *script // with it, args are what follows the script
	args   []any
	spare  bool // its failure is not the call's

	reply any
	err   error
}

// call is what travels together: commands on one key, which the server executes in
// order. While do has not returned nil for it, it belongs to the pipeline.
type call struct {
	key      string
	commands []command
	size     int // bytes, roughly

	replicated bool // enough replicas have it, or none are asked for
	evaluate   bool // the server does not know the script yet
	deadline   time.Time
	err        error // why there are no answers
	done       chan struct{}
}

// pipelines gather calls into groups, for each server its own: what waits while a
// group is under way goes with the next.
type pipelines struct {
	redis     *Redis
	replicas  atomic.Int32 // that must have an entry
	lastProbe atomic.Int64 // ns since start
	start     time.Time

	mu    sync.Mutex
	lanes map[*redis.Client]*lane
}

// lane is the queue to one server.
type lane struct {
	client  *redis.Client
	waiting []*call
	senders int
}

func newPipelines(r *Redis) *pipelines {
	p := &pipelines{redis: r, start: time.Now(), lanes: map[*redis.Client]*lane{}}
	p.replicas.Store(int32(max(r.opt.Replicas, r.seenReplicas)))
	return p
}

// do sends a call and waits for its answers. An error says that there are none: the
// commands may have been executed.
func (p *pipelines) do(ctx context.Context, c *call) error {
	client, err := p.redis.primary(ctx, c.key)
	if err != nil {
		return err
	}
	c.done = make(chan struct{})
	c.deadline = time.Now().Add(p.redis.opt.Timeout)
	if err := p.enqueue(client, c); err != nil {
		return err
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *pipelines) enqueue(client *redis.Client, c *call) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lanes[client]
	if l == nil {
		l = &lane{client: client}
		p.lanes[client] = l
	}
	if len(l.waiting) >= waitingCalls {
		return errFull
	}
	l.waiting = append(l.waiting, c)
	if l.senders < groupsAtOnce {
		l.senders++
		go p.send(l)
	}
	return nil
}

// send takes groups from a lane until nothing waits.
func (p *pipelines) send(l *lane) {
	for {
		group := p.next(l)
		if group == nil {
			return
		}
		p.exchange(l.client, group)
		for _, c := range group {
			close(c.done)
		}
	}
}

// next is the next group, or nil, and the sender is to end.
func (p *pipelines) next(l *lane) []*call {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, size := 0, 0
	for n < len(l.waiting) && n < groupCalls && (n == 0 || size+l.waiting[n].size <= groupBytes) {
		size += l.waiting[n].size
		n++
	}
	if n == 0 {
		l.senders--
		if l.senders == 0 {
			delete(p.lanes, l.client)
		}
		return nil
	}
	group := l.waiting[:n:n]
	l.waiting = l.waiting[n:]
	return group
}

// destination is a server, and whether it has to be told that it is asked for keys of a
// slot that is still on its way to it.
type destination struct {
	client *redis.Client
	asking bool
}

// exchange sends a group and follows those of its calls that have to go elsewhere.
func (p *pipelines) exchange(client *redis.Client, group []*call) {
	p.probe()
	o := p.redis.opt
	ctx, cancel := context.WithTimeout(context.Background(), 2*o.Timeout+o.WaitTimeout)
	defer cancel()
	now := time.Now()
	var inTime []*call
	for _, c := range group {
		if now.After(c.deadline) {
			c.err = errLate
		} else {
			inTime = append(inTime, c)
		}
	}
	todo := map[destination][]*call{{client: client}: inTime}
	for round := 0; len(todo) > 0; round++ {
		next := map[destination][]*call{}
		for d, calls := range todo {
			p.transmit(ctx, d, calls)
			for _, c := range calls {
				if to, ok := p.elsewhere(ctx, d, c); ok && round < redirects {
					next[to] = append(next[to], c)
				}
			}
		}
		todo = next
	}
}

// transmit is one pipeline: all commands, and the wait for replicas.
func (p *pipelines) transmit(ctx context.Context, d destination, calls []*call) {
	if len(calls) == 0 {
		return
	}
	pipe := d.client.Pipeline()
	var sent []*redis.Cmd
	for _, c := range calls {
		for i := range c.commands {
			if d.asking {
				pipe.Do(ctx, "asking")
			}
			sent = append(sent, pipe.Do(ctx, c.commands[i].words(c)...))
		}
	}
	replicas := int64(p.replicas.Load())
	var wait *redis.Cmd
	if replicas > 0 {
		wait = pipe.Do(ctx, "wait", replicas, p.redis.opt.WaitTimeout.Milliseconds())
	}
	_, _ = pipe.Exec(ctx) // each command has its own error
	replicated := replicas <= 0
	if wait != nil {
		n, err := wait.Int64()
		replicated = err == nil && n >= replicas
	}
	for _, c := range calls {
		c.replicated, c.err = replicated, nil
		for i := range c.commands {
			cmd := &c.commands[i]
			cmd.reply, cmd.err = sent[0].Result()
			if errors.Is(cmd.err, redis.Nil) {
				cmd.err = nil
			}
			if cmd.err != nil && c.err == nil && !cmd.spare {
				c.err = cmd.err
			}
			sent = sent[1:]
		}
	}
}

// words are the command as it is sent.
func (cmd *command) words(c *call) []any {
	if cmd.script == nil {
		return cmd.args
	}
	head := []any{"evalsha", cmd.script.Hash(), 1, c.key}
	if c.evaluate {
		head[0], head[1] = "eval", cmd.script.source
	}
	return append(head, cmd.args...)
}

// elsewhere tells where a call has to be sent again: to the same server with the script's
// text, or to another one. Commands of a call may run twice.
func (p *pipelines) elsewhere(ctx context.Context, d destination, c *call) (destination, bool) {
	if c.err == nil {
		return d, false
	}
	if strings.HasPrefix(c.err.Error(), "NOSCRIPT") {
		c.evaluate = true
		return d, true
	}
	cluster, ok := p.redis.client.(*redis.ClusterClient)
	if !ok {
		return d, false
	}
	moved, isMoved := redis.IsMovedError(c.err)
	ask, isAsk := redis.IsAskError(c.err)
	if !isMoved && !isAsk {
		unheard(ctx, cluster, c.err)
		return d, false
	}
	cluster.ReloadState(ctx)
	client := p.redis.primaryAt(ctx, moved+ask)
	return destination{client, isAsk}, client != nil
}

// probe looks for replicas now and then, until there are some. From then on every entry
// waits for one: that they are gone for a moment is when they are missed most.
func (p *pipelines) probe() {
	if p.redis.opt.Replicas != 0 || p.replicas.Load() > 0 {
		return
	}
	last, now := p.lastProbe.Load(), int64(time.Since(p.start))
	if now-last < int64(probeEvery) || !p.lastProbe.CompareAndSwap(last, now) {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), p.redis.opt.Timeout)
		defer cancel()
		if n, err := p.redis.fewestReplicas(ctx); err == nil && n > 0 {
			p.replicas.Store(1)
			p.redis.log.Info("redis has replicas: entries wait for one of them", "redis", p.redis.address.String())
		}
	}()
}

// primary is the server that takes writes to a key.
func (r *Redis) primary(ctx context.Context, key string) (*redis.Client, error) {
	switch c := r.client.(type) {
	case *redis.ClusterClient:
		ctx, cancel := context.WithTimeout(ctx, r.opt.Timeout)
		defer cancel()
		return c.MasterForKey(ctx, key)
	case *redis.Client:
		return c, nil
	}
	return nil, fmt.Errorf("unknown form of Redis %T", r.client)
}

// primaryAt is the primary with an address that the cluster has named, or nil.
func (r *Redis) primaryAt(ctx context.Context, addr string) (found *redis.Client) {
	var mu sync.Mutex
	_ = r.eachPrimary(ctx, func(_ context.Context, c *redis.Client) error {
		if c.NodeAddress() == addr || c.Options().Addr == addr {
			mu.Lock()
			found = c
			mu.Unlock()
		}
		return nil
	})
	return found
}
