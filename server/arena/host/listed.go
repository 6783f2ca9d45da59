// Package host is the shell of events: it runs them as actors, knows who is present, carries out what they want done
// elsewhere, answers what people ask of them and do with them, and tells sockets what changes.
package host

import (
	"flagfall/server/wire"
)

// ListQuery asks for events.
type ListQuery struct {
	Phase string // "open" (before the start), "running", "past" (with those that were called off), or "" for all
	Club  string // "" for those of all clubs and of none
}

// Terms are what an event's games are played by.
type Terms struct {
	wire.Terms
	Base int64  `json:"base"`
	Mode string `json:"mode"`
}

// Listed is an event in a list. Times are Unix ms.
type Listed struct {
	Event   string `json:"event"` // its name in addresses
	Name    string `json:"name"`
	Phase   string `json:"phase"`
	Format  string `json:"format"`
	Starts  int64  `json:"starts,omitempty"`
	Bell    int64  `json:"bell,omitempty"`
	Club    string `json:"club,omitempty"`
	Players int    `json:"players"`
	Terms   Terms  `json:"terms"`
	Rated   bool   `json:"rated"`
	Access  string `json:"access"`

	CalledOff bool `json:"called_off,omitempty"`
}
