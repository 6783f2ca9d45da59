package edge

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"flagfall/server/account"
	"flagfall/server/arena/host"
	"flagfall/server/store"
	"flagfall/server/wire"
)

func (s *Server) clubAddresses() map[string]methods {
	return map[string]methods{
		"/api/clubs":             {http.MethodGet: s.getClubs, http.MethodHead: s.getClubs, http.MethodPost: s.postClub},
		"/api/clubs/{club}":      get(s.getClub),
		"/api/clubs/{club}/acts": post(s.postClubAct),
		"/clubs":                 get(s.getPage),
		"/c/{club}":              get(s.getPage),
	}
}

// clubLine is a club in the list.
type clubLine struct {
	Club    string `json:"club"` // its name in addresses
	Name    string `json:"name"`
	About   string `json:"about"`
	Members int    `json:"members"`
}

// clubView is a club with its people and events; You is what the one who asks is in it.
type clubView struct {
	Club    string         `json:"club"`
	Name    string         `json:"name"`
	About   string         `json:"about"`
	Members []clubMember   `json:"members"`
	Events  []host.Listed  `json:"events"`
	You     store.ClubRole `json:"you,omitempty"`
}

type clubMember struct {
	ID   string         `json:"id"`
	Name string         `json:"name"`
	Role store.ClubRole `json:"role"`
}

// getClubs lists clubs by name, a page at a time.
func (s *Server) getClubs(w http.ResponseWriter, r *http.Request) {
	body, err := s.clubs(r)
	s.answer(w, r, body, err)
}

func (s *Server) clubs(r *http.Request) (any, error) {
	var after struct {
		Club string `json:"c"`
	}
	p := parameters(r.URL.RawQuery)
	size := mostPage
	if p.values.Has("limit") {
		size = p.size()
	}
	p.place(&after)
	if err := p.done(); err != nil {
		return nil, err
	}
	found, err := s.cfg.Clubs.Clubs(r.Context(), after.Club, size)
	lines := make([]clubLine, len(found))
	for i, c := range found {
		lines[i] = clubLine{c.Name, c.Title, c.About, c.Members}
	}
	return list[clubLine]{lines, nextPlace(len(found), size, func() any {
		after.Club = found[size-1].Name
		return after
	})}.fields("clubs", nil), err
}

// getClub is a club with its people and its public events.
func (s *Server) getClub(w http.ResponseWriter, r *http.Request) {
	if err := parameters(r.URL.RawQuery).done(); err != nil {
		s.refuse(w, r, err)
		return
	}
	by, ok := s.viewer(w, r, false)
	if !ok {
		return
	}
	view, err := s.clubView(r.Context(), r.PathValue("club"), by)
	s.answer(w, r, view, err)
}

func (s *Server) clubView(ctx context.Context, name string, by account.Person) (clubView, error) {
	if !wire.ValidEvent(name) {
		return clubView{}, wire.Refuse(wire.CodeUnknownClub)
	}
	club, members, err := s.cfg.Clubs.Club(ctx, name)
	if err != nil {
		return clubView{}, err
	}
	view := clubView{Club: club.Name, Name: club.Title, About: club.About, Members: make([]clubMember, len(members)), Events: []host.Listed{}}
	for i, m := range members {
		view.Members[i] = clubMember{m.Person, m.Name, m.Role}
		if m.Person == by.ID {
			view.You = m.Role
		}
	}
	if s.cfg.Events == nil {
		return view, nil
	}
	events, err := s.cfg.Events.List(ctx, host.ListQuery{Club: name})
	view.Events = append(view.Events, events...)
	return view, err
}

// clubFields tell of a field's value what it must be, "" where it is that.
var clubFields = map[string]func(json.RawMessage) string{
	"do": oneOf("join", "leave", "role", "remove", "about"), "name": lineOf(1, 80), "about": textOf(0, 1000), "who": id,
	"role": oneOf(string(store.ClubMember), string(store.ClubArbiter), string(store.ClubOrganiser), string(store.ClubOwner)),
	"club": func(raw json.RawMessage) string {
		var name string
		if json.Unmarshal(raw, &name) != nil || !wire.FreeEvent(name) {
			return "a name for addresses: 3 to 40 of a-z, 0-9 and -, not - at first"
		}
		return ""
	},
}

// clubActs lists the fields of each act beside do.
var clubActs = map[string][]string{"join": nil, "leave": nil, "role": {"who", "role"}, "remove": {"who"}, "about": {"about"}}

// readClub reads a body strictly: the fields that it needs, and no others.
func readClub(w http.ResponseWriter, r *http.Request, fields func(do string) []string) (map[string]string, error) {
	data, err := readJSON(w, r, 2*maxBody)
	var raw map[string]json.RawMessage
	if err == nil {
		err = object(data, &raw)
	}
	if err != nil {
		return nil, err
	}
	text := map[string]string{}
	var do string
	if json.Unmarshal(raw["do"], &do) != nil {
		do = ""
	}
	needed := fields(do)
	if err := exactly(raw, needed, nil); err != nil {
		return nil, err
	}
	for _, name := range needed {
		if want := clubFields[name](raw[name]); want != "" {
			return nil, wire.Refusef(wire.CodeBadMessage, "The field %q must be %s.", name, want)
		}
		var value string
		if err := json.Unmarshal(raw[name], &value); err != nil {
			return nil, err
		}
		text[name] = value
	}
	return text, nil
}

// postClub makes a club of who asks (201).
func (s *Server) postClub(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r, false, s.makings)
	if !ok {
		return
	}
	body, err := readClub(w, r, func(string) []string { return []string{"club", "name", "about"} })
	if err == nil && by.Bot {
		err = wire.Refuse(wire.CodeNotForBots)
	}
	if err == nil {
		err = s.cfg.Clubs.AddClub(r.Context(), store.Club{Name: body["club"], Title: body["name"], About: body["about"], Created: time.Now()}, by.ID)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, "application/json", map[string]string{"club": body["club"]})
}

// postClubAct does something in a club, and answers with the club as it is then.
func (s *Server) postClubAct(w http.ResponseWriter, r *http.Request) {
	by, ok := s.actor(w, r, false, s.acts)
	if !ok {
		return
	}
	body, err := readClub(w, r, func(do string) []string { return append([]string{"do"}, clubActs[do]...) })
	if err == nil && by.Bot {
		err = wire.Refuse(wire.CodeNotForBots)
	}
	name := r.PathValue("club")
	if err == nil && !wire.ValidEvent(name) {
		err = wire.Refuse(wire.CodeUnknownClub)
	}
	if err == nil {
		err = s.doInClub(r.Context(), name, by.ID, body)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	view, err := s.clubView(r.Context(), name, by)
	s.answer(w, r, view, err)
}

func (s *Server) doInClub(ctx context.Context, club, by string, body map[string]string) error {
	clubs := s.cfg.Clubs
	switch body["do"] {
	case "join":
		return clubs.JoinClub(ctx, club, by, time.Now())
	case "leave":
		return clubs.LeaveClub(ctx, club, by, by)
	case "remove":
		return clubs.LeaveClub(ctx, club, by, body["who"])
	case "role":
		return clubs.SetClubRole(ctx, club, by, body["who"], store.ClubRole(body["role"]))
	default:
		return clubs.SetClubAbout(ctx, club, by, body["about"])
	}
}
