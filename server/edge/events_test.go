package edge

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"flagfall/server/wire"
)

const friday = "/api/events/friday-arena"

// Every question about an event is answered as described; who may look without a token does.
func TestEventQuestions(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	for _, c := range []struct{ path, asks string }{
		{"", "page {}"}, {"/standings", "standings {}"}, {"/boards", "boards {}"}, {"/boards?most=6", `boards {"most":6}`},
		{"?key=" + linkKey, "page {}"}, {"/export/standings.csv", `export {"file":"standings.csv"}`}, {"/link", "qrlink {}"}, {"/qr.svg", "qrlink {}"},
	} {
		st.does(t, "GET", friday+c.path, "", "", 200, nil)
		st.does(t, "GET", friday+c.path, guest.Token, "", 200, nil)
		if said, want := e.take(), []string{" " + c.asks, guest.Name + " " + c.asks}; !slices.Equal(said, want) {
			t.Errorf("%s: asked %q, want %q", c.path, said, want)
		}
	}
	for _, c := range []struct{ path, asks string }{
		{"/entries", "entries {}"}, {"/desk", "desk {}"}, {"/desk/games/g2", `game {"game":"g2"}`}, {"/chat", `chat {"after":0}`}, {"/chat?after=7", `chat {"after":7}`},
	} {
		st.refused(t, "GET", friday+c.path, "", "", 401, wire.CodeUnauthorized)
		st.does(t, "GET", friday+c.path, guest.Token, "", 200, nil)
		if said, want := e.take(), []string{guest.Name + " " + c.asks}; !slices.Equal(said, want) {
			t.Errorf("%s: asked %q, want %q", c.path, said, want)
		}
	}
	for _, path := range []string{"/api/events", "/api/events?phase=past", "/api/events?phase=open&club=oslo", "/api/events/defaults", "/api/events/defaults?format=round_robin",
		"/events", "/events/new", "/e/friday-arena", "/e/friday-arena/manage", "/e/friday-arena/desk", "/e/friday-arena/screen?key=x", "/e/friday-arena/print", "/clubs", "/c/oslo"} {
		st.does(t, "GET", path, "", "", 200, nil)
	}
	var events struct{ Events []json.RawMessage }
	if st.does(t, "GET", "/api/events?phase=past", "", "", 200, &events); events.Events == nil {
		t.Error("no events are null and not a list")
	}
}

// A question that cannot be meant so is refused, and nobody is asked.
func TestEventQuestionsWrong(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	for _, c := range []struct {
		path   string
		status int
		code   string
	}{
		{"/api/events/none-such", 404, wire.CodeUnknownEvent},
		{"/api/events/Friday", 404, wire.CodeUnknownEvent},
		{"/api/events/%2e%2e%2fx", 404, wire.CodeUnknownEvent},
		{"/api/events/" + strings.Repeat("a", 41), 404, wire.CodeUnknownEvent},
		{"/api/events/none-such/standings", 404, wire.CodeUnknownEvent},
		{"/api/events/none-such/qr.svg", 404, wire.CodeUnknownEvent},
		{"/api/events?phase=now", 400, wire.CodeBadMessage},
		{"/api/events?club=%00", 400, wire.CodeBadMessage},
		{"/api/events?page=2", 400, wire.CodeBadMessage},
		{"/api/events/defaults?format=swiss", 400, wire.CodeBadMessage},
		{friday + "?x=1", 400, wire.CodeBadMessage},
		{friday + "?key=", 400, wire.CodeBadMessage},
		{friday + "?key=a%20b", 400, wire.CodeBadMessage},
		{friday + "?key=" + strings.Repeat("k", 65), 400, wire.CodeBadMessage},
		{friday + "/boards?most=-1", 400, wire.CodeBadMessage},
		{friday + "/boards?most=1001", 400, wire.CodeBadMessage},
		{friday + "/boards?most=many", 400, wire.CodeBadMessage},
		{friday + "/chat?after=1e3", 400, wire.CodeBadMessage},
		{friday + "/desk/games/%3Cb%3E", 404, wire.CodeUnknownGame},
		{friday + "/export/passwords.csv", 404, wire.CodeNotFound},
		{friday + "/nothing", 404, wire.CodeNotFound},
		{"/api/clubs/none-such", 404, wire.CodeUnknownClub},
		{"/api/clubs/..", 404, wire.CodeNotFound},
		{"/api/clubs?after=nonsense", 400, wire.CodeBadMessage},
		{"/api/clubs?limit=0", 400, wire.CodeBadMessage},
	} {
		if strings.HasSuffix(c.path, "/..") { // is redirected before it is looked at
			continue
		}
		st.refused(t, "GET", c.path, guest.Token, "", c.status, c.code)
	}
	if said := e.take(); len(said) > 0 {
		t.Errorf("asked for %q", said)
	}
	st.refused(t, "GET", friday, "x.y.z", "", 401, wire.CodeUnauthorized)
	res, _ := st.ask(t, "GET", friday, "", "Cookie", CookieName+"=x.y.z")
	if res.StatusCode != 200 {
		t.Errorf("a cookie that is not good any more: %d, want the page as anybody sees it", res.StatusCode)
	}
	res, _ = st.ask(t, "GET", friday, "", keyHeader, "a b")
	if res.StatusCode != 400 {
		t.Errorf("a bad key in the header: %d", res.StatusCode)
	}
	for _, path := range []string{friday, friday + "/acts", friday + "/qr.svg", "/api/clubs"} {
		if res, _ := st.send(t, "DELETE", path, guest.Token, ""); res.StatusCode != 405 || res.Header.Get("Allow") == "" {
			t.Errorf("DELETE %s: %d", path, res.StatusCode)
		}
	}
}

