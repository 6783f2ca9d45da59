package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// CookieName is the browser's cookie; it holds the signed token.
const CookieName = "flagfall"

const maxBody = 1 << 10

// me is what one learns about oneself.
type me struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Game    string `json:"game,omitempty"`
	Token   string `json:"token,omitempty"`
	Expires string `json:"expires,omitempty"`
}

// session finds who sends the request: a bearer token before the cookie.
func (s *Server) session(r *http.Request) (session account.Session, bearer bool, err error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return account.Session{}, true, wire.Refuse(wire.CodeUnauthorized)
		}
		session, err = s.cfg.Tokens.Check(strings.TrimSpace(token))
		bearer = true
	} else if cookie, cookieErr := r.Cookie(CookieName); cookieErr == nil {
		session, err = s.cfg.Tokens.Check(cookie.Value)
	} else {
		err = account.ErrToken
	}
	if err != nil {
		s.log.Debug("token refused", "err", err)
		return account.Session{}, bearer, wire.Refuse(wire.CodeUnauthorized)
	}
	return session, bearer, nil
}

// postGuest makes a guest (201), or renews the token of a person who is one already (200): a browser gets it as a
// cookie, a program that asks for it in the body of the answer.
func (s *Server) postGuest(w http.ResponseWriter, r *http.Request) {
	// Another site's form could otherwise replace a visitor's cookie, and with it his seat.
	if s.foreign(w, r) {
		return
	}
	asToken, err := wantsToken(w, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	status := http.StatusOK
	session, _, err := s.session(r)
	if err == nil {
		session, err = s.cfg.Tokens.Renew(session)
	} else {
		if !s.guests.take(neighbourhood(s.clientAddress(r)), time.Now()) {
			s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
			return
		}
		status = http.StatusCreated
		session, err = s.cfg.Tokens.Issue(account.NewGuest())
	}
	person := session.Person
	if err == nil && s.cfg.People != nil {
		err = s.cfg.People.SavePerson(r.Context(), store.Person{
			ID: person.ID, Name: person.Name, Guest: person.Guest, Created: session.Issued, LastSeen: session.Issued,
		})
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	answer := me{ID: person.ID, Name: person.Name}
	if asToken {
		answer.Token, answer.Expires = session.Token, session.Expires.UTC().Format(time.RFC3339)
	} else {
		s.setCookie(w, session)
	}
	writeJSON(w, status, "application/json", answer)
}

// foreign refuses what a page of another site sends; it tells whether it did.
func (s *Server) foreign(w http.ResponseWriter, r *http.Request) bool {
	origin, present := originOf(r)
	if !present || s.originAllowed(origin, r) {
		return false
	}
	s.refuse(w, r, wire.Refuse(wire.CodeForbiddenOrigin))
	return true
}

// postLogout ends the session of a token (204): all its tokens are refused from then on, and its sockets end. A cookie is
// taken back even when it was no longer good (401), but not when the database is away (503): then the session goes on.
func (s *Server) postLogout(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	if !s.logouts.take(neighbourhood(s.clientAddress(r)), time.Now()) {
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	session, bearer, err := s.session(r)
	if err == nil {
		if err := s.cfg.Tokens.Revoke(r.Context(), session); err != nil {
			s.refuse(w, r, err)
			return
		}
	}
	if _, noCookie := r.Cookie(CookieName); !bearer && noCookie == nil {
		s.clearCookie(w)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	for _, one := range s.all() {
		if one.sessionID == session.ID {
			one.Close(wire.CloseToken, tokenEnded)
		}
	}
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// wantsToken reads the body of a guest's request: none, or {"token": true}.
func wantsToken(w http.ResponseWriter, r *http.Request) (bool, error) {
	want := strings.Contains(r.Header.Get("Accept"), "application/jwt")
	data, err := readAll(w, r, maxBody)
	if err != nil || len(data) == 0 {
		return want, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return false, wire.Refuse(wire.CodeUnsupportedMedia)
	}
	var body struct {
		Token bool `json:"token"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return false, wire.Refusef(wire.CodeBadMessage, "The body is not of the described form: %v.", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return false, wire.Refusef(wire.CodeBadMessage, "The body has something after its JSON object.")
	}
	return want || body.Token, nil
}

func (s *Server) setCookie(w http.ResponseWriter, session account.Session) {
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Value: session.Token, Path: "/", Expires: session.Expires,
		MaxAge:   int(time.Until(session.Expires).Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *Server) clearCookie(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

// getMe says who one is, and renews a cookie that has lived half its life: a guest who keeps coming stays himself.
func (s *Server) getMe(w http.ResponseWriter, r *http.Request) {
	session, bearer, err := s.session(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if life := session.Expires.Sub(session.Issued); !bearer && time.Until(session.Expires) < life/2 {
		if renewed, err := s.cfg.Tokens.Renew(session); err == nil {
			s.setCookie(w, renewed)
		}
	}
	answer := me{ID: session.Person.ID, Name: session.Person.Name}
	if s.cfg.Seat != nil {
		answer.Game = s.cfg.Seat(session.Person.ID)
	}
	writeJSON(w, http.StatusOK, "application/json", answer)
}

func (s *Server) getGames(w http.ResponseWriter, r *http.Request) {
	games, err := s.cfg.Tables.Live(r.Context())
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if games == nil {
		games = []table.Summary{}
	}
	writeJSON(w, http.StatusOK, "application/json", map[string]any{"games": games})
}

func (s *Server) getGame(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !wire.ValidID(id) {
		s.refuse(w, r, wire.Refuse(wire.CodeUnknownGame))
		return
	}
	view, _, err := s.cfg.Tables.Game(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", view)
}

func (s *Server) getPGN(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !wire.ValidID(id) {
		s.refuse(w, r, wire.Refuse(wire.CodeUnknownGame))
		return
	}
	text, err := s.cfg.Tables.PGN(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/vnd.chess-pgn; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="flagfall-`+id+`.pgn"`)
	h.Set("Cache-Control", "no-cache")
	io.WriteString(w, text)
}

func (s *Server) getInvite(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	if !wire.ValidID(id) {
		s.refuse(w, r, wire.Refuse(wire.CodeUnknownInvite))
		return
	}
	view, err := s.cfg.Lobby.Invite(r.Context(), id)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	writeJSON(w, http.StatusOK, "application/json", view)
}

func (s *Server) getAsyncAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(wire.AsyncAPI)
}
