package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"flagfall/server/cluster"
	"flagfall/server/edge"
	"flagfall/server/store"
)

// prefix begins the environment variable of every setting: -data is FLAGFALL_DATA, or FLAGFALL_DATA_FILE for a file
// that holds the value. A flag goes before a variable.
const prefix = "FLAGFALL_"

// settings are all that can be set from outside.
type settings struct {
	addr    string
	data    string
	db      string // "" is a file in data
	url     string
	proxies []netip.Prefix
	level   slog.Level
	tables  string
	ops     string
	node    string
	redis   string // "": this is the only node
	copy    string // "" copies nothing
	limits  edge.Limits
}

// setting is one flag and its variable.
type setting struct {
	name, value, usage string
	set                func(s *settings, text string) error
}

func allSettings() []setting {
	return []setting{
		{"addr", ":8080", "`host:port` to listen on", func(s *settings, v string) error { s.addr = v; return checkAddr(v) }},
		{"data", "data", "`folder` of the journal and, without -db, the database; the keys, unless -db is postgres://", func(s *settings, v string) error { s.data = v; return notEmpty(v) }},
		{"db", "", "`database`: the path of an SQLite file, or postgres://user:password@host/name (default: flagfall.db in the data folder)", setDatabase},
		{"url", "", "the public `address`, such as https://chess.example (default: http://localhost and the port)", setURL},
		{"proxies", "", "addresses or `networks` of proxies whose X-Forwarded-For is believed, by commas", setProxies},
		{"tables", "", "`folder` of the endgame tables, 7 MB (default: endgames in the data folder)", func(s *settings, v string) error { s.tables = v; return nil }},
		{"ops", "", "`host:port` of the operators' listener: /livez, /readyz, /metrics, /debug/pprof/ (default: none); keep it private", setOps},
		{"redis", "", "`URL` of the Redis that several nodes have in common: redis://host:6379, redis-sentinel://host,host/name or redis-cluster://host,host (default: this is the only node)", setRedis},
		{"node", "", "`name` of this node in the log and among other nodes (default: the host's)", setNode},
		{"journal-copy", "", "`folder` in which a copy of everything that is journaled is kept, for checks; it grows without end (default: none)", func(s *settings, v string) error { s.copy = v; return nil }},
		{"log", "info", "log `level`: debug, info, warn, error", setLevel},
		{"limit-sockets-per-person", "8", "`number` of open sockets of one person", count(func(s *settings) *int { return &s.limits.SocketsPerPerson })},
		{"limit-sockets-per-address", "64", "`number` of open sockets of one address", count(func(s *settings) *int { return &s.limits.SocketsPerAddress })},
		{"limit-handshakes", "20", "`number` of new sockets a second of one address; five times as many at once", rate(5, func(s *settings) *edge.Rate { return &s.limits.Handshakes })},
		{"limit-guests", "2", "`number` of new guests, and of log-outs, a second of one address; fifty times as many at once", rate(50, func(s *settings) *edge.Rate { return &s.limits.Guests })},
		{"limit-passwords", "1", "`number` of passwords checked or set a second, by one address; a hundred times as many at once", rate(100, func(s *settings) *edge.Rate { return &s.limits.Passwords })},
		{"limit-event-sockets", "4000", "`number` of open sockets by the link of one event; they do not count against an address", count(func(s *settings) *int { return &s.limits.SocketsPerEvent })},
		{"limit-event-handshakes", "40", "`number` of new sockets a second by the link of one event; twenty-five times as many at once", rate(25, func(s *settings) *edge.Rate { return &s.limits.EventHandshakes })},
		{"limit-event-guests", "20", "`number` of new guests a second by the link of one event; twenty-five times as many at once", rate(25, func(s *settings) *edge.Rate { return &s.limits.EventGuests })},
		{"limit-event-passwords", "20", "`number` of its password's checks a second by the link of one event; twenty-five times as many at once", rate(25, func(s *settings) *edge.Rate { return &s.limits.EventPasswords })},
		{"limit-messages", "20", "`number` of messages a second of one socket; twice as many at once", rate(2, func(s *settings) *edge.Rate { return &s.limits.Messages })},
	}
}

// variable is the environment variable of a setting.
func (s setting) variable() string {
	return prefix + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

func notEmpty(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
}

func checkAddr(text string) error {
	_, port, err := net.SplitHostPort(text)
	if err != nil {
		return errors.New("want host:port, such as :8080 or 127.0.0.1:8080")
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("port %q: want 0 to 65535", port)
	}
	return nil
}

func setOps(s *settings, text string) error {
	s.ops = text
	if text == "" {
		return nil
	}
	return checkAddr(text)
}

// nodeName is what a node may be called.
var nodeName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

func setNode(s *settings, text string) error {
	from := "a name"
	if text == "" {
		var err error
		if text, err = os.Hostname(); err != nil {
			return fmt.Errorf("the host's name is not known, so the node needs one: %w", err)
		}
		from = "the host's name does not do, want one"
	}
	if !nodeName.MatchString(text) {
		return fmt.Errorf("%q: want %s of 1 to 64 letters, digits, '.', '_' and '-'", text, from)
	}
	s.node = text
	return nil
}

func setRedis(s *settings, text string) error {
	s.redis = text
	if text == "" {
		return nil
	}
	return cluster.Check(text)
}

func setDatabase(s *settings, text string) error {
	if text == "" {
		return nil
	}
	s.db = text
	return store.Check(text)
}

func setURL(s *settings, text string) error {
	if text == "" {
		return nil
	}
	origin, err := edge.ParsePublicURL(text)
	s.url = origin
	return err
}

func setLevel(s *settings, text string) error {
	if err := s.level.UnmarshalText([]byte(text)); err != nil {
		return fmt.Errorf("%q: want debug, info, warn or error", text)
	}
	return nil
}

func setProxies(s *settings, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		network, err := netip.ParsePrefix(part)
		if err != nil {
			addr, addrErr := netip.ParseAddr(part)
			if addrErr != nil {
				return fmt.Errorf("%q is neither an address nor a network", part)
			}
			network = netip.PrefixFrom(addr, addr.BitLen())
		}
		s.proxies = append(s.proxies, network)
	}
	return nil
}

