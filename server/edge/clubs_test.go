package edge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"flagfall/server/store"
	"flagfall/server/wire"
)

const oslo = `{"club":"oslo","name":"Oslo Blitz","about":"Fridays at seven"}`

// clubStage has a club of Judit's with a member each of the other roles.
func clubStage(t *testing.T) (st *memberStage, people map[string]me) {
	t.Helper()
	st, _ = eveningStage(t, nil)
	people = map[string]me{}
	for _, name := range []string{"Owner", "Organiser", "Arbiter", "Member", "Stranger"} {
		people[name] = st.register(t, "The "+name)
	}
	st.does(t, "POST", "/api/clubs", people["Owner"].Token, oslo, 201, nil)
	for _, role := range []string{"Organiser", "Arbiter", "Member"} {
		st.does(t, "POST", "/api/clubs/oslo/acts", people[role].Token, `{"do":"join"}`, 200, nil)
		st.does(t, "POST", "/api/clubs/oslo/acts", people["Owner"].Token,
			fmt.Sprintf(`{"do":"role","who":%q,"role":%q}`, people[role].ID, strings.ToLower(role)), 200, nil)
	}
	return st, people
}

func (st *memberStage) club(t *testing.T, token string) (view clubView) {
	t.Helper()
	st.does(t, "GET", "/api/clubs/oslo", token, "", 200, &view)
	return view
}

// A club is made, joined and left; it is shown with its people and events.
func TestClubLife(t *testing.T) {
	st, people := clubStage(t)
	view := st.club(t, people["Arbiter"].Token)
	roles := ""
	for _, m := range view.Members {
		roles += m.Name + " " + string(m.Role) + "; "
	}
	if roles != "The Owner owner; The Organiser organiser; The Arbiter arbiter; The Member member; " {
		t.Error(roles)
	}
	if view.Name != "Oslo Blitz" || view.About != "Fridays at seven" || view.You != store.ClubArbiter || len(view.Events) != 1 || view.Events[0].Club != "oslo" {
		t.Errorf("%+v", view)
	}
	if you := st.club(t, "").You; you != "" {
		t.Errorf("nobody is %q in it", you)
	}
	st.does(t, "POST", "/api/clubs/oslo/acts", people["Owner"].Token, `{"do":"about","about":"Moved.\nUpstairs now"}`, 200, &view)
	if view.About != "Moved.\nUpstairs now" || view.You != store.ClubOwner {
		t.Errorf("%+v", view)
	}
	st.does(t, "POST", "/api/clubs/oslo/acts", people["Organiser"].Token, fmt.Sprintf(`{"do":"remove","who":%q}`, people["Member"].ID), 200, nil)
	st.does(t, "POST", "/api/clubs/oslo/acts", people["Arbiter"].Token, `{"do":"leave"}`, 200, nil)
	if view = st.club(t, people["Arbiter"].Token); len(view.Members) != 2 || view.You != "" {
		t.Errorf("%+v", view)
	}
	var taken struct{ Clubs []ownClub }
	if st.does(t, "GET", "/api/account/export", people["Organiser"].Token, "", 200, &taken); fmt.Sprint(taken.Clubs) != "[{oslo organiser}]" {
		t.Errorf("what an organiser takes with him: %v", taken.Clubs)
	}
	for i := range 3 {
		st.does(t, "POST", "/api/clubs", people["Stranger"].Token, fmt.Sprintf(`{"club":"club-%d","name":"Club","about":""}`, i), 201, nil)
	}
	var list struct {
		Clubs []clubLine
		Next  string
	}
	got := []string{}
	for path := "/api/clubs?limit=3"; ; path = "/api/clubs?limit=3&after=" + list.Next {
		list.Next = ""
		st.does(t, "GET", path, "", "", 200, &list)
		for _, c := range list.Clubs {
			got = append(got, fmt.Sprint(c.Club, " ", c.Members))
		}
		if list.Next == "" {
			break
		}
	}
	if want := "[club-0 1 club-1 1 club-2 1 oslo 2]"; fmt.Sprint(got) != want {
		t.Errorf("clubs %v, want %s", got, want)
	}
}

