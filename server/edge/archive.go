package edge

import (
	"context"
	"errors"
	"net/http"
	"time"

	"flagfall/game"
	"flagfall/server/store"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// Downloads of PGN.
const (
	downloadPage = 50               // games read at once
	downloadTime = 10 * time.Second // for the reader to take a page
	// mostDownloads at once; a game takes a millisecond of a processor.
	mostDownloads = 2
)

// ofPeople reads the parameters by which games of whomever are chosen.
func ofPeople(p *params) store.Filter {
	return store.Filter{
		Rules: p.oneOf("rules", append([]string{""}, game.RuleSets()...)...), Rated: p.flag("rated"),
		Result: p.oneOf("result", "", "1-0", "0-1", "1/2-1/2", "*"),
		Since:  p.moment("since"), Until: p.moment("until"),
	}
}

// filter reads which games are meant: everybody's, or those of the person in the path.
func (s *Server) filter(r *http.Request, p *params) (f store.Filter, err error) {
	name := r.PathValue("name")
	opponent := ""
	if name == "" {
		f = ofPeople(p)
	} else {
		f = store.Filter{
			Rules: p.oneOf("rules", append([]string{""}, game.RuleSets()...)...), Rated: p.flag("rated"),
			Outcome: p.oneOf("result", "", "won", "lost", "drawn", "void"), Color: p.oneOf("color", "", "white", "black"),
			Since: p.moment("since"), Until: p.moment("until"),
		}
		opponent = p.person("opponent")
	}
	if err := p.done(); err != nil || name == "" {
		return f, err
	}
	person, err := s.named(r.Context(), name)
	if err != nil {
		return f, err
	}
	f.Person = person.ID
	if opponent != "" {
		other, err := s.named(r.Context(), opponent)
		if err != nil {
			return f, err
		}
		f.Opponent = other.ID
	}
	return f, nil
}

// getArchive lists finished games, everybody's or one person's, the latest first.
func (s *Server) getArchive(w http.ResponseWriter, r *http.Request) {
	body, err := s.archived(r)
	s.answer(w, r, body, err)
}

func (s *Server) archived(r *http.Request) (any, error) {
	var after store.Cursor
	p := parameters(r.URL.RawQuery)
	size := p.size()
	p.place(&after)
	f, err := s.filter(r, p)
	if err != nil {
		return nil, err
	}
	found, err := s.cfg.History.Games(r.Context(), f, after, size)
	lines := make([]entryView, len(found))
	for i, e := range found {
		lines[i] = entryOf(e)
	}
	return list[entryView]{lines, nextPlace(len(found), size, func() any {
		return store.Cursor{Ended: found[size-1].Ended, ID: found[size-1].ID}
	})}.fields("games", nil), err
}

// getArchivePGN sends the games of getArchive as PGN, all of them, a page at a time: what it holds in memory does not grow with
// the number of games. When it cannot go on it breaks the connection off, so that nobody takes a part for the whole.
func (s *Server) getArchivePGN(w http.ResponseWriter, r *http.Request) {
	f, err := s.filter(r, parameters(r.URL.RawQuery))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	select {
	case s.downloads <- struct{}{}:
		defer func() { <-s.downloads }()
	default:
		s.refuse(w, r, wire.Refuse(wire.CodeTooMany))
		return
	}
	page, err := s.cfg.History.Records(r.Context(), f, store.Cursor{}, downloadPage)
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/vnd.chess-pgn; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="flagfall.pgn"`)
	h.Set("Cache-Control", "no-store")
	if r.Method == http.MethodHead {
		return
	}
	control := http.NewResponseController(w)
	ctx := context.WithoutCancel(r.Context()) // longer than an answer may take; who is gone takes no page
	for first := true; len(page) > 0; first = false {
		// A recorder in a test has no deadline.
		if err := control.SetWriteDeadline(time.Now().Add(downloadTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			s.breakOff(r, err)
		}
		if err := writePGN(w, page, first); err != nil {
			s.breakOff(r, err)
		}
		last := page[len(page)-1]
		if len(page) < downloadPage {
			return
		}
		if page, err = s.cfg.History.Records(ctx, f, store.Cursor{Ended: last.Ended, ID: last.ID}, downloadPage); err != nil {
			s.breakOff(r, err)
		}
	}
}

// breakOff ends an answer that has begun.
func (s *Server) breakOff(r *http.Request, err error) {
	s.log.Info("download broken off", "path", r.URL.Path, "err", err)
	panic(http.ErrAbortHandler)
}

// writePGN writes games with an empty line between two of them.
func writePGN(w http.ResponseWriter, games []store.Game, first bool) error {
	for _, g := range games {
		record, err := table.ParseRecord(g.Record)
		if err != nil {
			return err
		}
		record.Correct(game.Score(g.Result), game.Reason(g.Reason))
		text := record.PGN()
		if !first {
			text = "\n" + text
		}
		first = false
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
	}
	return nil
}
