package cluster

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flagfall/server/actor"
)

// ErrLost is actor.ErrLost: Redis has lost entries that it had acknowledged, and this node does not have them any more.
var ErrLost = actor.ErrLost

const (
	maxEntry = 16 << 20 // bytes
	// maxSeq is the highest number that a script counts exactly.
	maxSeq = 1<<53 - 1
	// readAtOnce entries are read by one command.
	readAtOnce = 256
	// forgottenFor is how long it is known that an actor was forgotten; longer than
	// an owner may have its entries in memory.
	forgottenFor = 4 * keepTail
	keepBeats    = 24 * time.Hour
)

// Journal is an actor.Journal in Redis. The numbers of an actor's entries fence its
// owners: of two who write the same number one succeeds.
type Journal struct {
	redis     *Redis
	pipelines *pipelines
	tails     *tails
}

var (
	_ actor.Journal = (*Journal)(nil)
	_ actor.Ending  = (*Journal)(nil)
)

// NewJournal returns the journal of all nodes that use the same Redis. A node has one.
func NewJournal(r *Redis) *Journal {
	return &Journal{redis: r, pipelines: newPipelines(r), tails: newTails(keepTailBytes)}
}

// streamKey names the stream of an actor; all keys of one actor are in one slot.
func streamKey(id actor.ID) string { return prefix + "journal:{" + string(id) + "}" }

func validID(id actor.ID) error {
	if len(id) == 0 || len(id) > 255 || strings.ContainsAny(string(id), "{}") {
		return fmt.Errorf("redis: %.40q is no id of an actor", string(id))
	}
	return nil
}

// Append implements actor.Journal. It takes three times Options.Timeout and WaitTimeout
// at most. When Redis has lost what this node has written a short while ago, that is
// written again before the entry; if it is not known any more, ErrLost.
func (j *Journal) Append(ctx context.Context, id actor.ID, after uint64, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := validID(id); err != nil {
		return err
	}
	if len(data) > maxEntry || after >= maxSeq {
		return fmt.Errorf("redis: entry %d of %d bytes for actor %s cannot be written", after+1, len(data), id)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, j.redis.opt.longest(), errSlow)
	defer cancel()
	e := newEntry(data)
	if after == 0 {
		if err := j.list(ctx, id); err != nil {
			return err
		}
	}
	base := j.tails.sum(id, after)
	c := &call{key: streamKey(id)}
	c.add(after+1, e, base)
	first := after > 0 && base == ""
	if first { // of this node: what it follows has to be known if that becomes the end
		n := entryID(after)
		c.commands = append(c.commands, command{args: []any{"xrange", c.key, n, n}, spare: true})
	}
	if err := j.pipelines.do(ctx, c); err != nil {
		return err
	}
	end, sum, err := appended(c.commands[0].reply)
	switch {
	case errors.Is(err, actor.ErrConflict):
		j.tails.forget(id)
		return err
	case errors.Is(err, errBehind):
		return j.restore(ctx, id, after, e, end, sum)
	case err != nil:
		return err
	case !c.replicated:
		return errNotReplicated
	}
	if first {
		base = sumOfFirst(c.commands[1].reply)
	}
	j.tails.add(id, after+1, e, base, time.Now())
	return nil
}

func entryID(seq uint64) string { return strconv.FormatUint(seq, 10) + "-0" }

// add is the command that appends an entry; base is the sum of the one before, if known.
func (c *call) add(seq uint64, e entry, base string) {
	c.size += e.size()
	c.commands = append(c.commands, command{script: appendScript, args: []any{
		strconv.FormatUint(seq-1, 10), strconv.FormatUint(seq, 10), e.data, base,
	}})
}

var errBehind = errors.New("redis: the journal ends before the entry that this one follows")

// appended reads the answer of appendScript. With errBehind the journal ends with entry
// end, whose data has the sum.
func appended(reply any) (end uint64, sum string, err error) {
	switch r := reply.(type) {
	case int64:
		if r == 0 {
			return 0, "", nil
		}
		return 0, "", actor.ErrConflict
	case []any:
		if len(r) == 2 {
			n, isNumber := r[0].(int64)
			text, isText := r[1].(string)
			if isNumber && isText {
				return uint64(n), sumOf([]byte(text)), errBehind
			}
		}
	}
	return 0, "", fmt.Errorf("redis: unexpected answer %T of the append script", reply)
}

// sumOfFirst is the sum of the first entry in the answer of XRANGE, empty if there is none.
func sumOfFirst(reply any) string {
	entries, _ := reply.([]any)
	if len(entries) == 0 {
		return ""
	}
	entry, _ := entries[0].([]any)
	if len(entry) != 2 {
		return ""
	}
	fields, _ := entry[1].([]any)
	if len(fields) != 2 {
		return ""
	}
	text, ok := fields[1].(string)
	if !ok {
		return ""
	}
	return sumOf([]byte(text))
}

