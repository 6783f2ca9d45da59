package edge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	qr "github.com/piglig/go-qr"
)

// link is the address by which people join an event, as far as the one who asks may know it; false after an answer that
// says that he may not.
func (s *Server) link(w http.ResponseWriter, r *http.Request) (string, bool) {
	answer, ok := s.answered(w, r, "qrlink", false, nil)
	if !ok {
		return "", false
	}
	var to struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(answer, &to); err != nil || !strings.HasPrefix(to.Path, "/") {
		s.refuse(w, r, fmt.Errorf("edge: the link of an event is %q, %w", answer, err))
		return "", false
	}
	return s.publicOrigin(r) + to.Path, true
}

// publicOrigin is the public URL. Where nobody has set one, the address by which this page was opened: others in the hall
// reach the server by it.
func (s *Server) publicOrigin(r *http.Request) string {
	if !s.cfg.LocalHosts {
		return s.origin
	}
	own := "http://" + r.Host
	u, err := url.Parse(own)
	if err != nil || u.Host != r.Host {
		return s.origin
	}
	if _, err := netip.ParseAddr(u.Hostname()); err != nil {
		return s.origin
	}
	return own
}

func (s *Server) getLink(w http.ResponseWriter, r *http.Request) {
	if address, ok := s.link(w, r); ok {
		writeJSON(w, http.StatusOK, "application/json", map[string]string{"url": address})
	}
}

// getQR answers with the link as a QR code.
func (s *Server) getQR(w http.ResponseWriter, r *http.Request) {
	address, ok := s.link(w, r)
	if !ok {
		return
	}
	picture, err := qrSVG(address)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	s.sendTagged(w, r, "image/svg+xml", picture)
}

// quietZone is how many light modules stand around a code (ISO/IEC 18004).
const quietZone = 4

// qrSVG draws a QR code that can be read when a seventh of it cannot, black on white whatever is around it.
func qrSVG(text string) ([]byte, error) {
	code, err := qr.EncodeText(text, qr.Medium)
	if err != nil {
		return nil, fmt.Errorf("edge: a QR code of %q: %w", text, err)
	}
	size := code.Size()
	var out strings.Builder
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="`,
		size+2*quietZone)
	for y := range size {
		for x := 0; x < size; x++ {
			run := 0
			for x+run < size && code.Module(x+run, y) {
				run++
			}
			if run > 0 {
				fmt.Fprintf(&out, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, run, run)
				x += run
			}
		}
	}
	out.WriteString(`"/></svg>`)
	return []byte(out.String()), nil
}
