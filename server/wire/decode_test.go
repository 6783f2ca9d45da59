package wire_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"flagfall/server/wire"
)

// goodMessages has every message a client may send, with and without its optional fields, and at the ends of ranges.
var goodMessages = []string{
	`{"t":"ping"}`,
	`{"t":"seek","id":"1","base":1000,"mode":"board"}`,
	`{"t":"seek","id":"1","base":10800000,"mode":"fast"}`,
	` { "mode" : "fast" , "base":180000, "id":"Az09_-", "t":"seek" } `,
	`{"t":"cancel","id":"` + strings.Repeat("a", 32) + `"}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"white"}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"random"}`,
	`{"t":"accept","id":"1","invite":"abc"}`,
	`{"t":"rematch","id":"1","game":"abc"}`,
	`{"t":"join","id":"1","game":"abc"}`,
	`{"t":"join","id":"1","game":"abc","since":9007199254740991}`,
	`{"t":"leave"}`,
	`{"t":"here"}`,
	`{"t":"here","visible":true}`,
	`{"t":"here","visible":false}`,
	`{"t":"move","id":"1","m":"e2e4","ply":0}`,
	`{"t":"move","id":"1","m":"a7a8q","ply":100000,"press":true}`,
	`{"t":"move","id":"1","m":"e1e1","ply":3}`,
	`{"t":"press","id":"1","ply":0}`,
	`{"t":"retract","id":"1","ply":17}`,
	`{"t":"claim","id":"1","claim":"illegal"}`,
	`{"t":"claim","id":"1","claim":"both_flags"}`,
	`{"t":"resign","id":"1"}`,
	`{"t":"offer","id":"1"}`,
	`{"t":"answer","id":"1"}`,
	`{"t":"answer","id":"1","accept":true}`,
	`{"t":"mute","id":"1"}`,
	`{"t":"seek","id":"1","base":180000,"mode":"fast","rules":"fide","timing":"increment","each":1}`,
	`{"t":"seek","id":"1","base":180000,"mode":"fast","rules":"cca"}`,
	`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"bronstein","each":180000}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"black","rules":"uscf","timing":"delay","each":5000}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"black","rules":"wbca"}`,
	`{"t":"claim","id":"1","claim":"draw"}`,
	`{"t":"claim","id":"1","claim":"draw_8f"}`,
	`{"t":"claim","id":"1","claim":"8d"}`,
	`{"t":"claim","id":"1","claim":"8i"}`,
	`{"t":"claim","id":"1","claim":"threefold"}`,
	`{"t":"claim","id":"1","claim":"fifty"}`,
	`{"t":"claim","id":"1","claim":"ilc"}`,
	`{"t":"demo","id":"1","m":"e7e8q"}`,
	`{"t":"concede","id":"1"}`,
	`{"t":"dispute","id":"1"}`,
	`{"t":"\u0070ing"}`,
	`{"t":"seek","id":"1","base":180000,"mode":"fast","min":0,"max":1,"casual":false}`,
	`{"t":"seek","id":"1","base":180000,"mode":"fast","min":4000,"max":4000,"casual":true}`,
	`{"t":"list","id":"1"}`,
	`{"t":"take","id":"1","seek":"abc"}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"black","to":"A. Name_-9","casual":true}`,
	`{"t":"invite","id":"1","base":60000,"mode":"board","color":"black","to":"` + strings.Repeat("a", 24) + `"}`,
	`{"t":"decline","id":"1","invite":"abc"}`,
	`{"t":"block","id":"1","who":"23456789ABCDEFGH"}`,
	`{"t":"unblock","id":"1","who":"23456789ABCDEFGH"}`,
	`{"t":"blocks","id":"1"}`,
	`{"t":"attend","id":"1","event":"abc"}`,
	`{"t":"attend","id":"1","event":"0` + strings.Repeat("-", 39) + `","key":"Az09_-","visible":true,"desk":true}`,
	`{"t":"attend","id":"1","event":"friday-arena","key":"` + strings.Repeat("k", 64) + `","visible":false,"desk":false}`,
	`{"t":"depart","id":"1"}`,
}

