package actor

import (
	"hash/maphash"
	"slices"
)

const (
	keptPerSender = 32
	keptInAll     = 4096 // bounds an actor with many senders
)

// recent remembers the journaled commands that a sender may send again.
type recent struct {
	senders map[string][]sent
	total   int
}

// sent is a command that was counted: its step, and when. What came of it is not kept, and of its id a hash of 64 bits: it
// would be most of what an actor holds.
type sent struct {
	id  uint64
	seq uint64
	at  int64
}

var idSeed = maphash.MakeSeed()

func (r *recent) find(from, id string) (Result, bool) {
	if id == "" {
		return Result{}, false
	}
	hash := maphash.String(idSeed, id)
	for _, s := range r.senders[from] {
		if s.id == hash {
			return Result{Seq: s.seq, At: s.at}, true
		}
	}
	return Result{}, false
}

func (r *recent) add(from, id string, seq uint64, at int64) {
	if id == "" {
		return
	}
	if r.senders == nil {
		r.senders = map[string][]sent{}
	}
	one := sent{maphash.String(idSeed, id), seq, at}
	list := r.senders[from]
	if len(list) == keptPerSender {
		copy(list, list[1:])
		list[len(list)-1] = one
		return
	}
	r.senders[from] = append(list, one)
	r.total++
	if r.total > keptInAll {
		r.drop()
	}
}

// drop forgets the older half.
func (r *recent) drop() {
	var seqs []uint64
	for _, list := range r.senders {
		for _, s := range list {
			seqs = append(seqs, s.seq)
		}
	}
	slices.Sort(seqs)
	limit := seqs[len(seqs)/2]
	r.total = 0
	for from, list := range r.senders {
		list = slices.DeleteFunc(list, func(s sent) bool { return s.seq < limit })
		if len(list) == 0 {
			delete(r.senders, from)
			continue
		}
		r.senders[from] = list
		r.total += len(list)
	}
}
