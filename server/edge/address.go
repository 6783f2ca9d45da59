package edge

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// clientAddress is who sent the request. A forwarded address counts only from a trusted proxy; of a chain the last one
// counts that no trusted proxy stands behind, since a client can write anything before it.
func (s *Server) clientAddress(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr := peer.Addr().Unmap()
	chain := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(chain) - 1; i >= 0 && s.trusted(addr); i-- {
		next, err := netip.ParseAddr(strings.TrimSpace(chain[i]))
		if err != nil {
			break
		}
		addr = next.Unmap().WithZone("")
	}
	return addr
}

func (s *Server) trusted(addr netip.Addr) bool {
	for _, p := range s.cfg.TrustedProxies {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// neighbourhood is what limits by address count: an IPv4 address, or an IPv6 /64, since a single household has all of that.
func neighbourhood(addr netip.Addr) netip.Prefix {
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}

// originAllowed compares scheme, host and port with the public URL, as a whole.
func (s *Server) originAllowed(origin string, r *http.Request) bool {
	if origin == s.origin {
		return true
	}
	if !s.cfg.LocalHosts {
		return false
	}
	// By address or as localhost only: a name could be made to point here by its owner.
	host, ok := strings.CutPrefix(origin, "http://")
	if !ok || host != r.Host {
		return false
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host != host {
		return false
	}
	if u.Hostname() == "localhost" {
		return true
	}
	_, err = netip.ParseAddr(u.Hostname())
	return err == nil
}

// originOf gives the Origin header; a second one is nobody's browser.
func originOf(r *http.Request) (origin string, present bool) {
	all := r.Header.Values("Origin")
	if len(all) > 1 {
		return "", true
	}
	if len(all) == 1 {
		return all[0], true
	}
	return "", false
}
