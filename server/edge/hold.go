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
	s.mu.Lock()
	changed := s.holding != on
	s.holding = on // who is admitted from now on knows
	var sockets []*socket
	for one := range s.sockets {
		sockets = append(sockets, one)
	}
	s.mu.Unlock()
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
