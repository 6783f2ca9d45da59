package main

import (
	"fmt"
	"net"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// node is one of the servers that people go to.
type node struct {
	base     string       // URL
	loopback bool         // people may come to it from addresses of their own
	sockets  atomic.Int64 // that were opened there
}

func newNode(base string) *node {
	n := &node{base: base}
	if u, err := url.Parse(base); err == nil {
		ip := net.ParseIP(u.Hostname())
		here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback() && ip.To4() != nil
		n.loopback = here && runtime.GOOS == "linux"
	}
	return n
}

// addNodes reads base URLs from a flag.
func addNodes(to *[]string, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(part)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.Trim(u.Path, "/") != "" {
			return fmt.Errorf("%q: want http://host:port or https://host", part)
		}
		base := u.Scheme + "://" + u.Host
		if slices.Contains(*to, base) {
			return fmt.Errorf("%s is there twice", base)
		}
		*to = append(*to, base)
	}
	return nil
}

// addMetrics reads URLs of metrics from a flag.
func addMetrics(to *[]string, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(part)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
			return fmt.Errorf("%q: want a URL such as http://host:port/metrics", part)
		}
		*to = append(*to, part)
	}
	return nil
}

// addPids reads process ids from a flag.
func addPids(to *[]int, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		pid, err := strconv.Atoi(part)
		switch {
		case err != nil || pid < 1:
			return fmt.Errorf("%q: want a process id", part)
		case slices.Contains(*to, pid):
			return fmt.Errorf("%d is there twice", pid)
		}
		*to = append(*to, pid)
	}
	return nil
}

// process is a server's process while a run watches it. What it had used when it was last seen counts, should it end.
type process struct {
	pid         int
	begin, last usageOf
	known       bool
}

func watchProcess(pid int) *process {
	p := &process{pid: pid}
	p.begin, p.known = readUsage(pid)
	p.last = p.begin
	return p
}

// look reads what the process has used by now.
func (p *process) look() {
	if u, ok := readUsage(p.pid); ok && p.known {
		p.last = u
	}
}

// look reads what all processes together have used since the run began.
func (r *run) lookAtServers() (all usageOf, known bool) {
	for _, p := range r.processes {
		p.look()
		all.cpu += p.last.cpu - p.begin.cpu
		all.now += p.last.now
		all.peak += p.last.peak
		known = known || p.known
	}
	return all, known
}
