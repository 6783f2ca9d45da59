package actor

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Start replays every actor of the journal, tells each that there was a gap, and
// opens the hall. An actor that cannot be replayed, or of a kind or version that this
// program does not know, is left as it is, with an error in the log. The error is of
// the journal itself; the hall is not open then.
func (h *Hall) Start(ctx context.Context) error {
	h.mu.RLock()
	used := h.open || h.closed
	h.mu.RUnlock()
	if used {
		return errors.New("a hall is started once")
	}
	if h.cfg.Peers != nil {
		h.startWithPeers()
		return nil
	}
	ids, err := h.cfg.Journal.Live(ctx)
	if err != nil {
		return fmt.Errorf("the journal does not list its actors: %w", err)
	}
	loaded, err := h.loadAll(ctx, ids)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	h.counts.beatAt.Store(int64(h.cfg.Now()))
	for _, l := range loaded {
		h.actors[l.a.id] = l.a
	}
	for _, l := range loaded {
		l.a.mb.setClock(l.a.at + l.gap.Elapsed)
		if _, err := l.a.mb.push(item{cmd: Command{Body: l.gap}}, true); err != nil {
			return err
		}
	}
	h.wg.Add(1 + len(loaded))
	go h.heart()
	for _, l := range loaded {
		close(l.a.born)
		go l.a.run()
	}
	return nil
}

// startWithPeers opens the hall; actors come when they are created, asked for, or found to be orphans.
func (h *Hall) startWithPeers() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open = true
	h.counts.beatAt.Store(int64(h.cfg.Now()))
	h.wg.Add(2)
	go h.heart()
	go h.tend()
}

type loadedActor struct {
	a     *actor
	gap   Recovered
	owner string // the incarnation that wrote the last entry
}

func (h *Hall) loadAll(ctx context.Context, ids []ID) ([]loadedActor, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		mu     sync.Mutex
		loaded []loadedActor
		wg     sync.WaitGroup
	)
	next := make(chan ID)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for id := range next {
				l, err := h.load(ctx, id)
				if err != nil {
					cancel(err)
					continue
				}
				if l.a != nil {
					mu.Lock()
					loaded = append(loaded, l)
					mu.Unlock()
				}
			}
		})
	}
	for _, id := range ids {
		next <- id
	}
	close(next)
	wg.Wait()
	return loaded, context.Cause(ctx)
}

// load replays one actor. Its error is of the journal; what is wrong with the actor
// alone goes to the log.
func (h *Hall) load(ctx context.Context, id ID) (loadedActor, error) {
	k := h.kinds[id.Kind()]
	if k == nil || k.Ephemeral || !validID(id) {
		h.log.Error("the journal has an actor of a kind that this program does not know", logAttr(id))
		return loadedActor{}, nil
	}
	entries, err := h.cfg.Journal.Read(ctx, id, 0)
	if err != nil {
		return loadedActor{}, fmt.Errorf("the journal of %s cannot be read: %w", id, err)
	}
	if len(entries) == 0 {
		return loadedActor{}, nil
	}
	a := h.newActor(id, k)
	last, err := a.replay(entries)
	if err != nil {
		a.log().Error("an actor cannot be replayed and is left alone", "err", err)
		return loadedActor{}, nil
	}
	beat, ok, err := h.cfg.Journal.LastBeat(ctx, last.Owner)
	if err != nil {
		return loadedActor{}, fmt.Errorf("the journal does not tell the last heartbeat: %w", err)
	}
	var gap Recovered
	if ok {
		gap.Elapsed = max(beat.Mono.Milliseconds()-last.Mono, 0)
		gap.Gap = max(time.Since(beat.Wall).Milliseconds(), 0)
	}
	return loadedActor{a, gap, last.Owner}, nil
}

// replay takes the entries in and returns the last one.
func (a *actor) replay(entries []Entry) (last *record, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the machine failed at step %d: %v", a.seq+1, p)
		}
	}()
	records := make([]*record, len(entries))
	events := make([][]Event, len(entries))
	begin := -1 // the last snapshot
	for i, e := range entries {
		if i > 0 && e.Seq != entries[i-1].Seq+1 {
			return nil, fmt.Errorf("entry %d is followed by entry %d", entries[i-1].Seq, e.Seq)
		}
		if records[i], events[i], err = readRecord(a.kind, e); err != nil {
			return nil, err
		}
		if i > 0 && records[i].epoch() < records[i-1].epoch() {
			return nil, fmt.Errorf("entry %d is of epoch %d, the one before of %d", e.Seq, records[i].epoch(), records[i-1].epoch())
		}
		if records[i].Snapshot {
			begin = i
		}
	}
	if begin < 0 && entries[0].Seq != 1 {
		return nil, fmt.Errorf("the journal begins at entry %d without a snapshot", entries[0].Seq)
	}
	for i, r := range records {
		if i >= begin {
			for _, e := range events[i] {
				a.m.Apply(e)
			}
		}
		if r.Snapshot {
			a.snapSeq = r.Seq
		}
		a.seq, a.at = r.Seq, r.At
		a.recent.add(r.From, r.ID, r.Seq, r.At)
	}
	last = records[len(records)-1]
	a.epoch = last.epoch() + 1
	return last, nil
}
