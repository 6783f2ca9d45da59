package host

import (
	"context"
	"slices"
	"time"

	"flagfall/server/arena"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// boards are the running games as their tables told a moment ago.
type boards struct {
	turn chan struct{} // held by who asks
	at   time.Time
	list []table.Board
}

// boardsAge is how old the boards may be.
const boardsAge = 500 * time.Millisecond

// live are the running games, asked for once for all who ask at a time.
func (e *event) live(ctx context.Context) ([]table.Board, error) {
	b := &e.boards
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return nil, errUnavailable
	}
	now := e.h.cfg.Civil()
	if age := now.Sub(b.at); age >= 0 && age < boardsAge {
		return b.list, nil
	}
	list, err := e.h.cfg.Boards(ctx, e.name)
	if err != nil {
		return nil, err
	}
	b.at, b.list = now, list
	return list, nil
}

// boardView is a running game of an event.
type boardView struct {
	table.Board
	White      arena.Person `json:"white"`
	Black      arena.Person `json:"black"`
	PlaceWhite int          `json:"place_white"` // 0: none yet
	PlaceBlack int          `json:"place_black"`
	Round      int          `json:"round,omitempty"`
	Since      int64        `json:"since"` // of the pairing, Unix ms
}

// boarded answers for the boards, those of the highest places first.
func (e *event) boarded(ctx context.Context, q Question) (any, error) {
	var p struct {
		Most int `json:"most"`
	}
	if err := q.read(&p); err != nil {
		return nil, err
	}
	if err := e.sees(ctx, q); err != nil {
		return nil, err
	}
	live, err := e.live(ctx)
	if err != nil {
		return nil, err
	}
	views := []boardView{}
	err = e.read(ctx, func(s *arena.State, now int64) error {
		v := s.Views(now)
		for _, b := range live {
			g := s.Game(b.Game)
			if g == nil || g.Over {
				continue
			}
			one := boardView{Board: b, White: s.Person(g.White), Black: s.Person(g.Black), Round: g.Round, Since: g.At}
			one.PlaceWhite, one.PlaceBlack = v.Place(g.White), v.Place(g.Black)
			views = append(views, one)
		}
		return nil
	})
	slices.SortStableFunc(views, func(a, b boardView) int {
		return better(a.PlaceWhite, a.PlaceBlack) - better(b.PlaceWhite, b.PlaceBlack)
	})
	if p.Most > 0 && p.Most < len(views) {
		views = views[:p.Most]
	}
	return map[string]any{"boards": views}, err
}

func (e *event) sees(ctx context.Context, q Question) error {
	return e.read(ctx, func(s *arena.State, _ int64) error {
		if !s.May(q.viewer()) {
			return ErrUnknownEvent
		}
		return nil
	})
}

// deskView is the arbiter's desk with what the tables say.
type deskView struct {
	arena.DeskPage
	Games []deskGame `json:"games"`
}

type deskGame struct {
	arena.DeskGame
	Phase  string      `json:"phase"` // "" while its table does not answer
	Clk    wire.Clocks `json:"clk"`
	Flags  [2]bool     `json:"flags"`
	Away   [2]bool     `json:"away"`
	Ply    int         `json:"ply"`
	Claims int         `json:"claims"` // that were wrong
}

func (e *event) desk(ctx context.Context, q Question) (any, error) {
	if err := e.staffed(ctx, q); err != nil {
		return nil, err
	}
	live, err := e.live(ctx)
	if err != nil {
		live = nil // the desk is there without the tables, too
	}
	tables := map[string]table.Board{}
	for _, b := range live {
		tables[b.Game] = b
	}
	view := deskView{Games: []deskGame{}}
	err = e.read(ctx, func(s *arena.State, now int64) error {
		view.DeskPage = s.DeskView(q.By.ID, now)
		return nil
	})
	if err != nil {
		return nil, err
	}
	view.Page.Chat = e.chat.last()
	view.Dropped = e.drop(e.h.cfg.Civil())
	for _, g := range view.DeskPage.Games {
		b := tables[g.Game]
		if g.Dispute == "" {
			g.Dispute = b.Dispute
		}
		view.Games = append(view.Games, deskGame{DeskGame: g, Phase: b.Phase, Clk: b.Clk, Flags: b.Flags, Away: b.Away, Ply: b.Ply, Claims: b.Claims})
	}
	return view, nil
}

func (e *event) staffed(ctx context.Context, q Question) error {
	return e.read(ctx, func(s *arena.State, _ int64) error {
		switch {
		case s.Staff(q.By.ID):
			return nil
		case !s.May(q.viewer()):
			return ErrUnknownEvent
		}
		return wire.Refuse(wire.CodeForbidden)
	})
}

// gameLog is all that happened in a game, for the desk. Nobody sees that of his own game while it runs.
func (e *event) gameLog(ctx context.Context, q Question) (any, error) {
	var p struct {
		Game string `json:"game"`
	}
	if err := q.read(&p); err != nil {
		return nil, err
	}
	if err := e.staffed(ctx, q); err != nil {
		return nil, err
	}
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		g := s.Game(p.Game)
		switch {
		case g == nil:
			return wire.Refuse(wire.CodeUnknownGame)
		case !g.Over && (g.White == q.By.ID || g.Black == q.By.ID):
			return wire.Refuse(wire.CodeOwnGame)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return e.h.cfg.GameLog(ctx, p.Game)
}
