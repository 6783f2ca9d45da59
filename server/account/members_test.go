package account_test

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flagfall/server/account"
	"flagfall/server/store"
)

const (
	secret  = "correct horse"
	another = "battery staple"
)

// members are Members over a database of their own, with a clock that the test holds.
type members struct {
	*account.Members
	t      *testing.T
	store  *store.Store
	tokens *account.Tokens
	at     time.Time
	where  string
}

func openMembers(t *testing.T) *members {
	t.Helper()
	m := &members{t: t, at: time.Now(), where: filepath.Join(t.TempDir(), "flagfall.db")}
	m.open()
	return m
}

// open opens them as a node does.
func (m *members) open() {
	m.t.Helper()
	log := slog.New(slog.DiscardHandler)
	s, err := store.Open(m.t.Context(), m.where, store.Options{Log: log})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { s.Close() })
	now := func() time.Time { return m.at }
	keys, err := account.OpenKeys(m.t.Context(), account.KeysConfig{Store: s, Log: log})
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(keys.Close)
	revocations, err := account.OpenRevocations(m.t.Context(), s, log)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(revocations.Close)
	if m.tokens, err = account.NewTokens(account.Config{Keys: keys, Audience: "https://chess.example", Now: now, Revocations: revocations}); err != nil {
		m.t.Fatal(err)
	}
	m.store = s
	m.Members = account.OpenMembers(account.MembersConfig{
		Store: s, Tokens: m.tokens, Hasher: account.NewHasher(account.Cost{KiB: 64, Passes: 1, Threads: 1}, 2), Log: log, Now: now,
	})
	m.t.Cleanup(m.Members.Close)
}

func (m *members) register(name string) account.Session {
	m.t.Helper()
	s, err := m.Register(m.t.Context(), account.Session{}, name, secret)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *members) good(s account.Session) bool {
	_, err := m.tokens.Check(s.Token)
	return err == nil
}

// state is all that is known, to compare.
func (m *members) state() string {
	m.t.Helper()
	var out strings.Builder
	list, err := m.List(m.t.Context(), "", 100)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, one := range list {
		logins, err := m.store.Logins(m.t.Context(), one.Person)
		if err != nil {
			m.t.Fatal(err)
		}
		keys, err := m.store.APIKeys(m.t.Context(), one.Person)
		if err != nil {
			m.t.Fatal(err)
		}
		fmt.Fprintln(&out, one, logins, keys)
	}
	return out.String()
}

