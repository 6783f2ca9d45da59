package edge

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"flagfall/server/account"
	"flagfall/server/wire"
)

func (s *Server) memberAddresses() map[string]methods {
	return map[string]methods{
		"/api/register":                 post(s.postRegister),
		"/api/login":                    post(s.postLogin),
		"/api/logout/everywhere":        post(s.postLogoutEverywhere),
		"/api/account":                  get(s.getAccount),
		"/api/account/password":         post(s.postPassword),
		"/api/account/delete":           post(s.postDelete),
		"/api/account/export":           {http.MethodGet: s.getExport},
		"/api/account/sessions/{id}":    del(s.deleteSession),
		"/api/reset":                    post(s.postReset),
		"/api/bots":                     post(s.postBot),
		"/api/bots/{id}":                del(s.deleteBot),
		"/api/bots/{id}/tokens":         post(s.postBotToken),
		"/api/bots/{id}/tokens/{token}": del(s.deleteBotToken),
		"/api/enter":                    post(s.postEnter),
		"/api/admin/people":             get(s.getPeople),
		"/api/admin/people/{id}":        get(s.getPerson),
		"/api/admin/people/{id}/role":   post(s.postRole),
		"/api/admin/people/{id}/closed": post(s.postClosed),
		"/api/admin/people/{id}/reset":  post(s.postNewReset),
		"/login":                        get(s.getPage),
		"/register":                     get(s.getPage),
		"/reset":                        get(s.getPage),
		"/account":                      get(s.getPage),
		"/admin":                        get(s.getPage),
	}
}

// allowed says whether a request that changes something may go on: it is no other site's, its body is of the described
// form, and its address has not asked too often for what costs a password.
func (s *Server) allowed(w http.ResponseWriter, r *http.Request, body any, password bool) bool {
	if s.foreign(w, r) {
		return false
	}
	if body != nil {
		if err := readBody(w, r, body); err != nil {
			s.refuse(w, r, err)
			return false
		}
	}
	if password && !s.passwords.take(neighbourhood(s.clientAddress(r)), time.Now()) {
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return false
	}
	return true
}

// registered is the session of a member; false after an answer that says that it is none.
func (s *Server) registered(w http.ResponseWriter, r *http.Request) (account.Session, bool) {
	session, _, err := s.session(r)
	if err == nil && session.Person.Guest {
		err = wire.Refuse(wire.CodeAccountNeeded)
	}
	if err != nil {
		s.refuse(w, r, err)
		return account.Session{}, false
	}
	return session, true
}

// tried refuses a password that is checked too often for a name, or runs the check and counts it if it was wrong.
func (s *Server) tried(w http.ResponseWriter, r *http.Request, name string, check func() error) error {
	home := neighbourhood(s.clientAddress(r))
	if !s.tries.take(name, home, time.Now()) {
		w.Header().Set("Retry-After", strconv.Itoa(int(1/s.limits.Account.PerSecond)))
		return wire.Refusef(wire.CodeTooMany, "Too many wrong passwords for this name; wait a minute.")
	}
	err := check()
	if !errors.Is(err, account.ErrCredentials) {
		s.tries.spare(name, home)
	}
	return err
}

type credentials struct {
	Name     string `json:"name"`
	Password string `json:"password"`
	Token    bool   `json:"token"`
}

// postRegister makes an account (201): of the guest who asks, or of somebody new.
func (s *Server) postRegister(w http.ResponseWriter, r *http.Request) {
	var body credentials
	if !s.allowed(w, r, &body, true) {
		return
	}
	was, _, err := s.session(r)
	if err != nil {
		was = account.Session{}
	}
	session, err := s.cfg.Members.Register(r.Context(), was, body.Name, body.Password)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(was.ID)
	s.welcome(w, r, http.StatusCreated, session, body.Token)
}

