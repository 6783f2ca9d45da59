package edge

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"flagfall/game"
	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// History is what is known of people and finished games; *store.Store is one. Nothing of a running game is in it.
type History interface {
	PersonNamed(ctx context.Context, name string) (store.Person, error)
	Ratings(ctx context.Context, person string, now time.Time) ([]store.Rated, error)
	RatingHistory(ctx context.Context, person, kind string, before int64, limit int) ([]store.Point, error)
	RatingDays(ctx context.Context, person, kind string, games int) ([]store.Point, error)
	Record(ctx context.Context, person string) ([]store.RulesTally, error)
	Against(ctx context.Context, person, opponent string) ([]store.RulesTally, error)
	Opponents(ctx context.Context, person string, after store.MostMet, limit int) ([]store.OpponentTally, error)
	Games(ctx context.Context, f store.Filter, after store.Cursor, limit int) ([]store.Entry, error)
	Records(ctx context.Context, f store.Filter, after store.Cursor, limit int) ([]store.Game, error)
	Leaders(ctx context.Context, kind string, after store.LeaderPlace, limit int, now time.Time) ([]store.Leader, error)
	Search(ctx context.Context, prefix string, after store.NamePlace, limit int) ([]store.Person, error)
}

// historyAddresses are about people and finished games.
func (s *Server) historyAddresses() map[string]methods {
	return map[string]methods{
		"/api/people/{name}":                    get(s.getProfile),
		"/api/people/{name}/ratings":            get(s.getRatings),
		"/api/people/{name}/games":              get(s.getArchive),
		"/api/people/{name}/pgn":                get(s.getArchivePGN),
		"/api/people/{name}/opponents":          get(s.getOpponents),
		"/api/people/{name}/against/{opponent}": get(s.getAgainst),
		"/api/archive":                          get(s.getArchive),
		"/api/archive/pgn":                      get(s.getArchivePGN),
		"/api/leaders":                          get(s.getLeaders),
		"/api/search":                           get(s.getSearch),
		"/people":                               get(s.getPage),
		"/people/{name}":                        get(s.getPage),
		"/people/{name}/games":                  get(s.getPage),
		"/games":                                get(s.getPage),
		"/leaders":                              get(s.getPage),
	}
}

// mostGraphed is of how many games at most a graph by days is drawn.
const mostGraphed = 20000

type ratingView struct {
	Kind        string `json:"kind"`
	Rating      int    `json:"rating"`
	Deviation   int    `json:"deviation"`
	Provisional bool   `json:"provisional"`
	Games       int    `json:"games"`
}

type tallyView struct {
	Won   int `json:"won"`
	Drawn int `json:"drawn"`
	Lost  int `json:"lost"`
}

type rulesTallyView struct {
	Rules string `json:"rules"`
	Rated bool   `json:"rated"`
	tallyView
}

type ratedPlayer struct {
	wire.Person
	Before *int `json:"before,omitempty"` // his rating, of a game that counts
	After  *int `json:"after,omitempty"`
}

type entryView struct {
	Game    string      `json:"game"`
	White   ratedPlayer `json:"white"`
	Black   ratedPlayer `json:"black"`
	Rules   string      `json:"rules"`
	Mode    string      `json:"mode"`
	Base    int64       `json:"base"`
	Rated   bool        `json:"rated"`
	Result  string      `json:"result"`
	Reason  string      `json:"reason"`
	Rule    string      `json:"rule,omitempty"`
	Started string      `json:"started"`
	Ended   string      `json:"ended"`
	Plies   int         `json:"plies"`
}

type pointView struct {
	At        string `json:"at"`
	Game      string `json:"game"`
	Rating    int    `json:"rating"`
	Change    int    `json:"change"` // by this game
	Deviation int    `json:"deviation"`
}

type leaderView struct {
	wire.Person
	Rating    int `json:"rating"`
	Deviation int `json:"deviation"`
	Games     int `json:"games"`
}

func whole(x float64) int { return int(math.Round(x)) }

func tallied(t store.Tally) tallyView { return tallyView{t.Won, t.Drawn, t.Lost} }

func ratingOf(r store.Rated) ratingView {
	return ratingView{r.Kind, whole(r.Rating.Rating), whole(r.Rating.Deviation), r.Provisional, r.Games}
}