func TestRegisterAndLogIn(t *testing.T) {
	m := openMembers(t)
	s := m.register("Judit")
	if !m.good(s) || s.Person.Name != "Judit" || s.Person.Guest || s.Person.Bot || !account.ValidID(s.Person.ID) {
		t.Errorf("registered as %+v", s.Person)
	}
	for _, name := range []string{"Judit", "judit", "JUD1T"} {
		again, err := m.LogIn(t.Context(), name, secret)
		if err != nil || again.Person != s.Person || again.ID == s.ID || !m.good(again) {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
	}
	a, err := m.AccountOf(t.Context(), s)
	if err != nil || a.Name != "Judit" || a.Role != account.Player || len(a.Logins) != 4 || len(a.Bots) != 0 {
		t.Errorf("account %+v, %v", a, err)
	}
	if !strings.HasPrefix(a.Password, "$argon2id$v=19$") {
		t.Errorf("password stored as %q", a.Password)
	}
}

// A guest who registers stays the same person; his session as a guest is over.
func TestGuestRegisters(t *testing.T) {
	m := openMembers(t)
	guest, err := m.tokens.Issue(account.NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []struct{ name, password string }{{"Guest 1", secret}, {"Judit", "short"}} {
		if _, err := m.Register(t.Context(), guest, bad.name, bad.password); err == nil || !m.good(guest) {
			t.Errorf("%v: %v, the guest is known %v", bad, err, m.good(guest))
		}
	}
	s, err := m.Register(t.Context(), guest, "Judit", secret)
	if err != nil || s.Person.ID != guest.Person.ID || s.Person.Name != "Judit" || s.Person.Guest {
		t.Fatalf("%+v, %v", s, err)
	}
	if m.good(guest) || !m.good(s) {
		t.Errorf("as a guest %v, as a member %v", m.good(guest), m.good(s))
	}
	if _, err := m.Register(t.Context(), s, "Sofia", secret); !errors.Is(err, account.ErrRegistered) {
		t.Errorf("again: %v", err)
	}
	if p, err := m.store.Person(t.Context(), guest.Person.ID); err != nil || p.Name != "Judit" || p.Guest {
		t.Errorf("person %+v, %v", p, err)
	}
}

// Every wrong input has its error, and changes nothing.
func TestMembersRefuse(t *testing.T) {
	m := openMembers(t)
	judit, sofia := m.register("Judit"), m.register("Sofia")
	if err := m.SetRole(t.Context(), judit.Person.ID, account.Administrator); err != nil {
		t.Fatal(err)
	}
	bot, err := m.AddBot(t.Context(), judit, "Engine")
	if err != nil {
		t.Fatal(err)
	}
	key, token, err := m.AddKey(t.Context(), judit, bot.Person)
	if err != nil {
		t.Fatal(err)
	}
	program, err := m.Enter(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	guest, err := m.tokens.Issue(account.NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	ctx, nobody := t.Context(), account.Session{}
	before := m.state()
	for name, c := range map[string]struct {
		do   func() error
		want error
	}{
		"register a taken name":           {func() error { _, err := m.Register(ctx, nobody, "jud1t", secret); return err }, account.ErrNameTaken},
		"register a bad name":             {func() error { _, err := m.Register(ctx, nobody, "<b>", secret); return err }, account.ErrName},
		"register a reserved name":        {func() error { _, err := m.Register(ctx, nobody, "Guest 4F7K", secret); return err }, account.ErrName},
		"register a bad password":         {func() error { _, err := m.Register(ctx, nobody, "Maria", "password1"); return err }, account.ErrPassword},
		"register with an account":        {func() error { _, err := m.Register(ctx, judit, "Maria", secret); return err }, account.ErrRegistered},
		"log in, wrong password":          {func() error { _, err := m.LogIn(ctx, "Judit", another); return err }, account.ErrCredentials},
		"log in, no password":             {func() error { _, err := m.LogIn(ctx, "Judit", ""); return err }, account.ErrCredentials},
		"log in, nobody":                  {func() error { _, err := m.LogIn(ctx, "Maria", secret); return err }, account.ErrCredentials},
		"log in, no name":                 {func() error { _, err := m.LogIn(ctx, "", ""); return err }, account.ErrCredentials},
		"log in as a bot":                 {func() error { _, err := m.LogIn(ctx, "Engine", ""); return err }, account.ErrCredentials},
		"change a password, wrong old":    {func() error { _, err := m.ChangePassword(ctx, judit, another, another); return err }, account.ErrCredentials},
		"change a password, bad new":      {func() error { _, err := m.ChangePassword(ctx, judit, secret, "short"); return err }, account.ErrPassword},
		"change a guest's password":       {func() error { _, err := m.ChangePassword(ctx, guest, "", another); return err }, account.ErrUnknownMember},
		"change a bot's password":         {func() error { _, err := m.ChangePassword(ctx, program, "", another); return err }, account.ErrCredentials},
		"reset by no code":                {func() error { _, err := m.ResetPassword(ctx, "", another); return err }, account.ErrResetCode},
		"reset for nobody":                {func() error { _, _, err := m.NewReset(ctx, "nobody"); return err }, account.ErrUnknownMember},
		"reset for a bot":                 {func() error { _, _, err := m.NewReset(ctx, bot.Person); return err }, account.ErrBot},
		"delete, wrong password":          {func() error { _, err := m.Delete(ctx, sofia, another); return err }, account.ErrCredentials},
		"delete the last administrator":   {func() error { _, err := m.Delete(ctx, judit, secret); return err }, account.ErrLastAdmin},
		"delete a guest":                  {func() error { _, err := m.Delete(ctx, guest, secret); return err }, account.ErrUnknownMember},
		"no such role":                    {func() error { return m.SetRole(ctx, sofia.Person.ID, "king") }, account.ErrRole},
		"a role for nobody":               {func() error { return m.SetRole(ctx, "nobody", account.Arbiter) }, account.ErrUnknownMember},
		"a role for a bot":                {func() error { return m.SetRole(ctx, bot.Person, account.Arbiter) }, account.ErrBot},
		"take the last administrator's":   {func() error { return m.SetRole(ctx, judit.Person.ID, account.Player) }, account.ErrLastAdmin},
		"close nobody":                    {func() error { _, err := m.SetClosed(ctx, "nobody", true); return err }, account.ErrUnknownMember},
		"close the last administrator":    {func() error { _, err := m.SetClosed(ctx, judit.Person.ID, true); return err }, account.ErrLastAdmin},
		"create a taken name":             {func() error { _, err := m.Create(ctx, "Sofia"); return err }, account.ErrNameTaken},
		"create a bad name":               {func() error { _, err := m.Create(ctx, "x"); return err }, account.ErrName},
		"a guest's bot":                   {func() error { _, err := m.AddBot(ctx, guest, "Robot 1"); return err }, account.ErrUnknownMember},
		"a bot's bot":                     {func() error { _, err := m.AddBot(ctx, program, "Robot 1"); return err }, account.ErrBot},
		"a bot with a taken name":         {func() error { _, err := m.AddBot(ctx, sofia, "Judit"); return err }, account.ErrNameTaken},
		"a bot with a bad name":           {func() error { _, err := m.AddBot(ctx, sofia, "Flagfall"); return err }, account.ErrName},
		"delete another's bot":            {func() error { _, err := m.DeleteBot(ctx, sofia, bot.Person); return err }, account.ErrUnknownMember},
		"delete a person as a bot":        {func() error { _, err := m.DeleteBot(ctx, judit, sofia.Person.ID); return err }, account.ErrUnknownMember},
		"delete oneself as a bot":         {func() error { _, err := m.DeleteBot(ctx, judit, judit.Person.ID); return err }, account.ErrUnknownMember},
		"an API token for another's bot":  {func() error { _, _, err := m.AddKey(ctx, sofia, bot.Person); return err }, account.ErrUnknownMember},
		"an API token for a person":       {func() error { _, _, err := m.AddKey(ctx, judit, judit.Person.ID); return err }, account.ErrUnknownMember},
		"a bot makes itself an API token": {func() error { _, _, err := m.AddKey(ctx, program, bot.Person); return err }, account.ErrUnknownMember},
		"drop another's API token":        {func() error { _, err := m.DropKey(ctx, sofia, bot.Person, key.ID); return err }, account.ErrUnknownMember},
		"drop no API token":               {func() error { _, err := m.DropKey(ctx, judit, bot.Person, "none"); return err }, account.ErrUnknownKey},
		"enter by nothing":                {func() error { _, err := m.Enter(ctx, ""); return err }, account.ErrUnknownKey},
		"enter by a wrong token":          {func() error { _, err := m.Enter(ctx, token[:len(token)-1]+"!"); return err }, account.ErrUnknownKey},
		"enter by a session's token":      {func() error { _, err := m.Enter(ctx, program.Token); return err }, account.ErrUnknownKey},
		"require a role of a guest":       {func() error { _, err := m.Require(ctx, guest, account.Player); return err }, account.ErrForbidden},
		"require a role of a player":      {func() error { _, err := m.Require(ctx, sofia, account.Arbiter); return err }, account.ErrForbidden},
	} {
		if err := c.do(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if now := m.state(); now != before {
			t.Fatalf("%s changed\n%s to\n%s", name, before, now)
		}
	}
	if !m.good(judit) || !m.good(sofia) || !m.good(program) {
		t.Error("somebody was logged out")
	}
	if member, err := m.Require(ctx, judit, account.Arbiter); err != nil || member.Name != "Judit" {
		t.Errorf("an administrator is no arbiter: %v", err)
	}
}

// SEC-04: what ends sessions ends the right ones, at once.
func TestSessionsEnd(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(m *members, mine account.Session) ([]string, error)
		mine bool // this session goes on
	}{
		"log out everywhere": {func(m *members, mine account.Session) ([]string, error) { return m.LogOutEverywhere(t.Context(), mine) }, false},
		"change the password": {func(m *members, mine account.Session) ([]string, error) {
			return m.ChangePassword(t.Context(), mine, secret, another)
		}, true},
		"reset the password": {func(m *members, mine account.Session) ([]string, error) {
			code, _, err := m.NewReset(t.Context(), mine.Person.ID)
			if err != nil {
				return nil, err
			}
			return m.ResetPassword(t.Context(), code, another)
		}, false},
		"close": {func(m *members, mine account.Session) ([]string, error) {
			return m.SetClosed(t.Context(), mine.Person.ID, true)
		}, false},
		"delete": {func(m *members, mine account.Session) ([]string, error) { return m.Delete(t.Context(), mine, secret) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := openMembers(t)
			stranger := m.register("Sofia")
			mine := m.register("Judit")
			var others []account.Session
			for range 2 {
				s, err := m.LogIn(t.Context(), "Judit", secret)
				if err != nil {
					t.Fatal(err)
				}
				others = append(others, s)
			}
			ended, err := c.end(m, mine)
			if want := 2 + map[bool]int{false: 1}[c.mine]; err != nil || len(ended) != want {
				t.Errorf("ended %v, %v; want %d", ended, err, want)
			}
			if m.good(mine) != c.mine || m.good(others[0]) || m.good(others[1]) || !m.good(stranger) {
				t.Errorf("this session %v, others %v %v, a stranger's %v", m.good(mine), m.good(others[0]), m.good(others[1]), m.good(stranger))
			}
			if _, err := m.Renew(t.Context(), others[0]); !errors.Is(err, account.ErrSessionEnded) {
				t.Errorf("renewed: %v", err)
			}
		})
	}
}

// What one node ends is ended on every other within two seconds, and after a restart.
func TestSessionsEndEverywhere(t *testing.T) {
	m := openMembers(t)
	s := m.register("Judit")
	here := *m
	m.open() // another node
	if !m.good(s) {
		t.Fatal("another node does not know the session")
	}
	if _, err := here.LogOutEverywhere(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Renew(t.Context(), s); !errors.Is(err, account.ErrSessionEnded) {
		t.Errorf("renewed at another node: %v", err)
	}
	for late := time.After(20 * time.Second); m.good(s); {
		select {
		case <-late:
			t.Fatal("good at another node")
		case <-time.After(50 * time.Millisecond):
		}
	}
	m.open()
	if m.good(s) {
		t.Error("good after a restart")
	}
}

func TestReset(t *testing.T) {
	m := openMembers(t)
	s := m.register("Judit")
	first, _, err := m.NewReset(t.Context(), s.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	code, until, err := m.NewReset(t.Context(), s.Person.ID)
	if err != nil || !until.Equal(m.at.UTC().Truncate(time.Millisecond).Add(account.ResetLifetime)) || len(code) != 32 {
		t.Fatalf("code %q until %v, %v", code, until, err)
	}
	if _, err := m.ResetPassword(t.Context(), first, another); !errors.Is(err, account.ErrResetCode) {
		t.Errorf("an earlier link: %v", err)
	}
	if _, err := m.ResetPassword(t.Context(), code, "judit"); !errors.Is(err, account.ErrPassword) {
		t.Errorf("a bad password: %v", err)
	}
	if _, err := m.ResetPassword(t.Context(), code, another); err != nil {
		t.Fatal(err)
	}
	if _, err := m.ResetPassword(t.Context(), code, secret); !errors.Is(err, account.ErrResetCode) {
		t.Errorf("twice: %v", err)
	}
	if _, err := m.LogIn(t.Context(), "Judit", secret); !errors.Is(err, account.ErrCredentials) {
		t.Errorf("the old password: %v", err)
	}
	if _, err := m.LogIn(t.Context(), "Judit", another); err != nil {
		t.Error(err)
	}
	late, until, err := m.NewReset(t.Context(), s.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	m.at = until
	if _, err := m.ResetPassword(t.Context(), late, secret); !errors.Is(err, account.ErrResetCode) {
		t.Errorf("a link that is out: %v", err)
	}
}

func TestClosedAccount(t *testing.T) {
	m := openMembers(t)
	s := m.register("Judit")
	if _, err := m.SetClosed(t.Context(), s.Person.ID, true); err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]error{secret: account.ErrClosed, another: account.ErrCredentials} {
		if _, err := m.LogIn(t.Context(), "Judit", password); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", password, err, want)
		}
	}
	if _, err := m.SetClosed(t.Context(), s.Person.ID, false); err != nil {
		t.Fatal(err)
	}
	if _, err := m.LogIn(t.Context(), "Judit", secret); err != nil {
		t.Error(err)
	}
}

// A member's token is short; while his session lasts he gets another one for it, for thirty days after the last.
func TestLapsedToken(t *testing.T) {
	m := openMembers(t)
	s := m.register("Judit")
	guest, err := m.tokens.Issue(account.NewGuest())
	if err != nil {
		t.Fatal(err)
	}
	if s.Expires.Sub(s.Issued) != 24*time.Hour || guest.Expires.Sub(guest.Issued) != 30*24*time.Hour {
		t.Errorf("a member's token lasts %v, a guest's %v", s.Expires.Sub(s.Issued), guest.Expires.Sub(guest.Issued))
	}
	begin := m.at
	m.at = begin.Add(29 * 24 * time.Hour)
	if m.good(s) {
		t.Error("good after 29 days")
	}
	old, err := m.tokens.CheckLapsed(s.Token)
	if err != nil || old.ID != s.ID || old.Person != s.Person {
		t.Fatalf("%+v, %v", old, err)
	}
	renewed, err := m.Renew(t.Context(), old)
	if err != nil || renewed.ID != s.ID || !m.good(renewed) {
		t.Fatalf("%+v, %v", renewed, err)
	}
	parts := strings.Split(s.Token, ".")
	for name, text := range map[string]string{
		"a guest's": guest.Token, "none": "", "forged and expired": parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2])),
		"no signature": parts[0] + "." + parts[1] + ".",
	} {
		if _, err := m.tokens.CheckLapsed(text); !errors.Is(err, account.ErrToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.at = begin.Add(31 * 24 * time.Hour)
	if _, err := m.tokens.CheckLapsed(s.Token); !errors.Is(err, account.ErrToken) {
		t.Errorf("after 31 days: %v", err)
	}
	if _, err := m.LogOutEverywhere(t.Context(), renewed); err != nil {
		t.Fatal(err)
	}
	if _, err := m.tokens.CheckLapsed(renewed.Token); !errors.Is(err, account.ErrToken) {
		t.Errorf("after the log-out: %v", err)
	}
}
