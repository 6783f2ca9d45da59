package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"flagfall/loadtest/tally"
)

// sign ends the event: a last correction, the signature, the publication, of which everybody is told.
func (a *arenaRun) sign(ctx context.Context) error {
	if err := a.desk.lastCorrection(ctx); err != nil {
		return err
	}
	for _, to := range []string{"signed", "published"} {
		if err := a.organiser.act(ctx, act{"do": "advance", "to": to}); err != nil {
			return err
		}
	}
	told := make(chan struct{})
	go func() {
		a.living.Wait() // everybody goes when he is told of it
		close(told)
	}()
	patience := time.NewTimer(20 * time.Second)
	defer patience.Stop()
	select {
	case <-told:
	case <-patience.C:
		for _, p := range a.people {
			p.seen.Lock()
			if p.there != nil && !reached(p.phase, "published") {
				p.run.fail("%s is there and was not told that the event is over, but last that it is %s", p.name, p.phase)
			}
			p.seen.Unlock()
		}
		a.over.Store(true)
	case <-ctx.Done():
		return ctx.Err()
	}
	return rest(ctx, time.Second) // for the last word on how everybody stands
}

// check holds the table, the games and the files of the event against what its people saw.
func (a *arenaRun) check(ctx context.Context) error {
	e := a.tally()
	var shown struct {
		Rows  []tally.Row
		Games []tally.Told
	}
	if err := a.organiser.get(ctx, "/standings", &shown); err != nil {
		return err
	}
	text, err := a.file(ctx, "event.json")
	if err != nil {
		return err
	}
	var file struct {
		Phase     string
		Bell      int64
		Standings []tally.Row
		Games     []tally.Told
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return fmt.Errorf("event.json: %w", err)
	}
	if file.Phase != "published" {
		a.run.fail("event.json says %q of an event that is published", file.Phase)
	}
	a.organiser.seen.Lock()
	if file.Bell != a.organiser.bell {
		a.run.fail("event.json has the bell at %d, everybody was told %d", file.Bell, a.organiser.bell)
	}
	a.organiser.seen.Unlock()
	e.Bell = file.Bell
	a.final = &tally.Final{Rows: file.Standings, Games: file.Games}
	a.checked = e.Check(a.final)
	a.checked.Add(e.CheckTable("GET standings", shown.Rows))
	a.checked.Add(tally.SameGames(file.Games, shown.Games))
	if text, err = a.file(ctx, "standings.csv"); err != nil {
		return err
	}
	a.checked.Add(e.CheckCSV(text))
	a.delivered(e)
	return nil
}

// delivered records how long the calls took to those who were there.
func (a *arenaRun) delivered(e *tally.Event) {
	for _, t := range a.final.Games {
		g := e.Games[t.ID]
		if g == nil {
			continue
		}
		for side, who := range [2]string{t.White, t.Black} {
			if p := e.Players[who]; p != nil && g.Called[side] > 0 && p.Attends(t.Started, g.Called[side]) {
				a.deliver.record(time.Duration(max(0, g.Called[side]-t.Started)) * time.Millisecond)
			}
		}
	}
}

// file reads one of the files of the event.
func (a *arenaRun) file(ctx context.Context, name string) ([]byte, error) {
	o := a.organiser
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, o.node.base+"/api/events/"+o.link.Event+"/export/"+name, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+o.token)
	resp, err := o.http.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %s", name, resp.Status, text)
	}
	return text, err
}

// tally is the event as its people saw it, by the server's civil time as far as it is known.
func (a *arenaRun) tally() *tally.Event {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := &tally.Event{RepeatWait: arenaWait, ColorWait: arenaWait, Fire: a.o.scoring == "arena", Stop: a.o.atBell == "stop",
		Players: map[string]*tally.Player{}, Games: map[string]*tally.Game{}}
	if a.o.outage {
		e.EndNoted, e.Jump = 3*time.Minute.Milliseconds(), 1000 // its report waits for the server, too
	}
	shift := func(at *int64) {
		if *at > 0 {
			*at -= a.ahead
		}
	}
	for _, p := range a.people {
		p.seen.Lock()
		if p.kept.Name != "" {
			one := p.kept
			one.Away, one.There = p.spans()
			for _, list := range [][]tally.Span{one.Away, one.There} {
				for i := range list {
					shift(&list[i].From)
					shift(&list[i].To)
				}
			}
			e.Players[p.id] = &one
		}
		p.seen.Unlock()
	}
	for id, t := range a.tables {
		g := t.seen
		shift(&g.Called[0])
		shift(&g.Called[1])
		shift(&g.End)
		e.Games[id] = &g
	}
	return e
}

// spans are when he could not be paired and when he was there, until now; seen is held.
func (p *attendee) spans() (away, there []tally.Span) {
	now := time.Now().UnixMilli()
	away = append(away, p.kept.Away...)
	there = append(there, p.kept.There...)
	for _, open := range []struct {
		span *tally.Span
		list *[]tally.Span
	}{{p.away, &away}, {p.there, &there}} {
		if open.span != nil {
			s := *open.span
			if s.To = now; s.To > s.From {
				*open.list = append(*open.list, s)
			}
		}
	}
	return away, there
}