// refused are objects that are no message: the code, and what the line must name.
var refused = []struct{ frame, code, names string }{
	{`{}`, wire.CodeBadMessage, `"t"`},
	{`{"T":"ping"}`, wire.CodeBadMessage, `"t"`},
	{`{"t":1}`, wire.CodeBadMessage, `"t"`},
	{`{"t":"PING"}`, wire.CodeUnknownMessage, `"PING"`},
	{`{"t":"hello"}`, wire.CodeUnknownMessage, `"hello"`},
	{`{"t":"` + strings.Repeat("x", 500) + `"}`, wire.CodeUnknownMessage, `xxx...`},
	{`{"t":"ping","id":"1"}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":"1","ply":0,"lag":500}`, wire.CodeBadMessage, `"lag"`},
	{`{"t":"press","id":"1","ply":0,"think":0}`, wire.CodeBadMessage, `"think"`},
	{`{"t":"press","id":"1","ply":0,"Ply":0}`, wire.CodeBadMessage, `"Ply"`},
	{`{"t":"press","id":"1"}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","ply":1}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":"","ply":1}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":"a b","ply":1}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":"` + strings.Repeat("a", 33) + `","ply":1}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":7,"ply":1}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"press","id":"1","ply":-1}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":100001}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":0.5}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":"0"}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":null}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":[0]}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":{"a":"}"}}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"press","id":"1","ply":99999999999999999999}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"move","id":"1","m":"e2","ply":0}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"move","id":"1","m":"e2e9","ply":0}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"move","id":"1","m":"E2E4","ply":0}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"move","id":"1","m":"a7a8k","ply":0}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"move","id":"1","m":"Nf3","ply":0}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"move","id":"1","m":"e2e4","ply":0,"press":1}`, wire.CodeBadMessage, `"press"`},
	{`{"t":"seek","id":"1","base":999,"mode":"fast"}`, wire.CodeBadMessage, `"base"`},
	{`{"t":"seek","id":"1","base":10800001,"mode":"fast"}`, wire.CodeBadMessage, `"base"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"Fast"}`, wire.CodeBadMessage, `"mode"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"w"}`, wire.CodeBadMessage, `"color"`},
	{`{"t":"join","id":"1","game":"../x"}`, wire.CodeBadMessage, `"game"`},
	{`{"t":"join","id":"1","game":"x","since":-1}`, wire.CodeBadMessage, `"since"`},
	{`{"t":"join","id":"1","game":"x","since":9007199254740992}`, wire.CodeBadMessage, `"since"`},
	{`{"t":"claim","id":"1","claim":"win"}`, wire.CodeBadMessage, `"claim"`},
	{`{"t":"here","visible":"true"}`, wire.CodeBadMessage, `"visible"`},
	{`{"t":"attend","id":"1"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","event":"abc"}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"attend","id":"1","event":"ab"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","id":"1","event":"-ab"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","id":"1","event":"Abc"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","id":"1","event":"a/b"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","id":"1","event":"` + strings.Repeat("a", 41) + `"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"attend","id":"1","event":"abc","key":""}`, wire.CodeBadMessage, `"key"`},
	{`{"t":"attend","id":"1","event":"abc","key":"a b"}`, wire.CodeBadMessage, `"key"`},
	{`{"t":"attend","id":"1","event":"abc","key":"` + strings.Repeat("k", 65) + `"}`, wire.CodeBadMessage, `"key"`},
	{`{"t":"attend","id":"1","event":"abc","visible":1}`, wire.CodeBadMessage, `"visible"`},
	{`{"t":"attend","id":"1","event":"abc","desk":"yes"}`, wire.CodeBadMessage, `"desk"`},
	{`{"t":"depart"}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"depart","id":"1","event":"abc"}`, wire.CodeBadMessage, `"event"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","rules":"WBCA"}`, wire.CodeBadMessage, `"rules"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","rules":""}`, wire.CodeBadMessage, `"rules"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"","each":1}`, wire.CodeBadMessage, `"timing"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"fischer","each":1}`, wire.CodeBadMessage, `"timing"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"increment","each":0}`, wire.CodeBadMessage, `"each"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"increment","each":180001}`, wire.CodeBadMessage, `"each"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","timing":"increment"}`, wire.CodeBadMessage, `"each"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","each":2000}`, wire.CodeBadMessage, `"timing"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"black","each":2000}`, wire.CodeBadMessage, `"timing"`},
	{`{"t":"accept","id":"1","invite":"abc","rules":"fide"}`, wire.CodeBadMessage, `"rules"`},
	{`{"t":"claim","id":"1","claim":"king"}`, wire.CodeBadMessage, `"claim"`},
	{`{"t":"claim","id":"1","claim":"8f"}`, wire.CodeBadMessage, `"claim"`},
	{`{"t":"claim","id":"1","claim":"time_called"}`, wire.CodeBadMessage, `"claim"`},
	{`{"t":"demo","id":"1"}`, wire.CodeBadMessage, `"m"`},
	{`{"t":"demo","id":"1","m":"e7e8","ply":3}`, wire.CodeBadMessage, `"ply"`},
	{`{"t":"concede"}`, wire.CodeBadMessage, `"id"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","min":-1}`, wire.CodeBadMessage, `"min"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","min":4001}`, wire.CodeBadMessage, `"min"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","max":0}`, wire.CodeBadMessage, `"max"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","max":4001}`, wire.CodeBadMessage, `"max"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","casual":1}`, wire.CodeBadMessage, `"casual"`},
	{`{"t":"seek","id":"1","base":180000,"mode":"fast","to":"Ann"}`, wire.CodeBadMessage, `"to"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"black","min":1}`, wire.CodeBadMessage, `"min"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"black","to":""}`, wire.CodeBadMessage, `"to"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"black","to":"a<b"}`, wire.CodeBadMessage, `"to"`},
	{`{"t":"invite","id":"1","base":180000,"mode":"fast","color":"black","to":"` + strings.Repeat("a", 25) + `"}`, wire.CodeBadMessage, `"to"`},
	{`{"t":"take","id":"1"}`, wire.CodeBadMessage, `"seek"`},
	{`{"t":"take","id":"1","seek":"a b"}`, wire.CodeBadMessage, `"seek"`},
	{`{"t":"decline","id":"1"}`, wire.CodeBadMessage, `"invite"`},
	{`{"t":"block","id":"1"}`, wire.CodeBadMessage, `"who"`},
	{`{"t":"block","id":"1","who":"a/b"}`, wire.CodeBadMessage, `"who"`},
	{`{"t":"blocks","id":"1","who":"abc"}`, wire.CodeBadMessage, `"who"`},
	{`{"t":"dispute","id":"1","why":"noise"}`, wire.CodeBadMessage, `"why"`},
}

