package edge

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// accountView is what a member sees of his own. Times are RFC 3339, UTC.
type accountView struct {
	ID       string        `json:"id"`
	Name     string        `json:"name"`
	Role     account.Role  `json:"role"`
	Bot      bool          `json:"bot,omitempty"`
	Created  string        `json:"created"`
	Sessions []sessionView `json:"sessions"`
	Bots     []botView     `json:"bots"`
}

type sessionView struct {
	ID      string `json:"id"`
	Current bool   `json:"current,omitempty"`
	Token   string `json:"token,omitempty"` // id of the API token that it was made from
	Created string `json:"created"`
	Seen    string `json:"seen"`
}

type botView struct {
	ID      string         `json:"id"`
	Name    string         `json:"name"`
	Created string         `json:"created"`
	Tokens  []apiTokenView `json:"tokens"`
}

type apiTokenView struct {
	ID      string `json:"id"`
	Token   string `json:"token,omitempty"` // once, when it is made
	Created string `json:"created"`
}

func civil(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func viewAccount(a account.Account, current string) accountView {
	v := accountView{
		ID: a.Person, Name: a.Name, Role: a.Role, Bot: a.Bot(), Created: civil(a.Created), Sessions: []sessionView{}, Bots: []botView{},
	}
	for _, l := range a.Logins {
		v.Sessions = append(v.Sessions, sessionView{ID: l.ID, Current: l.ID == current, Token: l.Key, Created: civil(l.Created), Seen: civil(l.Seen)})
	}
	for _, bot := range a.Bots {
		v.Bots = append(v.Bots, viewBot(bot, a.Keys[bot.Person]))
	}
	return v
}

func viewBot(bot account.Member, keys []account.APIKey) botView {
	v := botView{ID: bot.Person, Name: bot.Name, Created: civil(bot.Created), Tokens: []apiTokenView{}}
	for _, k := range keys {
		v.Tokens = append(v.Tokens, apiTokenView{ID: k.ID, Created: civil(k.Created)})
	}
	return v
}

func (s *Server) getAccount(w http.ResponseWriter, r *http.Request) {
	session, ok := s.registered(w, r)
	if !ok {
		return
	}
	a, err := s.cfg.Members.AccountOf(r.Context(), session)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", viewAccount(a, session.ID))
}

// exportRate is how often a person gets all his data, which may be long.
var exportRate = Rate{PerSecond: 1. / 60, Burst: 3}

const (
	exportPage = 50
	// exportTime is how long one page of games may take to be read, and to be sent.
	exportTime = 20 * time.Second
)

// gameView is a finished game as its player takes it with him; record is all that happened in it.
type gameView struct {
	ID     string          `json:"id"`
	White  wire.Person     `json:"white"`
	Black  wire.Person     `json:"black"`
	Rules  string          `json:"rules"`
	Mode   string          `json:"mode"`
	Base   int64           `json:"base"`
	Result string          `json:"result"`
	Reason string          `json:"reason"`
	Rule   string          `json:"rule"`
	Start  string          `json:"started"`
	End    string          `json:"ended"`
	Plies  int             `json:"plies"`
	Record json.RawMessage `json:"record"`
}

func viewGame(g store.Game) gameView {
	return gameView{
		ID: g.ID, White: wire.Person{ID: g.White, Name: g.WhiteName}, Black: wire.Person{ID: g.Black, Name: g.BlackName}, Rules: g.Rules,
		Mode: g.Mode, Base: g.Base, Result: g.Result, Reason: g.Reason, Rule: g.Rule, Start: civil(g.Started), End: civil(g.Ended), Plies: g.Plies, Record: g.Record,
	}
}

// getExport sends all that is known of a member as one JSON object, page by page. When the database ends it half way,
// the object is not closed: what was cut does not look whole.
func (s *Server) getExport(w http.ResponseWriter, r *http.Request) {
	session, ok := s.registered(w, r)
	if !ok {
		return
	}
	if !s.exports.take(session.Person.ID, time.Now()) {
		w.Header().Set("Retry-After", "60")
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	a, err := s.cfg.Members.AccountOf(r.Context(), session)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	games, err := s.cfg.Archive.GamesOf(r.Context(), session.Person.ID, store.Cursor{}, exportPage)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	blocked, err := s.cfg.Archive.Blocked(r.Context(), session.Person.ID)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	clubs, err := s.clubsOf(r.Context(), session.Person.ID)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", `attachment; filename="flagfall.json"`)
	h.Set("Cache-Control", "no-store")
	head := exportHead{viewAccount(a, session.ID), []wire.Person{}, clubs}
	for _, p := range blocked {
		head.Blocks = append(head.Blocks, wire.Person{ID: p.ID, Name: p.Name})
	}
	if err := s.writeExport(w, r, head, games); err != nil {
		s.log.Warn("an export ended half way", "person", session.Person.ID, "err", err)
		panic(http.ErrAbortHandler) // the connection is cut, so that nobody takes it for whole
	}
}

// exportHead is what stands before the games.
type exportHead struct {
	Account accountView   `json:"account"`
	Blocks  []wire.Person `json:"blocks"`
	Clubs   []ownClub     `json:"clubs"`
}

// ownClub is what somebody is in a club.
type ownClub struct {
	Club string         `json:"club"`
	Role store.ClubRole `json:"role"`
}

// clubsOf lists somebody's clubs by name.
func (s *Server) clubsOf(ctx context.Context, person string) ([]ownClub, error) {
	list := []ownClub{}
	if s.cfg.Clubs == nil {
		return list, nil
	}
	roles, err := s.cfg.Clubs.ClubsOf(ctx, person)
	for _, club := range slices.Sorted(maps.Keys(roles)) {
		list = append(list, ownClub{club, roles[club]})
	}
	return list, err
}

func (s *Server) writeExport(w http.ResponseWriter, r *http.Request, head exportHead, games []store.Game) error {
	text, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(text[:len(text)-1], `,"games":[`...)); err != nil {
		return err
	}
	sep := ""
	control := http.NewResponseController(w)
	for len(games) > 0 {
		_ = control.SetWriteDeadline(time.Now().Add(exportTime)) // each page has its own time
		for _, g := range games {
			text, err := json.Marshal(viewGame(g))
			if err != nil {
				return err
			}
			if _, err := w.Write(append([]byte(sep), text...)); err != nil {
				return err
			}
			sep = ","
		}
		last := games[len(games)-1]
		if games, err = s.nextGames(r, head.Account.ID, store.Cursor{Ended: last.Ended, ID: last.ID}); err != nil {
			return err
		}
	}
	_, err = w.Write([]byte("]}"))
	return err
}

// nextGames reads a page; the time of a usual answer is too short for all of them.
func (s *Server) nextGames(r *http.Request, person string, after store.Cursor) ([]store.Game, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), exportTime)
	defer cancel()
	return s.cfg.Archive.GamesOf(ctx, person, after, exportPage)
}
