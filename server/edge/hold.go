package edge

import "flagfall/server/wire"

var (
	holdBegins = wire.Share([][]byte{wire.Encode(wire.Hold{T: "hold", On: true, Why: "journal"})})
	holdEnds   = wire.Share([][]byte{wire.Encode(wire.Hold{T: "hold"})})
)

// Hold tells every socket that the clocks stand since what people do cannot be written down, or that they go on; and every
// socket that opens during a hold. Only a change is told. The sockets take what is said all the time.
func (s *Server) Hold(on bool) {
	s.telling.Lock()
	defer s.telling.Unlock()
	sockets, changed := s.turnHold(on)
	if !changed {
		return
	}
	words := holdEnds
	if on {
		words = holdBegins
	}
	for _, one := range sockets {
		one.SendShared(words)
	}
}

// turnHold gives those who do not know of it yet: who is admitted later is told then.
func (s *Server) turnHold(on bool) (sockets []*socket, changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holding == on {
		return nil, false
	}
	s.holding = on
	for one := range s.sockets {
		sockets = append(sockets, one)
	}
	return sockets, true
}
