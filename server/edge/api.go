package edge

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// CookieName is the browser's cookie; it holds the signed token.
const CookieName = "flagfall"

const maxBody = 4 << 10

// me is what one learns about oneself.
type me struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Guest   bool   `json:"guest"`
	Bot     bool   `json:"bot,omitempty"`
	Game    string `json:"game,omitempty"`
	Token   string `json:"token,omitempty"`
	Expires string `json:"expires,omitempty"`
}

// session finds who sends the request: a bearer token before the cookie.
func (s *Server) session(r *http.Request) (session account.Session, bearer bool, err error) {
	return s.sessionBy(r, s.cfg.Tokens.Check)
}

// sessionBy is session with a check of one's own.
func (s *Server) sessionBy(r *http.Request, check func(token string) (account.Session, error)) (session account.Session, bearer bool, err error) {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return account.Session{}, true, wire.Refuse(wire.CodeUnauthorized)
		}
		session, err = check(strings.TrimSpace(token))
		bearer = true
	} else if cookie, cookieErr := r.Cookie(CookieName); cookieErr == nil {
		session, err = check(cookie.Value)
	} else {
		err = account.ErrToken
	}
	if err != nil {
		s.log.Debug("token refused", "err", err)
		return account.Session{}, bearer, wire.Refuse(wire.CodeUnauthorized)
	}
	return session, bearer, nil
}

// renew makes a new token for who sends a good one, or a member's that has expired while his session goes on.
func (s *Server) renew(r *http.Request) (account.Session, error) {
	session, _, err := s.session(r)
	if err != nil && s.cfg.Members != nil {
		session, _, err = s.sessionBy(r, s.cfg.Tokens.CheckLapsed)
	}
	if err != nil {
		return account.Session{}, err
	}
	if s.cfg.Members == nil {
		return s.cfg.Tokens.Renew(session)
	}
	return s.cfg.Members.Renew(r.Context(), session)
}

