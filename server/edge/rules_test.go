package edge

import (
	"encoding/json"
	"strings"
	"testing"

	"flagfall/game"
	"flagfall/server/rulepage"
	"flagfall/server/wire"
)

// The rule books are pages and data (WBCA 19); the address of a book that is not there says so and lists those that are.
func TestRulePages(t *testing.T) {
	st := newStage(t, nil)
	for _, c := range []struct {
		path, kind string
		status     int
		has        string
	}{
		{"/rules", "text/html; charset=utf-8", 200, `href="/rules/fide"`},
		{"/rules/rules.css", "text/css; charset=utf-8", 200, "@media print"},
		{"/rules/chess960", "text/html; charset=utf-8", 404, "There is no such rule book"},
		{"/rules/unknown", "text/html; charset=utf-8", 404, "There is no such rule book"},
		{"/rules/WBCA", "text/html; charset=utf-8", 404, "There is no such rule book"},
		{"/api/rules", "application/json", 200, `"url":"/rules/cca"`},
		{"/api/rules/chess960", "application/problem+json", 404, wire.CodeNotFound},
	} {
		res, body := st.ask(t, "GET", c.path, "", "Accept", "text/html,*/*")
		if res.StatusCode != c.status || res.Header.Get("Content-Type") != c.kind || !strings.Contains(body, c.has) {
			t.Errorf("%s: %d %s, %.200s", c.path, res.StatusCode, res.Header.Get("Content-Type"), body)
		}
	}
	for _, b := range game.Books() {
		res, body := st.ask(t, "GET", "/rules/"+b.Name, "")
		if res.StatusCode != 200 || !strings.Contains(body, "<h1>"+b.Title) {
			t.Fatalf("%s: %d, %.200s", b.Name, res.StatusCode, body)
		}
		etag := res.Header.Get("ETag")
		if again, body := st.ask(t, "GET", "/rules/"+b.Name, "", "If-None-Match", etag); again.StatusCode != 304 || body != "" {
			t.Errorf("%s, the same again: %d", b.Name, again.StatusCode)
		}
		if zipped, _ := st.ask(t, "GET", "/rules/"+b.Name, "", "Accept-Encoding", "gzip"); zipped.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s is not sent packed", b.Name)
		}
		if head, body := st.ask(t, "HEAD", "/rules/"+b.Name, ""); head.StatusCode != 200 || body != "" {
			t.Errorf("%s, HEAD: %d", b.Name, head.StatusCode)
		}
		if post, _ := st.ask(t, "POST", "/rules/"+b.Name, ""); post.StatusCode != 405 {
			t.Errorf("%s, POST: %d", b.Name, post.StatusCode)
		}
		_, body = st.ask(t, "GET", "/api/rules/"+b.Name, "")
		var data rulepage.Book
		if err := json.Unmarshal([]byte(body), &data); err != nil || data.Name != b.Name || len(data.Rules) != len(b.Rules) {
			t.Errorf("%s as data: %v, %d rules", b.Name, err, len(data.Rules))
		}
	}
}
