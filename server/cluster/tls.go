package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// tlsFiles are PEM files that a URL names; "" for none.
type tlsFiles struct{ ca, cert, key string }

// read puts what is in the files into the settings of a client, nil for one without TLS.
func (f tlsFiles) read(into *tls.Config) error {
	switch {
	case f == tlsFiles{}:
		return nil
	case into == nil:
		return errors.New("the URL of Redis names certificates and is not over TLS: it begins with rediss://, rediss-sentinel:// or rediss-cluster:// then")
	case (f.cert == "") != (f.key == ""):
		return errors.New("the URL of Redis has one of cert and key: a client's certificate is both")
	}
	if f.ca != "" {
		text, err := os.ReadFile(f.ca)
		if err != nil {
			return fmt.Errorf("the authorities of Redis's certificate: %w", err)
		}
		into.RootCAs = x509.NewCertPool()
		if !into.RootCAs.AppendCertsFromPEM(text) {
			return fmt.Errorf("the authorities of Redis's certificate: no certificate in PEM is in %s", f.ca)
		}
	}
	if f.cert != "" {
		pair, err := tls.LoadX509KeyPair(f.cert, f.key)
		if err != nil {
			return fmt.Errorf("the client's certificate for Redis: %w", err)
		}
		into.Certificates = []tls.Certificate{pair}
	}
	return nil
}

// hint says what to do about an error of TLS, or of one side without it; "" where it is none.
func (a address) hint(err error) string {
	var unknown x509.UnknownAuthorityError
	var late net.Error
	switch {
	case a.tls == nil && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		return "it closed the connection at once, as a server over TLS does: the URL begins with rediss:// then"
	case a.tls == nil:
		return ""
	case errors.As(err, &unknown):
		return "name the file of its authority with ?ca=FILE"
	case strings.Contains(err.Error(), "remote error: tls"):
		return "the server wants another certificate of this client, which ?cert=FILE&key=FILE name, or another version of TLS"
	case errors.As(err, &tls.RecordHeaderError{}):
		return "there is no TLS; the URL of a Redis without it begins with redis://"
	case errors.As(err, &late) && late.Timeout() && !strings.Contains(err.Error(), "dial"):
		return "it hangs, or speaks no TLS; the URL of a Redis without it begins with redis://"
	}
	return ""
}
