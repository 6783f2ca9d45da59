package gateway

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"time"

	"flagfall/game"
	"flagfall/server/actor"
	"flagfall/server/lobby"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// An error that callers tell apart is the same on the other node.
func TestFaults(t *testing.T) {
	travel := func(err error) error {
		t.Helper()
		text, e := json.Marshal(newFault(fmt.Errorf("with words around it: %w", err)))
		var f fault
		if e != nil || json.Unmarshal(text, &f) != nil {
			t.Fatalf("%v as %s: %v", err, text, e)
		}
		return f.err()
	}
	for _, err := range []error{
		table.ErrUnknownGame, table.ErrRunning, lobby.ErrUnknownInvite,
		actor.ErrUnknownActor, actor.ErrBusy, actor.ErrClosed, actor.ErrConflict, actor.ErrMoved,
	} {
		if got := travel(err); got != err {
			t.Errorf("%v came as %v", err, got)
		}
	}
	var ofGame *game.Refusal
	if got := travel(&game.Refusal{Code: game.BadSetup, Detail: "no base"}); !errors.As(got, &ofGame) ||
		ofGame.Code != game.BadSetup || ofGame.Detail != "no base" {
		t.Errorf("a game's refusal came as %v", got)
	}
	var ofWire *wire.Refusal
	if got := travel(wire.Refusef(wire.CodeBadMessage, "No %s.", "base")); !errors.As(got, &ofWire) ||
		ofWire.Code != wire.CodeBadMessage || ofWire.Msg != "No base." {
		t.Errorf("a refusal came as %v", got)
	}
	if got := travel(errors.New("the disk is full")); got.Error() != "with words around it: the disk is full" || onTheMove(got) {
		t.Errorf("another error came as %v", got)
	}
}

// nobody is a bus, the owners and the nodes of a hall in which nothing is.
type nobody struct{ sent int }

func (n *nobody) Send(string, byte, []byte) error { n.sent++; return nil }
func (n *nobody) Ask(context.Context, string, []byte) ([]byte, error) {
	return nil, errors.New("nobody answers")
}
func (n *nobody) Deaf() bool { return false }
func (n *nobody) Where(context.Context, actor.ID) (string, bool, error) {
	return "", false, actor.ErrUnknownActor
}
func (n *nobody) Self() string  { return "a" }
func (n *nobody) Alive() []Node { return nil }

// What cannot be read, or means nothing here, is survived, and answered where somebody waits.
func TestNonsense(t *testing.T) {
	none := &nobody{}
	g := New(Config{Log: slog.New(slog.DiscardHandler)})
	g.Start(Parts{Bus: none, Owners: none, Nodes: none})
	defer g.Close()
	from := Peer{"b", "1"}
	dice := rand.New(rand.NewPCG(1, 2))
	for kind := range 256 {
		for range 50 {
			payload := make([]byte, dice.IntN(20))
			for i := range payload {
				payload[i] = byte(dice.Uint32())
			}
			g.Received(from, byte(kind), payload, time.Millisecond)
		}
	}
	for _, text := range []string{
		``, `null`, `[]`, `{}`, `{"ask":"join"}`, `{"ask":"join","person":{}}`, `{"ask":"connect"}`, `{"ask":"open","id":"g"}`,
		`{"ask":"free"}`, `{"ask":"game"}`, `{"ask":"seat","id":"x"}`, `{"ask":"tea"}`, `{"ask":"live"}`,
		`{"ask":"join","number":1,"person":{},"message":{"t":"join","game":"../.."}}`,
	} {
		answered := make(chan string, 1)
		g.Asked(from, []byte(text), func(reply []byte, err error) {
			var a answer
			if err == nil && (json.Unmarshal(reply, &a) != nil || a.Fault == nil) {
				t.Errorf("%s: answered with %s", text, reply)
			}
			answered <- text
		})
		select {
		case <-answered:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s: no answer", text)
		}
	}
	g.hosts.mu.Lock()
	defer g.hosts.mu.Unlock()
	if one := g.hosts.byPeer[from]; one != nil && (len(one.proxies) > 0 || one.answering != 0) {
		t.Errorf("left behind: %d proxies, %d questions", len(one.proxies), one.answering)
	}
}

// Before Start, and after Close, everybody is refused in words.
func TestNotServing(t *testing.T) {
	g := New(Config{Log: slog.New(slog.DiscardHandler)})
	refused := func(when string) {
		t.Helper()
		_, err := g.Join(nil, wire.ClientMessage{})
		_, _, errGame := g.Game(t.Context(), "g")
		_, errLive := g.Live(t.Context())
		_, errInvite := g.Invite(t.Context(), "i")
		for _, err := range []error{err, errGame, errLive, errInvite, g.Open(t.Context(), "g", game.Setup{}), g.Free(t.Context(), table.Freed{})} {
			if !errors.Is(err, wire.Refuse(wire.CodeUnavailable)) {
				t.Errorf("%s: %v", when, err)
			}
		}
		g.Received(Peer{}, kindSay, binary.AppendUvarint(nil, 1), 0)
		g.Missed(Peer{})
		g.Resynced()
		g.NodesChanged()
		asked := false
		g.Asked(Peer{}, []byte(`{"ask":"echo"}`), func([]byte, error) { asked = true })
		if !asked || g.Seat("x") != "" {
			t.Errorf("%s: answered %v", when, asked)
		}
	}
	refused("before")
	g.Close()
	refused("after")
}
