package edge

import (
	"net/http"

	"flagfall/server/rulepage"
)

// loadRules has the rule books ready to be sent.
func loadRules() (*files, error) {
	pages, err := rulepage.Render()
	if err != nil {
		return nil, err
	}
	f := &files{all: map[string]*file{}}
	for name, data := range pages {
		f.add(name, data)
	}
	return f, nil
}

// getRules answers with the list of rule books, or with the page of one.
func (s *Server) getRules(w http.ResponseWriter, r *http.Request) {
	book := r.PathValue("book")
	if book == "" {
		s.sendFile(w, r, s.rules.all[rulepage.ListPage], http.StatusOK)
		return
	}
	page := s.rules.all[rulepage.PageOf(book)]
	if page == nil || rulepage.PageOf(book) == rulepage.LostPage {
		s.sendFile(w, r, s.rules.all[rulepage.LostPage], http.StatusNotFound)
		return
	}
	s.sendFile(w, r, page, http.StatusOK)
}

func (s *Server) getRulesStyle(w http.ResponseWriter, r *http.Request) {
	s.sendFile(w, r, s.rules.all[rulepage.Style], http.StatusOK)
}

// getRulesJSON answers with the list of rule books, or with one.
func (s *Server) getRulesJSON(w http.ResponseWriter, r *http.Request) {
	name := rulepage.ListJSON
	if book := r.PathValue("book"); book != "" {
		name = rulepage.JSONOf(book)
	}
	s.sendFile(w, r, s.rules.all[name], http.StatusOK)
}
