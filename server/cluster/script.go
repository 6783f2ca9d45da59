package cluster

import "github.com/redis/go-redis/v9"

// script is a Lua script with one key, all whose checks come before its first write.
type script struct {
	*redis.Script
	source string
}

func newScript(source string) *script { return &script{redis.NewScript(source), source} }

// A stream is an actor's journal: an entry's id is its number and "-0", its one field
// holds the data. A string in its place says that the actor was forgotten a moment ago.

// appendScript writes entry ARGV[2] with the data ARGV[3] if the last one is ARGV[1], the number
// before it, and, where ARGV[4] is not empty, has that SHA-1. Answers: 0, it is
// the last entry; -1, another entry is where it should be; {n, data of n}, the
// journal ends before ARGV[1], with n.
//
// The number alone would not fence an owner whose last entry a failover has lost, and
// whose successor has begun with an entry of the same number.
//
// An entry that is there already is marked by a write without effect, since WAIT
// waits for what its connection has written.
var appendScript = newScript(`
local found = redis.pcall('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local forgotten = found.err and string.find(found.err, 'WRONGTYPE', 1, true)
if found.err and not forgotten then return found end
if forgotten and ARGV[1] ~= '0' then return -1 end
local last = found[1]
local id = last and last[1] or '0-0'
if id == ARGV[1] .. '-0' then
  if last and ARGV[4] ~= '' and redis.sha1hex(last[2][2]) ~= ARGV[4] then return -1 end
  if forgotten then redis.call('DEL', KEYS[1]) end
  redis.call('XADD', KEYS[1], ARGV[2] .. '-0', 'd', ARGV[3])
  return 0
end
if id == ARGV[2] .. '-0' and last[2][2] == ARGV[3] then
  redis.call('XSETID', KEYS[1], id)
  return 0
end
local n = tonumber(string.sub(id, 1, -3))
if n < tonumber(ARGV[1]) then return {n, last and last[2][2] or ''} end
return -1
`)

// trimScript drops the entries below ARGV[1], but never the last.
var trimScript = newScript(`
local found = redis.pcall('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
if found.err or not found[1] then return 0 end
local last = tonumber(string.sub(found[1][1], 1, -3))
local before = math.min(last, tonumber(ARGV[1]))
return redis.call('XTRIM', KEYS[1], 'MINID', '=', string.format('%.0f-0', before))
`)

// forgetScript drops a stream and leaves a string for ARGV[1] seconds: an owner that was
// stopped meanwhile must not take the missing stream for one that a failover has lost.
var forgetScript = newScript(`
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], '', 'EX', ARGV[1])
return 0
`)

// unlistScript takes the member ARGV[1] out of a part of the directory if it has not
// been entered again since it was at ARGV[2].
var unlistScript = newScript(`
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at or tonumber(at) ~= tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[1], ARGV[1])
`)