// postLogin begins a session. A browser's guest who sits at a table would lose his seat with his cookie: he is refused.
func (s *Server) postLogin(w http.ResponseWriter, r *http.Request) {
	var body credentials
	if !s.allowed(w, r, &body, true) {
		return
	}
	if was, bearer, err := s.session(r); err == nil && !bearer && !body.Token && was.Person.Guest && s.seated(was.Person.ID) {
		s.refuse(w, r, wire.Refusef(wire.CodeSeated, "You sit at a table as %s: finish that game first.", was.Person.Name))
		return
	}
	var session account.Session
	err := s.tried(w, r, body.Name, func() (err error) {
		session, err = s.cfg.Members.LogIn(r.Context(), body.Name, body.Password)
		return err
	})
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.welcome(w, r, http.StatusOK, session, body.Token)
}

func (s *Server) seated(person string) bool { return s.cfg.Seat != nil && s.cfg.Seat(person) != "" }

// postLogoutEverywhere ends all sessions of who asks (204).
func (s *Server) postLogoutEverywhere(w http.ResponseWriter, r *http.Request) {
	if !s.allowed(w, r, nil, false) {
		return
	}
	session, bearer, err := s.session(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	ended, err := s.cfg.Members.LogOutEverywhere(r.Context(), session)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.goodbye(w, bearer, ended)
}

// goodbye takes the cookie back and ends the sockets of what was ended.
func (s *Server) goodbye(w http.ResponseWriter, bearer bool, ended []string) {
	if !bearer {
		s.clearCookie(w)
	}
	s.endSockets(ended...)
	noContent(w)
}

// deleteSession ends one session of a member (204), this one or another.
func (s *Server) deleteSession(w http.ResponseWriter, r *http.Request) {
	if !s.allowed(w, r, nil, false) {
		return
	}
	session, ok := s.registered(w, r)
	if !ok {
		return
	}
	ended, err := s.cfg.Members.EndSession(r.Context(), session, r.PathValue("id"))
	if errors.Is(err, account.ErrSessionEnded) {
		err = wire.Refusef(wire.CodeNotFound, "You have no such session.")
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(ended...)
	noContent(w)
}

// postPassword replaces the password of who asks, and ends his other sessions (204).
func (s *Server) postPassword(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Old string `json:"old"`
		New string `json:"new"`
	}
	if !s.allowed(w, r, &body, true) {
		return
	}
	session, ok := s.registered(w, r)
	if !ok {
		return
	}
	var ended []string
	err := s.tried(w, r, session.Person.Name, func() (err error) {
		ended, err = s.cfg.Members.ChangePassword(r.Context(), session, body.Old, body.New)
		return err
	})
	if err != nil {
		s.refuse(w, r, wrongOld(err))
		return
	}
	s.endSockets(ended...)
	noContent(w)
}

// wrongOld says of a password that was asked for again that it alone is wrong.
func wrongOld(err error) error {
	if errors.Is(err, account.ErrCredentials) {
		return wire.Refusef(wire.CodeWrongPassword, "The password is wrong.")
	}
	return err
}

// postReset sets a password by the code of a one-time link, and ends all sessions (204).
func (s *Server) postReset(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Code     string `json:"code"`
		Password string `json:"password"`
	}
	if !s.allowed(w, r, &body, true) {
		return
	}
	ended, err := s.cfg.Members.ResetPassword(r.Context(), body.Code, body.Password)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(ended...)
	noContent(w)
}

// postDelete deletes the account of who asks (204). Who sits at a table finishes his game first.
func (s *Server) postDelete(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Password string `json:"password"`
	}
	if !s.allowed(w, r, &body, true) {
		return
	}
	session, ok := s.registered(w, r)
	if !ok {
		return
	}
	if s.seated(session.Person.ID) {
		s.refuse(w, r, wire.Refusef(wire.CodeSeated, "You sit at a table: finish that game first."))
		return
	}
	var ended []string
	err := s.tried(w, r, session.Person.Name, func() (err error) {
		ended, err = s.cfg.Members.Delete(r.Context(), session, body.Password)
		return err
	})
	if err != nil {
		s.refuse(w, r, wrongOld(err))
		return
	}
	s.goodbye(w, r.Header.Get("Authorization") != "", ended)
}
