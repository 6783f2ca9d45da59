//go:build unix

package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// MasterName is what the sentinels call the primary.
const MasterName = "flagfall"

// Replicated is a primary with two replicas and three sentinels. Names of servers
// are those at the start: a failover makes another one the primary.
type Replicated struct {
	Primary   *Server
	Replicas  []*Server
	Sentinels []*Server
	t         testing.TB
}

// Sentinel starts a primary, two replicas and three sentinels, which take the
// primary for down after 2 s. More settings go to the three data servers.
func Sentinel(t testing.TB, settings ...string) *Replicated {
	t.Helper()
	return replicated(t, nil, settings...)
}

func replicated(t testing.TB, authority *Authority, settings ...string) *Replicated {
	t.Helper()
	r := &Replicated{t: t, Primary: start(t, authority, settings...)}
	for range 2 {
		r.Replicas = append(r.Replicas, start(t, authority,
			append([]string{"--replicaof", "127.0.0.1 " + strconv.Itoa(r.Primary.port)}, settings...)...))
	}
	until(t, "replicas", func() error {
		info := r.Primary.Info("replication")
		for _, replica := range []string{"slave0", "slave1"} {
			if !strings.Contains(info[replica], "state=online") {
				return fmt.Errorf("%s is %q", replica, info[replica])
			}
		}
		return nil
	})
	for range 3 {
		r.Sentinels = append(r.Sentinels, r.sentinel())
	}
	for _, s := range r.Sentinels {
		until(t, "sentinels", func() error { return knowsAll(s) })
	}
	return r
}

func (r *Replicated) sentinel() *Server {
	s := prepare(r.t, r.Primary.authority)
	file := filepath.Join(s.dir, "sentinel.conf")
	text := asFile(s.authority.listening(s.port)) + fmt.Sprintf(`bind 127.0.0.1
dir %[1]q
logfile "log"
sentinel monitor %[2]s 127.0.0.1 %[3]d 2
sentinel down-after-milliseconds %[2]s 2000
sentinel failover-timeout %[2]s 6000
sentinel parallel-syncs %[2]s 2
`, s.dir, MasterName, r.Primary.port)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
	s.args = []string{file, "--sentinel"}
	s.Start()
	return s
}

// knowsAll tells what a sentinel has not found yet.
func knowsAll(s *Server) error {
	answer := s.Do("sentinel", "master", MasterName)
	fields, ok := answer.(map[any]any)
	if !ok {
		return fmt.Errorf("SENTINEL MASTER answers %T", answer)
	}
	if fields["num-slaves"] != "2" || fields["num-other-sentinels"] != "2" {
		return fmt.Errorf("%v replicas and %v other sentinels", fields["num-slaves"], fields["num-other-sentinels"])
	}
	return nil
}

// URL names the three sentinels.
func (r *Replicated) URL() string {
	hosts := make([]string, len(r.Sentinels))
	for i, s := range r.Sentinels {
		hosts[i] = s.Addr()
	}
	return r.Primary.authority.url("redis-sentinel", strings.Join(hosts, ",")+"/"+MasterName)
}

// Servers are the three data servers.
func (r *Replicated) Servers() []*Server { return append([]*Server{r.Primary}, r.Replicas...) }

// Master is the server that the sentinels take for the primary.
func (r *Replicated) Master() *Server {
	r.t.Helper()
	answer, _ := r.Sentinels[0].Do("sentinel", "get-master-addr-by-name", MasterName).([]any)
	if len(answer) == 2 {
		addr := fmt.Sprintf("%s:%s", answer...)
		for _, s := range r.Servers() {
			if s.Addr() == addr {
				return s
			}
		}
	}
	r.t.Fatalf("the sentinels name %v", answer)
	return nil
}

// Flush empties the primary, and with it the replicas.
func (r *Replicated) Flush() {
	r.t.Helper()
	r.Master().Flush()
}
