package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// meter reads the metrics of servers. A nil one knows nothing.
type meter struct {
	urls  []string
	http  http.Client
	count atomic.Int64 // goroutines of all servers at the last look
}

// newMeter reads each URL once: an error tells which has no such figure. It is nil without URLs.
func newMeter(ctx context.Context, urls []string) (*meter, error) {
	if len(urls) == 0 {
		return nil, nil
	}
	m := &meter{urls: urls, http: http.Client{Timeout: time.Second}}
	for _, url := range urls {
		if _, err := m.read(ctx, url); err != nil {
			return nil, fmt.Errorf("metrics of %s: %w", url, err)
		}
	}
	return m, nil
}

// watch reads them every second until stop is closed. A server that does not answer has no goroutines then.
func (m *meter) watch(stop <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		all := 0.0
		for _, url := range m.urls {
			n, _ := m.read(ctx, url) // 0 with an error
			all += n
		}
		m.count.Store(int64(all))
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

func (m *meter) goroutines() int64 {
	if m == nil {
		return 0
	}
	return m.count.Load()
}

// read gives the number of goroutines that a server tells.
func (m *meter) read(ctx context.Context, url string) (float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	resp, err := m.http.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the answer is %s", resp.Status)
	}
	return sampleOf(io.LimitReader(resp.Body, 4<<20), "go_goroutines")
}

// sampleOf finds the sample of a metric without labels in the text format of Prometheus: a line of its name and its value.
func sampleOf(text io.Reader, name string) (float64, error) {
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == name {
			return strconv.ParseFloat(words[1], 64)
		}
	}
	if err := lines.Err(); err != nil {
		return 0, err
	}
	return 0, fmt.Errorf("there is no %s", name)
}