// Who may not, and what has no form, changes nothing.
func TestClubsWrong(t *testing.T) {
	st, people := clubStage(t)
	guest := st.guest(t)
	before := wire.Encode(st.club(t, ""))
	owner, member, stranger := people["Owner"], people["Member"], people["Stranger"]
	role := func(who me, role string) string {
		return fmt.Sprintf(`{"do":"role","who":%q,"role":%q}`, who.ID, role)
	}
	const acts = "/api/clubs/oslo/acts"
	for _, c := range []struct {
		path, token, body string
		status            int
		code              string
	}{
		{"/api/clubs", "", oslo, 401, wire.CodeUnauthorized},
		{"/api/clubs", guest.Token, oslo, 403, wire.CodeAccountNeeded},
		{"/api/clubs", stranger.Token, oslo, 409, wire.CodeNameTaken},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"","about":""}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"` + strings.Repeat("é", 81) + `","about":""}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"Two\nlines","about":""}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"Oslo","about":"` + strings.Repeat("é", 1001) + `"}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"Oslo 2","name":"Oslo","about":""}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"Oslo"}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"Oslo","about":"","owner":"me"}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","club":"oslo3","name":"Oslo","about":""}`, 400, wire.CodeBadMessage},
		{"/api/clubs", stranger.Token, `{"club":"oslo2","name":"` + strings.Repeat("x", 3*maxBody) + `","about":""}`, 413, wire.CodeTooLarge},
		{acts, "", `{"do":"join"}`, 401, wire.CodeUnauthorized},
		{acts, guest.Token, `{"do":"join"}`, 403, wire.CodeAccountNeeded},
		{"/api/clubs/none-such/acts", stranger.Token, `{"do":"join"}`, 404, wire.CodeUnknownClub},
		{"/api/clubs/No/acts", stranger.Token, `{"do":"join"}`, 404, wire.CodeUnknownClub},
		{acts, stranger.Token, `{"do":"leave"}`, 404, wire.CodeUnknownPerson},
		{acts, stranger.Token, `{"do":"win"}`, 400, wire.CodeBadMessage},
		{acts, stranger.Token, `{}`, 400, wire.CodeBadMessage},
		{acts, stranger.Token, `{"do":"join","who":"me"}`, 400, wire.CodeBadMessage},
		{acts, owner.Token, role(member, "king"), 400, wire.CodeBadMessage},
		{acts, owner.Token, `{"do":"role","who":"` + member.ID + `"}`, 400, wire.CodeBadMessage},
		{acts, owner.Token, `{"do":"remove"}`, 400, wire.CodeBadMessage},
		{acts, owner.Token, role(stranger, "arbiter"), 404, wire.CodeUnknownPerson},
		{acts, owner.Token, role(owner, "member"), 409, wire.CodeLastOwner},
		{acts, owner.Token, `{"do":"leave"}`, 409, wire.CodeLastOwner},
		{acts, stranger.Token, role(stranger, "owner"), 403, wire.CodeForbidden},
		{acts, member.Token, role(member, "owner"), 403, wire.CodeForbidden},
		{acts, people["Arbiter"].Token, `{"do":"remove","who":"` + member.ID + `"}`, 403, wire.CodeForbidden},
		{acts, people["Organiser"].Token, `{"do":"remove","who":"` + owner.ID + `"}`, 403, wire.CodeForbidden},
		{acts, people["Organiser"].Token, `{"do":"about","about":"Mine"}`, 403, wire.CodeForbidden},
	} {
		st.refused(t, "POST", c.path, c.token, c.body, c.status, c.code)
	}
	if after := wire.Encode(st.club(t, "")); string(after) != string(before) {
		t.Errorf("%s, was %s", after, before)
	}
	var list struct{ Clubs []clubLine }
	if st.does(t, "GET", "/api/clubs", "", "", 200, &list); len(list.Clubs) != 1 {
		t.Errorf("clubs %v", list.Clubs)
	}
}

// Programs make no clubs and are in none.
func TestClubsOfBots(t *testing.T) {
	st, people := clubStage(t)
	owner := people["Owner"]
	var bot botView
	st.does(t, "POST", "/api/bots", owner.Token, `{"name":"Robot 1"}`, 201, &bot)
	var key apiTokenView
	st.does(t, "POST", "/api/bots/"+bot.ID+"/tokens", owner.Token, "", 201, &key)
	var program me
	st.does(t, "POST", "/api/enter", "", fmt.Sprintf(`{"token":%q}`, key.Token), 200, &program)
	st.refused(t, "POST", "/api/clubs", program.Token, `{"club":"robots","name":"Robots","about":""}`, 409, wire.CodeNotForBots)
	st.refused(t, "POST", "/api/clubs/oslo/acts", program.Token, `{"do":"join"}`, 409, wire.CodeNotForBots)
	st.refused(t, "POST", "/api/events", program.Token, `{"settings":{}}`, 409, wire.CodeNotForBots)
}

type clubsOfNobody = Clubs

// awayClubs is a database that does not answer.
type awayClubs struct{ clubsOfNobody }

func (awayClubs) Clubs(ctx context.Context, _ string, _ int) ([]store.Club, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		return nil, errors.New("the request would wait for ever")
	}
	return nil, fmt.Errorf("store: %w", store.ErrUnavailable)
}

func (awayClubs) AddClub(context.Context, store.Club, string) error { return store.ErrClubsOwned }

func (awayClubs) JoinClub(context.Context, string, string, time.Time) error {
	return store.ErrClubFull
}

func TestClubsUnavailable(t *testing.T) {
	st, _ := eveningStage(t, func(c *Config) { c.Clubs = awayClubs{} })
	judit := st.register(t, "Judit")
	st.refused(t, "GET", "/api/clubs", "", "", 503, wire.CodeUnavailable)
	st.refused(t, "POST", "/api/clubs", judit.Token, oslo, 409, wire.CodeNoMore)
	st.refused(t, "POST", "/api/clubs/oslo/acts", judit.Token, `{"do":"join"}`, 409, wire.CodeNoMore)
}
