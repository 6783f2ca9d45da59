package chaos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// record is one step of an actor.
type record struct {
	seq     uint64
	Version int               `json:"v"`    // of the events
	At      int64             `json:"at"`   // actor time, ms
	Mono    int64             `json:"mono"` // the owner's reading then, ms
	Owner   string            `json:"own"`
	Epoch   uint64            `json:"ep"`
	From    string            `json:"from"`
	ID      string            `json:"id"`
	Events  []json.RawMessage `json:"ev"`
}

// journal is an actor's journal, put together from the copies.
type journal struct {
	records []record // by number
	wrong   []string
}

// merge puts the copies together, by actor.
func merge(entries []Entry) map[string]*journal {
	type copied struct {
		seq  uint64
		data []byte
		by   string
	}
	all := map[string][]copied{}
	for _, e := range entries {
		all[e.Actor] = append(all[e.Actor], copied{e.Seq, e.Data, e.Process})
	}
	out := map[string]*journal{}
	for actor, list := range all {
		j := &journal{}
		out[actor] = j
		slices.SortStableFunc(list, func(a, b copied) int {
			switch {
			case a.seq < b.seq:
				return -1
			case a.seq > b.seq:
				return 1
			}
			return 0
		})
		for i, c := range list {
			switch {
			case i == 0 && c.seq != 1:
				j.wrong = append(j.wrong, fmt.Sprintf("the first entry that anybody wrote or read is %d", c.seq))
			case i > 0 && c.seq == list[i-1].seq:
				if !bytes.Equal(c.data, list[i-1].data) {
					j.wrong = append(j.wrong, fmt.Sprintf("entry %d is %s for %s and %s for %s", c.seq, list[i-1].data, list[i-1].by, c.data, c.by))
				}
				continue
			case i > 0 && c.seq != list[i-1].seq+1:
				j.wrong = append(j.wrong, fmt.Sprintf("entry %d is followed by entry %d", list[i-1].seq, c.seq))
			}
			r := record{seq: c.seq, Epoch: 1}
			if err := json.Unmarshal(c.data, &r); err != nil {
				j.wrong = append(j.wrong, fmt.Sprintf("entry %d cannot be read: %v", c.seq, err))
				continue
			}
			j.records = append(j.records, r)
		}
	}
	return out
}

// owners follows who wrote: an epoch has one owner, it never falls, and who has been followed does not come back. With
// claimed, an owner is followed only by one with a higher epoch. Nobody writes behind events of a later version, which he does
// not know; rolled: a later version follows.
func owners(records []record, claimed bool) (wrong []string, takeovers int, rolled bool) {
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	gone := map[string]bool{}
	for i := 1; i < len(records); i++ {
		before, r := &records[i-1], &records[i]
		if r.Version < before.Version {
			complain("entry %d is of version %d, the one before of %d", r.seq, r.Version, before.Version)
		}
		rolled = rolled || r.Version > before.Version
		if r.Epoch < before.Epoch {
			complain("entry %d has epoch %d, the one before has %d", r.seq, r.Epoch, before.Epoch)
		}
		if r.Owner == before.Owner {
			if r.At < before.At || r.Mono < before.Mono {
				complain("time goes back in entry %d of one owner", r.seq)
			}
			continue
		}
		takeovers++
		gone[before.Owner] = true
		switch {
		case claimed && r.Epoch == before.Epoch:
			complain("%s writes entry %d in epoch %d, which is that of %s", r.Owner, r.seq, r.Epoch, before.Owner)
		case gone[r.Owner] && r.Epoch <= before.Epoch:
			complain("%s writes entry %d after %s had taken over", r.Owner, r.seq, before.Owner)
		}
	}
	return wrong, takeovers, rolled
}
