package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"

	"flagfall/loadtest/chaos"
	"flagfall/loadtest/judge"
)

// writeSaw writes what every client of every game sent and was told.
func (r *run) writeSaw(name string) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriter(file)
	lines := json.NewEncoder(out)
	for _, pr := range r.pairs {
		if pr.transcript.Game == "" {
			continue
		}
		t := &pr.transcript
		all := []chaos.Client{r.saw(t, pr.players[0].id, &t.White), r.saw(t, pr.players[1].id, &t.Black)}
		for i, w := range pr.watchers {
			all = append(all, r.saw(t, w.id, &t.Spectators[i]))
		}
		for i := range all {
			if err := lines.Encode(&all[i]); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// saw is one log in the form of the chaos checker.
func (r *run) saw(t *judge.Transcript, person string, l *judge.Log) chaos.Client {
	c := chaos.Client{Game: t.Game, Person: person, Seat: l.Seat, Seen: []chaos.Sight{}}
	for i := range l.Entries {
		e := &l.Entries[i]
		s := chaos.Sight{At: r.began.Add(e.At).UnixMilli()}
		switch {
		case e.Kind == judge.Sent:
			s.Sent = &e.Msg
			s.Due = r.began.Add(min(e.At, e.Due)).UnixMilli()
		case e.Kind == judge.Got && json.Valid(e.Raw): // what is not is told by the judge
			s.Got = e.Raw
		default:
			continue
		}
		c.Seen = append(c.Seen, s)
	}
	return c
}
