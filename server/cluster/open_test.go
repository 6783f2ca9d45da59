//go:build unix

package cluster

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"flagfall/server/cluster/redistest"
)

func TestAddress(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"redis://localhost", "0 [localhost:6379] user= password= master= db=0 tls=false"},
		{"redis://:pw@10.0.0.1:7000/3", "0 [10.0.0.1:7000] user= password=pw master= db=3 tls=false"},
		{"rediss://me:a%40b%2Fc%25:d@redis.example/", "0 [redis.example:6379] user=me password=a@b/c%:d master= db=0 tls=true"},
		{"redis://me:a@b@[::1]:6380", "0 [[::1]:6380] user=me password=a@b master= db=0 tls=false"},
		{"redis://[fe80::1]", "0 [[fe80::1]:6379] user= password= master= db=0 tls=false"},
		{"redis-sentinel://a,b:7,c/mymaster", "1 [a:26379 b:7 c:26379] user= password= master=mymaster db=0 tls=false"},
		{"redis-sentinel://u:p@a/mymaster/2", "1 [a:26379] user=u password=p master=mymaster db=2 tls=false"},
		{"rediss-cluster://u:p@a,b:7/", "2 [a:6379 b:7] user=u password=p master= db=0 tls=true"},
	} {
		a, err := parseAddress(c.url)
		if err != nil {
			t.Errorf("%s: %v", c.url, err)
			continue
		}
		got := fmt.Sprintf("%d %v user=%s password=%s master=%s db=%d tls=%v", a.form, a.hosts, a.user, a.password, a.master, a.database, a.tls != nil)
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.url, got, c.want)
		}
	}
	a, err := parseAddress("redis-sentinel://a/m?sentinel_username=s&sentinel_password=x%2By")
	if err != nil || a.sentinelUser != "s" || a.sentinelPassword != "x+y" {
		t.Errorf("%+v %v", a, err)
	}
	for text, want := range map[string]int{"": 0, "?replicas=0": -1, "?replicas=2": 2} {
		if a, err := parseAddress("redis://h" + text); err != nil || a.replicas != want {
			t.Errorf("%q: %d replicas, %v; want %d", text, a.replicas, err, want)
		}
	}
}

func TestWrongURL(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"", "begins with redis://"},
		{"localhost:6379", "begins with redis://"},
		{"http://u:secret@h", "begins with redis://"},
		{"redis://", "no host"},
		{"redis://:secret@", "no host"},
		{"redis://u:secret@h:port", "a port that is not a number"},
		{"redis://u:secret@h:70000", "a port that is not a number"},
		{"redis://u:sec/secret@h", "/ is %2F"},
		{"redis://u:secret%zz@h", "%25"},
		{"redis://u:secret@a,b", "one host"},
		{"redis://u:secret@a/x", "database that is not a number"},
		{"redis-sentinel://u:secret@a,b", "mymaster"},
		{"redis-cluster://u:secret@a,b/1", "one database"},
		{"redis://u:secret@a?replicas=-1", "a number of replicas"},
		{"redis://u:secret@a?secret2=secret", `unknown parameter "secret2"`},
	} {
		_, err := Open(ctx, c.url, Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
			continue
		}
		if text := strings.ReplaceAll(err.Error(), "secret2", ""); strings.Contains(text, "secret") || strings.Contains(text, "\n") {
			t.Errorf("%s: %v", c.url, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	server := redistest.Single(t)
	server.Do("config", "set", "requirepass", "right")
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	silent, err := net.Listen("tcp", "127.0.0.1:0") // never accepted from
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for _, c := range []struct{ url, want string }{
		{"redis://" + nobody, "connection refused"},
		{"redis-cluster://:secret@" + nobody, "connection refused"},
		{"redis-sentinel://:secret@" + nobody + "/mymaster", "sentinel"},
		{"redis://:secret@" + silent.Addr().String(), "timeout"},
		{"redis://:secret@" + server.Addr(), "not accepted"},
		{"redis://" + server.Addr(), "not accepted"},
		{"redis-cluster://:right@" + server.Addr(), "not part of a cluster"},
	} {
		_, err := Open(ctx, c.url, Options{Timeout: 200 * time.Millisecond, Log: quiet()})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
			continue
		}
		t.Log(err)
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.url, err)
		}
	}
	r := connect(t, "redis://:right@"+server.Addr()+"/2", Options{})
	if err := r.Ping(ctx); err != nil {
		t.Error(err)
	}
}

func TestOpenRefusesWhatCannotHoldJournals(t *testing.T) {
	evicting := redistest.Single(t, "--maxmemory", "50mb", "--maxmemory-policy", "allkeys-lru")
	if _, err := Open(ctx, evicting.URL(), Options{Log: quiet()}); err == nil || !strings.Contains(err.Error(), "set noeviction") {
		t.Error(err)
	}
	primary := redistest.Single(t)
	host, port, _ := net.SplitHostPort(primary.Addr())
	replica := redistest.Single(t, "--replicaof", host+" "+port)
	if _, err := Open(ctx, replica.URL(), Options{Log: quiet()}); err == nil || !strings.Contains(err.Error(), "is a replica") {
		t.Error(err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(ended, primary.URL(), Options{Log: quiet()}); err == nil {
		t.Error("opened with an ended context")
	}
}