// What the event refuses is shown with its code, what fails is not told.
func TestEventRefuses(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	e.wants("desk", wire.Refuse(wire.CodeForbidden))
	st.refused(t, "GET", friday+"/desk", guest.Token, "", 403, wire.CodeForbidden)
	e.wants("chat", wire.Refuse(wire.CodePlaying))
	st.refused(t, "GET", friday+"/chat", guest.Token, "", 409, wire.CodePlaying)
	e.wants("rule", wire.Refuse(wire.CodeOwnGame))
	st.refused(t, "POST", friday+"/acts", guest.Token, `{"do":"rule","game":"g2","act":"stop","why":"noise"}`, 403, wire.CodeOwnGame)
	e.wants("standings", http.ErrBodyNotAllowed)
	st.refused(t, "GET", friday+"/standings", guest.Token, "", 500, wire.CodeServerInternal)
}

// An answer that is the same again is not sent again.
func TestEventTags(t *testing.T) {
	st, _ := eveningStage(t, nil)
	guest := st.guest(t)
	for _, path := range []string{friday + "/standings", friday + "/qr.svg", friday + "/export/standings.csv", "/api/events", friday + "/desk"} {
		bearer := []string{"Authorization", "Bearer " + guest.Token}
		first, body := st.ask(t, "GET", path, "", bearer...)
		tag := first.Header.Get("ETag")
		if tag == "" || body == "" || !strings.Contains(first.Header.Get("Cache-Control"), "private") || !strings.Contains(first.Header.Get("Vary"), keyHeader) {
			t.Errorf("%s: headers %v", path, first.Header)
		}
		again, body := st.ask(t, "GET", path, "", append(bearer, "If-None-Match", `"other", W/`+tag)...)
		if again.StatusCode != http.StatusNotModified || body != "" || again.Header.Get("ETag") != tag {
			t.Errorf("%s again: %d %q", path, again.StatusCode, body)
		}
		if other, _ := st.ask(t, "GET", path, "", append(bearer, "If-None-Match", `"other"`)...); other.StatusCode != 200 {
			t.Errorf("%s, when it was another: %d", path, other.StatusCode)
		}
		if head, body := st.ask(t, "HEAD", path, "", bearer...); head.StatusCode != 200 || body != "" || head.Header.Get("ETag") != tag {
			t.Errorf("HEAD %s: %d %q", path, head.StatusCode, body)
		}
	}
}

// A file comes under a name of its own and as what it is.
func TestEventFiles(t *testing.T) {
	st, e := eveningStage(t, nil)
	for file, kind := range map[string]string{
		"standings.csv": "text/csv; charset=utf-8", "crosstable.csv": "text/csv; charset=utf-8", "roster.csv": "text/csv; charset=utf-8",
		"games.pgn": "application/vnd.chess-pgn; charset=utf-8", "report.trf": "text/plain; charset=utf-8",
	} {
		res, body := st.ask(t, "GET", friday+"/export/"+file, "")
		if res.StatusCode != 200 || res.Header.Get("Content-Type") != kind || body != "\"Place\",é\r\n" ||
			res.Header.Get("Content-Disposition") != `attachment; filename="friday-arena-`+file+`"` {
			t.Errorf("%s: %d %v %q", file, res.StatusCode, res.Header, body)
		}
	}
	e.wants("export", wire.Refuse(wire.CodeWrongPhase))
	st.refused(t, "GET", friday+"/export/report.trf", "", "", 409, wire.CodeWrongPhase)
}

