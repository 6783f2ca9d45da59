package edge

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"flagfall/server/wire"
)

// goodActs has every act, with and without its optional fields, and at the ends of what they may be.
var goodActs = []string{
	`{"do":"enter"}`, `{"do":"enter","password":"castle","name":"Søren","claim":"r-1"}`, `{"do":"enter","name":"` + strings.Repeat("é", 80) + `"}`,
	`{"do":"arrive"}`, `{"do":"pause","who":"r-1"}`, `{"do":"return"}`, `{"do":"withdraw","who":"23456789ABCDEFGH"}`, `{"do":"ready"}`,
	`{"do":"report","game":"g1","text":"He spoke to me.\nTwice."}`,
	`{"do":"edit","settings":{}}`,
	`{"do":"edit","settings":{"name":"Arena","terms":{"rules":"fide","base":180000,"mode":"fast","timing":"increment","each":2000},"options":{"ladder":false}}}`, `{"do":"password","password":"x"}`, `{"do":"staff","organisers":["Judit"],"arbiters":[]}`,
	`{"do":"advance","to":"open"}`, `{"do":"advance","to":"published"}`, `{"do":"cancel","why":"rain"}`, `{"do":"admit","who":"r-1"}`,
	`{"do":"remove","who":"r-1","why":"` + strings.Repeat("w", 500) + `"}`, `{"do":"roster","csv":"name,real,rating\nAnn,,1700\n"}`,
	`{"do":"add","name":"Ann"}`, `{"do":"add","name":"Ann","real":"Ann A.","rating":4000}`, `{"do":"add","name":"Ann","real":"","rating":0}`,
	`{"do":"bell","bell":1793003600000,"why":"the lights went out"}`,
	`{"do":"round"}`, `{"do":"hold","held":true,"why":"a speech"}`, `{"do":"announce","text":"Tea"}`, `{"do":"hush","who":"a","on":false}`, `{"do":"unsay","n":1}`,
	`{"do":"duty","on":true}`, `{"do":"pair","white":"a","black":"b","why":"late"}`, `{"do":"expel","who":"a","why":"phone"}`,
	`{"do":"correct","game":"g1","score":"1/2-1/2","why":"misread"}`, `{"do":"correct","game":"g1","score":"0-0","forfeit":true,"why":"nobody came"}`,
	`{"do":"correct","game":"g1","score":"*","why":"annulled"}`, `{"do":"freeze","on":true,"why":"the router"}`, `{"do":"settle","report":"p1","why":"warned"}`,
	`{"do":"rule","game":"g1","act":"stop","why":"noise"}`, `{"do":"rule","game":"g1","act":"resume","why":"silence"}`,
	`{"do":"rule","game":"g1","act":"clocks","clocks":[0,86400000],"why":"defective"}`, `{"do":"rule","game":"g1","act":"warn","side":"w","why":"talk"}`,
	`{"do":"rule","game":"g1","act":"minute","side":"b","why":"talk"}`, `{"do":"rule","game":"g1","act":"loss","side":"w","why":"talk"}`,
	`{"do":"rule","game":"g1","act":"delay","side":"w","why":"claim"}`, `{"do":"rule","game":"g1","act":"unjust","side":"b","why":"no reason"}`,
	`{"do":"rule","game":"g1","act":"result","score":"1-0","why":"agreed"}`, `{"do":"rule","game":"g1","act":"annul","why":"wrong pairing"}`,
	`{"do":"rule","game":"g1","act":"annul","replay":true,"why":"wrong pairing"}`,
}

