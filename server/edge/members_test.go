package edge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"flagfall/server/account"
	"flagfall/server/store"
	"flagfall/server/wire"
)

const (
	secret  = "correct horse"
	another = "battery staple"
)

// memberStage is a stage with a database for members.
type memberStage struct {
	*stage
	store   *store.Store
	members *account.Members
	hasher  *account.Hasher
}

func newMemberStage(t *testing.T, change func(*Config)) *memberStage {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "flagfall.db"), store.Options{Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	st := &memberStage{store: db, hasher: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2)}
	st.stage = newStage(t, func(c *Config) {
		c.People, c.Archive, c.History, c.Clubs, c.Events = db, db, db, db, newEvening()
		c.Members = account.OpenMembers(account.MembersConfig{Store: db, Tokens: c.Tokens, Hasher: st.hasher, Log: quiet})
		st.members = c.Members
		if change != nil {
			change(c)
		}
	})
	t.Cleanup(st.members.Close)
	return st
}

// send sends JSON with a bearer token, if there is one.
func (st *memberStage) send(t *testing.T, method, path, token, body string) (*http.Response, string) {
	t.Helper()
	var headers []string
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	if token != "" {
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	return st.ask(t, method, path, body, headers...)
}

// does is send for a request that is to be taken; the answer goes into out, unless that is nil.
func (st *memberStage) does(t *testing.T, method, path, token, body string, status int, out any) {
	t.Helper()
	res, text := st.send(t, method, path, token, body)
	if res.StatusCode != status {
		t.Fatalf("%s %s: %d %s, want %d", method, path, res.StatusCode, text, status)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		t.Fatalf("%s %s: %s: %v", method, path, text, err)
	}
}

func (st *memberStage) register(t *testing.T, name string) me {
	t.Helper()
	var got me
	st.does(t, "POST", "/api/register", "", fmt.Sprintf(`{"name":%q,"password":%q,"token":true}`, name, secret), 201, &got)
	return got
}

func (st *memberStage) login(t *testing.T, name, password string) me {
	t.Helper()
	var got me
	st.does(t, "POST", "/api/login", "", fmt.Sprintf(`{"name":%q,"password":%q,"token":true}`, name, password), 200, &got)
	return got
}

// administrator is one whom the command line has made.
func (st *memberStage) administrator(t *testing.T, name string) me {
	t.Helper()
	got := st.register(t, name)
	if err := st.members.SetRole(t.Context(), got.ID, account.Administrator); err != nil {
		t.Fatal(err)
	}
	return got
}

// state is all that is known of members, to compare.
func (st *memberStage) state(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	list, err := st.members.List(t.Context(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range list {
		logins, err := st.store.Logins(t.Context(), one.Person)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := st.store.APIKeys(t.Context(), one.Person)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, one, logins, keys)
	}
	return out.String()
}

// A guest who registers keeps his person and his seat; his socket ends with the code that asks for another token.
func TestGuestRegisters(t *testing.T) {
	st := newMemberStage(t, nil)
	res, body := st.ask(t, "POST", "/api/guest", "")
	var guest me
	if err := json.Unmarshal([]byte(body), &guest); err != nil || !guest.Guest || len(res.Cookies()) != 1 {
		t.Fatal(body, err)
	}
	cookie := res.Cookies()[0].Value
	ws := st.open(t, account.Session{Token: cookie})
	res, body = st.ask(t, "POST", "/api/register", fmt.Sprintf(`{"name":"Judit","password":%q}`, secret),
		"Content-Type", "application/json", "Cookie", CookieName+"="+cookie, "Origin", st.origin)
	var got me
	if err := json.Unmarshal([]byte(body), &got); err != nil || res.StatusCode != 201 || got != (me{ID: guest.ID, Name: "Judit"}) || len(res.Cookies()) != 1 {
		t.Fatalf("%d %s, cookies %v", res.StatusCode, body, res.Cookies())
	}
	set := res.Cookies()[0]
	if !set.HttpOnly || set.SameSite != http.SameSiteLaxMode || set.MaxAge < int((29*24*time.Hour).Seconds()) {
		t.Errorf("cookie %v", set)
	}
	if code := closeCode(ws); code != wire.CloseToken {
		t.Errorf("the guest's socket: close code %d, want %d", code, wire.CloseToken)
	}
	if st.isGood(t, cookie) || !st.isGood(t, set.Value) {
		t.Error("the guest's token is good, or the member's is not")
	}
	ws, _, err := st.dial(http.Header{"Cookie": {CookieName + "=" + set.Value}, "Origin": {st.origin}}, "/ws")
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if hello := read(t, ws); !strings.Contains(hello, guest.ID) || !strings.Contains(hello, "Judit") {
		t.Errorf("back as %s", hello)
	}
}

// Every endpoint of accounts has its answers to wrong inputs, and none of them changes anything.
func TestAccountAnswers(t *testing.T) {
	st := newMemberStage(t, func(c *Config) { c.Limits.Account = Rate{1, 1000}; c.Limits.Passwords = Rate{1000, 1000} })
	admin, player := st.administrator(t, "Judit"), st.register(t, "Sofia")
	closedOne := st.register(t, "Maria")
	var bot botView
	st.does(t, "POST", "/api/bots", player.Token, `{"name":"Engine"}`, 201, &bot)
	var key apiTokenView
	st.does(t, "POST", "/api/bots/"+bot.ID+"/tokens", player.Token, "", 201, &key)
	var program me
	st.does(t, "POST", "/api/enter", "", fmt.Sprintf(`{"token":%q}`, key.Token), 200, &program)
	st.does(t, "POST", "/api/admin/people/"+closedOne.ID+"/closed", admin.Token, `{"closed":true}`, 200, nil)
	guest := st.person(t).Token
	name := func(n, p string) string { return fmt.Sprintf(`{"name":%q,"password":%q}`, n, p) }
	before := st.state(t)
	people := "/api/admin/people/" + player.ID
	for _, c := range []struct {
		method, path, token, body string
		status                    int
		code                      string
	}{
		{"POST", "/api/register", "", name("sofia", secret), 409, wire.CodeNameTaken},
		{"POST", "/api/register", "", name("S0f1a", secret), 409, wire.CodeNameTaken},
		{"POST", "/api/register", "", name("Jo", secret), 400, wire.CodeBadName},
		{"POST", "/api/register", "", name("Admin", secret), 400, wire.CodeBadName},
		{"POST", "/api/register", "", name("<script>", secret), 400, wire.CodeBadName},
		{"POST", "/api/register", "", name("Vera", "short"), 400, wire.CodeBadPassword},
		{"POST", "/api/register", "", name("Vera", "password123"), 400, wire.CodeBadPassword},
		{"POST", "/api/register", "", name("Vera Menchik", "vera.menchik"), 400, wire.CodeBadPassword},
		{"POST", "/api/register", "", `{"name":"Vera"}`, 400, wire.CodeBadPassword},
		{"POST", "/api/register", "", `{"name":7,"password":"x"}`, 400, wire.CodeBadMessage},
		{"POST", "/api/register", "", `{"name":"Vera","password":"correct horse","role":"administrator"}`, 400, wire.CodeBadMessage},
		{"POST", "/api/register", "", `["Vera"]`, 400, wire.CodeBadMessage},
		{"POST", "/api/register", "", "null", 400, wire.CodeBadMessage},
		{"POST", "/api/register", "", "{\"name\":\"Vera\",\"password\":\"correct \xff horse\"}", 400, wire.CodeBadMessage},
		{"POST", "/api/register", "", name("Vera", strings.Repeat("a", maxBody)), 413, wire.CodeTooLarge},
		{"POST", "/api/register", "", "", 415, wire.CodeUnsupportedMedia},
		{"POST", "/api/register", player.Token, name("Vera", secret), 409, wire.CodeRegistered},
		{"POST", "/api/login", "", name("Sofia", another), 403, wire.CodeWrongPassword},
		{"POST", "/api/login", "", name("Nobody at all", another), 403, wire.CodeWrongPassword},
		{"POST", "/api/login", "", name("", ""), 403, wire.CodeWrongPassword},
		{"POST", "/api/login", "", name("Engine", ""), 403, wire.CodeWrongPassword},
		{"POST", "/api/login", "", name("Maria", another), 403, wire.CodeWrongPassword},
		{"POST", "/api/login", "", name("Maria", secret), 403, wire.CodeAccountClosed},
		{"POST", "/api/login", "", `{`, 400, wire.CodeBadMessage},
		{"POST", "/api/login", "", "", 415, wire.CodeUnsupportedMedia},
		{"GET", "/api/login", "", "", 405, wire.CodeMethodNotAllowed},
		{"POST", "/api/renew", "", "", 401, wire.CodeUnauthorized},
		{"POST", "/api/renew", "x.y.z", "", 401, wire.CodeUnauthorized},
		{"POST", "/api/renew", closedOne.Token, "", 401, wire.CodeUnauthorized},
		{"POST", "/api/logout/everywhere", "", "", 401, wire.CodeUnauthorized},
		{"GET", "/api/account", "", "", 401, wire.CodeUnauthorized},
		{"GET", "/api/account", guest, "", 403, wire.CodeAccountNeeded},
		{"GET", "/api/account", closedOne.Token, "", 401, wire.CodeUnauthorized},
		{"POST", "/api/account", player.Token, "", 405, wire.CodeMethodNotAllowed},
		{"POST", "/api/account/password", "", `{"old":"a","new":"b"}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/account/password", guest, `{"old":"a","new":"b"}`, 403, wire.CodeAccountNeeded},
		{"POST", "/api/account/password", player.Token, `{"old":"wrong one","new":"battery staple"}`, 403, wire.CodeWrongPassword},
		{"POST", "/api/account/password", player.Token, `{"old":"correct horse","new":"sofia"}`, 400, wire.CodeBadPassword},
		{"POST", "/api/account/password", player.Token, `{"old":"correct horse"}`, 400, wire.CodeBadPassword},
		{"POST", "/api/account/password", player.Token, `{"old":1}`, 400, wire.CodeBadMessage},
		{"DELETE", "/api/account/sessions/23456789ABCDEFGH", player.Token, "", 404, wire.CodeNotFound},
		{"DELETE", "/api/account/sessions/x", "", "", 401, wire.CodeUnauthorized},
		{"GET", "/api/account/export", "", "", 401, wire.CodeUnauthorized},
		{"GET", "/api/account/export", guest, "", 403, wire.CodeAccountNeeded},
		{"POST", "/api/account/delete", "", `{"password":"correct horse"}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/account/delete", guest, `{"password":"correct horse"}`, 403, wire.CodeAccountNeeded},
		{"POST", "/api/account/delete", player.Token, `{"password":"wrong one"}`, 403, wire.CodeWrongPassword},
		{"POST", "/api/account/delete", player.Token, `{}`, 403, wire.CodeWrongPassword},
		{"POST", "/api/account/delete", program.Token, `{"password":""}`, 403, wire.CodeWrongPassword},
		{"POST", "/api/account/delete", admin.Token, `{"password":"correct horse"}`, 409, wire.CodeLastAdmin},
		{"POST", "/api/reset", "", `{"code":"","password":"battery staple"}`, 404, wire.CodeUnknownLink},
		{"POST", "/api/reset", "", `{"code":"23456789ABCDEFGH23456789ABCDEFGH","password":"battery staple"}`, 404, wire.CodeUnknownLink},
		{"POST", "/api/reset", "", `{"code":5}`, 400, wire.CodeBadMessage},
		{"POST", "/api/bots", "", `{"name":"Robot 1"}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/bots", guest, `{"name":"Robot 1"}`, 403, wire.CodeAccountNeeded},
		{"POST", "/api/bots", program.Token, `{"name":"Robot 1"}`, 409, wire.CodeNotForBots},
		{"POST", "/api/bots", player.Token, `{"name":"Judit"}`, 409, wire.CodeNameTaken},
		{"POST", "/api/bots", player.Token, `{"name":"x"}`, 400, wire.CodeBadName},
		{"POST", "/api/bots", player.Token, "", 415, wire.CodeUnsupportedMedia},
		{"DELETE", "/api/bots/" + bot.ID, "", "", 401, wire.CodeUnauthorized},
		{"DELETE", "/api/bots/" + bot.ID, admin.Token, "", 404, wire.CodeUnknownPerson},
		{"DELETE", "/api/bots/" + bot.ID, program.Token, "", 404, wire.CodeUnknownPerson},
		{"DELETE", "/api/bots/" + player.ID, player.Token, "", 404, wire.CodeUnknownPerson},
		{"POST", "/api/bots/" + bot.ID + "/tokens", admin.Token, "", 404, wire.CodeUnknownPerson},
		{"POST", "/api/bots/" + player.ID + "/tokens", player.Token, "", 404, wire.CodeUnknownPerson},
		{"POST", "/api/bots/" + bot.ID + "/tokens", "", "", 401, wire.CodeUnauthorized},
		{"DELETE", "/api/bots/" + bot.ID + "/tokens/" + key.ID, admin.Token, "", 404, wire.CodeUnknownPerson},
		{"DELETE", "/api/bots/" + bot.ID + "/tokens/none", player.Token, "", 404, wire.CodeNotFound},
		{"POST", "/api/enter", "", `{"token":"flagfall_23456789ABCDEFGH23456789ABCDEFGH"}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/enter", "", `{"token":""}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/enter", "", `{}`, 401, wire.CodeUnauthorized},
		{"POST", "/api/enter", "", "", 415, wire.CodeUnsupportedMedia},
		{"GET", "/api/admin/people", "", "", 401, wire.CodeUnauthorized},
		{"GET", "/api/admin/people", guest, "", 403, wire.CodeAccountNeeded},
		{"GET", "/api/admin/people", player.Token, "", 403, wire.CodeForbidden},
		{"GET", "/api/admin/people?name=Nobody", admin.Token, "", 404, wire.CodeUnknownPerson},
		{"GET", people, player.Token, "", 403, wire.CodeForbidden},
		{"GET", "/api/admin/people/none", admin.Token, "", 404, wire.CodeUnknownPerson},
		{"POST", people + "/role", player.Token, `{"role":"administrator"}`, 403, wire.CodeForbidden},
		{"POST", people + "/role", program.Token, `{"role":"administrator"}`, 403, wire.CodeForbidden},
		{"POST", people + "/role", admin.Token, `{"role":"king"}`, 400, wire.CodeBadMessage},
		{"POST", people + "/role", admin.Token, `{}`, 400, wire.CodeBadMessage},
		{"POST", "/api/admin/people/none/role", admin.Token, `{"role":"arbiter"}`, 404, wire.CodeUnknownPerson},
		{"POST", "/api/admin/people/" + bot.ID + "/role", admin.Token, `{"role":"arbiter"}`, 409, wire.CodeNotForBots},
		{"POST", "/api/admin/people/" + admin.ID + "/role", admin.Token, `{"role":"player"}`, 409, wire.CodeLastAdmin},
		{"POST", people + "/closed", player.Token, `{"closed":true}`, 403, wire.CodeForbidden},
		{"POST", people + "/closed", admin.Token, `{"closed":"yes"}`, 400, wire.CodeBadMessage},
		{"POST", "/api/admin/people/" + admin.ID + "/closed", admin.Token, `{"closed":true}`, 409, wire.CodeLastAdmin},
		{"POST", "/api/admin/people/none/closed", admin.Token, `{"closed":true}`, 404, wire.CodeUnknownPerson},
		{"POST", people + "/reset", player.Token, "", 403, wire.CodeForbidden},
		{"POST", "/api/admin/people/" + bot.ID + "/reset", admin.Token, "", 409, wire.CodeNotForBots},
		{"POST", "/api/admin/people/none/reset", admin.Token, "", 404, wire.CodeUnknownPerson},
	} {
		res, body := st.send(t, c.method, c.path, c.token, c.body)
		var p problem
		if err := json.Unmarshal([]byte(body), &p); err != nil || res.StatusCode != c.status || p.Code != c.code {
			t.Errorf("%s %s %.80q: %d %s, want %d %s", c.method, c.path, c.body, res.StatusCode, body, c.status, c.code)
		}
		if len(res.Cookies()) > 0 {
			t.Errorf("%s %s: cookies %v", c.method, c.path, res.Cookies())
		}
		if now := st.state(t); now != before {
			t.Fatalf("%s %s %s changed\n%s to\n%s", c.method, c.path, c.body, before, now)
		}
	}
	for _, s := range []me{admin, player, program} {
		if !st.isGood(t, s.Token) {
			t.Errorf("%s is logged out", s.Name)
		}
	}
}

// Another site cannot do anything in a visitor's name.
func TestAccountFromElsewhere(t *testing.T) {
	st := newMemberStage(t, nil)
	admin := st.administrator(t, "Judit")
	before := st.state(t)
	for path, methods := range st.memberAddresses() {
		for method := range methods {
			if method == http.MethodGet || method == http.MethodHead {
				continue
			}
			path := strings.NewReplacer("{id}", admin.ID, "{token}", "x").Replace(path)
			res, body := st.ask(t, method, path, `{}`, "Content-Type", "application/json", "Origin", "https://other.example", "Cookie", CookieName+"="+admin.Token)
			if res.StatusCode != 403 || !strings.Contains(body, wire.CodeForbiddenOrigin) || len(res.Cookies()) > 0 {
				t.Errorf("%s %s: %d %s", method, path, res.StatusCode, body)
			}
		}
	}
	if now := st.state(t); now != before {
		t.Errorf("changed to %s", now)
	}
}

// SEC-04: sockets of sessions that end are closed, others stay.
func TestSessionsEndSockets(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, body string
		mine               bool // this session goes on
	}{
		"log out everywhere": {"POST", "/api/logout/everywhere", "", false},
		"change password":    {"POST", "/api/account/password", fmt.Sprintf(`{"old":%q,"new":%q}`, secret, another), true},
		"delete":             {"POST", "/api/account/delete", fmt.Sprintf(`{"password":%q}`, secret), false},
	} {
		t.Run(name, func(t *testing.T) {
			st := newMemberStage(t, nil)
			stranger, mine := st.register(t, "Sofia"), st.register(t, "Judit")
			second := st.login(t, "Judit", secret)
			sockets := map[string]*websocket.Conn{}
			for who, s := range map[string]me{"stranger": stranger, "mine": mine, "second": second} {
				sockets[who] = st.open(t, account.Session{Token: s.Token})
			}
			st.does(t, c.method, c.path, mine.Token, c.body, 204, nil)
			if code := closeCode(sockets["second"]); code != wire.CloseToken {
				t.Errorf("another session's socket: %d", code)
			}
			if c.mine {
				isOpen(t, "this session's socket", sockets["mine"])
			} else if code := closeCode(sockets["mine"]); code != wire.CloseToken {
				t.Errorf("this session's socket: %d", code)
			}
			isOpen(t, "a stranger's socket", sockets["stranger"])
			if st.isGood(t, second.Token) || st.isGood(t, mine.Token) != c.mine || !st.isGood(t, stranger.Token) {
				t.Error("the wrong tokens are good")
			}
		})
	}
}
