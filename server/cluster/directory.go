package cluster

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"flagfall/server/actor"
)

// The directory tells which actors have a journal. It is divided, so that in a cluster
// its parts are on all servers; a part is a sorted set of ids by the time at which they
// were entered, in ms since 1970.
const (
	directoryParts = 64
	// scanAtOnce members of a part are read by one command.
	scanAtOnce = 512
	// An id without a journal is a leftover only if it has been there longer than
	// any append that entered it can be on its way.
	leftoverAfter = 10 * time.Minute
)

func partKey(n int) string { return fmt.Sprintf("%sactors:%02d", prefix, n) }

func partOf(id actor.ID) string {
	h := fnv.New32a()
	h.Write([]byte(id))
	return partKey(int(h.Sum32() % directoryParts))
}

// list enters an actor into the directory.
func (j *Journal) list(ctx context.Context, id actor.ID) error {
	c := &call{key: partOf(id), size: entryOverhead}
	c.commands = []command{{args: []any{"zadd", c.key, time.Now().UnixMilli(), string(id)}}}
	if err := j.pipelines.do(ctx, c); err != nil {
		return err
	}
	if !c.replicated {
		return errNotReplicated
	}
	return nil
}

// unlist removes a forgotten actor from the directory.
func (j *Journal) unlist(ctx context.Context, id actor.ID) error {
	return j.redis.client.ZRem(ctx, partOf(id), string(id)).Err()
}

// Live implements actor.Journal. It removes leftovers of nodes that died between the
// directory and the journal.
func (j *Journal) Live(ctx context.Context) ([]actor.ID, error) {
	seen := map[actor.ID]struct{}{}
	for n := range directoryParts {
		for cursor := uint64(0); ; {
			members, next, err := j.redis.client.ZScan(ctx, partKey(n), cursor, "", scanAtOnce).Result()
			if err != nil {
				return nil, err
			}
			if err := j.withJournal(ctx, partKey(n), members, seen); err != nil {
				return nil, err
			}
			if cursor = next; cursor == 0 {
				break
			}
		}
	}
	ids := make([]actor.ID, 0, len(seen))
	for id := range seen {
		ids = append(ids, id)
	}
	return ids, nil
}

// withJournal adds those of a page of a part that have a journal. The page alternates
// between ids and times.
func (j *Journal) withJournal(ctx context.Context, part string, page []string, seen map[actor.ID]struct{}) error {
	if len(page) == 0 {
		return nil
	}
	pipe := j.redis.client.Pipeline()
	var types []*redis.StatusCmd
	for member := range slices.Chunk(page, 2) {
		types = append(types, pipe.Type(ctx, streamKey(actor.ID(member[0]))))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	for i, t := range types {
		id, entered := page[2*i], page[2*i+1]
		if t.Val() == "stream" {
			seen[actor.ID(id)] = struct{}{}
			continue
		}
		at, err := strconv.ParseFloat(entered, 64)
		if err != nil || time.Since(time.UnixMilli(int64(at))) < leftoverAfter {
			continue
		}
		if err := unlistScript.Run(ctx, j.redis.client, []string{part}, id, entered).Err(); err != nil {
			return err
		}
	}
	return nil
}