// restore writes what the journal has lost behind entry end, then the new entry.
func (j *Journal) restore(ctx context.Context, id actor.ID, after uint64, e entry, end uint64, sum string) error {
	v, missing := j.tails.missing(id, end, sum, after)
	switch v {
	case overtaken:
		j.tails.forget(id)
		return actor.ErrConflict
	case lost:
		if j.tails.tell(id) {
			j.redis.log.Error("redis has lost entries that this node does not have any more", "actor", string(id), "last", end, "expected", after)
		}
		return fmt.Errorf("%w: it ends with %d instead of %d", ErrLost, end, after)
	}
	if err := j.list(ctx, id); err != nil {
		return err
	}
	c := &call{key: streamKey(id)}
	if end == 0 {
		sum = ""
	}
	for i, again := range append(missing, e) {
		c.add(end+1+uint64(i), again, sum)
		sum = again.sum
	}
	if err := j.pipelines.do(ctx, c); err != nil {
		return err
	}
	for i := range c.commands {
		if _, _, err := appended(c.commands[i].reply); err != nil {
			if errors.Is(err, actor.ErrConflict) {
				j.tails.forget(id)
			}
			return err
		}
	}
	if !c.replicated {
		return errNotReplicated
	}
	j.redis.log.Warn("redis had lost entries, they are written again", "actor", string(id), "from", end+1, "to", after)
	j.tails.add(id, after+1, e, "", time.Now())
	return nil
}

// Read implements actor.Journal.
func (j *Journal) Read(ctx context.Context, id actor.ID, after uint64) ([]actor.Entry, error) {
	if err := validID(id); err != nil {
		return nil, err
	}
	var out []actor.Entry
	for next := after; next < math.MaxUint64; {
		page, err := j.redis.client.XRangeN(ctx, streamKey(id), entryID(next+1), "+", readAtOnce).Result()
		if err != nil && strings.HasPrefix(err.Error(), "WRONGTYPE") {
			return nil, nil // forgotten
		}
		if err != nil {
			return nil, err
		}
		for _, m := range page {
			e, err := readEntry(id, m)
			if err != nil {
				return nil, err
			}
			if len(out) > 0 && e.Seq != next+1 {
				out = nil // trimmed while it was read
			}
			out = append(out, e)
			next = e.Seq
		}
		if len(page) < readAtOnce {
			break
		}
	}
	return out, nil
}

// Last implements actor.Ending.
func (j *Journal) Last(ctx context.Context, id actor.ID) (actor.Entry, bool, error) {
	if err := validID(id); err != nil {
		return actor.Entry{}, false, err
	}
	page, err := j.redis.client.XRevRangeN(ctx, streamKey(id), "+", "-", 1).Result()
	if err != nil && strings.HasPrefix(err.Error(), "WRONGTYPE") {
		return actor.Entry{}, false, nil // forgotten
	}
	if err != nil || len(page) == 0 {
		return actor.Entry{}, false, err
	}
	e, err := readEntry(id, page[0])
	return e, err == nil, err
}

func readEntry(id actor.ID, m redis.XMessage) (actor.Entry, error) {
	number, ok := strings.CutSuffix(m.ID, "-0")
	seq, err := strconv.ParseUint(number, 10, 64)
	data, isText := m.Values["d"].(string)
	if !ok || err != nil || !isText || len(m.Values) != 1 {
		return actor.Entry{}, fmt.Errorf("redis: %s holds %q, which is no entry of a journal", streamKey(id), m.ID)
	}
	return actor.Entry{Seq: seq, Data: []byte(data)}, nil
}

// Trim implements actor.Journal.
func (j *Journal) Trim(ctx context.Context, id actor.ID, before uint64) error {
	if err := validID(id); err != nil {
		return err
	}
	return trimScript.Run(ctx, j.redis.client, []string{streamKey(id)}, before).Err()
}

// Forget implements actor.Journal. For a minute it is still known that the actor is
// gone.
func (j *Journal) Forget(ctx context.Context, id actor.ID) error {
	if err := validID(id); err != nil {
		return err
	}
	seconds := int(forgottenFor / time.Second)
	if err := forgetScript.Run(ctx, j.redis.client, []string{streamKey(id)}, seconds).Err(); err != nil {
		return err
	}
	j.tails.forget(id)
	return j.unlist(ctx, id)
}

func beatKey(incarnation string) string { return prefix + "beat:{" + incarnation + "}" }

// Beat implements actor.Journal. A beat is kept for a day.
func (j *Journal) Beat(ctx context.Context, b actor.Beat) error {
	if len(b.Incarnation) == 0 || len(b.Incarnation) > 32 {
		return fmt.Errorf("redis: an incarnation has 1 to 32 bytes, not %d", len(b.Incarnation))
	}
	text := fmt.Sprintf("%d %d", b.Mono.Milliseconds(), b.Wall.UnixMilli())
	return j.redis.client.Set(ctx, beatKey(b.Incarnation), text, keepBeats).Err()
}

// LastBeat implements actor.Journal.
func (j *Journal) LastBeat(ctx context.Context, incarnation string) (actor.Beat, bool, error) {
	text, err := j.redis.client.Get(ctx, beatKey(incarnation)).Result()
	if errors.Is(err, redis.Nil) {
		return actor.Beat{}, false, nil
	}
	if err != nil {
		return actor.Beat{}, false, err
	}
	var mono, wall int64
	if _, err := fmt.Sscanf(text, "%d %d", &mono, &wall); err != nil {
		return actor.Beat{}, false, fmt.Errorf("redis: the beat of %q is %.40q", incarnation, text)
	}
	return actor.Beat{Incarnation: incarnation, Mono: time.Duration(mono) * time.Millisecond, Wall: time.UnixMilli(wall)}, true, nil
}
