package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// All leases are in one hash, so that a renewal and the reading of the view are one
// script with one key: "ENDS NUMBER INCARNATION JSON" by the node's name, ENDS in ms of
// Redis's own clock. A step of that clock is found by lease.clocksDisagree.
const leasesKey = prefix + "nodes"

// KEYS: the hash. ARGV: name, incarnation, number, length in ms, JSON of the node.
// Returns {now in ms, our last known number or -1 if the name is taken, name, value, ...}.
var renewScript = redis.NewScript(`
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local all = redis.call('HGETALL', KEYS[1])
local out, lapsed, known = {string.format('%.0f', now), '0'}, {}, '0'
for i = 1, #all, 2 do
  local ends, number, incarnation = string.match(all[i + 1], '^(%d+) (%d+) (%S+) ')
  local live = ends and tonumber(ends) > now
  if all[i] == ARGV[1] then
    if incarnation == ARGV[2] then
      known = number
    elseif live then
      return {out[1], '-1', all[i], all[i + 1]}
    end
  elseif live then
    out[#out + 1] = all[i]
    out[#out + 1] = all[i + 1]
  else
    lapsed[#lapsed + 1] = all[i]
  end
end
out[2] = known
local value = string.format('%.0f', now + ARGV[4]) .. ' ' .. ARGV[3] .. ' ' .. ARGV[2] .. ' ' .. ARGV[5]
redis.call('HSET', KEYS[1], ARGV[1], value)
for i = 1, #lapsed do redis.call('HDEL', KEYS[1], lapsed[i]) end
out[#out + 1] = ARGV[1]
out[#out + 1] = value
return out
`)

// KEYS: the hash. ARGV: name, incarnation.
var leaveScript = redis.NewScript(`
local value = redis.call('HGET', KEYS[1], ARGV[1])
if value and string.match(value, '^%d+ %d+ (%S+) ') == ARGV[2] then
  return redis.call('HDEL', KEYS[1], ARGV[1])
end
return 0
`)

type redisRegistry struct {
	client redis.UniversalClient
}

// Join makes this process a member of the hall, by a connection of its own, since a
// renewal must not wait behind appends. A running node with the same name: ErrNameTaken,
// after the time in which the lease of a dead one would have ended.
func (r *Redis) Join(ctx context.Context, opts MembersOptions) (*Members, error) {
	m, err := join(ctx, redisRegistry{r.address.client(r.opt)}, opts)
	if err != nil {
		return nil, fmt.Errorf("%w (redis at %s)", err, r.address)
	}
	return m, nil
}

func (r redisRegistry) renew(ctx context.Context, n Node, number uint64, length time.Duration) (renewal, error) {
	text, err := json.Marshal(n)
	if err != nil {
		return renewal{}, err
	}
	reply, err := renewScript.Run(ctx, r.client, []string{leasesKey},
		n.Name, n.Incarnation, number, length.Milliseconds(), text).StringSlice()
	if err != nil {
		return renewal{}, err
	}
	return readRenewal(reply, n.Name)
}

func readRenewal(reply []string, self string) (renewal, error) {
	bad := func() (renewal, error) {
		return renewal{}, fmt.Errorf("the registry of nodes answered what no version of it writes: %.200q", reply)
	}
	if len(reply) < 2 || len(reply)%2 != 0 {
		return bad()
	}
	nodes, first := map[string]Node{}, int64(math.MaxInt64)
	for i := 2; i < len(reply); i += 2 {
		parts := strings.SplitN(reply[i+1], " ", 4)
		if len(parts) != 4 {
			return bad()
		}
		n := Node{Name: reply[i], Incarnation: parts[2]}
		if err := json.Unmarshal([]byte(parts[3]), &n); err != nil {
			return bad()
		}
		nodes[n.Name] = n
		ends, err := strconv.ParseInt(parts[0], 10, 64)
		if err != nil {
			return bad()
		}
		if n.Name != self {
			first = min(first, ends)
		}
	}
	if reply[1] == "-1" {
		for _, n := range nodes {
			return renewal{}, fmt.Errorf("%w: incarnation %s at %q", ErrNameTaken, n.Incarnation, n.Address)
		}
		return bad()
	}
	now, err1 := strconv.ParseInt(reply[0], 10, 64)
	known, err2 := strconv.ParseUint(reply[1], 10, 64)
	if err1 != nil || err2 != nil {
		return bad()
	}
	r := renewal{known: known, server: time.Duration(now) * time.Millisecond, nodes: nodes}
	if first < math.MaxInt64 {
		r.lapse = time.Duration(max(first-now, 1)) * time.Millisecond
	}
	return r, nil
}

func (r redisRegistry) leave(ctx context.Context, n Node) error {
	return leaveScript.Run(ctx, r.client, []string{leasesKey}, n.Name, n.Incarnation).Err()
}

func (r redisRegistry) close() { r.client.Close() }
