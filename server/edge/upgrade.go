package edge

import (
	"net/http"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/wire"
)

// Sizes of a socket's buffers under gorilla. Each socket has one to read from, which only what serve leaves to gorilla goes
// through; those to write to are shared.
const (
	readSize  = 128
	writeSize = 512
)

// getSocket is the handshake. Everything that can be refused is refused before the upgrade, with a problem document;
// only too many sockets get a close code, which a browser's script can read.
func (s *Server) getSocket(w http.ResponseWriter, r *http.Request) {
	home := neighbourhood(s.clientAddress(r))
	query := r.URL.Query()
	hall := s.hallOf(query.Get("event"), query.Get("key"), home)
	if !s.within(s.eventHandshakes, s.handshakes, hall, home, time.Now()) {
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	origin, present := originOf(r)
	if present && !s.originAllowed(origin, r) {
		s.refuse(w, r, wire.Refuse(wire.CodeForbiddenOrigin))
		return
	}
	session, bearer, err := s.session(r)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	if !present && !bearer {
		// A cookie goes along with any page's request; only the Origin tells whose page it is.
		s.refuse(w, r, wire.Refuse(wire.CodeForbiddenOrigin))
		return
	}
	s.mu.Lock()
	closing := s.closing
	s.mu.Unlock()
	if closing {
		s.refuse(w, r, wire.Refuse(wire.CodeUnavailable))
		return
	}
	h := &hijacker{ResponseWriter: w}
	ws, err := s.upgrader.Upgrade(h, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	s.wake()
	one := newSocket(s, ws, h.under, session, home)
	one.hall = hall
	if code, reason := s.admit(one); code != 0 {
		s.counts.closed(code)
		ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason), time.Now().Add(time.Second))
		ws.Close()
		return
	}
	// A goroutine of its own lets the handler return, and with it the HTTP server's buffers go.
	go one.run()
}

// admit counts a socket in, or says with which close code it must go.
func (s *Server) admit(one *socket) (code int, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return websocket.CloseServiceRestart, "the server restarts; come back in a moment"
	case s.byPerson[one.person.ID] >= s.limits.SocketsPerPerson:
		return wire.CloseTooMany, "too many connections of one person"
	}
	if one.hall != "" && s.byEvent[one.hall] >= s.limits.SocketsPerEvent {
		one.hall = "" // counts like any other
	}
	if one.hall != "" {
		s.byEvent[one.hall]++
	} else if s.byAddress[one.home] >= s.limits.SocketsPerAddress {
		return wire.CloseTooMany, "too many connections from one address"
	} else {
		s.byAddress[one.home]++
	}
	s.sockets[one] = struct{}{}
	s.byPerson[one.person.ID]++
	s.done.Add(1)
	if s.holding {
		one.Send(holdBegins.Frames[0]) // goes out after the hello
	}
	return 0, ""
}

// dismiss counts a socket out.
func (s *Server) dismiss(one *socket) {
	s.counts.closed(one.endCode())
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sockets, one)
	lessOne(s.byPerson, one.person.ID)
	if one.hall != "" {
		lessOne(s.byEvent, one.hall)
	} else {
		lessOne(s.byAddress, one.home)
	}
	s.done.Done()
}

func lessOne[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] <= 0 {
		delete(counts, key)
	}
}