func count(field func(*settings) *int) func(*settings, string) error {
	return func(s *settings, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return fmt.Errorf("%q: want a whole number from 1", text)
		}
		*field(s) = n
		return nil
	}
}

func rate(burst int, field func(*settings) *edge.Rate) func(*settings, string) error {
	return func(s *settings, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1e6 {
			return fmt.Errorf("%q: want a whole number from 1 to 1000000", text)
		}
		*field(s) = edge.Rate{PerSecond: float64(n), Burst: burst * n}
		return nil
	}
}

// errHelp says that the usage was printed and nothing is to be done.
var errHelp = errors.New("help")

// readSettings takes flags and environment; help goes to out.
func readSettings(args, environ []string, out io.Writer) (settings, error) {
	s, words, err := readCommand(args, environ, out)
	if err == nil && len(words) > 0 {
		err = fmt.Errorf("%q is not a flag; -help lists them", words[0])
	}
	return s, err
}

// readCommand is readSettings for flags that words may follow.
func readCommand(args, environ []string, out io.Writer) (s settings, words []string, err error) {
	all := allSettings()
	values, err := readEnviron(all, environ)
	if err != nil {
		return settings{}, nil, err
	}
	flags := flag.NewFlagSet("flagfall", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	for _, one := range all {
		flags.String(one.name, one.value, one.usage+" ["+one.variable()+"]")
	}
	flags.Usage = func() {} // a wrong flag is told in one line
	usage := func() {
		fmt.Fprint(out, "Flagfall, a server for blitz chess by the rules of the board.\n\nUsage: go run ./server [flags]\n"+
			"       go run ./server healthcheck [URL]   asks the operators' listener of the same settings, or of the URL, whether it is ready\n"+
			"       go run ./server correct [flags] "+correctUsage+"   sets the result of a finished game, and the ratings that follow from it\n"+
			"       go run ./server backup [flags] FOLDER   copies what a server of the same settings keeps, while it runs, into a new folder\n"+
			"       go run ./server admin [flags] COMMAND   accounts: "+strings.Join(adminUsage(), ", ")+"\n\n")
		flags.SetOutput(out)
		flags.PrintDefaults()
		fmt.Fprintf(out, "\nEach flag can also be given by the variable in brackets, or by that name and _FILE: a file with the value.\n")
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		usage()
		return settings{}, nil, errHelp
	} else if err != nil {
		return settings{}, nil, err
	}
	flags.Visit(func(f *flag.Flag) { values[f.Name] = f.Value.String() })
	s, err = applySettings(all, values)
	return s, flags.Args(), err
}

// readEnviron finds the variables of settings. A variable of this program that is none of them is an error.
func readEnviron(all []setting, environ []string) (map[string]string, error) {
	values := map[string]string{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		base := strings.TrimSuffix(name, "_FILE")
		i := slices.IndexFunc(all, func(s setting) bool { return s.variable() == base })
		if i < 0 {
			return nil, fmt.Errorf("the environment variable %s is not known; -help lists them", name)
		}
		if _, twice := values[all[i].name]; twice {
			return nil, fmt.Errorf("%s and %s_FILE are both set", base, base)
		}
		if base != name {
			text, err := os.ReadFile(value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			value = strings.TrimRight(string(text), "\r\n")
		}
		values[all[i].name] = value
	}
	return values, nil
}

func applySettings(all []setting, values map[string]string) (settings, error) {
	var s settings
	for _, one := range all {
		value, given := values[one.name]
		if !given {
			value = one.value
		}
		if err := one.set(&s, value); err != nil {
			return settings{}, fmt.Errorf("-%s (%s): %w", one.name, one.variable(), err)
		}
	}
	return s, s.together()
}

// database is the address of the database.
func (s *settings) database() string {
	if s.db == "" {
		return filepath.Join(s.data, store.FileName)
	}
	return s.db
}

// together checks settings that need one another.
func (s *settings) together() error {
	switch {
	case s.redis == "":
		return nil
	case !strings.HasPrefix(s.db, "postgres"):
		return errors.New("-redis (FLAGFALL_REDIS) needs -db postgres://...: all nodes have one database")
	case s.url == "":
		return errors.New("-redis (FLAGFALL_REDIS) needs -url: people know all nodes by one address")
	}
	return nil
}
