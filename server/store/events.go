package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Event is an arena or a round robin as lists show it, with all that is known of it as of an edition.
type Event struct {
	Name      string // in addresses
	Title     string
	Phase     string
	Stage     string // "draft", "open", "running", "past" or "cancelled"
	Format    string
	Access    string // "" public, "link" or "password"
	Club      string // "" for none
	Organiser string // a person's id
	Starts    int64  // Unix ms, 0 for not known
	Bell      int64  // the same
	Players   int
	Terms     json.RawMessage
	Rated     bool
	Made      time.Time
	Edition   int
	Dump      json.RawMessage // nil before the first edition
}

const (
	eventColumns = `name, title, phase, stage, format, access, club, organiser, starts, bell, players, terms, rated, made, edition`
	// eventsQuery and clubEvents list what anybody may find, the newest first: of a draft nobody has heard, called off or not.
	eventsQuery = `SELECT ` + eventColumns + ` FROM event WHERE stage = $1 AND access <> 'link' AND phase <> 'draft' ORDER BY made DESC, name LIMIT $2`
	clubEvents  = `SELECT ` + eventColumns + ` FROM event WHERE club = $1 AND club <> '' AND access <> 'link' AND phase <> 'draft' ORDER BY made DESC, name LIMIT $2`
)

// AddEvent keeps a new event; false where there is one of that name.
func (s *Store) AddEvent(ctx context.Context, e Event) (added bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	done, err := s.db.ExecContext(ctx, `INSERT INTO event (`+eventColumns+`, dump)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) ON CONFLICT (name) DO NOTHING`,
		e.Name, e.Title, e.Phase, e.Stage, e.Format, e.Access, e.Club, e.Organiser, e.Starts, e.Bell, e.Players, string(e.Terms), e.Rated,
		e.Made.UnixMilli(), e.Edition, string(e.Dump))
	if err != nil {
		return false, s.wrap("add event", e.Name, err)
	}
	rows, err := done.RowsAffected()
	return rows > 0, s.wrap("add event", e.Name, err)
}

// SaveEvent keeps an edition of an event that was added, unless a later one is kept already. Name, organiser, club and Made
// stay.
func (s *Store) SaveEvent(ctx context.Context, e Event) error {
	return s.wrap("save event", e.Name, s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error { return saveEvent(ctx, tx, e) }))
}

func saveEvent(ctx context.Context, tx *sql.Tx, e Event) error {
	people, err := peopleOf(e.Dump)
	if err != nil {
		return err
	}
	for _, person := range people {
		_, err := tx.ExecContext(ctx, `INSERT INTO event_person (person, event) VALUES ($1, $2) ON CONFLICT DO NOTHING`, person, e.Name)
		if err != nil {
			return err
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE event SET title = $2, phase = $3, stage = $4, format = $5, access = $6, starts = $7,
		bell = $8, players = $9, terms = $10, rated = $11, edition = $12, dump = $13 WHERE name = $1 AND edition <= $12`,
		e.Name, e.Title, e.Phase, e.Stage, e.Format, e.Access, e.Starts, e.Bell, e.Players, string(e.Terms), e.Rated, e.Edition, string(e.Dump))
	return err
}

// peopleOf are those whose names are in what is kept of an event.
func peopleOf(dump []byte) ([]string, error) {
	if len(dump) == 0 {
		return nil, nil
	}
	var of struct {
		Entries []struct{ ID string }
		Names   map[string]string
	}
	if err := json.Unmarshal(dump, &of); err != nil {
		return nil, err
	}
	people := slices.Collect(maps.Keys(of.Names))
	for _, e := range of.Entries {
		people = append(people, e.ID)
	}
	slices.Sort(people)
	return slices.Compact(people), nil
}

// eraseEvents puts account.Deleted for the name of a person in what is kept of events, and takes his real name out.
func eraseEvents(ctx context.Context, tx *sql.Tx, person string) (erased int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT name, dump FROM event JOIN event_person ON event.name = event_person.event WHERE person = $1`, person)
	if err != nil {
		return 0, err
	}
	dumps := map[string]string{}
	for rows.Next() {
		var name, dump string
		if err := rows.Scan(&name, &dump); err != nil {
			rows.Close()
			return 0, err
		}
		dumps[name] = dump
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return 0, err
	}
	for name, dump := range dumps {
		text, changed, err := withoutName([]byte(dump), person)
		if err != nil {
			return 0, fmt.Errorf("event %s: %w", name, err)
		}
		if !changed {
			continue
		}
		erased++
		if _, err := tx.ExecContext(ctx, `UPDATE event SET dump = $2 WHERE name = $1`, name, string(text)); err != nil {
			return 0, err
		}
	}
	return erased, nil
}

// ReplaceEvent keeps an edition in the place of the one before it; false where that is not the one that is kept.
func (s *Store) ReplaceEvent(ctx context.Context, name string, before int, e Event) (done bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	changed, err := s.db.ExecContext(ctx, `UPDATE event SET edition = $3, dump = $4 WHERE name = $1 AND edition = $2`,
		name, before, e.Edition, string(e.Dump))
	if err != nil {
		return false, s.wrap("replace event", name, err)
	}
	rows, err := changed.RowsAffected()
	return rows > 0, s.wrap("replace event", name, err)
}

// CountEntries keeps how many are in an event.
func (s *Store) CountEntries(ctx context.Context, name string, players int) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	_, err := s.db.ExecContext(ctx, `UPDATE event SET players = $2 WHERE name = $1`, name, players)
	return s.wrap("count entries", name, err)
}

// Event finds one by its name.
func (s *Store) Event(ctx context.Context, name string) (Event, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var dump string
	e, err := scanEvent(s.db.QueryRowContext(ctx, `SELECT `+eventColumns+`, dump FROM event WHERE name = $1`, name), &dump)
	if dump != "" {
		e.Dump = json.RawMessage(dump)
	}
	return e, s.wrap("event", name, err)
}

// Events lists the events of a stage that anybody may find, the newest first, without their dumps.
func (s *Store) Events(ctx context.Context, stage string, limit int) ([]Event, error) {
	return s.events(ctx, eventsQuery, stage, limit)
}

// EventsOf lists the events of a club that anybody may find, the newest first, without their dumps.
func (s *Store) EventsOf(ctx context.Context, club string, limit int) ([]Event, error) {
	return s.events(ctx, clubEvents, club, limit)
}

func (s *Store) events(ctx context.Context, query, of string, limit int) ([]Event, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	list := []Event{}
	err := s.each(ctx, func(rows *sql.Rows) error {
		e, err := scanEvent(rows)
		list = append(list, e)
		return err
	}, query, of, limit)
	return list, s.wrap("events of", of, err)
}

func scanEvent(row interface{ Scan(...any) error }, more ...any) (Event, error) {
	var e Event
	var made int64
	var terms string
	err := row.Scan(append([]any{&e.Name, &e.Title, &e.Phase, &e.Stage, &e.Format, &e.Access, &e.Club, &e.Organiser, &e.Starts, &e.Bell,
		&e.Players, &terms, &e.Rated, &made, &e.Edition}, more...)...)
	if err != nil {
		return Event{}, err
	}
	e.Made, e.Terms = civil(made), json.RawMessage(terms)
	return e, nil
}
