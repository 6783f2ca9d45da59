// Package gateway lets any node of a hall serve any player and any spectator: it stands between the edge and the domain,
// and takes what a socket says to the node that runs the game, or the lobby, and brings back what is told there.
//
// A node has two roles. As an edge it has sockets: one whose table is here goes straight to it; one whose table is on
// another node, the owner, is attached there under a number. As an owner it has a proxy for each attached player, which
// the table takes for a socket, and one gallery for each node with spectators: a public frame crosses once for all of
// them, and the edge tells its own crowd. The lobby is one unit, on the node that runs the actor lobby.SeatsID; every
// socket of the hall is attached to it.
//
// The bus may lose messages and says so. Then, and when the owner is gone or its table has moved, the sockets concerned
// are closed with wire.CloseRestart: they come back by themselves, and join where the table is by then. Sessions of the
// lobby are connected again instead, and what they were waiting for is asked for again. A proxy whose node is gone leaves
// its table as a lost socket does.
//
// A Gateway is what the edge takes for its Tables and its Lobby, with Seat for Config.Seat; Free goes into table.Config, Open
// and Finished into lobby.Config. It is put together in this order, since all need one another:
//
//	g := gateway.New(gateway.Config{Log: log})
//	tables := table.New(table.Config{..., Free: g.Free})
//	lobby := lobby.New(lobby.Config{..., Open: g.Open, Finished: g.Finished})
//	bus := members.OpenBus(..., Handler: g.Received, g.Missed, g.Resynced, g.Asked)
//	members.Changed(g.NodesChanged)
//	hall.Start, lobby.Start
//	g.Start(gateway.Parts{Bus: bus, Owners: hall, Nodes: members, Tables: tables, Lobby: lobby})
//	...
//	hall.Close, g.Close(), bus.Close, members.Leave
package gateway

import (
	"context"

	"flagfall/server/actor"
)

// Peer is one incarnation of a node.
type Peer struct{ Name, Incarnation string }

// Node is a member of the hall.
type Node struct {
	Peer
	Draining bool // takes nothing new
}

// Bus carries messages to other nodes. Those of one node to another, Ask and its replies among them, stay in order.
type Bus interface {
	// Send queues a message and returns at once; an error says that it was not taken. The payload is not kept.
	Send(node string, kind byte, payload []byte) error
	// Ask waits for the other side's reply. After an error of its own the other side may have acted.
	Ask(ctx context.Context, node string, payload []byte) ([]byte, error)
	// Deaf says that nothing gets through at present: whatever is sent now would be a gap later.
	Deaf() bool
}

// Owners tells where actors run.
type Owners interface {
	// Where gives the node that runs an actor; here is true when this one does. actor.ErrUnknownActor: it lives nowhere.
	// Any other error: not known just now.
	Where(ctx context.Context, id actor.ID) (node string, here bool, err error)
}

// Nodes are the members of the hall as this one sees them.
type Nodes interface {
	Self() string
	// Alive lists them, this one too.
	Alive() []Node
}
