package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"flagfall/server/account"
	"flagfall/server/actor"
	"flagfall/server/arena"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Question is what is asked of an event, or done with it, on its way to where it runs.
type Question struct {
	Event string          `json:"event"`
	What  string          `json:"what"`
	By    account.Person  `json:"by,omitzero"`
	Key   string          `json:"key,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`
	// Age is how long ago it was asked, in ms.
	Age int64 `json:"age,omitempty"`
	// Nowhere says that the event runs at no node: it is answered from the database.
	Nowhere bool `json:"nowhere,omitempty"`
}

func (q *Question) viewer() arena.Viewer { return arena.Viewer{ID: q.By.ID, Key: q.Key} }

// read reads the body; "" is that of an empty object.
func (q *Question) read(to any) error {
	if len(bytes.TrimSpace(q.Body)) == 0 {
		return nil
	}
	if err := json.Unmarshal(q.Body, to); err != nil {
		return badMessage("The request is not of the described form: %v.", err)
	}
	return nil
}

// Answer answers a question about an event, wherever it runs, or does something with it.
func (h *Host) Answer(ctx context.Context, name string, by account.Person, key, what string, body json.RawMessage) (json.RawMessage, error) {
	switch what {
	case "export":
		q := Question{Event: name, What: what, By: by, Key: key, Body: body}
		var p struct {
			File string `json:"file"`
		}
		if q.read(&p) == nil && p.File == gamesFile {
			return h.exportGames(ctx, q)
		}
		return h.ask(ctx, q)
	case "page", "standings", "boards", "entries", "desk", "game", "preview", "act", "chat", "say", "qrlink":
		return h.ask(ctx, Question{Event: name, What: what, By: by, Key: key, Body: body})
	}
	return nil, wire.Refuse(wire.CodeNotFound)
}

// ask is Config.Ask for people: an event that cannot be reached just now is a refusal.
func (h *Host) ask(ctx context.Context, q Question) (json.RawMessage, error) {
	answer, err := h.cfg.Ask(ctx, q)
	switch {
	case errors.Is(err, actor.ErrBusy):
		err = wire.Refuse(wire.CodeTooMany)
	case errors.Is(err, actor.ErrClosed), errors.Is(err, actor.ErrMoved), errors.Is(err, actor.ErrUnknownActor),
		errors.Is(err, context.DeadlineExceeded):
		err = errUnavailable
	}
	return answer, err
}

// Here answers where the event runs, or where none does. actor.ErrUnknownActor says that it runs elsewhere by now.
func (h *Host) Here(ctx context.Context, q Question) (json.RawMessage, error) {
	e := h.find(q.Event)
	if e == nil { // or it is about to: it answers once it is observed
		err := h.inspect(ctx, q.Event, func(*arena.State, int64) {})
		if err == nil {
			e = h.find(q.Event)
		}
		switch {
		case e != nil:
		case err != nil && !errors.Is(err, actor.ErrUnknownActor):
			return nil, err
		case q.Nowhere:
			return h.fromShelf(ctx, q)
		default:
			return nil, actor.ErrUnknownActor
		}
	}
	answer, err := e.answer(ctx, q)
	if errors.Is(err, actor.ErrUnknownActor) && q.Nowhere { // closed meanwhile
		return h.fromShelf(ctx, q)
	}
	return answer, err
}

func (e *event) answer(ctx context.Context, q Question) (json.RawMessage, error) {
	switch q.What {
	case "finished":
		var f table.Freed
		if err := q.read(&f); err != nil {
			return nil, err
		}
		f.Ago += q.Age
		return text(struct{}{}, e.h.finished(ctx, e.name, f))
	case "matter":
		var m table.Matter
		if err := q.read(&m); err != nil {
			return nil, err
		}
		m.Ago += q.Age
		return text(struct{}{}, e.h.matter(ctx, e.name, m))
	case "look":
		var l look
		if err := q.read(&l); err != nil {
			return nil, err
		}
		return text(e.look(ctx, l))
	case "attend":
		return text(e.attend(ctx, q))
	case "known":
		known := false
		err := e.h.inspect(ctx, e.name, func(s *arena.State, _ int64) {
			known = s.Opens(q.Key) && s.Phase >= arena.Open && s.Phase <= arena.LastGames && !s.Closed
		})
		return text(known, err)
	case "act":
		return text(struct{}{}, e.act(ctx, q))
	case "chat":
		return e.chatted(ctx, q)
	case "say":
		return text(struct{}{}, e.say(ctx, q))
	case "boards":
		return text(e.boarded(ctx, q))
	case "desk":
		return text(e.desk(ctx, q))
	case "game":
		return text(e.gameLog(ctx, q))
	case "export":
		return e.exported(ctx, q)
	case "standings":
		return e.stood(ctx, q)
	}
	var answer json.RawMessage
	err := e.read(ctx, func(s *arena.State, now int64) (err error) {
		answer, err = ask(s, now, q, e.chat.last())
		return err
	})
	return answer, err
}

