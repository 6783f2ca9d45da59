package edge

import (
	"net/http"
	"time"

	"flagfall/server/account"
	"flagfall/server/wire"
)

// postBot makes a bot of who asks (201).
func (s *Server) postBot(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"name"`
	}
	session, ok := s.change(w, r, &body)
	if !ok {
		return
	}
	bot, err := s.cfg.Members.AddBot(r.Context(), session, body.Name)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, "application/json", viewBot(bot, nil))
}

// change is allowed and registered in one.
func (s *Server) change(w http.ResponseWriter, r *http.Request, body any) (account.Session, bool) {
	if !s.allowed(w, r, body, false) {
		return account.Session{}, false
	}
	return s.registered(w, r)
}

// deleteBot deletes a bot of who asks (204).
func (s *Server) deleteBot(w http.ResponseWriter, r *http.Request) {
	session, ok := s.change(w, r, nil)
	if !ok {
		return
	}
	ended, err := s.cfg.Members.DeleteBot(r.Context(), session, r.PathValue("id"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(ended...)
	noContent(w)
}

// postBotToken makes an API token for a bot of who asks (201).
func (s *Server) postBotToken(w http.ResponseWriter, r *http.Request) {
	session, ok := s.change(w, r, nil)
	if !ok {
		return
	}
	key, secret, err := s.cfg.Members.AddKey(r.Context(), session, r.PathValue("id"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusCreated, "application/json", apiTokenView{ID: key.ID, Token: secret, Created: civil(key.Created)})
}

// deleteBotToken makes an API token worthless (204).
func (s *Server) deleteBotToken(w http.ResponseWriter, r *http.Request) {
	session, ok := s.change(w, r, nil)
	if !ok {
		return
	}
	ended, err := s.cfg.Members.DropKey(r.Context(), session, r.PathValue("id"), r.PathValue("token"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.endSockets(ended...)
	noContent(w)
}

// postEnter begins a session of a bot by its API token.
func (s *Server) postEnter(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Token string `json:"token"`
	}
	if !s.allowed(w, r, &body, false) {
		return
	}
	if !s.guests.take(neighbourhood(s.clientAddress(r)), time.Now()) {
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	session, err := s.cfg.Members.Enter(r.Context(), body.Token)
	if refusal := refusalOf(err); refusal != nil && refusal.Code == wire.CodeNotFound {
		err = wire.Refusef(wire.CodeUnauthorized, "This API token is not good.")
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.welcome(w, r, http.StatusOK, session, true)
}
