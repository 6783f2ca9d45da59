package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/arena"
	"flagfall/server/wire"
)

// request is what somebody does in an event; which fields count depends on Do.
type request struct {
	Do       string `json:"do"`
	Who      string `json:"who"`
	Why      string `json:"why"`
	Name     string `json:"name"`
	Real     string `json:"real"`
	Claim    string `json:"claim"`
	Password string `json:"password"`
	Game     string `json:"game"`
	Text     string `json:"text"`
	Rating   int    `json:"rating"`

	Settings   json.RawMessage `json:"settings"`
	Organisers []string        `json:"organisers"` // names
	Arbiters   []string        `json:"arbiters"`
	To         string          `json:"to"` // a phase
	CSV        string          `json:"csv"`
	Bell       int64           `json:"bell"` // Unix ms
	Held       bool            `json:"held"`
	On         bool            `json:"on"`
	N          int             `json:"n"`

	White   string   `json:"white"`
	Black   string   `json:"black"`
	Score   string   `json:"score"`
	Forfeit bool     `json:"forfeit"`
	Act     string   `json:"act"`
	Side    string   `json:"side"` // "w" or "b"
	Clocks  [2]int64 `json:"clocks"`
	Replay  bool     `json:"replay"`
	Report  string   `json:"report"`
}

var phases = map[string]arena.Phase{
	"open": arena.Open, "checkin": arena.CheckIn, "running": arena.Running, "signed": arena.Signed, "published": arena.Published,
}

func outcome(score string, forfeit bool) arena.Outcome {
	return arena.Outcome{Score: game.Score(score), Forfeit: forfeit}
}

// command is the event's command for a request that needs nothing from outside; nil where it does.
func command(q Question) (any, error) {
	var r request
	if err := q.read(&r); err != nil {
		return nil, err
	}
	return r.command(q.By.ID)
}

func (r *request) command(by string) (any, error) {
	who := r.Who
	if who == "" {
		who = by
	}
	switch r.Do {
	case "arrive":
		return arena.Arrive{By: by, Who: who}, nil
	case "pause":
		return arena.Pause{By: by, Who: who}, nil
	case "return":
		return arena.Return{By: by, Who: who}, nil
	case "withdraw":
		return arena.Withdraw{By: by, Who: who}, nil
	case "ready":
		return arena.Ready{By: by, Who: who}, nil
	case "report":
		return arena.Report{By: by, Game: r.Game, Text: r.Text}, nil
	case "advance":
		to, ok := phases[r.To]
		if !ok {
			return nil, badMessage(`The field "to" must be open, checkin, running, signed or published.`)
		}
		return arena.Advance{By: by, To: to}, nil
	case "cancel":
		return arena.Cancel{By: by, Why: r.Why}, nil
	case "admit":
		return arena.Admit{By: by, Who: r.Who}, nil
	case "remove":
		return arena.Remove{By: by, Who: r.Who, Why: r.Why}, nil
	case "roster":
		return roster(by, r.CSV)
	case "add":
		return arena.Roster{By: by, Lines: []arena.RosterLine{{Name: r.Name, Real: r.Real, Rating: r.Rating}}}, nil
	case "bell":
		return arena.MoveBell{By: by, Why: r.Why, Bell: r.Bell}, nil
	}
	return r.ofStaff(by)
}

// ofStaff are the acts of organisers and arbiters together, and of arbiters.
func (r *request) ofStaff(by string) (any, error) {
	switch r.Do {
	case "round":
		return arena.StartRound{By: by}, nil
	case "hold":
		return arena.Hold{By: by, Why: r.Why, Held: r.Held}, nil
	case "announce":
		return arena.Announce{By: by, Text: r.Text}, nil
	case "hush":
		return arena.Hush{By: by, Who: r.Who, On: r.On}, nil
	case "duty":
		return arena.Duty{By: by, On: r.On}, nil
	case "pair":
		return arena.PairByHand{By: by, White: r.White, Black: r.Black, Why: r.Why}, nil
	case "expel":
		return arena.Expel{By: by, Who: r.Who, Why: r.Why}, nil
	case "correct":
		return arena.Correct{By: by, Why: r.Why, Game: r.Game, Outcome: outcome(r.Score, r.Forfeit)}, nil
	case "freeze":
		return arena.Freeze{By: by, Why: r.Why, On: r.On}, nil
	case "rule":
		return r.rule(by)
	case "settle":
		return arena.Settle{By: by, Why: r.Why, ID: r.Report}, nil
	case "enter", "edit", "password", "staff", "unsay":
		return nil, nil
	}
	return nil, wire.Refusef("unknown_request", "There is no act %q.", r.Do)
}

// ruled are the acts on a game by which an arbiter rules; the others are the server's.
var ruled = map[game.Act]bool{
	game.ActStop: true, game.ActResume: true, game.ActClocks: true, game.ActWarn: true, game.ActMinute: true, game.ActLoss: true,
	game.ActResult: true, game.ActAnnul: true, game.ActDelay: true, game.ActUnjust: true,
}

