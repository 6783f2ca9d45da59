// Package actor runs pure state machines: each gets a mailbox, one timer and a journal,
// and lives on after the process dies. One goroutine at a time runs it, and none
// while it has nothing to do.
//
// The way of a command: it is stamped when it arrives, waits in the mailbox, is
// decided by the machine, its events are journaled, applied, and only then told.
// A refused command leaves no trace. Machines know neither clocks nor I/O, so
// replaying the journal gives the same state, always.
//
// Actor time is an integer: milliseconds since the actor was created, by the
// owner's monotonic clock, less every gap in which nobody could play: a stopped
// process, a journal that did not answer, the time between a crash and the
// restart.
package actor

import (
	"context"
	"errors"
	"strings"
)

// Errors that callers tell apart.
var (
	ErrUnknownActor = errors.New("no such actor is running here")
	ErrUnknownKind  = errors.New("no such kind of actor is registered")
	ErrInvalid      = errors.New("actor id, sender or command id is not valid")
	ErrBusy         = errors.New("too many commands are waiting for this actor")
	ErrClosed       = errors.New("the hall is closing")
	ErrInternal     = errors.New("internal error, nothing was changed")
)

// ID names an actor: a kind, and for kinds with more than one actor a slash and
// a name, such as "game/ab12" or "seats". Letters, digits, '-', '_', '.' and one
// slash; 120 bytes at most.
type ID string

// Kind returns the part before the slash.
func (id ID) Kind() string {
	kind, _, _ := strings.Cut(string(id), "/")
	return kind
}

// Name returns the part after the slash, empty if there is none.
func (id ID) Name() string {
	_, name, _ := strings.Cut(string(id), "/")
	return name
}

// Event is a fact of a machine.
type Event any

// Machine is a pure state machine. Its methods are called one at a time.
type Machine interface {
	// Decide judges a command at actor time at and returns its events. It
	// changes nothing. An error means refused. No events and no error means
	// accepted without effect: nothing is journaled (but see Command.Sure).
	Decide(cmd any, at int64) ([]Event, error)
	// Apply takes a recorded event in. It never judges.
	Apply(Event)
	// Deadline says when the machine wants a Tick.
	Deadline() (at int64, ok bool)
	// Effects lists what is to be done outside and not yet acknowledged. It is
	// derived from the state, so a replay finds the same again.
	Effects() []Effect
	// Done says that all is over and nothing is pending: the actor ends and
	// its journal is forgotten.
	Done() bool
}

// Recycler is implemented by a machine that uses the memory of its events again. They
// are given back once they are told, and are not to be kept: neither by an Observer
// nor by a Reply.
type Recycler interface {
	Recycle(events []Event)
}

// Orderer is implemented by a machine in which commands of one millisecond are
// one batch. A command for which Hold is true, and every later one of the same
// sender while one of his is held, waits until its millisecond is over; then
// Merge puts all that were held into the order in which they are decided. All
// other commands are decided at once.
type Orderer interface {
	Hold(cmd Command) bool
	// Merge returns the same commands in the order of the rules.
	Merge(batch []Command) []Command
}

// Tick is the body of the command that the actor sends its machine at a
// deadline, stamped with the deadline. Commands with earlier stamps come first,
// all others after it. A machine whose deadline stays where it was is ticked again
// only while its ticks give events.
type Tick struct{}

// Recovered is the body of the first command after a gap. It comes before a
// deadline that has passed meanwhile, and is journaled even if the machine has no
// event for it.
type Recovered struct {
	// Elapsed is the time in ms from the last step to the last moment at which
	// the owner is known to have been alive: to be charged, within the
	// machine's limits. The command's own time includes it.
	Elapsed int64
	// Gap is the rest in ms, nobody's time; after a restart an estimate by the
	// wall clock. It is not part of actor time.
	Gap int64
}

// Acked is the body of the command that says an effect has been carried out.
type Acked struct {
	Effect string // ID of the effect
	Result any    // what Kind.Effect returned
	Err    error  // only for a final refusal, see Final
}

