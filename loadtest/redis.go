package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"

	"flagfall/server/child"
)

// redisServer is a Redis that this run has started: one server with an append-only file and without replicas.
type redisServer struct {
	addr   string
	cmd    *exec.Cmd
	dir    string
	log    bytes.Buffer // read when the process has ended
	gone   chan struct{}
	client *redis.Client
}

// startRedis starts redis-server, which must be on the PATH.
func startRedis(ctx context.Context) (r *redisServer, err error) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errors.New("redis-server is needed: apt-get install redis-server (make setup does it)")
	}
	r = &redisServer{gone: make(chan struct{})}
	if r.addr, err = freeAddr(); err != nil {
		return nil, err
	}
	if r.dir, err = os.MkdirTemp("", "flagfall-redis-"); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(r.addr)
	if err != nil {
		return nil, err
	}
	r.cmd = exec.Command(program, "--port", port, "--bind", host, "--dir", r.dir, "--save", "", "--appendonly", "yes",
		"--maxmemory-policy", "noeviction")
	r.cmd.Stdout, r.cmd.Stderr = &r.log, &r.log
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for this process
	if err := child.Start(r.cmd); err != nil {
		_ = os.RemoveAll(r.dir)
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	go func() {
		_ = r.cmd.Wait() // how it ended is in its log
		close(r.gone)
	}()
	r.client = redis.NewClient(&redis.Options{Addr: r.addr, MaxRetries: -1, DisableIdentity: true})
	if err := r.ready(ctx); err != nil {
		r.stop()
		return nil, fmt.Errorf("%w; it said: %s", err, bytes.TrimSpace(r.log.Bytes()))
	}
	return r, nil
}

// ready waits until Redis answers.
func (r *redisServer) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for r.client.Ping(ctx).Err() != nil {
		select {
		case <-ctx.Done():
			return errors.New("redis-server does not answer")
		case <-r.gone:
			return errors.New("redis-server ended at once")
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

func (r *redisServer) url() string { return "redis://" + r.addr }

// stop ends the server and removes its files.
func (r *redisServer) stop() {
	r.client.Close()
	_ = r.cmd.Process.Kill() // it may have ended
	<-r.gone
	_ = os.RemoveAll(r.dir)
}

// redisCount is what a Redis has done since it was started.
type redisCount struct {
	cpu      time.Duration
	commands int64            // those that scripts run among them
	in, out  int64            // bytes to and from Redis
	calls    map[string]int64 // the commands, by name
}

// count reads what the server has done.
func (r *redisServer) count(ctx context.Context) (redisCount, error) {
	u, ok := readUsage(r.cmd.Process.Pid)
	if !ok {
		return redisCount{}, errors.New("the CPU of redis-server cannot be read: it has ended, or this is not Linux")
	}
	text, err := r.client.Info(ctx, "stats", "commandstats").Result()
	if err != nil {
		return redisCount{}, fmt.Errorf("redis-server: %w", err)
	}
	c, err := parseCount(text)
	c.cpu = u.cpu
	return c, err
}

// parseCount reads the answer of INFO stats commandstats.
func parseCount(text string) (redisCount, error) {
	c := redisCount{calls: map[string]int64{}}
	missing := map[string]*int64{"total_commands_processed": &c.commands, "total_net_input_bytes": &c.in, "total_net_output_bytes": &c.out}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		command, isCommand := strings.CutPrefix(name, "cmdstat_")
		into := missing[name]
		if isCommand {
			value, _, _ = strings.Cut(strings.TrimPrefix(value, "calls="), ",")
		} else if into == nil {
			continue
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return c, fmt.Errorf("INFO of Redis: %s is no number: %q", name, value)
		}
		if isCommand {
			c.calls[command] = n
			continue
		}
		*into = n
		delete(missing, name)
	}
	if len(missing) > 0 {
		return c, fmt.Errorf("INFO of Redis lacks %d of the three totals", len(missing))
	}
	return c, nil
}

// redisUse is what a move costs Redis.
type redisUse struct {
	CPU      float64            `json:"cpu_s"`
	CPUMove  float64            `json:"cpu_us_move"`
	Commands float64            `json:"commands_move"`  // those that scripts run among them
	In       float64            `json:"bytes_in_move"`  // to Redis
	Out      float64            `json:"bytes_out_move"` // from Redis
	Calls    map[string]float64 `json:"calls_move"`     // the commands by name
}

// leastCalls is the fewest calls a move of a command that is told: nodes that have nothing to do call some, too.
const leastCalls = 0.01

// since gives what a move has cost from an earlier count to this one.
func (c redisCount) since(before redisCount, moves int64) redisUse {
	each := func(n int64) float64 { return over(float64(n), float64(moves)) }
	cpu := c.cpu - before.cpu
	use := redisUse{
		CPU: cpu.Seconds(), CPUMove: each(cpu.Microseconds()), Commands: each(c.commands - before.commands),
		In: each(c.in - before.in), Out: each(c.out - before.out), Calls: map[string]float64{},
	}
	for name, n := range c.calls {
		if calls := each(n - before.calls[name]); calls >= leastCalls {
			use.Calls[name] = calls
		}
	}
	return use
}