func (r *request) rule(by string) (any, error) {
	ruling := game.Ruling{Act: game.Act(r.Act), Side: game.None, Clocks: r.Clocks, Score: game.Score(r.Score)}
	if !ruled[ruling.Act] {
		return nil, badMessage(`The field "act" must be stop, resume, clocks, warn, minute, loss, result, annul, unjust or delay.`)
	}
	switch r.Side {
	case "w":
		ruling.Side = game.White
	case "b":
		ruling.Side = game.Black
	}
	return arena.Rule{By: by, Why: r.Why, Game: r.Game, Ruling: ruling, Replay: r.Replay}, nil
}

func roster(by, csv string) (any, error) {
	lines, err := arena.ReadRoster([]byte(csv))
	var bad *arena.BadRoster
	if errors.As(err, &bad) {
		return nil, wire.Refusef(wire.CodeBadRoster, "%s", sentence(bad.Error()))
	}
	return arena.Roster{By: by, Lines: lines}, err
}

// act does what somebody asks for.
func (e *event) act(ctx context.Context, q Question) error {
	if q.By.ID == "" {
		return wire.Refuse(wire.CodeUnauthorized)
	}
	if err := e.sees(ctx, q); err != nil {
		return err
	}
	var r request
	if err := q.read(&r); err != nil {
		return err
	}
	cmd, err := r.command(q.By.ID)
	if err != nil {
		return err
	}
	switch r.Do {
	case "enter":
		return e.enter(ctx, q, r)
	case "edit":
		cmd, err = e.edit(ctx, q.By.ID, r)
	case "password":
		cmd, err = e.setPassword(ctx, q.By.ID, r)
	case "staff":
		cmd, err = e.appoint(ctx, q.By.ID, r)
	case "unsay":
		return e.unsay(ctx, q, r)
	case "hush": // who need not be in the event
		cmd = arena.Hush{By: q.By.ID, Who: r.Who, Name: e.chat.nameOf(r.Who), On: r.On}
	}
	if err != nil {
		return err
	}
	return e.h.do(ctx, e.name, cmd)
}

func (e *event) edit(ctx context.Context, by string, r request) (any, error) {
	var set arena.Settings
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		if !s.Organiser(by) {
			return wire.Refuse(wire.CodeForbidden)
		}
		set = s.Settings
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := readSettings(r.Settings, &set); err != nil {
		return nil, err
	}
	return arena.Edit{By: by, Settings: set}, nil
}

// readSettings reads what is said over what is there.
func readSettings(body json.RawMessage, set *arena.Settings) error {
	if err := json.Unmarshal(body, set); err != nil {
		return wire.Refusef(wire.CodeBadSettings, "The settings are not of the described form: %v.", err)
	}
	return nil
}

func (e *event) setPassword(ctx context.Context, by string, r request) (any, error) {
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		if !s.Organiser(by) {
			return wire.Refuse(wire.CodeForbidden)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	hash, err := e.h.hash(ctx, r.Password)
	return arena.SetPassword{By: by, Hash: hash}, err
}

// mostStaff bounds the names of one request.
const mostStaff = 50

// appoint finds the organisers and arbiters that are named. Who holds the event already may be named by what the event calls
// him.
func (e *event) appoint(ctx context.Context, by string, r request) (any, error) {
	if len(r.Organisers)+len(r.Arbiters) > 2*mostStaff {
		return nil, wire.Refuse(wire.CodeBadSettings)
	}
	have := map[string]string{}
	err := e.read(ctx, func(s *arena.State, _ int64) error {
		if !s.Organiser(by) {
			return wire.Refuse(wire.CodeForbidden)
		}
		for id, name := range s.Names {
			have[name] = id
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	cmd := arena.Staff{By: by, Names: map[string]string{}}
	for _, list := range []struct {
		names []string
		ids   *[]string
	}{{r.Organisers, &cmd.Organisers}, {r.Arbiters, &cmd.Arbiters}} {
		for _, name := range list.names {
			id := have[name]
			if id == "" {
				found, err := e.h.cfg.Named(ctx, name)
				if errors.Is(err, wire.Refuse(wire.CodeUnknownPerson)) {
					err = wire.Refusef(wire.CodeUnknownPerson, "Nobody has an account by the name %q.", name)
				}
				if err != nil {
					return nil, err
				}
				id, name = found.ID, found.Name
			}
			*list.ids, cmd.Names[id] = append(*list.ids, id), name
		}
	}
	return cmd, nil
}

func (e *event) unsay(ctx context.Context, q Question, r request) error {
	if err := e.staffed(ctx, q); err != nil {
		return err
	}
	e.chat.unsay(r.N)
	e.h.changed(e)
	return nil
}

// hash is that of an event's password.
func (h *Host) hash(ctx context.Context, password string) (string, error) {
	hash, err := h.cfg.Passwords.Hash(ctx, password)
	switch {
	case errors.Is(err, account.ErrPassword):
		return "", wire.Refusef(wire.CodeBadPassword, "%v", err)
	case errors.Is(err, account.ErrBusy):
		return "", wire.Refuse(wire.CodeTooMany)
	case err != nil:
		return "", fmt.Errorf("an event's password: %w", err)
	}
	return hash, nil
}
