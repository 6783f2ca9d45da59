package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"flagfall/server/store"
)

var eventTests = map[string]func(*testing.T, *store.Store){
	"events": events, "editions of an event": editions, "lists of events": eventLists,
	"events of a deleted person": eventsErased, "a stored event replaced": eventReplaced,
}

func newEvent(name string) store.Event {
	return store.Event{Name: name, Title: "Blitz é \"x\"", Phase: "draft", Stage: "draft", Format: "arena", Organiser: "P", Starts: 5, Bell: 6,
		Players: 7, Terms: json.RawMessage(`{"base": 300000}`), Rated: true, Made: day}
}

// An event is found as it was added, and its name is taken.
func events(t *testing.T, s *store.Store) {
	ctx := t.Context()
	want := newEvent("friday-x")
	want.Access, want.Club = "password", "knights"
	added, err := s.AddEvent(ctx, want)
	must(t, err)
	if !added {
		t.Fatal("not added")
	}
	got, err := s.Event(ctx, "friday-x")
	must(t, err)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	other := newEvent("friday-x")
	other.Organiser = "Q"
	if added, err := s.AddEvent(ctx, other); added || err != nil {
		t.Errorf("a name given twice: %v, %v", added, err)
	}
	if got, _ := s.Event(ctx, "friday-x"); got.Organiser != "P" {
		t.Errorf("the second of a name has changed the first: %+v", got)
	}
	if _, err := s.Event(ctx, "nothing"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an event that is not there: %v", err)
	}
}

// An edition stays what it is when an earlier one comes late, and may come twice.
func editions(t *testing.T, s *store.Store) {
	ctx := t.Context()
	e := newEvent("friday-x")
	_, err := s.AddEvent(ctx, e)
	must(t, err)
	e.Title, e.Phase, e.Stage, e.Format, e.Access, e.Starts, e.Bell, e.Players, e.Rated = "T", "signed", "past", "round_robin", "link", 8, 9, 10, false
	e.Terms, e.Edition, e.Dump = json.RawMessage(`{}`), 2, json.RawMessage(`{"a": 1,  "b": "é"}`)
	must(t, s.SaveEvent(ctx, e))
	must(t, s.SaveEvent(ctx, e))
	late := e
	late.Edition, late.Title = 1, "late"
	must(t, s.SaveEvent(ctx, late))
	if got, err := s.Event(ctx, e.Name); err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("%+v, %v; want %+v", got, err, e)
	}
	must(t, s.CountEntries(ctx, e.Name, 33))
	if got, err := s.Event(ctx, e.Name); err != nil || got.Players != 33 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Who corrects an edition that is not the last one is told so.
func eventReplaced(t *testing.T, s *store.Store) {
	ctx := t.Context()
	e := newEvent("friday-x")
	e.Edition, e.Dump = 4, json.RawMessage(`{}`)
	_, err := s.AddEvent(ctx, e)
	must(t, err)
	next := e
	next.Edition, next.Dump = 5, json.RawMessage(`{"x":1}`)
	for i, want := range []bool{true, false} {
		if done, err := s.ReplaceEvent(ctx, e.Name, 4, next); done != want || err != nil {
			t.Errorf("time %d: %v, %v", i, done, err)
		}
	}
	if got, err := s.Event(ctx, e.Name); err != nil || !reflect.DeepEqual(got, next) {
		t.Errorf("%+v, %v; want %+v", got, err, next)
	}
}

// Who has left is in no event by his name, nor by his real one; the others are.
func eventsErased(t *testing.T, s *store.Store) {
	ctx := t.Context()
	e := newEvent("friday-x")
	_, err := s.AddEvent(ctx, e)
	must(t, err)
	e.Edition, e.Dump = 1, json.RawMessage(`{"entries":[{"id":"P1","name":"Judit","real":"Judit P.","rating":2700},{"id":"P2","name":"Vera","real":"V. M."}],
		"names":{"P1":"Judit","P3":"Olga"},"games":[{"id":"n-1","white":"P1"}]}`)
	must(t, s.SaveEvent(ctx, e))
	for i, want := range []int{1, 0} {
		if n, next, err := s.EraseGames(ctx, "P1", "", 10); n != want || next != "" || err != nil {
			t.Errorf("time %d: %d erased, then %q, %v", i, n, next, err)
		}
	}
	if n, _, err := s.EraseGames(ctx, "P9", "", 10); n != 0 || err != nil {
		t.Errorf("somebody who is in no event: %d, %v", n, err)
	}
	got, err := s.Event(ctx, "friday-x")
	must(t, err)
	var dump, want any
	must(t, json.Unmarshal(got.Dump, &dump))
	must(t, json.Unmarshal([]byte(`{"entries":[{"id":"P1","name":"deleted","rating":2700},{"id":"P2","name":"Vera","real":"V. M."}],
		"names":{"P1":"deleted","P3":"Olga"},"games":[{"id":"n-1","white":"P1"}]}`), &want))
	if !reflect.DeepEqual(dump, want) || got.Edition != 1 {
		t.Errorf("kept: %s of edition %d", got.Dump, got.Edition)
	}
}

// Lists have the newest first, nothing that needs a link, and no draft: drafts take no other's place.
func eventLists(t *testing.T, s *store.Store) {
	ctx := t.Context()
	for i, stage := range []string{"open", "open", "running", "past", "open", "draft"} {
		e := newEvent(fmt.Sprint("event-", i))
		e.Phase, e.Stage, e.Made = stage, stage, day.Add(time.Duration(i)*time.Minute)
		if i == 1 {
			e.Access = "link"
		}
		if i >= 2 {
			e.Club = "knights"
		}
		_, err := s.AddEvent(ctx, e)
		must(t, err)
	}
	names := func(list []store.Event, err error) (names []string) {
		t.Helper()
		must(t, err)
		for _, e := range list {
			names = append(names, e.Name)
		}
		return names
	}
	for _, c := range []struct{ got, want []string }{
		{names(s.Events(ctx, "open", 10)), []string{"event-4", "event-0"}},
		{names(s.Events(ctx, "open", 1)), []string{"event-4"}},
		{names(s.Events(ctx, "past", 10)), []string{"event-3"}},
		{names(s.EventsOf(ctx, "knights", 10)), []string{"event-4", "event-3", "event-2"}},
		{names(s.EventsOf(ctx, "knights", 1)), []string{"event-4"}},
		{names(s.Events(ctx, "draft", 10)), nil},
		{names(s.EventsOf(ctx, "", 10)), nil},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
}
