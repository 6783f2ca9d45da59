package table

import "flagfall/game"

// Matter is something that an arbiter of the game's event wants to know of: a dispute, a demonstration, or a step of the
// ladder of wrong claims. Each is told to the event in turn, until it has taken it.
type Matter struct {
	Event string    `json:"event"`
	Game  string    `json:"game"`
	N     int       `json:"n"`    // of this game, from 1
	Kind  string    `json:"kind"` // "dispute", "demo" or "ladder"
	By    game.Side `json:"by"`
	Step  int       `json:"step,omitempty"` // of the ladder
	Stops bool      `json:"stops,omitempty"`
	At    int64     `json:"at"`              // game time, ms
	Until int64     `json:"until,omitempty"` // game time at which it ends by itself
	Open  bool      `json:"open"`            // false: it waits no longer
	// Ago is how long before it is told it was, in ms.
	Ago int64 `json:"ago,omitempty"`
}

// ladderFrom is the step of the ladder that an arbiter is told of: the first ones cost nothing.
const ladderFrom = 2

// minds notes what an event leaves for the arbiters.
func (m *machine) minds(e *game.Event) {
	setup := m.game.Setup()
	if setup == nil || setup.Event == "" {
		return
	}
	switch e.Kind {
	case game.Disputed:
		one := Matter{Kind: "dispute", By: e.By, Stops: e.Stops, Open: true}
		if e.Stops {
			one.Until = e.At + game.DisputeAtMost
		}
		m.mind(one, e.At)
	case game.DemoBegan:
		m.mind(Matter{Kind: "demo", By: e.By, Stops: true, Open: true}, e.At)
	case game.Denied:
		if e.Step >= ladderFrom {
			m.mind(Matter{Kind: "ladder", By: e.By, Step: e.Step, Open: true}, e.At)
		}
	case game.Resumed, game.Waited, game.DemoEnded, game.Ended:
		m.settleMatters(e)
	case game.Ruled:
		if e.Ruling.Act == game.ActResume {
			m.settleMatters(e)
		}
	}
}

func (m *machine) mind(one Matter, at int64) {
	one.Event, one.Game, one.N, one.At = m.game.Setup().Event, m.id, len(m.matters)+1, at
	m.matters = append(m.matters, one)
}

// settleMatters ends those for which the clocks stood. What is only noted is the arbiter's to settle.
func (m *machine) settleMatters(e *game.Event) {
	open := map[string]*Matter{}
	for i := range m.matters {
		if one := &m.matters[i]; one.Stops {
			open[one.Kind] = one
		}
	}
	for _, kind := range [2]string{"dispute", "demo"} {
		one := open[kind]
		if one == nil || !one.Open || kind == "demo" && e.Kind != game.DemoEnded && e.Kind != game.Ended || kind == "dispute" && e.Kind == game.DemoEnded {
			continue
		}
		m.mind(Matter{Kind: kind, By: one.By, Stops: true}, e.At)
	}
}

// untold is the first matter that the event has not taken.
func (m *machine) untold() (Matter, bool) {
	if m.told >= len(m.matters) {
		return Matter{}, false
	}
	return m.matters[m.told], true
}