// A member makes an event; who is no member does not, and nothing else than the described form is taken.
func TestMakeEvent(t *testing.T) {
	st, e := eveningStage(t, nil)
	judit, guest := st.register(t, "Judit"), st.guest(t)
	const good = `{"event":"friday-arena","club":"oslo","password":"x","settings":{"name":"Friday arena"}}`
	var made struct{ Event string }
	st.does(t, "POST", "/api/events", judit.Token, good, 201, &made)
	st.does(t, "POST", "/api/events", judit.Token, `{"settings":{}}`, 201, nil)
	if said, want := e.take(), []string{"Judit create " + good, `Judit create {"settings":{}}`}; made.Event != "friday-arena" || !slices.Equal(said, want) {
		t.Errorf("%+v, %q", made, said)
	}
	for _, c := range []struct {
		token, body string
		status      int
		code        string
	}{
		{"", good, 401, wire.CodeUnauthorized},
		{guest.Token, good, 403, wire.CodeAccountNeeded},
		{judit.Token, ``, 415, wire.CodeUnsupportedMedia},
		{judit.Token, `{}`, 400, wire.CodeBadSettings},
		{judit.Token, `{"settings":[]}`, 400, wire.CodeBadSettings},
		{judit.Token, `{"settings":{"name":"a","name":"b"}}`, 400, wire.CodeBadSettings},
		{judit.Token, `{"settings":{"nmae":"a"}}`, 400, wire.CodeBadSettings},
		{judit.Token, `{"settings":{},"settings":{}}`, 400, wire.CodeBadMessage},
		{judit.Token, `{"settings":{},"organiser":"me"}`, 400, wire.CodeBadMessage},
		{judit.Token, `{"settings":{},"event":"Friday"}`, 400, wire.CodeBadName},
		{judit.Token, `{"settings":{},"event":""}`, 400, wire.CodeBadName},
		{judit.Token, `{"settings":{},"event":"defaults"}`, 400, wire.CodeBadName},
		{judit.Token, `{"settings":{},"event":"new"}`, 400, wire.CodeBadName},
		{judit.Token, `{"settings":{},"event":7}`, 400, wire.CodeBadMessage},
		{judit.Token, `{"settings":{},"club":"No Club"}`, 404, wire.CodeUnknownClub},
		{judit.Token, `{"settings":{},"password":""}`, 400, wire.CodeBadPassword},
		{judit.Token, `{"settings":{},"password":"` + strings.Repeat("x", 129) + `"}`, 400, wire.CodeBadPassword},
		{judit.Token, `{"settings":{}} `, 201, ""},
		{judit.Token, `{"settings":{}}{}`, 400, wire.CodeBadMessage},
		{judit.Token, `{"settings":{"name":"` + strings.Repeat("x", maxAct) + `"}}`, 413, wire.CodeTooLarge},
	} {
		if c.code == "" {
			continue
		}
		st.refused(t, "POST", "/api/events", c.token, c.body, c.status, c.code)
	}
	if said := e.take(); len(said) > 0 {
		t.Errorf("made: %q", said)
	}
	e.wants("create", wire.Refusef(wire.CodeNameTaken, "There is an event of this name."))
	st.refused(t, "POST", "/api/events", judit.Token, good, 409, wire.CodeNameTaken)
}

// Makings, acts and talk are limited by person, whatever the address.
func TestEventLimits(t *testing.T) {
	st, e := eveningStage(t, func(c *Config) {
		c.Limits.Acts, c.Limits.Makings, c.Limits.Chats = Rate{.01, 3}, Rate{.01, 2}, Rate{.01, 2}
	})
	judit, other := st.register(t, "Judit"), st.register(t, "Sofia")
	for _, c := range []struct {
		path, body string
		most       int
	}{
		{"/api/events", `{"settings":{}}`, 2}, {friday + "/acts", `{"do":"ready"}`, 3}, {friday + "/chat", `{"text":"Hi"}`, 2},
	} {
		for i := range c.most + 2 {
			res, body := st.send(t, "POST", c.path, judit.Token, c.body)
			if refused := res.StatusCode == 429; refused != (i >= c.most) || refused && res.Header.Get("Retry-After") == "" {
				t.Errorf("%s %d: %d %s", c.path, i+1, res.StatusCode, body)
			}
		}
		if res, body := st.send(t, "POST", c.path, other.Token, c.body); res.StatusCode >= 300 {
			t.Errorf("%s of somebody else: %d %s", c.path, res.StatusCode, body)
		}
		if said := e.take(); len(said) != c.most+1 {
			t.Errorf("%s: %q", c.path, said)
		}
	}
}
