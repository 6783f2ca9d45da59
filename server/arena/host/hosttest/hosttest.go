// Package hosttest has what tests of events need.
package hosttest

import (
	"context"
	"sync"

	"flagfall/server/arena/host"
)

// Shelf is a database of events in memory. Rows may be read while nobody uses it.
type Shelf struct {
	mu    sync.Mutex
	Rows  map[string]host.Row
	Reads int // of single rows
}

// Add implements host.Shelf: it reserves a name.
func (s *Shelf) Add(_ context.Context, r host.Row) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, taken := s.Rows[r.Event]; taken {
		return false, nil
	}
	s.Rows[r.Event] = r
	return true, nil
}

// Save implements host.Shelf: it keeps an edition.
func (s *Shelf) Save(_ context.Context, r host.Row) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Rows[r.Event]
	if old.Edition <= r.Edition {
		r.Organiser, r.Made, r.Club = old.Organiser, old.Made, old.Club
		s.Rows[r.Event] = r
	}
	return nil
}

// Replace implements host.Shelf: it keeps an edition in the place of another.
func (s *Shelf) Replace(_ context.Context, r host.Row, before int) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.Rows[r.Event]
	if old.Edition != before {
		return false, nil
	}
	old.Edition, old.Dump = r.Edition, r.Dump
	s.Rows[r.Event] = old
	return true, nil
}

// Count implements host.Shelf: it keeps how many are in an event.
func (s *Shelf) Count(_ context.Context, name string, players int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	row := s.Rows[name]
	row.Players = players
	s.Rows[name] = row
	return nil
}

// Row implements host.Shelf: it finds an event.
func (s *Shelf) Row(_ context.Context, name string) (host.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Reads++
	row, known := s.Rows[name]
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
	for _, row := range s.Rows {
		if row.Access != "link" && row.Stage != "draft" && (q.Phase == "" || q.Phase == row.Stage) {
			list = append(list, row.Listed)
		}
	}
	return list, nil
}