// badActs are of no act's form: the code, and what the line must name.
var badActs = []struct{ body, code, names string }{
	{`{}`, wire.CodeBadMessage, `"do"`},
	{`{"do":7}`, wire.CodeBadMessage, `"do"`},
	{`{"do":null}`, wire.CodeBadMessage, `"do"`},
	{`{"Do":"ready"}`, wire.CodeBadMessage, `"do"`},
	{`{"do":"win"}`, wire.CodeBadMessage, `"win"`},
	{`{"do":"` + strings.Repeat("x", 500) + `"}`, wire.CodeBadMessage, `xxx...`},
	{`{"do":"ready","do":"pause"}`, wire.CodeBadMessage, `"do"`},
	{`{"do":"ready","who":"a"}`, wire.CodeBadMessage, `"who"`},
	{`{"do":"pause","Who":"a"}`, wire.CodeBadMessage, `"Who"`},
	{`{"do":"pause","who":null}`, wire.CodeBadMessage, `"who"`},
	{`{"do":"pause","who":"../x"}`, wire.CodeBadMessage, `"who"`},
	{`{"do":"pause","who":"` + strings.Repeat("a", 33) + `"}`, wire.CodeBadMessage, `"who"`},
	{`{"do":"enter","password":""}`, wire.CodeBadMessage, `"password"`},
	{`{"do":"enter","password":5}`, wire.CodeBadMessage, `"password"`},
	{`{"do":"enter","password":"` + strings.Repeat("x", 129) + `"}`, wire.CodeBadMessage, `"password"`},
	{`{"do":"enter","name":"` + strings.Repeat("x", 81) + `"}`, wire.CodeBadMessage, `"name"`},
	{`{"do":"report","game":"g1"}`, wire.CodeBadMessage, `"text"`},
	{`{"do":"report","game":"g1","text":""}`, wire.CodeBadMessage, `"text"`},
	{`{"do":"report","game":"g1","text":"` + strings.Repeat("x", 2001) + `"}`, wire.CodeBadMessage, `"text"`},
	{`{"do":"edit"}`, wire.CodeBadMessage, `"settings"`},
	{`{"do":"edit","settings":[]}`, wire.CodeBadMessage, `"settings"`},
	{`{"do":"edit","settings":null}`, wire.CodeBadMessage, `"settings"`},
	{`{"do":"edit","settings":{"colour":"red"}}`, wire.CodeBadSettings, `"colour"`},
	{`{"do":"edit","settings":{"Name":"Arena"}}`, wire.CodeBadSettings, `"Name"`},
	{`{"do":"edit","settings":{"terms":{"RuleSet":"wbca"}}}`, wire.CodeBadSettings, `"RuleSet"`},
	{`{"do":"edit","settings":{"terms":[]}}`, wire.CodeBadSettings, `"settings.terms"`},
	{`{"do":"edit","settings":{"options":{"lader":true}}}`, wire.CodeBadSettings, `"lader"`},
	{`{"do":"staff","organisers":["Judit"]}`, wire.CodeBadMessage, `"arbiters"`},
	{`{"do":"staff","organisers":null,"arbiters":[]}`, wire.CodeBadMessage, `"organisers"`},
	{`{"do":"staff","organisers":"Judit","arbiters":[]}`, wire.CodeBadMessage, `"organisers"`},
	{`{"do":"staff","organisers":[` + strings.Repeat(`"Judit",`, mostStaff) + `"Judit"],"arbiters":[]}`, wire.CodeBadMessage, `"organisers"`},
	{`{"do":"advance","to":"running "}`, wire.CodeBadMessage, `"to"`},
	{`{"do":"advance","to":"draft"}`, wire.CodeBadMessage, `"to"`},
	{`{"do":"cancel"}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"cancel","why":""}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"cancel","why":7}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"cancel","why":"` + strings.Repeat("w", 501) + `"}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"roster"}`, wire.CodeBadMessage, `"csv"`},
	{`{"do":"roster","csv":["Ann"]}`, wire.CodeBadMessage, `"csv"`},
	{`{"do":"add"}`, wire.CodeBadMessage, `"name"`},
	{`{"do":"add","name":"Ann","rating":4001}`, wire.CodeBadMessage, `"rating"`},
	{`{"do":"add","name":"Ann","rating":-1}`, wire.CodeBadMessage, `"rating"`},
	{`{"do":"add","name":"Ann","rating":"1700"}`, wire.CodeBadMessage, `"rating"`},
	{`{"do":"add","name":"Ann","rating":1700.5}`, wire.CodeBadMessage, `"rating"`},
	{`{"do":"bell","bell":0,"why":"now"}`, wire.CodeBadMessage, `"bell"`},
	{`{"do":"bell","bell":1e300,"why":"never"}`, wire.CodeBadMessage, `"bell"`},
	{`{"do":"hold","held":1,"why":"a speech"}`, wire.CodeBadMessage, `"held"`},
	{`{"do":"hush","who":"a","on":null}`, wire.CodeBadMessage, `"on"`},
	{`{"do":"unsay","n":0}`, wire.CodeBadMessage, `"n"`},
	{`{"do":"pair","white":"a","why":"late"}`, wire.CodeBadMessage, `"black"`},
	{`{"do":"correct","game":"g1","score":"2-0","why":"x"}`, wire.CodeBadMessage, `"score"`},
	{`{"do":"correct","game":"g1","score":"1-0","forfeit":"yes","why":"x"}`, wire.CodeBadMessage, `"forfeit"`},
	{`{"do":"rule","game":"g1","act":"duty","why":"x"}`, wire.CodeBadMessage, `"act"`},
	{`{"do":"rule","game":"g1","act":"stop"}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"rule","game":"g1","act":"clocks","why":"x"}`, wire.CodeBadMessage, `"clocks"`},
	{`{"do":"rule","game":"g1","act":"clocks","clocks":[1],"why":"x"}`, wire.CodeBadMessage, `"clocks"`},
	{`{"do":"rule","game":"g1","act":"clocks","clocks":[1,2,3],"why":"x"}`, wire.CodeBadMessage, `"clocks"`},
	{`{"do":"rule","game":"g1","act":"clocks","clocks":[-1,2],"why":"x"}`, wire.CodeBadMessage, `"clocks"`},
	{`{"do":"rule","game":"g1","act":"clocks","clocks":[1,86400001],"why":"x"}`, wire.CodeBadMessage, `"clocks"`},
	{`{"do":"rule","game":"g1","act":"warn","why":"x"}`, wire.CodeBadMessage, `"side"`},
	{`{"do":"rule","game":"g1","act":"warn","side":"white","why":"x"}`, wire.CodeBadMessage, `"side"`},
	{`{"do":"rule","game":"g1","act":"result","why":"x"}`, wire.CodeBadMessage, `"score"`},
	{`{"do":"rule","game":"g1","act":"stop","side":"w","why":"x"}`, wire.CodeBadMessage, `"side"`},
	{`{"do":"rule","game":"g1","act":"loss","side":"w","replay":true,"why":"x"}`, wire.CodeBadMessage, `"replay"`},
	{`[]`, wire.CodeBadMessage, "object"},
	{`"ready"`, wire.CodeBadMessage, "object"},
	{`{"do":"ready"`, wire.CodeBadMessage, "object"},
	{`{"do":"ready"} {}`, wire.CodeBadMessage, "object"},
	{"{\"do\":\"announce\",\"text\":\"\xff\"}", wire.CodeBadMessage, "object"},
}

