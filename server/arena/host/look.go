package host

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"flagfall/server/arena"
	"flagfall/server/wire"
)

// look is what a node asks of an event that sockets of it attend, twice a second.
type look struct {
	Node string     `json:"node"`
	Got  uint64     `json:"got"` // number of the last answer that came
	Here []attender `json:"here"`
}

// looked is the answer: what is new since the last one.
type looked struct {
	N     uint64                    `json:"n"`
	Steps uint64                    `json:"steps"`          // changes with the event
	News  *wire.EventNews           `json:"news,omitempty"` // for all
	Mine  map[string]wire.EntryNews `json:"mine,omitempty"` // by person
}

// mostBoards is how many games an event's news name.
const mostBoards = 6

// againAfter is when what depends on the time alone is looked at again, ms.
const againAfter = 1000

// look answers a node.
func (e *event) look(ctx context.Context, q look) (looked, error) {
	now := e.h.cfg.Civil()
	e.mu.Lock()
	r := e.took(q.Node, q.Here, now)
	if !r.looking.TryLock() { // the last look was given up, and is still at it
		e.mu.Unlock()
		return looked{}, errUnavailable
	}
	defer r.looking.Unlock()
	here := slices.Collect(maps.Keys(r.here))
	if q.Got != r.n { // an answer was lost, or either side is new
		clear(r.told)
		r.news, r.steps, r.at = "", 0, 0
	}
	known := true
	for _, id := range here {
		if _, told := r.told[id]; !told {
			known = false
		}
	}
	steps := e.steps
	quiet := known && r.news != "" && r.steps == steps && now.UnixMilli()-r.at < againAfter
	r.n++
	out := looked{N: r.n, Steps: steps}
	e.mu.Unlock()
	if quiet {
		return out, nil
	}
	e.present(ctx)
	news, mine, err := e.views(ctx, here)
	if err != nil {
		return looked{}, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	r.steps, r.at = steps, now.UnixMilli()
	if text := unchanging(news); text != r.news {
		r.news, out.News = text, &news
	}
	out.Mine = r.newTo(here, mine)
	return out, nil
}

// newTo is what those who are here have not been told yet of how they stand. It needs the event's mutex.
func (r *room) newTo(here []string, mine map[string]wire.EntryNews) map[string]wire.EntryNews {
	fresh := map[string]wire.EntryNews{}
	for _, id := range here {
		text := ""
		one, in := mine[id]
		if in {
			text = unchangingMine(one)
		}
		if before, told := r.told[id]; told && before == text {
			continue
		}
		r.told[id] = text
		if in {
			fresh[id] = one
		}
	}
	if len(r.told) > len(here) {
		maps.DeleteFunc(r.told, func(id, _ string) bool { return !slices.Contains(here, id) })
	}
	return fresh
}

// views are the event's news, and those of some people who are in it.
func (e *event) views(ctx context.Context, people []string) (news wire.EventNews, mine map[string]wire.EntryNews, err error) {
	mine = map[string]wire.EntryNews{}
	err = e.h.inspect(ctx, e.name, func(s *arena.State, now int64) {
		v := s.Views(now)
		news = e.news(s, v)
		for _, id := range people {
			if one := v.Mine(id); one != nil {
				mine[id] = entryNews(e.name, one)
			}
		}
	})
	news.Chat = e.chat.last()
	return news, mine, err
}

func (e *event) news(s *arena.State, v *arena.Views) wire.EventNews {
	p := v.Page(arena.Viewer{})
	news := wire.EventNews{
		T: "event", Event: e.name, Now: p.Now, Phase: p.Phase, Name: p.Name, Starts: p.Starts, Bell: p.Bell, Started: p.Started, Held: p.Held,
		Round: p.Round, Rounds: p.Rounds, Entries: p.Entries, Lines: p.Lines, Here: p.Here, Playing: p.Playing, Waiting: p.Waiting, Games: p.Games,
		Top: []wire.Standing{}, Notices: []wire.Notice{}, Boards: topGames(s, v),
	}
	for _, r := range p.Top {
		news.Top = append(news.Top, standing(r))
	}
	for _, n := range p.Notices[:min(len(p.Notices), 5)] {
		news.Notices = append(news.Notices, wire.Notice(n))
	}
	return news
}

// topGames are the running games of the highest places.
func topGames(s *arena.State, v *arena.Views) []string {
	type placed struct {
		id    string
		place int
	}
	var all []placed
	for _, g := range s.Games {
		if g.Over || !g.Opened {
			continue
		}
		all = append(all, placed{g.ID, better(v.Place(g.White), v.Place(g.Black))})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.place - b.place })
	ids := []string{}
	for _, one := range all[:min(len(all), mostBoards)] {
		ids = append(ids, one.id)
	}
	return ids
}

// better is the better of two places; 0 is none, and behind all.
func better(a, b int) int {
	const last = 1 << 30
	switch {
	case a > 0 && b > 0:
		return min(a, b)
	case a == 0 && b == 0:
		return last
	}
	return max(a, b)
}

func standing(r arena.Row) wire.Standing {
	return wire.Standing{
		Place: r.Place, Group: r.Group, ID: r.ID, Name: r.Name, Real: r.Real, Rating: r.Rating, Status: string(r.Status), Points: r.Points,
		Games: r.Games, Wins: r.Wins, Draws: r.Draws, Losses: r.Losses, Playoff: r.Playoff, Performance: r.Performance, Direct: r.Direct,
		SB: r.SB, Fire: r.Fire, Account: r.Account, Out: r.Out,
	}
}

func entryNews(name string, m *arena.Mine) wire.EntryNews {
	out := wire.EntryNews{
		T: "entry", Event: name, Status: string(m.Status), Why: m.Why, Place: m.Place, Points: m.Points, Games: m.Games, Here: m.Here,
		Checked: m.Checked, Ready: m.Ready, Since: m.Since, Game: m.Game, Color: m.Color, Opponent: m.Opponent,
	}
	if b := m.Because; b != nil {
		out.Because = &wire.Because{Code: string(b.Code), Text: b.Text, Others: b.Others, Next: b.Next}
	}
	return out
}

// unchanging is news without what changes by itself.
func unchanging(n wire.EventNews) string {
	n.Now, n.N = 0, 0
	return string(wire.Encode(n))
}

// unchangingMine leaves the words out: they count seconds down.
func unchangingMine(m wire.EntryNews) string {
	if m.Because != nil {
		b := *m.Because
		b.Text = ""
		m.Because = &b
	}
	return string(wire.Encode(m))
}

// text is an answer on its way.
func text(value any, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}