// read reads the state; the error is that of what reads it, or of getting there.
func (e *event) read(ctx context.Context, read func(s *arena.State, now int64) error) error {
	var failed error
	if err := e.h.inspect(ctx, e.name, func(s *arena.State, now int64) { failed = read(s, now) }); err != nil {
		return err
	}
	return said(failed)
}

// ask answers what can be read from the state alone, of an event that is over, too.
func ask(s *arena.State, now int64, q Question, chat int) (json.RawMessage, error) {
	v := q.viewer()
	if !s.May(v) {
		return nil, ErrUnknownEvent
	}
	switch q.What {
	case "page":
		page := s.Page(v, now)
		page.Chat = chat
		return text(page, nil)
	case "standings":
		return standings(s)
	case "qrlink":
		return qrlink(s, q)
	case "games":
		return text(played(s), nil)
	case "entries":
		if !staff(s, q.By.ID) {
			return nil, wire.Refuse(wire.CodeForbidden)
		}
		return text(map[string]any{"entries": s.EntryViews()}, nil)
	case "preview":
		var p struct {
			Game    string `json:"game"`
			Score   string `json:"score"`
			Forfeit bool   `json:"forfeit"`
		}
		if err := q.read(&p); err != nil {
			return nil, err
		}
		rows, err := s.Preview(arena.Correct{By: q.By.ID, Why: "preview", Game: p.Game, Outcome: outcome(p.Score, p.Forfeit)})
		if err != nil {
			return nil, said(err)
		}
		return text(map[string]any{"rows": rows}, nil)
	}
	return nil, wire.Refuse(wire.CodeNotFound)
}

func staff(s *arena.State, id string) bool { return id != "" && (s.Organiser(id) || s.Arbiter(id)) }

// standings are the table and all games that are over.
func standings(s *arena.State) (json.RawMessage, error) {
	whole, err := s.JSON()
	if err != nil {
		return nil, err
	}
	var of struct {
		Standings json.RawMessage `json:"standings"`
		Games     json.RawMessage `json:"games"`
	}
	if err := json.Unmarshal(whole, &of); err != nil {
		return nil, err
	}
	return text(map[string]any{"rows": of.Standings, "games": of.Games}, nil)
}

// qrlink is the address by which people join: with the key for who may have it.
func qrlink(s *arena.State, q Question) (json.RawMessage, error) {
	path := "/e/" + q.Event
	switch {
	case staff(s, q.By.ID), s.Opens(q.Key), q.Key != "" && q.Key == s.Making.Screen:
		path += "?key=" + s.Making.Link
	case s.Settings.Access == arena.ByLink:
		return nil, wire.Refuse(wire.CodeForbidden)
	}
	return text(map[string]string{"path": path}, nil)
}

// chatted is the talk, for who has no game.
func (e *event) chatted(ctx context.Context, q Question) (json.RawMessage, error) {
	var p struct {
		After int `json:"after"`
	}
	if err := q.read(&p); err != nil {
		return nil, err
	}
	muted := false
	if err := e.mayTalk(ctx, q, &muted); err != nil {
		return nil, err
	}
	lines, gone := e.chat.after(p.After)
	return text(map[string]any{"chat": lines, "gone": gone, "muted": muted}, nil)
}

// mayTalk refuses who may not see the chat.
func (e *event) mayTalk(ctx context.Context, q Question, muted *bool) error {
	sits := ""
	if q.By.ID != "" {
		sits = e.h.cfg.Sits(q.By.ID)
	}
	return e.read(ctx, func(s *arena.State, _ int64) error {
		if !s.May(q.viewer()) {
			return ErrUnknownEvent
		}
		*muted = hushed(s, q.By.ID)
		return mayTalk(s, sits, q.By.ID)
	})
}

func (e *event) say(ctx context.Context, q Question) error {
	var p struct {
		Text string `json:"text"`
	}
	if err := q.read(&p); err != nil {
		return err
	}
	if q.By.ID == "" {
		return wire.Refuse(wire.CodeUnauthorized)
	}
	muted := false
	if err := e.mayTalk(ctx, q, &muted); err != nil {
		return err
	}
	if muted {
		return wire.Refuse(wire.CodeHushed)
	}
	who := wire.Person{ID: q.By.ID, Name: q.By.Name, Bot: q.By.Bot}
	if err := e.read(ctx, func(s *arena.State, _ int64) error {
		if one := s.Entry(who.ID); one != nil {
			who.Name = one.Name
		}
		return nil
	}); err != nil {
		return err
	}
	if err := e.chat.say(who, p.Text, e.h.cfg.Civil()); err != nil {
		return err
	}
	e.h.changed(e)
	return nil
}

// changed has sockets learn what is no step of the machine.
func (h *Host) changed(e *event) {
	e.mu.Lock()
	e.steps++
	e.mu.Unlock()
	h.foyer.wake(e.name)
}
