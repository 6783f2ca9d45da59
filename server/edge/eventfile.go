package edge

import (
	"encoding/json"
	"net/http"

	"flagfall/server/wire"
)

// eventFiles are what an event is taken home as, and their kinds.
var eventFiles = map[string]string{
	"standings.csv":  "text/csv; charset=utf-8",
	"crosstable.csv": "text/csv; charset=utf-8",
	"roster.csv":     "text/csv; charset=utf-8",
	"event.json":     "application/json",
	"games.pgn":      "application/vnd.chess-pgn; charset=utf-8",
	"report.trf":     "text/plain; charset=utf-8",
}

// getEventFile sends an event as one of the files.
func (s *Server) getEventFile(w http.ResponseWriter, r *http.Request) {
	file := r.PathValue("file")
	kind, known := eventFiles[file]
	if !known {
		s.refuse(w, r, wire.Refuse(wire.CodeNotFound))
		return
	}
	answer, ok := s.answered(w, r, "export", false, func(*params, *http.Request) any {
		return map[string]string{"file": file}
	})
	if !ok {
		return
	}
	var body struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(answer, &body); err != nil || body.Text == nil {
		s.log.Error("a file of an event has no text", "event", r.PathValue("event"), "file", file, "err", err)
		s.refuse(w, r, wire.Refuse(wire.CodeServerInternal))
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="`+r.PathValue("event")+"-"+file+`"`)
	s.sendTagged(w, r, kind, []byte(*body.Text))
}
