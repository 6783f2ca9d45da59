package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/edge/poll"
	"flagfall/server/wire"
)

// Server is the http.Handler of everything Flagfall shows to the network. It is made by New.
type Server struct {
	cfg      Config
	limits   Limits
	log      *slog.Logger
	origin   string // of the public URL
	secure   bool   // the public URL is https
	csp      string
	mux      *http.ServeMux
	web      *files
	rules    *files
	upgrader websocket.Upgrader

	handshakes *buckets[netip.Prefix]
	guests     *buckets[netip.Prefix]
	logouts    *buckets[netip.Prefix]
	passwords  *buckets[netip.Prefix]
	exports    *buckets[string]
	downloads  chan struct{} // of PGN; holds one for each that runs
	tries      tries

	eventGuests     *buckets[string] // by event
	eventHandshakes *buckets[string]
	eventPasswords  *buckets[string]
	strays          *buckets[netip.Prefix] // links that are not good
	eventTries      *buckets[triesAt]      // of one person
	eventTriesAll   *buckets[triesAt]      // of one address
	makings         *buckets[string]       // by person
	acts            *buckets[string]
	chats           *buckets[string]

	began   time.Time
	poller  *poll.Poller // nil where there is none
	waking  sync.Once    // by the first socket
	resting sync.Once
	stop    chan struct{} // closed when the keeper is to end
	kept    sync.WaitGroup

	telling sync.Mutex // of Hold: one after the other

	mu        sync.Mutex
	closing   bool
	holding   bool
	sockets   map[*socket]struct{}
	byPerson  map[string]int
	byAddress map[netip.Prefix]int // but those by the link of an event
	byEvent   map[string]int       // by its link
	done      sync.WaitGroup       // readers of sockets

	counts counts
}

// New makes a Server; it fails when the Config lacks something or the public URL is none.
func New(cfg Config) (*Server, error) {
	cfg.Limits = cfg.Limits.withDefaults()
	if err := cfg.check(); err != nil {
		return nil, err
	}
	origin, err := ParsePublicURL(cfg.PublicURL)
	if err != nil {
		return nil, err
	}
	s := &Server{
		cfg: cfg, limits: cfg.Limits, log: cfg.Log, origin: origin, secure: strings.HasPrefix(origin, "https:"),
		handshakes: newBuckets[netip.Prefix](cfg.Limits.Handshakes), guests: newBuckets[netip.Prefix](cfg.Limits.Guests),
		logouts: newBuckets[netip.Prefix](cfg.Limits.Guests), passwords: newBuckets[netip.Prefix](cfg.Limits.Passwords),
		exports: newBuckets[string](exportRate), downloads: make(chan struct{}, mostDownloads), tries: newTries(cfg.Limits.Account),
		began: time.Now(), stop: make(chan struct{}),
		sockets: map[*socket]struct{}{}, byPerson: map[string]int{}, byAddress: map[netip.Prefix]int{}, byEvent: map[string]int{},

		strays: newBuckets[netip.Prefix](strayRate), eventGuests: newBuckets[string](cfg.Limits.EventGuests), eventHandshakes: newBuckets[string](cfg.Limits.EventHandshakes),
		eventPasswords: newBuckets[string](cfg.Limits.EventPasswords), eventTries: newBuckets[triesAt](cfg.Limits.Account),
		eventTriesAll: newBuckets[triesAt](cfg.Limits.Account.times(fromEverywhere)),
		makings:       newBuckets[string](cfg.Limits.Makings), acts: newBuckets[string](cfg.Limits.Acts), chats: newBuckets[string](cfg.Limits.Chats),
	}
	if s.log == nil {
		s.log = slog.Default()
	}
	if s.web, err = loadFiles(cfg.Web); err != nil {
		return nil, err
	}
	if s.rules, err = loadRules(); err != nil {
		return nil, err
	}
	s.csp = contentPolicy(origin)
	s.upgrader = websocket.Upgrader{
		HandshakeTimeout: 5 * time.Second,
		ReadBufferSize:   readSize, WriteBufferSize: writeSize, WriteBufferPool: &sync.Pool{},
		CheckOrigin: func(*http.Request) bool { return true }, // checked before, with the token
		Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
			w.Header().Set("Sec-WebSocket-Version", "13")
			s.refuse(w, r, wire.Refusef(wire.CodeBadMessage, "This address takes WebSocket handshakes only: %v.", reason))
		},
	}
	s.routes()
	return s, nil
}

// HTTPServer wraps a handler with the timeouts and sizes that keep slow and large requests from holding the server up.
func HTTPServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    8 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
}

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	for path, m := range s.addresses() {
		s.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { s.dispatch(m, w, r) })
	}
	s.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		s.refuse(w, r, wire.Refuse(wire.CodeNotFound))
	})
}