// looksAlike are acts that a schema cannot tell from good ones: text that is empty to the eye, or turns what stands around it.
var looksAlike = []struct{ body, code, names string }{
	{`{"do":"cancel","why":" \t\n"}`, wire.CodeNeedsReason, `"why"`},
	{`{"do":"announce","text":"\u0007"}`, wire.CodeBadMessage, `"text"`},
	{`{"do":"announce","text":"a \u202e b"}`, wire.CodeBadMessage, `"text"`},
	{`{"do":"enter","name":"Ann\nBob"}`, wire.CodeBadMessage, `"name"`},
	{`{"do":"add","name":"   "}`, wire.CodeBadMessage, `"name"`},
	{`{"do":"add","name":"\u200b\u200d"}`, wire.CodeBadMessage, `"name"`},
	{`{"do":"staff","organisers":["a/b"],"arbiters":[]}`, wire.CodeBadMessage, `"organisers"`},
	{`{"do":"bell","bell":9007199254740992,"why":"never"}`, wire.CodeBadMessage, `"bell"`},
	{`{"do":"edit","settings":{"options":{"ladder":true,"ladder":false}}}`, wire.CodeBadSettings, `"settings.options"`},
	{`{"do":"report","game":"` + strings.Repeat("g", 20000) + `","text":"x"}`, wire.CodeTooLarge, `16384`},
}