func byRules(list []store.RulesTally) []rulesTallyView {
	views := make([]rulesTallyView, len(list))
	for i, t := range list {
		views[i] = rulesTallyView{t.Rules, t.Rated, tallied(t.Tally)}
	}
	return views
}

func entryOf(e store.Entry) entryView {
	view := entryView{
		Game: e.ID, White: ratedPlayer{Person: wire.Person{ID: e.White, Name: e.WhiteName}}, Black: ratedPlayer{Person: wire.Person{ID: e.Black, Name: e.BlackName}},
		Rules: e.Rules, Mode: e.Mode, Base: e.Base, Rated: e.Counts, Result: e.Result, Reason: e.Reason, Rule: e.Rule,
		Started: e.Started.Format(time.RFC3339), Ended: e.Ended.Format(time.RFC3339), Plies: e.Plies,
	}
	for i, p := range [2]*ratedPlayer{&view.White, &view.Black} {
		if e.HasRatings {
			before, after := whole(e.Ratings[i].Before), whole(e.Ratings[i].After)
			p.Before, p.After = &before, &after
		}
	}
	return view
}

// list is a page of an answer; Next, if there is more, is the parameter after of the next page.
type list[T any] struct {
	Lines []T
	Next  string
}

// answer writes an answer, or the error that kept it from being one.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body any, err error) {
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", body)
}

// fields is the body of a page: its lines under a name, what else there is, and next.
func (l list[T]) fields(name string, more map[string]any) map[string]any {
	body := map[string]any{name: l.Lines}
	if l.Next != "" {
		body["next"] = l.Next
	}
	for k, v := range more {
		body[k] = v
	}
	return body
}

// named finds the account of a name.
func (s *Server) named(ctx context.Context, name string) (store.Person, error) {
	if !account.ValidName(name) {
		return store.Person{}, wire.Refuse(wire.CodeUnknownPerson)
	}
	p, err := s.cfg.History.PersonNamed(ctx, name)
	if errors.Is(err, store.ErrNotFound) {
		return store.Person{}, wire.Refuse(wire.CodeUnknownPerson)
	}
	return p, err
}

// getProfile is somebody's profile: ratings, and how his games ended.
func (s *Server) getProfile(w http.ResponseWriter, r *http.Request) {
	body, err := s.profile(r)
	s.answer(w, r, body, err)
}

