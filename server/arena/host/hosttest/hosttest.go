// Package hosttest has what tests of events need.
package hosttest

import (
	"context"
	"sync"

	"flagfall/server/arena/host"
)

// Shelf is a database of events in memory. Its zero value is empty.
type Shelf struct {
	mu    sync.Mutex
	rows  map[string]host.Row
	reads int // of single rows
}

// Len is how many events it has.
func (s *Shelf) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rows)
}

// Get is the row of an event, empty where there is none. It is no read.
func (s *Shelf) Get(name string) host.Row {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows[name]
}

// Put sets the row of an event.
func (s *Shelf) Put(r host.Row) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(r.Event, r)
}

// Reads is how often single rows were read.
func (s *Shelf) Reads() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

func (s *Shelf) put(name string, r host.Row) {
	if s.rows == nil {
		s.rows = map[string]host.Row{}
	}
	s.rows[name] = r
}

// Add implements host.Shelf: it reserves a name.
func (s *Shelf) Add(_ context.Context, r host.Row) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.rows[r.Event]; taken {
		return false, nil
	}
	s.put(r.Event, r)
	return true, nil
}

// Save implements host.Shelf: it keeps an edition.
func (s *Shelf) Save(_ context.Context, r host.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.rows[r.Event]
	if old.Edition <= r.Edition {
		r.Organiser, r.Made, r.Club = old.Organiser, old.Made, old.Club
		s.put(r.Event, r)
	}
	return nil
}

// Replace implements host.Shelf: it keeps an edition in the place of another.
func (s *Shelf) Replace(_ context.Context, r host.Row, before int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.rows[r.Event]
	if old.Edition != before {
		return false, nil
	}
	old.Edition, old.Dump = r.Edition, r.Dump
	s.put(r.Event, old)
	return true, nil
}

// Count implements host.Shelf: it keeps how many are in an event.
func (s *Shelf) Count(_ context.Context, name string, players int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.rows[name]
	row.Players = players
	s.put(name, row)
	return nil
}

// Row implements host.Shelf: it finds an event.
func (s *Shelf) Row(_ context.Context, name string) (host.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	row, known := s.rows[name]
	if !known {
		return row, host.ErrUnknownEvent
	}
	return row, nil
}

// List implements host.Shelf: it lists what anybody may find, in no order.
func (s *Shelf) List(_ context.Context, q host.ListQuery, _ int) ([]host.Listed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []host.Listed{}
	for _, row := range s.rows {
		if row.Access != "link" && row.Stage != "draft" && (q.Phase == "" || q.Phase == row.Stage || q.Phase == "past" && row.CalledOff) {
			list = append(list, row.Listed)
		}
	}
	return list, nil
}