// What the edge takes for an act is what is described, and it says what is wrong with any other.
func TestActForms(t *testing.T) {
	checker, err := described()
	if err != nil {
		t.Fatal(err)
	}
	asDescribed := func(body string) error {
		r, err := http.NewRequest("POST", "http://chess.example"+friday+"/acts", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		return checker.Request(r)
	}
	done := map[string]bool{}
	for _, body := range goodActs {
		a, err := readAct([]byte(body))
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
		done[a.do] = true
		if err := asDescribed(body); err != nil {
			t.Errorf("described otherwise: %v", err)
		}
	}
	for do := range actForms {
		if !done[do] {
			t.Errorf("%s is not tried", do)
		}
	}
	for _, c := range slices.Concat(badActs, looksAlike) {
		_, err := readAct([]byte(c.body))
		var refusal *wire.Refusal
		if !errors.As(err, &refusal) || refusal.Code != c.code || !strings.Contains(refusal.Msg, c.names) {
			t.Errorf("%.100s: %v, want %s that names %s", c.body, err, c.code, c.names)
		}
	}
	for _, c := range badActs {
		plain := utf8.ValidString(c.body) && !strings.Contains(c.body, `"do":"ready","do"`) && !strings.HasSuffix(c.body, "{}") // what JSON readers let pass
		if plain && asDescribed(c.body) == nil {
			t.Errorf("%.100s: the description takes it", c.body)
		}
	}
}

// Only what is of an act's form reaches the event, as it was sent, and what it says comes back.
func TestActs(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	for _, body := range goodActs {
		var answer map[string]any
		st.does(t, "POST", friday+"/acts", guest.Token, body, 200, &answer)
		if said, want := e.take(), []string{guest.Name + " act " + body}; !slices.Equal(said, want) {
			t.Errorf("asked %q, want %q", said, want)
		}
	}
	for _, c := range slices.Concat(badActs, looksAlike) {
		status := map[string]int{wire.CodeTooLarge: 413}[c.code]
		if status == 0 {
			status = 400
		}
		st.refused(t, "POST", friday+"/acts", guest.Token, c.body, status, c.code)
	}
	const ready = `{"do":"ready"}`
	st.refused(t, "POST", friday+"/acts", "", ready, 401, wire.CodeUnauthorized)
	st.refused(t, "POST", friday+"/acts", guest.Token, "", 415, wire.CodeUnsupportedMedia)
	st.refused(t, "POST", friday+"/acts?key=a%20b", guest.Token, ready, 400, wire.CodeBadMessage)
	st.refused(t, "POST", "/api/events/none-such/acts", guest.Token, ready, 404, wire.CodeUnknownEvent)
	st.refused(t, "POST", "/api/events/No/acts", guest.Token, ready, 404, wire.CodeUnknownEvent)
	res, body := st.ask(t, "POST", friday+"/acts", ready, "Content-Type", "application/json", "Authorization", "Bearer "+guest.Token, "Origin", "https://other.example")
	if res.StatusCode != 403 || !strings.Contains(body, wire.CodeForbiddenOrigin) {
		t.Errorf("another site's page: %d %s", res.StatusCode, body)
	}
	if said := e.take(); len(said) > 0 {
		t.Errorf("asked for %q", said)
	}
}

// A long list of players is taken, one that is too long is not.
func TestRosterSize(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	roster := func(size int) string {
		const frame = `{"do":"roster","csv":""}`
		return `{"do":"roster","csv":"` + strings.Repeat("x", size-len(frame)) + `"}`
	}
	st.does(t, "POST", friday+"/acts", guest.Token, roster(maxRoster), 200, nil)
	st.refused(t, "POST", friday+"/acts", guest.Token, roster(maxRoster+1), 413, wire.CodeTooLarge)
	if said := e.take(); len(said) != 1 {
		t.Errorf("%d asked", len(said))
	}
	e.wants("roster", wire.Refusef(wire.CodeBadRoster, "Line 3: no name."))
	st.refused(t, "POST", friday+"/acts", guest.Token, `{"do":"roster","csv":"Ann"}`, 400, wire.CodeBadRoster)
}

// What is said, and previews, have a form, too.
func TestChatAndPreviewForms(t *testing.T) {
	st, e := eveningStage(t, nil)
	guest := st.guest(t)
	st.does(t, "POST", friday+"/chat", guest.Token, `{"text":"`+strings.Repeat("é", 300)+`"}`, 200, nil)
	st.does(t, "POST", friday+"/preview", guest.Token, `{"game":"g1","score":"0-1","forfeit":true}`, 200, nil)
	e.take()
	for _, c := range []struct{ path, body string }{
		{"/chat", `{}`}, {"/chat", `{"text":""}`}, {"/chat", `{"text":7}`}, {"/chat", `{"text":"two\nlines"}`}, {"/chat", `{"text":"` + strings.Repeat("x", 301) + `"}`}, {"/chat", `{"text":"a","who":"b"}`},
		{"/chat", `{"text":"a","text":"b"}`}, {"/chat", `[]`}, {"/preview", `{"game":"g1"}`}, {"/preview", `{"game":"g1","score":"won"}`}, {"/preview", `{"game":"g 1","score":"1-0"}`},
		{"/preview", `{"game":"g1","score":"1-0","why":"x"}`},
	} {
		st.refused(t, "POST", friday+c.path, guest.Token, c.body, 400, wire.CodeBadMessage)
	}
	st.refused(t, "POST", friday+"/chat", guest.Token, `{"text":"`+strings.Repeat("x", maxBody)+`"}`, 413, wire.CodeTooLarge)
	if said := e.take(); len(said) > 0 {
		t.Errorf("asked for %q", said)
	}
}

// FuzzAct reads what it takes the same way as a plain JSON reader, and refuses everything else with a code.
func FuzzAct(f *testing.F) {
	for _, body := range goodActs {
		f.Add([]byte(body))
	}
	for _, c := range slices.Concat(badActs, looksAlike) {
		f.Add([]byte(c.body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := readAct(body)
		var refusal *wire.Refusal
		if err != nil {
			if !errors.As(err, &refusal) || refusal.Msg == "" {
				t.Fatalf("%q: %v", body, err)
			}
			return
		}
		var plain map[string]json.RawMessage
		if err := json.Unmarshal(body, &plain); err != nil || len(plain) != len(a.fields) || !utf8.Valid(body) {
			t.Fatalf("%q: taken with %d fields, there are %d, %v", body, len(a.fields), len(plain), err)
		}
		var do string
		if err := json.Unmarshal(plain["do"], &do); err != nil || do != a.do {
			t.Fatalf("%q: read as %s, %v", body, a.do, err)
		}
	})
}