// postGuest makes a guest (201), or renews the token of a person who is one already (200): a browser gets it as a
// cookie, a program that asks for it in the body of the answer.
func (s *Server) postGuest(w http.ResponseWriter, r *http.Request) {
	// Another site's form could otherwise replace a visitor's cookie, and with it his seat.
	if s.foreign(w, r) {
		return
	}
	asToken, hall, err := s.wantsToken(w, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	session, err := s.renew(r)
	if err == nil {
		s.welcome(w, r, http.StatusOK, session, asToken)
		return
	}
	if refusal := (*wire.Refusal)(nil); !errors.As(err, &refusal) && !errors.Is(err, account.ErrSessionEnded) {
		s.refuse(w, r, err)
		return
	}
	if !s.within(s.eventGuests, s.guests, hall, neighbourhood(s.clientAddress(r)), time.Now()) {
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	if session, err = s.cfg.Tokens.Issue(account.NewGuest()); err != nil {
		s.refuse(w, r, err)
		return
	}
	s.welcome(w, r, http.StatusCreated, session, asToken)
}

// postRenew makes a new token for a session that goes on, whoever's it is: as postGuest, but it never makes a guest.
func (s *Server) postRenew(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	asToken, _, err := s.wantsToken(w, r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	session, err := s.renew(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.welcome(w, r, http.StatusOK, session, asToken)
}

// welcome notes that somebody is here, and gives him his token: a browser as a cookie, a program that asks for it in the
// answer.
func (s *Server) welcome(w http.ResponseWriter, r *http.Request, status int, session account.Session, asToken bool) {
	person := session.Person
	if s.cfg.People != nil {
		err := s.cfg.People.SavePerson(r.Context(), store.Person{
			ID: person.ID, Name: person.Name, Guest: person.Guest, Created: session.Issued, LastSeen: session.Issued,
		})
		if err != nil && person.Guest {
			s.refuse(w, r, err)
			return
		}
		if err != nil { // he is known; that he was here is not
			s.log.Warn("a member is not noted as seen", "person", person.ID, "err", err)
		}
	}
	answer := me{ID: person.ID, Name: person.Name, Guest: person.Guest, Bot: person.Bot}
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
	if err != nil && s.cfg.Members != nil { // the session of a token that has expired may go on
		session, bearer, err = s.sessionBy(r, s.cfg.Tokens.CheckLapsed)
	}
	if err == nil {
		if err := s.logOut(r, session); err != nil {
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
	s.endSockets(session.ID)
	noContent(w)
}

func (s *Server) logOut(r *http.Request, session account.Session) error {
	if s.cfg.Members == nil {
		return s.cfg.Tokens.Revoke(r.Context(), session)
	}
	return s.cfg.Members.LogOut(r.Context(), session)
}

// endSockets closes the sockets of sessions that were ended here. Those at other nodes end when these learn of it.
func (s *Server) endSockets(sessions ...string) {
	for _, one := range s.all() {
		if slices.Contains(sessions, one.sessionID) {
			one.Close(wire.CloseToken, tokenEnded)
		}
	}
}

func noContent(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusNoContent)
}

// wantsToken reads the body of a guest's request: none, or {"token": true} and the link of an event that he comes by. Hall
// is the event of a link that is good.
func (s *Server) wantsToken(w http.ResponseWriter, r *http.Request) (want bool, hall string, err error) {
	want = strings.Contains(r.Header.Get("Accept"), "application/jwt")
	data, err := readAll(w, r, maxBody)
	if err != nil || len(data) == 0 {
		return want, "", err
	}
	var body struct {
		Token bool   `json:"token"`
		Event string `json:"event"`
		Key   string `json:"key"`
	}
	err = decodeBody(r, data, &body)
	if err != nil {
		return false, "", err
	}
	return want || body.Token, s.hallOf(body.Event, body.Key, neighbourhood(s.clientAddress(r))), nil
}

// readBody reads a JSON object of exactly the fields of a struct.
func readBody(w http.ResponseWriter, r *http.Request, into any) error {
	data, err := readAll(w, r, maxBody)
	if err != nil {
		return err
	}
	return decodeBody(r, data, into)
}

// isJSON refuses a body that does not say that it is JSON: another site's form cannot say so.
func isJSON(r *http.Request) error {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return wire.Refuse(wire.CodeUnsupportedMedia)
	}
	return nil
}

func decodeBody(r *http.Request, data []byte, into any) error {
	if err := isJSON(r); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return wire.Refusef(wire.CodeBadMessage, "The body is not UTF-8.")
	}
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return wire.Refusef(wire.CodeBadMessage, "The body is not a JSON object.")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return wire.Refusef(wire.CodeBadMessage, "The body is not of the described form: %v.", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return wire.Refusef(wire.CodeBadMessage, "The body has something after its JSON object.")
	}
	return nil
}

// setCookie keeps a member's token for as long as it can be renewed.
func (s *Server) setCookie(w http.ResponseWriter, session account.Session) {
	expires := session.Expires
	if !session.Person.Guest {
		expires = session.Issued.Add(account.Lifetime)
	}
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Value: session.Token, Path: "/", Expires: expires,
		MaxAge:   int(time.Until(expires).Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

func (s *Server) clearCookie(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Path: "/", MaxAge: -1, HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}

// getMe says who one is, and renews a cookie that has lived half its life: who keeps coming stays himself. A member's is
// renewed when it has expired, too.
func (s *Server) getMe(w http.ResponseWriter, r *http.Request) {
	session, bearer, err := s.session(r)
	if bearer && err != nil {
		s.refuse(w, r, err)
		return
	}
	if life := session.Expires.Sub(session.Issued); !bearer && time.Until(session.Expires) < life/2 || err != nil {
		renewed, failed := s.renew(r)
		if failed == nil {
			s.setCookie(w, renewed)
			session = renewed
		} else if err != nil {
			s.refuse(w, r, failed)
			return
		}
	}
	answer := me{ID: session.Person.ID, Name: session.Person.Name, Guest: session.Person.Guest, Bot: session.Person.Bot}
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

func (s *Server) getOpenAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Cache-Control", "no-cache")
	w.Write(OpenAPI)
}