func (s *Server) profile(r *http.Request) (any, error) {
	if err := parameters(r.URL.RawQuery).done(); err != nil {
		return nil, err
	}
	p, err := s.named(r.Context(), r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	ratings, err := s.cfg.History.Ratings(r.Context(), p.ID, time.Now())
	if err != nil {
		return nil, err
	}
	record, err := s.cfg.History.Record(r.Context(), p.ID)
	views := make([]ratingView, len(ratings))
	for i, one := range ratings {
		views[i] = ratingOf(one)
	}
	return map[string]any{"id": p.ID, "name": p.Name, "bot": p.Bot, "since": p.Created.Format(time.DateOnly), "ratings": views, "record": byRules(record)}, err
}

// getRatings is the graph of somebody's rating of a kind: each game, or the last game of each day.
func (s *Server) getRatings(w http.ResponseWriter, r *http.Request) {
	body, err := s.ratingPoints(r)
	s.answer(w, r, body, err)
}

func (s *Server) ratingPoints(r *http.Request) (any, error) {
	var after struct {
		Number int64 `json:"n"`
	}
	p := parameters(r.URL.RawQuery)
	kind, each := p.oneOf("kind", game.RatingKinds()...), p.oneOf("each", "day", "game")
	if each == "day" && (p.values.Has("after") || p.values.Has("limit")) {
		p.refuse("Days come all at once: the parameters after and limit are for each=game.")
	}
	size := p.size()
	p.place(&after)
	if err := p.done(); err != nil {
		return nil, err
	}
	person, err := s.named(r.Context(), r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	var points []store.Point
	next := ""
	if each == "day" {
		points, err = s.cfg.History.RatingDays(r.Context(), person.ID, kind, mostGraphed)
	} else {
		points, err = s.cfg.History.RatingHistory(r.Context(), person.ID, kind, after.Number, size)
		next = nextPlace(len(points), size, func() any {
			after.Number = points[size-1].Number
			return after
		})
	}
	lines := make([]pointView, len(points))
	for i, one := range points {
		lines[i] = pointView{one.Ended.Format(time.RFC3339), one.Game, whole(one.Rating), whole(one.Rating) - whole(one.Before), whole(one.Deviation)}
	}
	return list[pointView]{lines, next}.fields("points", map[string]any{"kind": kind}), err
}

// getOpponents tallies somebody's games by opponent, whom he met most first.
func (s *Server) getOpponents(w http.ResponseWriter, r *http.Request) {
	body, err := s.opponents(r)
	s.answer(w, r, body, err)
}

type opponentView struct {
	wire.Person
	tallyView
}

func (s *Server) opponents(r *http.Request) (any, error) {
	var after store.MostMet
	p := parameters(r.URL.RawQuery)
	size := p.size()
	p.place(&after)
	if err := p.done(); err != nil {
		return nil, err
	}
	person, err := s.named(r.Context(), r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	met, err := s.cfg.History.Opponents(r.Context(), person.ID, after, size)
	lines := make([]opponentView, len(met))
	for i, o := range met {
		lines[i] = opponentView{wire.Person{ID: o.Person, Name: o.Name}, tallied(o.Tally)}
	}
	return list[opponentView]{lines, nextPlace(len(met), size, func() any {
		last := met[size-1]
		return store.MostMet{Games: last.Won + last.Drawn + last.Lost, Person: last.Person}
	})}.fields("opponents", nil), err
}

// getAgainst tallies the games of two people, for the first of them.
func (s *Server) getAgainst(w http.ResponseWriter, r *http.Request) {
	body, err := s.against(r)
	s.answer(w, r, body, err)
}

func (s *Server) against(r *http.Request) (any, error) {
	if err := parameters(r.URL.RawQuery).done(); err != nil {
		return nil, err
	}
	person, err := s.named(r.Context(), r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	opponent, err := s.named(r.Context(), r.PathValue("opponent"))
	if err != nil {
		return nil, err
	}
	record, err := s.cfg.History.Against(r.Context(), person.ID, opponent.ID)
	return map[string]any{
		"person": wire.Person{ID: person.ID, Name: person.Name}, "opponent": wire.Person{ID: opponent.ID, Name: opponent.Name}, "record": byRules(record),
	}, err
}

// getLeaders is a leader board.
func (s *Server) getLeaders(w http.ResponseWriter, r *http.Request) {
	body, err := s.leaders(r)
	s.answer(w, r, body, err)
}

func (s *Server) leaders(r *http.Request) (any, error) {
	var after store.LeaderPlace
	p := parameters(r.URL.RawQuery)
	kind, size := p.oneOf("kind", game.RatingKinds()...), p.size()
	p.place(&after)
	if err := p.done(); err != nil {
		return nil, err
	}
	found, err := s.cfg.History.Leaders(r.Context(), kind, after, size, time.Now())
	lines := make([]leaderView, len(found))
	for i, l := range found {
		lines[i] = leaderView{wire.Person{ID: l.Person, Name: l.Name}, whole(l.Rating.Rating), whole(l.Rating.Deviation), l.Games}
	}
	return list[leaderView]{lines, nextPlace(len(found), size, func() any {
		return store.LeaderPlace{Rating: found[size-1].Rating.Rating, Person: found[size-1].Person}
	})}.fields("leaders", map[string]any{"kind": kind}), err
}

// getSearch finds people by the beginning of their name.
func (s *Server) getSearch(w http.ResponseWriter, r *http.Request) {
	body, err := s.search(r)
	s.answer(w, r, body, err)
}

func (s *Server) search(r *http.Request) (any, error) {
	var after store.NamePlace
	p := parameters(r.URL.RawQuery)
	prefix, size := p.text("name"), p.size()
	p.place(&after)
	if prefix == "" {
		p.refuse("The parameter name is needed: the beginning of a name.")
	} else if !account.ValidName(prefix + ".") { // a beginning may be short, or end where a name may not
		p.refuse("No name begins with that.")
	}
	if err := p.done(); err != nil {
		return nil, err
	}
	found, err := s.cfg.History.Search(r.Context(), prefix, after, size)
	lines := make([]wire.Person, len(found))
	for i, one := range found {
		lines[i] = wire.Person{ID: one.ID, Name: one.Name, Bot: one.Bot}
	}
	return list[wire.Person]{lines, nextPlace(len(found), size, func() any {
		return store.NamePlace{Name: found[size-1].Name, Person: found[size-1].ID}
	})}.fields("people", nil), err
}
