package gateway

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"sync"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/arena/host"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Kinds of messages that are sent. Each begins with the number of an attachment or a gallery, as a varint.
const (
	// From the edge to the owner.
	kindSay      = 0x01 // attachment, lag in ms as a varint, a wire.ClientMessage
	kindLeave    = 0x02 // attachment
	kindUnfollow = 0x03 // gallery

	// From the owner to the edge.
	kindFrame    = 0x11 // attachment, a frame
	kindFrameNow = 0x12 // the same, for a player who waits for it
	kindClose    = 0x13 // attachment, close code as a varint, the reason
	kindAdmit    = 0x14 // attachment, gallery as a varint
	kindPublic   = 0x15 // gallery, a frame for all of it
	kindOver     = 0x16 // gallery, 1 if the table has moved to another server
	kindReset    = 0x17 // 0: nothing of the receiver's is attached here any more
	kindLeft     = 0x18 // attachment: it has left, and all that it said is answered
)

// send sends a number, what else is a number, and bytes.
func (g *Gateway) send(node string, kind byte, number uint64, more []uint64, rest []byte) error {
	pooled := payloads.Get().(*[]byte)
	defer payloads.Put(pooled)
	p := binary.AppendUvarint((*pooled)[:0], number)
	for _, n := range more {
		p = binary.AppendUvarint(p, n)
	}
	p = append(p, rest...)
	if cap(p) <= largePayload {
		*pooled = p
	}
	if taken, err := g.holding.keep(node, kind, p); taken {
		return err
	}
	return g.parts.Bus.Send(node, kind, p)
}

var payloads = sync.Pool{New: func() any { return new([]byte) }}

// largePayload is not kept to be used again, in bytes.
const largePayload = 16 << 10

// number reads a varint; ok is false when there is none.
func number(p []byte) (n uint64, rest []byte, ok bool) {
	n, size := binary.Uvarint(p)
	if size <= 0 {
		return 0, nil, false
	}
	return n, p[size:], true
}

// What can be asked.
const (
	askJoin     = "join"     // Number, Gallery, Person, Lag, Message -> joined
	askConnect  = "connect"  // Number, Person -> the game at which the person sits
	askGame     = "game"     // ID -> seen
	askPGN      = "pgn"      // ID -> text
	askLive     = "live"     // -> []table.Summary
	askFinished = "finished" // ID -> game.Setup
	askOpen     = "open"     // ID, Setup
	askFree     = "free"     // Freed
	askInvite   = "invite"   // ID -> lobby.InviteView
	askSeat     = "seat"     // ID of a person -> a game, "" for none
	askEvent    = "event"    // Event -> what host.Host.Here answers
	askBegin    = "begin"    // ID of an event, First
	askTake     = "take"     // ID of a game, Setup: both seats
	askBoards   = "boards"   // ID of an event -> []table.Board, of this node
	askRule     = "rule"     // ID of a game, Ruling
	askLog      = "log"      // ID of a game -> table.GameLog
	askEcho     = "echo"     // nothing: whatever was sent before has arrived
)

type question struct {
	Ask     string              `json:"ask"`
	ID      string              `json:"id,omitempty"`
	Number  uint64              `json:"number,omitempty"`
	Gallery uint64              `json:"gallery,omitempty"`
	Lag     int64               `json:"lag,omitempty"`
	Person  *account.Person     `json:"person,omitempty"`
	Message *wire.ClientMessage `json:"message,omitempty"`
	Setup   *game.Setup         `json:"setup,omitempty"`
	Freed   *table.Freed        `json:"freed,omitempty"`
	Event   *host.Question      `json:"event,omitempty"`
	First   *arena.Create       `json:"first,omitempty"`
	Ruling  *ruling             `json:"ruling,omitempty"`
}

// ruling is an arbiter's on a game, as table.Tables.Rule takes it.
type ruling struct {
	From   string      `json:"from"`
	ID     string      `json:"id"`
	Ruling game.Ruling `json:"ruling"`
}

type answer struct {
	Fault *fault          `json:"fault,omitempty"`
	Value json.RawMessage `json:"value,omitempty"`
}

// joined answers askJoin.
type joined struct {
	Plays bool `json:"plays"`
}

// seen answers askGame.
type seen struct {
	View    json.RawMessage `json:"view"`
	Running bool            `json:"running"`
}

// fault is an error on its way between nodes; those that callers tell apart stay what they are.
type fault struct {
	Of   string `json:"of"`
	Code string `json:"code,omitempty"`
	Text string `json:"text,omitempty"`
	// At is where people sit, of lobby.Busy.
	At map[string]string `json:"at,omitempty"`
}

// named are errors that have no more to them than their name.
var named = map[string]error{
	"unknown_actor": actor.ErrUnknownActor,
	"busy":          actor.ErrBusy,
	"closed":        actor.ErrClosed,
	"conflict":      actor.ErrConflict,
	"moved":         actor.ErrMoved,
	"same_person":   lobby.ErrSamePerson,
}

// refusals are those that callers know by themselves and not by their code alone.
var refusals = []*wire.Refusal{table.ErrUnknownGame, table.ErrRunning, lobby.ErrUnknownInvite, host.ErrUnknownEvent}

func newFault(err error) *fault {
	var ofGame *game.Refusal
	var ofWire *wire.Refusal
	var ofArena *arena.Refusal
	var busy *lobby.Busy
	switch {
	case errors.As(err, &busy):
		return &fault{Of: "seats", At: busy.At}
	case errors.As(err, &ofArena):
		return &fault{Of: "arena", Code: string(ofArena.Code), Text: ofArena.Detail}
	case errors.As(err, &ofGame):
		return &fault{Of: "game", Code: string(ofGame.Code), Text: ofGame.Detail}
	case errors.As(err, &ofWire):
		return &fault{Of: "wire", Code: ofWire.Code, Text: ofWire.Msg}
	}
	for name, one := range named {
		if errors.Is(err, one) {
			return &fault{Of: name}
		}
	}
	return &fault{Text: err.Error()}
}

func (f *fault) err() error {
	switch f.Of {
	case "seats":
		return &lobby.Busy{At: f.At}
	case "arena":
		return &arena.Refusal{Code: arena.Code(f.Code), Detail: f.Text}
	case "game":
		return &game.Refusal{Code: game.Code(f.Code), Detail: f.Text}
	case "wire":
		for _, one := range refusals {
			if one.Code == f.Code && one.Msg == f.Text {
				return one
			}
		}
		return &wire.Refusal{Code: f.Code, Msg: f.Text}
	}
	if err := named[f.Of]; err != nil {
		return err
	}
	return errors.New(f.Text)
}
