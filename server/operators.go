package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"flagfall/server/ops"
)

// operators is what the operators' listener shows, from before the house stands until it is empty.
type operators struct {
	listener net.Listener // nil without such a listener
	http     *http.Server
	house    atomic.Pointer[house] // nil while the server starts
	draining atomic.Bool
}

// openOperators starts the listener where one is set.
func openOperators(s settings, log *slog.Logger) (*operators, error) {
	o := &operators{}
	if s.ops == "" {
		return o, nil
	}
	handler, err := ops.New(ops.Config{
		Unready: o.unready, Notes: o.notes, Metrics: metrics, Collect: o.collect, Log: log,
	})
	if err != nil {
		return nil, err
	}
	if o.listener, err = net.Listen("tcp", s.ops); err != nil {
		return nil, fmt.Errorf("operators' listener: %w", err)
	}
	o.http = ops.Server(handler, log)
	go func() { _ = o.http.Serve(o.listener) }() // ends with close
	return o, nil
}

// url is where the listener is, "" without one.
func (o *operators) url() string {
	if o.listener == nil {
		return ""
	}
	return "http://" + o.listener.Addr().String()
}

// unready lists what keeps new players away.
func (o *operators) unready() []string {
	h := o.house.Load()
	switch {
	case o.draining.Load():
		return []string{"draining"}
	case h == nil:
		return []string{"starting"}
	}
	if h.nodes != nil {
		if err := h.nodes.members.Err(); err != nil {
			return []string{"redis: " + err.Error()}
		}
	}
	if err := h.hall.Err(); err != nil {
		return []string{"journal: " + err.Error()}
	}
	return nil
}

// notes lists what is wrong although games go on: results that wait for a database or a receiver.
func (o *operators) notes() []string {
	h := o.house.Load()
	if h == nil {
		return nil
	}
	var notes []string
	if err := h.store.Err(); err != nil {
		notes = append(notes, fmt.Sprintf("the database does not answer: %v", err))
	}
	for _, e := range h.hall.Stats().Effects {
		if e.Failing > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s fails and is tried again: %d", e.Kind, e.Pool, e.Failing))
		}
	}
	return notes
}

// answerTime is how long requests of operators have to end when the server is gone.
const answerTime = time.Second

func (o *operators) close() {
	if o.http == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	if o.http.Shutdown(ctx) != nil {
		o.http.Close()
	}
}
