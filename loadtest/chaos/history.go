// Package chaos holds what is known of a run in which nodes, Redis and connections were killed against what must be true
// whatever dies: the journals of all actors, the archive, and what every simulated client was told. It is pure: it reads
// no file and no socket. The run itself is in the folder drill.
//
// It shares the names of events with the server and none of its judgement: clocks are added up anew, seats are taken
// anew, and who may write is decided from the entries alone.
package chaos

import (
	"encoding/json"

	"flagfall/game"
	"flagfall/server/wire"
)

// Invariant names something that must be true of every run.
type Invariant string

// The invariants.
const (
	Written      Invariant = "every number of a journal is written once"
	Epochs       Invariant = "epochs rise and nothing is written under an old one"
	EndedOnce    Invariant = "each game ended once"
	AfterEnd     Invariant = "nothing after the end"
	Acknowledged Invariant = "what a client saw acknowledged is in the journal, in that order"
	Clocks       Invariant = "both clocks, lag and gaps add up to game time"
	Flags        Invariant = "no flag by an outage"
	Tables       Invariant = "nobody at two tables"
	Archived     Invariant = "results archived once"
)

// Invariants are all of them, in the order of a report.
var Invariants = []Invariant{Written, Epochs, EndedOnce, AfterEnd, Acknowledged, Clocks, Flags, Tables, Archived}

// History is what is known of a run.
type History struct {
	Entries []Entry  // of all journals, as each process copied them, in the order of that
	Archive []Record // every row
	Clients []Client // everybody at every game
	Claimed bool     // owners claim by epochs; else one follows another in the same journal without one
	Settled bool     // it was waited until no game was left
}

// Entry is one copied entry of an actor's journal. The same entry may be there more than once.
type Entry struct {
	Process string // that copied it
	Time    int64  // when, Unix ms
	Read    bool   // it was read; else this process has appended it
	Actor   string // "game/ID", "seats"
	Seq     uint64
	Data    []byte // as journaled
}

// Record is a row of the archive.
type Record struct {
	Game         string
	White, Black string // ids of people
	Result       string
	Reason       string
	Events       []game.Event
}

// Client is one client at one game: a line of what loadtest writes with -saw.
type Client struct {
	Game   string  `json:"game"`
	Person string  `json:"person"`
	Seat   string  `json:"seat"` // "w", "b" or "" for a spectator
	Seen   []Sight `json:"seen"` // in order
}

// Sight is a command that went out or a frame that came in, at a moment in Unix ms. A command was meant for the moment Due.
type Sight struct {
	At   int64               `json:"at"`
	Due  int64               `json:"due,omitempty"`
	Sent *wire.ClientMessage `json:"sent,omitempty"`
	Got  json.RawMessage     `json:"got,omitempty"`
}
