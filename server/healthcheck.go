package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"flagfall/server/ops"
)

// healthcheckTime bounds the wait for the answer.
const healthcheckTime = 3 * time.Second

// healthcheck asks a running server whether it is ready: the one at the URL of the arguments, or that of the same
// settings. The exit status is 0 if it is.
func healthcheck(ctx context.Context, args, environ []string, out, errs io.Writer) int {
	fail := func(err error) int {
		fmt.Fprintln(errs, "flagfall: healthcheck:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	address, err := healthURL(args, environ, out)
	if errors.Is(err, errHelp) {
		return 0
	}
	if err != nil {
		return fail(err)
	}
	ctx, cancel := context.WithTimeout(ctx, healthcheckTime)
	defer cancel()
	line, ready, err := ops.Ask(ctx, address)
	switch {
	case err != nil:
		return fail(err)
	case !ready:
		return fail(errors.New(line))
	}
	fmt.Fprintln(out, line)
	return 0
}

// healthURL is the address of /readyz.
func healthURL(args, environ []string, out io.Writer) (string, error) {
	if len(args) == 1 && !strings.HasPrefix(args[0], "-") {
		u, err := url.Parse(args[0])
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return "", fmt.Errorf("%q: want a URL such as http://127.0.0.1:9090", args[0])
		}
		if u.Path == "" || u.Path == "/" {
			u.Path = "/readyz"
		}
		return u.String(), nil
	}
	s, err := readSettings(args, environ, out)
	if err != nil {
		return "", err
	}
	if s.ops == "" {
		return "", errors.New("there is no operators' listener: set FLAGFALL_OPS, or give a URL")
	}
	host, port, err := net.SplitHostPort(s.ops)
	if err != nil {
		return "", err // the settings have been checked
	}
	if port == "0" {
		return "", fmt.Errorf("the port of %s is chosen at the start: give the URL that the server says", s.ops)
	}
	// Who listens on every address is asked on the nearest.
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip.Is6() {
			host = "::1"
		}
	}
	return "http://" + net.JoinHostPort(host, port) + "/readyz", nil
}