// addresses are all that is served, as openapi.yaml describes it.
func (s *Server) addresses() map[string]methods {
	all := map[string]methods{
		"/api/guest":          post(s.postGuest),
		"/api/renew":          post(s.postRenew),
		"/api/logout":         post(s.postLogout),
		"/api/me":             get(s.getMe),
		"/api/games":          get(s.getGames),
		"/api/games/{id}":     get(s.getGame),
		"/api/games/{id}/pgn": get(s.getPGN),
		"/api/invites/{id}":   get(s.getInvite),
		"/api/rules":          get(s.getRulesJSON),
		"/api/rules/{book}":   get(s.getRulesJSON),
		"/rules":              get(s.getRules),
		"/rules/{book}":       get(s.getRules),
		"/rules/rules.css":    get(s.getRulesStyle),
		"/asyncapi.yaml":      get(s.getAsyncAPI),
		"/openapi.yaml":       get(s.getOpenAPI),
		"/ws":                 {http.MethodGet: s.getSocket},
		"/g/{id}":             get(s.getPage),
		"/i/{id}":             get(s.getPage),
		"/live":               get(s.getPage),
		"/practice":           get(s.getPage),
		"/{$}":                get(s.getPage),
		"/":                   get(s.getFile),
	}
	if s.cfg.Members != nil {
		maps.Copy(all, s.memberAddresses())
	}
	if s.cfg.History != nil {
		maps.Copy(all, s.historyAddresses())
	}
	if s.cfg.Events != nil {
		maps.Copy(all, s.eventAddresses())
	}
	if s.cfg.Clubs != nil {
		maps.Copy(all, s.clubAddresses())
	}
	return all
}

func get(h http.HandlerFunc) methods  { return methods{http.MethodGet: h, http.MethodHead: h} }
func post(h http.HandlerFunc) methods { return methods{http.MethodPost: h} }
func del(h http.HandlerFunc) methods  { return methods{http.MethodDelete: h} }

// answerTime is how long an answer may wait for tables and database.
const answerTime = 5 * time.Second

// methods of one address.
type methods map[string]http.HandlerFunc

func (s *Server) dispatch(m methods, w http.ResponseWriter, r *http.Request) {
	h, ok := m[r.Method]
	if !ok {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodDelete} {
			if m[method] != nil {
				w.Header().Add("Allow", method)
			}
		}
		s.refuse(w, r, wire.Refuse(wire.CodeMethodNotAllowed))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	h(w, r.WithContext(ctx))
}

// ServeHTTP sets the security headers of every answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.csp)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	if s.secure {
		// Browsers ignore both without TLS, the second with a warning.
		h.Set("Strict-Transport-Security", "max-age=31536000")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	s.mux.ServeHTTP(w, r)
}

// contentPolicy lets the page load its own files and talk to its own server, and nothing else.
func contentPolicy(origin string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; manifest-src 'self'; " +
		"connect-src 'self' ws" + strings.TrimPrefix(origin, "http") + "; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// Dismiss tells every socket that the server restarts (1012) and takes nothing more from it. New sockets are refused.
func (s *Server) Dismiss() {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	for _, one := range s.all() {
		one.Close(websocket.CloseServiceRestart, fmt.Sprintf("the server restarts; come back in %d ms", restartPause()))
	}
}

// restartPause is when a socket may come back, in ms: at random, so that not all come at once.
func restartPause() int { return 300 + rand.IntN(1200) }

// Close dismisses all sockets, waits for them until the context ends, and cuts the rest.
func (s *Server) Close(ctx context.Context) error {
	s.Dismiss()
	gone := make(chan struct{})
	go func() {
		s.done.Wait()
		close(gone)
	}()
	var err error
	select {
	case <-gone:
	case <-ctx.Done():
		err = ctx.Err()
		for _, one := range s.all() {
			one.cut()
		}
		<-gone
	}
	s.rest()
	return err
}

// all lists the open sockets.
func (s *Server) all() []*socket { return s.list(nil) }

// list appends the open sockets.
func (s *Server) list(to []*socket) []*socket {
	s.mu.Lock()
	defer s.mu.Unlock()
	for one := range s.sockets {
		to = append(to, one)
	}
	return to
}

// Sockets counts the open ones.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets)
}

// readAll reads a body of at most max bytes.
func readAll(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, wire.Refusef(wire.CodeTooLarge, "The body may have %d bytes at most.", most)
	}
	if err != nil {
		return nil, wire.Refusef(wire.CodeBadMessage, "The body could not be read.")
	}
	return data, nil
}