func badMessages() []string {
	var all []string
	for _, r := range refused {
		all = append(all, r.frame)
	}
	return all
}

func TestDecode(t *testing.T) {
	for _, frame := range goodMessages {
		got, err := wire.Decode([]byte(frame))
		if err != nil {
			t.Errorf("%s: %v", frame, err)
			continue
		}
		var want wire.ClientMessage
		if err := json.Unmarshal([]byte(frame), &want); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", frame, got, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, r := range refused {
		got, err := wire.Decode([]byte(r.frame))
		var refusal *wire.Refusal
		if !errors.As(err, &refusal) || refusal.Code != r.code || !strings.Contains(refusal.Msg, r.names) {
			t.Errorf("%s: %+v, error %v; want %s naming %s", r.frame, got, err, r.code, r.names)
		}
	}
	// A schema cannot see a member that is there twice.
	if _, err := wire.Decode([]byte(`{"t":"resign","id":"1","id":"2"}`)); err == nil || !strings.Contains(err.Error(), `"id"`) {
		t.Errorf("a field twice: %v", err)
	}
	// The command's id goes back with the refusal.
	if m, err := wire.Decode([]byte(`{"t":"press","x":1,"id":"c9"}`)); err == nil || m.ID != "c9" {
		t.Errorf("id %q, error %v", m.ID, err)
	}
}

func TestDecodeNotJSON(t *testing.T) {
	for _, frame := range []string{
		``, ` `, `null`, `1`, `"ping"`, `[]`, `[{"t":"ping"}]`, `{"t":"ping"`, `{"t":"ping"}}`, `{"t":"ping"}{"t":"ping"}`, `{t:"ping"}`,
		`{'t':'ping'}`, `{"t":"ping",}`, "{\"t\":\"\xff\"}", "{\"t\":\"\xed\xa0\x80\"}", "\xef\xbb\xbf{\"t\":\"ping\"}",
		`{"t":"ping"` + strings.Repeat(`,"a":1`, 100) + `}`, strings.Repeat(`{"a":`, 2000),
	} {
		if m, err := wire.Decode([]byte(frame)); !errors.Is(err, wire.ErrNotJSON) {
			t.Errorf("%.40s: %+v, error %v; want ErrNotJSON", frame, m, err)
		}
	}
}

// FuzzDecode: nothing panics, and what is taken is what encoding/json reads and comes through again.
func FuzzDecode(f *testing.F) {
	for _, frame := range goodMessages {
		f.Add([]byte(frame))
	}
	for _, frame := range badMessages() {
		f.Add([]byte(frame))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		got, err := wire.Decode(frame)
		if err != nil {
			return
		}
		var want wire.ClientMessage
		if err := json.Unmarshal(frame, &want); err != nil {
			t.Fatalf("%s: taken, but %v", frame, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %+v, encoding/json says %+v", frame, got, want)
		}
		again, err := wire.Decode(wire.Encode(got))
		if err != nil || !reflect.DeepEqual(again, got) {
			t.Fatalf("%s: comes back as %+v, %v", frame, again, err)
		}
	})
}

func TestRefusal(t *testing.T) {
	err := error(wire.Refuse(wire.CodeGameOver))
	if !errors.Is(err, wire.Refuse(wire.CodeGameOver)) || errors.Is(err, wire.Refuse(wire.CodeFlagUp)) {
		t.Error("refusals are equal when their codes are")
	}
	for _, code := range wire.Codes() {
		if msg := wire.Refuse(code).Msg; !strings.HasSuffix(msg, ".") && !strings.HasSuffix(msg, "first.") {
			t.Errorf("%s: %q is no sentence", code, msg)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	frame := []byte(`{"t":"move","id":"k3f9a-117","m":"e2e4","ply":34,"press":true}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.Decode(frame); err != nil {
			b.Fatal(err)
		}
	}
}
