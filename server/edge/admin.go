package edge

import (
	"net/http"
	"time"

	"flagfall/server/account"
)

// personView is a member as an administrator sees him. Times are RFC 3339, UTC.
type personView struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Role    account.Role `json:"role"`
	Owner   string       `json:"owner,omitempty"` // of a bot
	Created string       `json:"created"`
	Closed  string       `json:"closed,omitempty"`
}

func viewPerson(m account.Member) personView {
	v := personView{ID: m.Person, Name: m.Name, Role: m.Role, Owner: m.Owner, Created: civil(m.Created)}
	if !m.Closed.IsZero() {
		v.Closed = civil(m.Closed)
	}
	return v
}

// administers tells whether an administrator asks; false after an answer that says that he is none.
func (s *Server) administers(w http.ResponseWriter, r *http.Request) bool {
	session, ok := s.registered(w, r)
	if !ok {
		return false
	}
	if _, err := s.cfg.Members.Require(r.Context(), session); err != nil {
		s.refuse(w, r, err)
		return false
	}
	return true
}

// peoplePage is how many members one answer lists.
const peoplePage = 100

// getPeople lists members by name, after the name of ?after; with ?name the one who has it, if somebody does.
func (s *Server) getPeople(w http.ResponseWriter, r *http.Request) {
	if !s.administers(w, r) {
		return
	}
	var list []account.Member
	var err error
	if name := r.URL.Query().Get("name"); name != "" {
		var one account.Member
		one, err = s.cfg.Members.Find(r.Context(), name)
		list = []account.Member{one}
	} else {
		list, err = s.cfg.Members.List(r.Context(), r.URL.Query().Get("after"), peoplePage)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	people := []personView{}
	for _, m := range list {
		people = append(people, viewPerson(m))
	}
	writeJSON(w, http.StatusOK, "application/json", map[string]any{"people": people})
}

func (s *Server) getPerson(w http.ResponseWriter, r *http.Request) {
	if s.administers(w, r) {
		s.showPerson(w, r)
	}
}

func (s *Server) showPerson(w http.ResponseWriter, r *http.Request) {
	m, err := s.cfg.Members.Get(r.Context(), r.PathValue("id"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", viewPerson(m))
}

// postRole gives a member a role.
func (s *Server) postRole(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Role account.Role `json:"role"`
	}
	if !s.allowed(w, r, &body, false) || !s.administers(w, r) {
		return
	}
	if err := s.cfg.Members.SetRole(r.Context(), r.PathValue("id"), body.Role); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.showPerson(w, r)
}

// postClosed closes an account, or opens it again.
func (s *Server) postClosed(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Closed bool `json:"closed"`
	}
	if !s.allowed(w, r, &body, false) || !s.administers(w, r) {
		return
	}
	ended, err := s.cfg.Members.SetClosed(r.Context(), r.PathValue("id"), body.Closed)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(ended...)
	s.showPerson(w, r)
}

// ResetPath is the page of a one-time link. The code follows as the fragment, which browsers send to nobody.
const ResetPath = "/reset#"

type resetView struct {
	Link  string `json:"link"`
	Until string `json:"until"`
}

// postNewReset makes a one-time link by which a member chooses a new password (201).
func (s *Server) postNewReset(w http.ResponseWriter, r *http.Request) {
	if !s.allowed(w, r, nil, false) || !s.administers(w, r) {
		return
	}
	code, until, err := s.cfg.Members.NewReset(r.Context(), r.PathValue("id"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, "application/json", resetView{Link: s.origin + ResetPath + code, Until: until.UTC().Format(time.RFC3339)})
}
