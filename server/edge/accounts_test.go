package edge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire"
)

// What is served is what is described, and nothing else.
func TestEveryRouteDescribed(t *testing.T) {
	checker, err := described()
	if err != nil {
		t.Fatal(err)
	}
	st := newMemberStage(t, nil)
	var served []string
	for path, methods := range st.addresses() {
		switch path {
		case "/":
			path = "/assets/{file}"
		case "/{$}":
			path = "/"
		}
		for method := range methods {
			if method != http.MethodHead {
				served = append(served, method+" "+path)
			}
		}
	}
	slices.Sort(served)
	if got := checker.Routes(); !slices.Equal(got, served) {
		t.Errorf("described\n%s\nserved\n%s", strings.Join(got, "\n"), strings.Join(served, "\n"))
	}
}

// The description tells wrong answers from right ones.
func TestDescriptionRefuses(t *testing.T) {
	checker, err := described()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path, kind, body string
		status           int
		good             bool
	}{
		"good":            {"/api/me", "application/json", `{"id":"23456789ABCDEFGH","name":"Jo","guest":true}`, 200, true},
		"a further field": {"/api/me", "application/json", `{"id":"23456789ABCDEFGH","name":"Jo","guest":true,"password":"x"}`, 200, false},
		"a missing field": {"/api/me", "application/json", `{"id":"23456789ABCDEFGH","name":"Jo"}`, 200, false},
		"another kind":    {"/api/me", "text/html", `<p>`, 200, false},
		"another status":  {"/api/me", "application/json", `{}`, 202, false},
		"no problem":      {"/api/me", "application/problem+json", `{"status":401}`, 401, false},
		"a bad time":      {"/api/me", "application/json", `{"id":"23456789ABCDEFGH","name":"Jo","guest":true,"expires":"soon"}`, 200, false},
		"a 404":           {"/api/nothing", "application/json", `{}`, 404, false},
	} {
		r, err := http.NewRequest("GET", "http://chess.example"+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		res := &http.Response{StatusCode: c.status, Header: http.Header{"Content-Type": {c.kind}}}
		if err := checker.Answer(r, res, []byte(c.body)); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An account from its making to its end, each request and answer as described.
func TestAccountLife(t *testing.T) {
	st := newMemberStage(t, nil)
	judit := st.register(t, "Judit")
	second := st.login(t, "JUDIT", secret)
	if second.ID != judit.ID || second.Name != "Judit" || second.Guest {
		t.Errorf("logged in as %+v", second)
	}
	var renewed me
	st.does(t, "POST", "/api/renew", second.Token, `{"token":true}`, 200, &renewed)
	var a accountView
	st.does(t, "GET", "/api/account", renewed.Token, "", 200, &a)
	if a.ID != judit.ID || a.Role != account.Player || len(a.Sessions) != 2 || a.Sessions[0].Current == a.Sessions[1].Current {
		t.Fatalf("%+v", a)
	}
	older := a.Sessions[0] // unless both began within the same second
	if older.Current {
		older = a.Sessions[1]
	}
	st.does(t, "DELETE", "/api/account/sessions/"+older.ID, renewed.Token, "", 204, nil)
	if st.isGood(t, judit.Token) || !st.isGood(t, renewed.Token) {
		t.Error("the wrong session has ended")
	}
	st.does(t, "POST", "/api/account/password", renewed.Token, fmt.Sprintf(`{"old":%q,"new":%q}`, secret, another), 204, nil)
	last := st.login(t, "Judit", another)
	st.does(t, "POST", "/api/logout", renewed.Token, "", 204, nil)
	if st.isGood(t, second.Token) || st.isGood(t, renewed.Token) || !st.isGood(t, last.Token) {
		t.Error("the wrong tokens are good after the log-out")
	}
	st.does(t, "POST", "/api/account/delete", last.Token, fmt.Sprintf(`{"password":%q}`, another), 204, nil)
	if res, body := st.send(t, "POST", "/api/login", "", fmt.Sprintf(`{"name":"Judit","password":%q}`, another)); res.StatusCode != 403 || !strings.Contains(body, wire.CodeWrongPassword) {
		t.Errorf("after the deletion: %d %s", res.StatusCode, body)
	}
}

// What a member takes with him is all of it, in pages.
func TestExport(t *testing.T) {
	st := newMemberStage(t, nil)
	judit := st.register(t, "Judit")
	const games = 2*exportPage + 3
	for i := range games {
		_, err := st.store.SaveGame(t.Context(), store.Game{
			ID: fmt.Sprint("g", i), White: judit.ID, WhiteName: "Judit", Black: "23456789ABCDEFGH", BlackName: "Sofia", Rules: "wbca", Mode: "board", Base: 300_000,
			Result: "1-0", Reason: "mate", Rule: "WBCA 7a", Started: time.UnixMilli(int64(i)), Ended: time.UnixMilli(int64(i) + 60_000), Record: json.RawMessage(`{"v":1}`),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sofia := st.register(t, "Sofia")
	if err := st.store.Block(t.Context(), judit.ID, sofia.ID, time.UnixMilli(1)); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Account accountView
		Blocks  []wire.Person
		Games   []gameView
	}
	st.does(t, "GET", "/api/account/export", judit.Token, "", 200, &got)
	if len(got.Blocks) != 1 || got.Blocks[0] != (wire.Person{ID: sofia.ID, Name: "Sofia"}) {
		t.Errorf("she takes the blocks %+v with her", got.Blocks)
	}
	if got.Account.Name != "Judit" || len(got.Games) != games || got.Games[0].ID != fmt.Sprint("g", games-1) || string(got.Games[0].Record) != `{"v":1}` {
		t.Errorf("%+v and %d games", got.Account, len(got.Games))
	}
	for range exportRate.Burst - 1 {
		st.does(t, "GET", "/api/account/export", judit.Token, "", 200, nil)
	}
	if res, body := st.send(t, "GET", "/api/account/export", judit.Token, ""); res.StatusCode != 429 || res.Header.Get("Retry-After") != "60" {
		t.Errorf("the fourth: %d %s", res.StatusCode, body)
	}
}

func TestBotsAtTheEdge(t *testing.T) {
	st := newMemberStage(t, nil)
	judit := st.register(t, "Judit")
	var bot botView
	for i := range account.BotsEach {
		st.does(t, "POST", "/api/bots", judit.Token, fmt.Sprintf(`{"name":"Robot %d"}`, i), 201, &bot)
	}
	if res, body := st.send(t, "POST", "/api/bots", judit.Token, `{"name":"Robot 9"}`); res.StatusCode != 409 || !strings.Contains(body, wire.CodeNoMore) {
		t.Errorf("one bot more: %d %s", res.StatusCode, body)
	}
	var key apiTokenView
	for range account.KeysEach {
		st.does(t, "POST", "/api/bots/"+bot.ID+"/tokens", judit.Token, "", 201, &key)
	}
	if res, body := st.send(t, "POST", "/api/bots/"+bot.ID+"/tokens", judit.Token, ""); res.StatusCode != 409 || !strings.Contains(body, wire.CodeNoMore) {
		t.Errorf("one token more: %d %s", res.StatusCode, body)
	}
	var program me
	st.does(t, "POST", "/api/enter", "", fmt.Sprintf(`{"token":%q}`, key.Token), 200, &program)
	if program.ID != bot.ID || !program.Bot || program.Guest {
		t.Errorf("entered as %+v", program)
	}
	var shown struct{ Bot bool }
	st.does(t, "GET", "/api/people/"+strings.ReplaceAll(program.Name, " ", "%20"), "", "", 200, &shown)
	var found struct{ People []wire.Person }
	st.does(t, "GET", "/api/search?name=robot&limit=1", "", "", 200, &found)
	if !shown.Bot || len(found.People) != 1 || !found.People[0].Bot {
		t.Errorf("a bot's profile %+v, in a list %+v", shown, found)
	}
	ws := st.open(t, account.Session{Token: program.Token})
	if p := st.hall.conn(0).Person(); !p.Bot || p.ID != bot.ID {
		t.Errorf("the hall sees %+v", p)
	}
	var a accountView
	st.does(t, "GET", "/api/account", judit.Token, "", 200, &a)
	with := slices.IndexFunc(a.Bots, func(b botView) bool { return b.ID == bot.ID })
	if len(a.Bots) != account.BotsEach || with < 0 || len(a.Bots[with].Tokens) != account.KeysEach || strings.Contains(fmt.Sprint(a), key.Token) {
		t.Errorf("account %+v", a)
	}
	st.does(t, "DELETE", "/api/bots/"+bot.ID+"/tokens/"+key.ID, judit.Token, "", 204, nil)
	if code := closeCode(ws); code != wire.CloseToken {
		t.Errorf("the bot's socket: %d", code)
	}
	st.does(t, "DELETE", "/api/bots/"+bot.ID, judit.Token, "", 204, nil)
	st.does(t, "POST", "/api/bots", judit.Token, `{"name":"Robot 9"}`, 201, nil)
}

func TestAdministrator(t *testing.T) {
	st := newMemberStage(t, nil)
	admin, sofia := st.administrator(t, "Judit"), st.register(t, "Sofia")
	var list struct{ People []personView }
	st.does(t, "GET", "/api/admin/people", admin.Token, "", 200, &list)
	if len(list.People) != 2 || list.People[0].Name != "Judit" || list.People[0].Role != account.Administrator || list.People[1].Name != "Sofia" {
		t.Errorf("people %+v", list.People)
	}
	st.does(t, "GET", "/api/admin/people?after=Judit", admin.Token, "", 200, &list)
	if len(list.People) != 1 || list.People[0].Name != "Sofia" {
		t.Errorf("the next page is %+v", list.People)
	}
	st.does(t, "GET", "/api/admin/people?name=s0fia", admin.Token, "", 200, &list)
	if len(list.People) != 1 || list.People[0].ID != sofia.ID {
		t.Errorf("of the name: %+v", list.People)
	}
	people := "/api/admin/people/" + sofia.ID
	var got personView
	st.does(t, "POST", people+"/role", admin.Token, `{"role":"arbiter"}`, 200, &got)
	if got.Role != account.Arbiter {
		t.Errorf("%+v", got)
	}
	ws := st.open(t, account.Session{Token: sofia.Token})
	st.does(t, "POST", people+"/closed", admin.Token, `{"closed":true}`, 200, &got)
	if code := closeCode(ws); code != wire.CloseToken || got.Closed == "" || st.isGood(t, sofia.Token) {
		t.Errorf("closed: socket %d, %+v", code, got)
	}
	got = personView{}
	st.does(t, "POST", people+"/closed", admin.Token, `{"closed":false}`, 200, &got)
	if got.Closed != "" {
		t.Errorf("opened: %+v", got)
	}
	sofia = st.login(t, "Sofia", secret)
	ws = st.open(t, account.Session{Token: sofia.Token})
	var link resetView
	st.does(t, "POST", people+"/reset", admin.Token, "", 201, &link)
	code, found := strings.CutPrefix(link.Link, st.origin+ResetPath)
	if !found {
		t.Fatalf("link %+v", link)
	}
	st.does(t, "POST", "/api/reset", "", fmt.Sprintf(`{"code":%q,"password":%q}`, code, another), 204, nil)
	if code := closeCode(ws); code != wire.CloseToken || st.isGood(t, sofia.Token) {
		t.Errorf("after the reset: socket %d", code)
	}
	st.login(t, "Sofia", another)
	if res, body := st.send(t, "POST", "/api/reset", "", fmt.Sprintf(`{"code":%q,"password":%q}`, code, secret)); res.StatusCode != 404 {
		t.Errorf("the link again: %d %s", res.StatusCode, body)
	}
}

// Who sits at a table loses his seat neither by a log-in nor by a deletion.
func TestSeatedStays(t *testing.T) {
	st := newMemberStage(t, func(c *Config) { c.Seat = func(string) string { return "g1" } })
	judit := st.register(t, "Judit")
	guest := st.person(t)
	res, body := st.ask(t, "POST", "/api/login", fmt.Sprintf(`{"name":"Judit","password":%q}`, secret), "Content-Type", "application/json", "Cookie", CookieName+"="+guest.Token)
	if res.StatusCode != 409 || !strings.Contains(body, wire.CodeSeated) || len(res.Cookies()) > 0 {
		t.Errorf("a guest logs in: %d %s", res.StatusCode, body)
	}
	if res, body := st.send(t, "POST", "/api/account/delete", judit.Token, fmt.Sprintf(`{"password":%q}`, secret)); res.StatusCode != 409 || !strings.Contains(body, wire.CodeSeated) {
		t.Errorf("deleted: %d %s", res.StatusCode, body)
	}
	if !st.isGood(t, judit.Token) || !st.isGood(t, guest.Token) {
		t.Error("somebody is out")
	}
}

// Wrong passwords are counted by name and address; a right one is not, and a name that nobody has is like any other.
func TestPasswordsLimited(t *testing.T) {
	for _, name := range []string{"Judit", "Nobody"} {
		st := newMemberStage(t, func(c *Config) { c.Limits.Account = Rate{0.001, 3} })
		st.register(t, "Judit")
		for range 5 {
			st.login(t, "Judit", secret)
		}
		for i := range 4 {
			res, body := st.send(t, "POST", "/api/login", "", fmt.Sprintf(`{"name":%q,"password":%q}`, name, another))
			if want := map[bool]int{true: 403, false: 429}[i < 3]; res.StatusCode != want {
				t.Errorf("%s, wrong password %d: %d %s", name, i, res.StatusCode, body)
			}
			if i == 3 && res.Header.Get("Retry-After") != "1000" {
				t.Errorf("Retry-After %q", res.Header.Get("Retry-After"))
			}
		}
	}
	st := newMemberStage(t, func(c *Config) { c.Limits.Passwords = Rate{0.001, 2} })
	judit := st.register(t, "Judit")
	st.login(t, "Judit", secret)
	for path, body := range map[string]string{
		"/api/register": `{"name":"Sofia","password":"correct horse"}`, "/api/login": `{"name":"Judit","password":"correct horse"}`,
		"/api/reset": `{"code":"x","password":"correct horse"}`, "/api/account/password": `{"old":"correct horse","new":"battery staple"}`,
		"/api/account/delete": `{"password":"correct horse"}`,
	} {
		if res, text := st.send(t, "POST", path, judit.Token, body); res.StatusCode != 429 || res.Header.Get("Retry-After") == "" || !strings.Contains(text, wire.CodeTooMany) {
			t.Errorf("%s: %d %s", path, res.StatusCode, text)
		}
	}
}

// A member's cookie is renewed when it is old, and when it has expired, for as long as his session goes on.
func TestLapsedCookie(t *testing.T) {
	var at time.Time
	st := newMemberStage(t, func(c *Config) {
		var err error
		c.Tokens, err = account.NewTokens(account.Config{
			Keys: account.MemoryKeys(), Audience: c.PublicURL, Member: time.Minute, Now: func() time.Time { return at },
		})
		if err != nil {
			t.Fatal(err)
		}
		c.Members.Close()
		c.Members = account.OpenMembers(account.MembersConfig{Store: c.Archive.(*store.Store), Tokens: c.Tokens, Log: quiet,
			Hasher: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2)})
	})
	t.Cleanup(st.cfg.Members.Close)
	ask := func(method, path, token string) (*http.Response, string) {
		t.Helper()
		return st.ask(t, method, path, "", "Cookie", CookieName+"="+token)
	}
	for _, ago := range []time.Duration{40 * time.Second, time.Hour} {
		at = time.Now().Add(-ago)
		old := st.register(t, fmt.Sprint("Judit ", int(ago.Seconds())))
		at = time.Now()
		res, body := ask("GET", "/api/me", old.Token)
		if res.StatusCode != 200 || len(res.Cookies()) != 1 || !strings.Contains(body, old.ID) {
			t.Fatalf("after %v: %d %s", ago, res.StatusCode, body)
		}
		renewed := res.Cookies()[0].Value
		if !st.isGood(t, renewed) || st.isGood(t, old.Token) != (ago < time.Minute) {
			t.Errorf("after %v: the new token is good %v, the old one %v", ago, st.isGood(t, renewed), st.isGood(t, old.Token))
		}
		if res, body := ask("POST", "/api/logout", old.Token); res.StatusCode != 204 { // by the token that has expired
			t.Errorf("after %v: log-out %d %s", ago, res.StatusCode, body)
		}
		for _, token := range []string{old.Token, renewed} {
			for path, method := range map[string]string{"/api/me": "GET", "/api/renew": "POST"} {
				if res, body := ask(method, path, token); res.StatusCode != 401 || len(res.Cookies()) > 0 {
					t.Errorf("after %v, %s after the log-out: %d %s", ago, path, res.StatusCode, body)
				}
			}
		}
		if res, body := ask("POST", "/api/guest", old.Token); res.StatusCode != 201 || strings.Contains(body, old.ID) {
			t.Errorf("after %v, as a guest: %d %s", ago, res.StatusCode, body)
		}
	}
}
