//go:build unix

package redistest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Authority signs the certificates of servers over TLS and those of their clients.
type Authority struct {
	File                string // its own certificate, PEM
	Server, Client, Key string // files: certificates that it has signed, and the key of all
	t                   testing.TB
	key                 *ecdsa.PrivateKey
	own                 *x509.Certificate
}

// NewAuthority makes an authority, a certificate for 127.0.0.1 and one for clients. It skips the test when redis-server was
// built without TLS.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	// Without a port it only says why it ends.
	if said, _ := exec.Command("redis-server", "--port", "0", "--tls-port", "0").CombinedOutput(); strings.Contains(string(said), "Bad directive") {
		t.Skip("this redis-server was built without TLS")
	}
	a := &Authority{t: t}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	a.File, a.Server = filepath.Join(dir, "ca.pem"), filepath.Join(dir, "server.pem")
	a.Client, a.Key = filepath.Join(dir, "client.pem"), filepath.Join(dir, "key.pem")
	a.own = &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of a test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.Sign(a.File, a.own)
	a.Sign(a.Server, a.Certificate("127.0.0.1"))
	a.Sign(a.Client, a.Certificate("127.0.0.1"))
	secret, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		t.Fatal(err)
	}
	a.write(a.Key, "PRIVATE KEY", secret)
	return a
}

// Certificate is one of an address, for servers and clients, good for an hour.
func (a *Authority) Certificate(ip string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "redis"}, IPAddresses: []net.IP{net.ParseIP(ip)},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// Sign writes a certificate to a file.
func (a *Authority) Sign(file string, c *x509.Certificate) {
	a.t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, c, a.own, a.key.Public(), a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	a.write(file, "CERTIFICATE", der)
	if c == a.own {
		if a.own, err = x509.ParseCertificate(der); err != nil {
			a.t.Fatal(err)
		}
	}
}

func (a *Authority) write(file, kind string, der []byte) {
	a.t.Helper()
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		a.t.Fatal(err)
	}
}

// Single is Single over TLS. A server wants its clients' certificates, as is its default.
func (a *Authority) Single(t testing.TB, settings ...string) *Server {
	t.Helper()
	return start(t, a, settings...)
}

// Sentinel is Sentinel over TLS, between the servers too.
func (a *Authority) Sentinel(t testing.TB) *Replicated {
	t.Helper()
	return replicated(t, a)
}

// Cluster is Cluster over TLS, between the servers too.
func (a *Authority) Cluster(t testing.TB) *Sharded {
	t.Helper()
	return cluster(t, a, 0)
}

// listening are the settings of a server's port.
func (a *Authority) listening(port int) []string {
	if a == nil {
		return []string{"--port", strconv.Itoa(port)}
	}
	return []string{"--port", "0", "--tls-port", strconv.Itoa(port), "--tls-replication", "yes", "--tls-cluster", "yes",
		"--tls-ca-cert-file", a.File, "--tls-cert-file", a.Server, "--tls-key-file", a.Key}
}

// asFile are settings as a file has them.
func asFile(settings []string) string {
	var text strings.Builder
	for i := 0; i+1 < len(settings); i += 2 {
		text.WriteString(strings.TrimPrefix(settings[i], "--") + " " + strconv.Quote(settings[i+1]) + "\n")
	}
	return text.String()
}

// config is that of the test's own client, which takes any certificate: what a server's is worth is for others to find. It
// is nil without TLS.
func (a *Authority) config() *tls.Config {
	if a == nil {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(a.Client, a.Key)
	if err != nil {
		a.t.Fatal(err)
	}
	return &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}}
}

// url is the address of hosts, with the files that a client needs.
func (a *Authority) url(scheme, hosts string) string {
	if a == nil {
		return scheme + "://" + hosts
	}
	files := url.Values{"ca": {a.File}, "cert": {a.Client}, "key": {a.Key}}
	return strings.Replace(scheme, "redis", "rediss", 1) + "://" + hosts + "?" + files.Encode()
}
