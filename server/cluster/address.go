package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// form is how Redis is run.
type form int

const (
	single form = iota
	sentinel
	sharded
)

// schemes are the beginnings of a URL; the second of each pair is over TLS.
var schemes = map[string]struct {
	form form
	tls  bool
	port string // when none is given
}{
	"redis":           {single, false, "6379"},
	"rediss":          {single, true, "6379"},
	"redis-sentinel":  {sentinel, false, "26379"},
	"rediss-sentinel": {sentinel, true, "26379"},
	"redis-cluster":   {sharded, false, "6379"},
	"rediss-cluster":  {sharded, true, "6379"},
}

// address is what a URL says.
type address struct {
	form                                   form
	tls                                    *tls.Config
	hosts                                  []string // host:port
	user, password                         string
	master                                 string // Sentinel's name of the primary
	database                               int
	sentinelUser, sentinelPassword, scheme string
	replicas                               int // as of Options; 0: not said
}

// parseAddress reads a URL. Its errors never hold the password.
func parseAddress(text string) (address, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	kind, known := schemes[scheme]
	if !ok || !known {
		return address{}, errors.New("the URL of Redis begins with redis://, redis-sentinel:// or redis-cluster:// (over TLS: rediss://, rediss-sentinel://, rediss-cluster://)")
	}
	a := address{form: kind.form, scheme: scheme}
	if kind.tls {
		a.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	rest, query, _ := strings.Cut(rest, "?")
	// A raw slash in the password is taken for the path; it has to be written %2F.
	authority, path, _ := strings.Cut(rest, "/")
	hosts := authority
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		hosts = authority[i+1:]
		user, password, _ := strings.Cut(authority[:i], ":")
		var userErr, passwordErr error
		a.user, userErr = url.PathUnescape(user)
		a.password, passwordErr = url.PathUnescape(password)
		if userErr != nil || passwordErr != nil {
			return address{}, errors.New("in the URL of Redis, user and password write a percent sign as %25")
		}
	}
	for h := range strings.SplitSeq(hosts, ",") {
		host, err := hostPort(h, kind.port)
		if err != nil {
			return address{}, err
		}
		a.hosts = append(a.hosts, host)
	}
	if a.form == single && len(a.hosts) > 1 {
		return address{}, errors.New("a redis:// URL has one host; several hosts need redis-sentinel:// or redis-cluster://")
	}
	if err := a.readPath(path); err != nil {
		return address{}, err
	}
	return a, a.readQuery(query)
}

func hostPort(text, port string) (string, error) {
	host := text
	if h, p, err := net.SplitHostPort(text); err == nil {
		host, port = h, p
	} else if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		host = text[1 : len(text)-1]
	} else if strings.Contains(text, ":") {
		// Not repeated in the error: a password with a slash or an at sign ends here.
		return "", errors.New("the URL of Redis has a host that is not host, host:port or [IPv6]:port; in a password @ is written %40 and / is %2F")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", errors.New("the URL of Redis has a port that is not a number from 1 to 65535; in a password @ is written %40 and / is %2F")
	}
	if host == "" {
		return "", errors.New("the URL of Redis has no host")
	}
	return net.JoinHostPort(host, port), nil
}

// readPath reads what follows the hosts: a database, with Sentinel the primary's
// name before it.
func (a *address) readPath(path string) error {
	if a.form == sentinel {
		name, rest, _ := strings.Cut(path, "/")
		if name == "" {
			return errors.New("a " + a.scheme + ":// URL ends with the name that the sentinels give the primary: " + a.scheme + "://host1,host2,host3/mymaster")
		}
		a.master, path = name, rest
	}
	if path == "" {
		return nil
	}
	if a.form == sharded {
		return errors.New("a " + a.scheme + ":// URL has nothing after the hosts: a cluster has one database")
	}
	n, err := strconv.ParseUint(path, 10, 31)
	if err != nil {
		return errors.New("the URL of Redis ends with a database that is not a number")
	}
	a.database = int(n)
	return nil
}

func (a *address) readQuery(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return errors.New("the URL of Redis has a query that cannot be read")
	}
	files := tlsFiles{values.Get("ca"), values.Get("cert"), values.Get("key")}
	for name, value := range values {
		switch {
		case name == "ca", name == "cert", name == "key":
		case a.form == sentinel && name == "sentinel_username":
			a.sentinelUser = value[0]
		case a.form == sentinel && name == "sentinel_password":
			a.sentinelPassword = value[0]
		case name == "replicas":
			n, err := strconv.ParseUint(value[0], 10, 8)
			if err != nil {
				return errors.New("the URL of Redis has a number of replicas that is not one from 0 to 255")
			}
			if a.replicas = int(n); n == 0 {
				a.replicas = -1
			}
		default:
			return fmt.Errorf("the URL of Redis has an unknown parameter %q", name)
		}
	}
	return files.read(a.tls)
}

// String is the URL without user and password.
func (a address) String() string {
	s := a.scheme + "://" + strings.Join(a.hosts, ",")
	if a.master != "" {
		s += "/" + a.master
	}
	if a.database != 0 {
		s += "/" + strconv.Itoa(a.database)
	}
	return s
}

// client connects nothing yet. Nothing is tried again by the library: a command whose
// answer was lost may have run, and only its sender knows whether it may run twice.
func (a address) client(o Options) redis.UniversalClient {
	u := redis.UniversalOptions{
		Addrs:      slices.Clone(a.hosts), // each client appends to its own
		MasterName: a.master, DB: a.database,
		Username: a.user, Password: a.password, TLSConfig: a.tls,
		SentinelUsername: a.sentinelUser, SentinelPassword: a.sentinelPassword,
		ClientName: "flagfall", DisableIdentity: true,
		MaxRetries: -1, DialerRetries: 1,
		DialTimeout: o.Timeout, WriteTimeout: o.Timeout, PoolTimeout: o.Timeout,
		ReadTimeout:           o.Timeout + o.WaitTimeout,
		ContextTimeoutEnabled: true,
		PoolSize:              poolSize,
	}
	switch a.form {
	case sentinel:
		return redis.NewFailoverClient(u.Failover())
	case sharded:
		return clusterClient(u.Cluster())
	}
	return redis.NewClient(u.Simple())
}
