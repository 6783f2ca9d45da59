// Package cluster makes many nodes one hall, over Redis: the journal, who is there,
// and messages between nodes.
//
// # What is needed of Redis
//
// Version 7.0 or later, as one server, behind Sentinel, or as a cluster. Nothing may be
// evicted (maxmemory-policy noeviction), and what must survive its death is written to
// an append-only file or held by replicas; run two of them, since with one no entry
// is acknowledged while it is away. All keys begin with "flagfall:". KEYS, CONFIG and FLUSHALL
// are not used, so that a user of Redis with
//
//	~flagfall:* &flagfall:* +@all -@admin -@dangerous +info
//
// is enough; INFO shows replicas and memory settings, and without it they are not checked.
//
// # What is promised
//
// An entry is acknowledged when Redis has executed it and, where there are replicas, at
// least one has it too. A single server without an append-only file forgets all
// when it dies; with appendfsync everysec, kill -9 of Redis loses nothing that was
// written to the file and a loss of power the last second.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// prefix begins every key.
const prefix = "flagfall:"

// poolSize is how many connections a node holds to one server at most, those of
// pipelines and subscriptions aside.
const poolSize = 32

// longest is how long an append may take.
func (o Options) longest() time.Duration { return 3*o.Timeout + o.WaitTimeout }

// The library complains to standard error of each lost connection; whoever wants to know
// asks for debug lines.
func init() { redis.SetLogger(libraryLog{}) }

type libraryLog struct{}

func (libraryLog) Printf(ctx context.Context, format string, args ...any) {
	slog.DebugContext(ctx, "go-redis: "+fmt.Sprintf(format, args...))
}

// Options of a connection; the zero value is right for a server.
type Options struct {
	// Timeout bounds dialling, sending, and waiting for an answer, each (default
	// 1 s). An append takes at most three times as long, and WaitTimeout.
	Timeout time.Duration
	// Replicas must have an entry before it is acknowledged. 0: as many as the URL
	// says, else one if every primary has been seen with a replica; less than 0: none.
	Replicas int
	// WaitTimeout bounds the wait for replicas (default 500 ms, whole ms).
	WaitTimeout time.Duration
	Log         *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = time.Second
	}
	if o.WaitTimeout < time.Millisecond {
		o.WaitTimeout = 500 * time.Millisecond
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return o
}

// Redis is the connection of a node to Redis, in any of its forms. It is safe for
// concurrent use.
type Redis struct {
	client  redis.UniversalClient
	address address
	opt     Options
	log     *slog.Logger

	seenReplicas int // 1 if every primary had a replica when it was opened
}

// Open connects and checks what is there. The URL is one of
//
//	redis://[user:password@]host[:6379][/database]
//	redis-sentinel://[user:password@]host[:26379],host.../master[/database][?sentinel_username=...&sentinel_password=...]
//	redis-cluster://[user:password@]host[:6379],host...
//
// and with rediss instead of redis over TLS, with certificates of the system's
// authorities, or of those in the PEM file that ca=FILE names; cert=FILE and key=FILE
// are this client's certificate. The parameter replicas=N is Options.Replicas, 0 for none. Errors are one line and hold no password.
func Open(ctx context.Context, url string, opt Options) (*Redis, error) {
	a, err := parseAddress(url)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	if opt.Replicas == 0 {
		opt.Replicas = a.replicas
	}
	r := &Redis{address: a, opt: opt, log: opt.Log, client: a.client(opt)}
	if err := r.check(ctx); err != nil {
		r.client.Close()
		return nil, fmt.Errorf("redis at %s: %w", a, a.plain(err))
	}
	if opt.Replicas == 0 {
		if n, err := r.fewestReplicas(ctx); err == nil {
			r.seenReplicas = min(n, 1)
		}
	}
	return r, nil
}

// Check says what is wrong with a URL, without connecting.
func Check(url string) error {
	_, err := parseAddress(url)
	return err
}

// Close ends all connections.
func (r *Redis) Close() error { return r.client.Close() }

// Ping asks every primary whether it answers.
func (r *Redis) Ping(ctx context.Context) error {
	return r.eachPrimary(ctx, func(ctx context.Context, c *redis.Client) error { return c.Ping(ctx).Err() })
}

// eachPrimary calls do for every server that takes writes, at the same time.
func (r *Redis) eachPrimary(ctx context.Context, do func(context.Context, *redis.Client) error) error {
	switch c := r.client.(type) {
	case *redis.ClusterClient:
		return c.ForEachMaster(ctx, do)
	case *redis.Client:
		return do(ctx, c)
	}
	return errors.New("unknown form of Redis")
}

// check asks whether each primary can hold journals.
func (r *Redis) check(ctx context.Context) error {
	return r.eachPrimary(ctx, func(ctx context.Context, c *redis.Client) error {
		if err := c.Ping(ctx).Err(); err != nil {
			return err
		}
		text, err := c.Info(ctx).Result()
		if noPermission(err) {
			r.log.Warn("redis: INFO is not allowed, so settings are not checked and replicas not seen: set how many an entry waits for", "redis", r.address.String())
			return nil
		}
		if err != nil {
			return err
		}
		info := infoFields(text)
		if major, _, _ := strings.Cut(info["redis_version"], "."); number(major) < 7 {
			return fmt.Errorf("version 7.0 or later is needed, this is %s", info["redis_version"])
		}
		if info["role"] != "master" {
			return errors.New("this server is a replica; name the primary, or use redis-sentinel://")
		}
		if policy := info["maxmemory_policy"]; number(info["maxmemory"]) > 0 && policy != "noeviction" {
			return fmt.Errorf("maxmemory-policy is %s: journals could be evicted, set noeviction", policy)
		}
		return nil
	})
}

// fewestReplicas is the number of replicas of the primary that has the fewest.
func (r *Redis) fewestReplicas(ctx context.Context) (int, error) {
	var mu sync.Mutex
	fewest := math.MaxInt32
	err := r.eachPrimary(ctx, func(ctx context.Context, c *redis.Client) error {
		text, err := c.Info(ctx, "replication").Result()
		mu.Lock()
		defer mu.Unlock()
		fewest = min(fewest, int(number(infoFields(text)["connected_slaves"])))
		return err
	})
	return fewest, err
}

// infoFields reads the answer of INFO.
func infoFields(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func noPermission(err error) bool { return err != nil && strings.HasPrefix(err.Error(), "NOPERM") }

// plain makes one line of what go-redis says when nothing answers.
func (a address) plain(err error) error {
	switch text := err.Error(); {
	case strings.HasPrefix(text, "WRONGPASS"), strings.HasPrefix(text, "NOAUTH"), strings.Contains(text, "without any password configured"):
		return errors.New("user or password is not accepted: " + text)
	case strings.Contains(text, "cluster support disabled"):
		return errors.New("this server is not part of a cluster; use redis://")
	case a.hint(err) != "":
		return fmt.Errorf("%w: %s", err, a.hint(err))
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("no answer in time")
	case strings.Contains(text, "\n"):
		return errors.New(strings.Join(strings.Fields(text), " "))
	}
	return err
}
