package actor

import (
	"hash/maphash"
	"slices"
)

const (
	keptPerSender = 32
	keptInAll     = 4096 // bounds an actor with many senders
)

// recent remembers the journaled commands that a sender may send again. Most actors have two or three senders, for whom a
// map would be a large part of what the actor holds: they are looked up one by one, and in the map when they are many.
type recent struct {
	senders []sender
	many    map[string]int // where in senders; nil while they are few
	total   int
}

// few is how many senders are looked up one by one.
const few = 8

type sender struct {
	name string
	sent []sent // the oldest first
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
	sender := r.sender(from)
	if sender == nil {
		return Result{}, false
	}
	hash := maphash.String(idSeed, id)
	for _, s := range sender.sent {
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
	sender := r.sender(from)
	if sender == nil {
		r.put(from, nil)
		sender = r.sender(from)
	}
	one := sent{maphash.String(idSeed, id), seq, at}
	list := sender.sent
	if len(list) == keptPerSender {
		copy(list, list[1:])
		list[len(list)-1] = one
		return
	}
	sender.sent = append(list, one)
	r.total++
	if r.total > keptInAll {
		r.drop()
	}
}

// sender is nil for one that is not known.
func (r *recent) sender(name string) *sender {
	if r.many != nil {
		if i, known := r.many[name]; known {
			return &r.senders[i]
		}
		return nil
	}
	for i := range r.senders {
		if r.senders[i].name == name {
			return &r.senders[i]
		}
	}
	return nil
}

// put takes a new sender in.
func (r *recent) put(name string, list []sent) {
	r.senders = append(r.senders, sender{name, list})
	if r.many != nil {
		r.many[name] = len(r.senders) - 1
		return
	}
	if len(r.senders) > few {
		r.many = map[string]int{}
		for i := range r.senders {
			r.many[r.senders[i].name] = i
		}
	}
}

// drop forgets the older half.
func (r *recent) drop() {
	var seqs []uint64
	for _, sender := range r.senders {
		for _, s := range sender.sent {
			seqs = append(seqs, s.seq)
		}
	}
	slices.Sort(seqs)
	limit := seqs[len(seqs)/2]
	all := r.senders
	*r = recent{}
	for _, sender := range all {
		list := slices.DeleteFunc(sender.sent, func(s sent) bool { return s.seq < limit })
		if len(list) > 0 {
			r.put(sender.name, list)
			r.total += len(list)
		}
	}
}