// Effect is something to be done outside the machine, at least once.
type Effect struct {
	// ID is unique among all effects the machine ever has, and the receiver's
	// key for doing it once.
	ID string
	// Pool names the workers that run it: effects of one kind and pool share
	// Kind.Workers, so that a slow receiver delays only its own.
	Pool string
	Do   any
}

// Final marks an error of Kind.Effect as a refusal that no retry can change. It
// is handed to the machine in Acked.Err.
func Final(err error) error { return &finalError{err} }

type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
func (e *finalError) Unwrap() error { return e.err }

// Command is a request to an actor.
type Command struct {
	// From names the sender, ID the command among the sender's. The last 32
	// journaled commands of a sender are remembered, after a restart too; one of
	// them sent again is not decided again. Empty ID: never remembered.
	// Each is valid UTF-8 of 128 bytes at most.
	From, ID string
	// Age is how long ago in ms the command arrived at this system.
	Age int64
	// Body is what the machine decides on.
	Body any
	// Sure has the answer given only by who still owns the actor: accepted without
	// events, it is journaled nevertheless. A node that was overtaken and does not
	// know it yet would say that something is done from what it knew before.
	Sure bool
	// At is the stamp in actor time, set by the actor.
	At int64
	// Reply, if set, is called once with the outcome by whoever runs the actor:
	// it must not block.
	Reply func(Result)
}

// Result is the outcome of a command.
type Result struct {
	Seq       uint64  // the step; of a refused command the last one
	At        int64   // actor time at which it was decided
	Events    []Event // not to be changed; of a Recycler, nor kept
	Duplicate bool    // it was journaled before, as step Seq; its events are not given again
	Err       error   // refused, or not decided at all
}

// Step is one journaled command: what its events are, and when. Steps of an actor
// are numbered from 1 without gaps. A step may be without events (a snapshot, or a
// gap that the machine does not care about).
type Step struct {
	Seq      uint64
	At       int64
	From, ID string
	Events   []Event // not to be changed; of a Recycler, nor kept
}

// Observer is told what happens to one actor, by whoever runs it. It must not
// block, and may read the machine it was made with.
type Observer interface {
	// Step follows every step, once it is journaled and applied.
	Step(Step)
	// Ended is the last call: nil when the machine is done, ErrClosed when the
	// hall closes, ErrConflict when another owner has the actor, ErrInternal
	// when the machine failed to take in an event.
	Ended(err error)
}

// Kind describes the actors of one kind.
type Kind struct {
	Name string
	// New makes the empty machine that the first step, or the replay, fills.
	New func(ID) Machine
	// Encode appends an event as one JSON value; Decode reads it back. The
	// data given to Decode is not reused.
	Encode func(dst []byte, e Event) ([]byte, error)
	Decode func(data []byte) (Event, error)
	// Sound says that tests hold Encode to give JSON, always; of other kinds each
	// entry is checked, since what cannot be read back would lose the actor.
	Sound bool
	// Version of the events; an actor with a later one is left alone.
	Version int
	// Ephemeral actors are not journaled and die with the process.
	Ephemeral bool
	// Snapshot, for actors that live long, returns an event that stands for all
	// before it (nil: not now). It is taken every SnapshotEvery steps
	// (default 4096) and applied like any event.
	Snapshot      func(Machine) Event
	SnapshotEvery uint64
	// Effect carries out an effect. It is tried again with growing pauses until
	// it returns nil or a Final error, and cancelled when the machine no longer
	// lists the effect.
	Effect func(ctx context.Context, id ID, e Effect) (any, error)
	// Workers bounds how many effects of one pool run at once (default 16).
	Workers int
	// Observe, if set, makes the observer of an actor: after the replay, or after
	// the first step of a new one, which it is told then.
	Observe func(id ID, m Machine) Observer
}

func validID(id ID) bool {
	if len(id) == 0 || len(id) > 120 || id.Kind() == "" {
		return false
	}
	slashes := 0
	for i := range len(id) {
		switch c := id[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		case c == '/' && i < len(id)-1:
			slashes++
		default:
			return false
		}
	}
	return slashes <= 1
}
