package wire_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"flagfall/server/wire"
	"flagfall/server/wire/wiretest"
)

func checker(t testing.TB) *wiretest.Checker {
	t.Helper()
	c, err := wiretest.New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// schemaOf gives the members of a schema and which are required.
func schemaOf(t *testing.T, c *wiretest.Checker, name string) (members, required []string) {
	t.Helper()
	schema, ok := c.Lookup("components", "schemas", name).(map[string]any)
	if !ok {
		t.Fatalf("no schema %s", name)
	}
	if schema["additionalProperties"] != false {
		t.Errorf("schema %s takes further members", name)
	}
	for member := range schema["properties"].(map[string]any) {
		members = append(members, member)
	}
	always, _ := schema["required"].([]any) // missing where nothing is
	for _, member := range always {
		required = append(required, member.(string))
	}
	sort.Strings(members)
	sort.Strings(required)
	return members, required
}

// membersOf gives the JSON members of a struct, those of embedded ones too, and which are always there.
func membersOf(kind reflect.Type) (members, required []string) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		if field.Anonymous {
			more, always := membersOf(field.Type)
			members, required = append(members, more...), append(required, always...)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		members = append(members, name)
		if !strings.Contains(options, "omitempty") {
			required = append(required, name)
		}
	}
	return members, required
}

// schemaName is the schema of a struct: Claim is that of the client's message.
func schemaName(kind reflect.Type) string {
	if kind == reflect.TypeFor[wire.Claim]() {
		return "Judged"
	}
	return kind.Name()
}

// Every Go field is described, and nothing else is.
func TestServerMessagesDescribed(t *testing.T) {
	c := checker(t)
	for _, value := range []any{
		wire.Hello{}, wire.Pong{}, wire.Hold{}, wire.Error{}, wire.Done{}, wire.Seeking{}, wire.Idle{}, wire.Invited{}, wire.Rematch{}, wire.Paired{},
		wire.State{}, wire.Joined{}, wire.Events{}, wire.Event{}, wire.Person{}, wire.Clocks{}, wire.Ply{}, wire.Queued{}, wire.End{},
		wire.Risk{}, wire.Claim{}, wire.Demo{}, wire.Seeks{}, wire.OpenSeek{}, wire.Challenge{}, wire.Uninvited{}, wire.Blocks{}, wire.Reach{},
		wire.EventNews{}, wire.Standing{}, wire.Notice{}, wire.EntryNews{}, wire.Because{}, wire.DeskNews{},
	} {
		kind := reflect.TypeOf(value)
		members, required := membersOf(kind)
		sort.Strings(members)
		sort.Strings(required)
		gotMembers, gotRequired := schemaOf(t, c, schemaName(kind))
		if !slices.Equal(members, gotMembers) || !slices.Equal(required, gotRequired) {
			t.Errorf("%s has %v (always: %v), described are %v (%v)", kind.Name(), members, required, gotMembers, gotRequired)
		}
	}
}

// constants of the package's source, by the prefix of their names.
func constants(t *testing.T, prefix string) map[string]string {
	t.Helper()
	files := token.NewFileSet()
	found := map[string]string{}
	for _, name := range []string{"messages.go", "events.go", "codes.go"} {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, prefix) {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok {
				found[spec.Names[0].Name] = literal.Value
			}
			return true
		})
	}
	if len(found) == 0 {
		t.Fatalf("no constant %s", prefix)
	}
	return found
}

func TestErrorCodesDescribed(t *testing.T) {
	c := checker(t)
	described := c.Lookup("components", "schemas", "ErrorCode", "enum").([]any)
	lines := c.Lookup("components", "schemas", "ErrorCode", "x-messages").(map[string]any)
	all := constants(t, "Code")
	if len(described) != len(all) || len(lines) != len(all) || len(wire.Codes()) != len(all) {
		t.Errorf("%d constants, %d in Codes, %d described, %d with a line", len(all), len(wire.Codes()), len(described), len(lines))
	}
	for name, literal := range all {
		code, err := strconv.Unquote(literal)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(described, any(code)) || lines[code] != wire.Message(code) || wire.Message(code) == "" {
			t.Errorf("%s = %s: line %q, described %v", name, code, wire.Message(code), lines[code])
		}
	}
}

func TestCloseCodesDescribed(t *testing.T) {
	c := checker(t)
	described := map[string]string{}
	for _, one := range c.Lookup("x-close-codes").([]any) {
		entry := one.(map[string]any)
		if name, ok := entry["name"].(string); ok {
			described[name] = entry["code"].(json.Number).String()
		}
		if entry["meaning"] == nil {
			t.Errorf("no meaning: %v", entry)
		}
	}
	if all := constants(t, "Close"); !reflect.DeepEqual(all, described) {
		t.Errorf("constants %v, described %v", all, described)
	}
}

// What the decoder takes is what the schemas describe.
func TestDecoderAgreesWithSchemas(t *testing.T) {
	c := checker(t)
	for _, frame := range slices.Concat(goodMessages, badMessages()) {
		_, err := wire.Decode([]byte(frame))
		if described := c.Client([]byte(frame)); (err == nil) != (described == nil) {
			t.Errorf("%s: decoded with %v, described with %v", frame, err, described)
		}
	}
}

// Frames as servers have sent them.
func TestRecordedFrames(t *testing.T) {
	c := checker(t)
	for _, frame := range []string{
		`{"t":"hello","v":1,"you":{"id":"23456789ABCDEFGH","name":"Guest 4F7K"}}`,
		`{"t":"hold","on":true,"why":"journal"}`,
		`{"t":"hold","on":false}`,
		`{"t":"err","id":"7","code":"not_on_move","msg":"It is not your move."}`,
		`{"t":"ev","n":18,"id":"m7","at":41250,"clk":{"w":176000,"b":180000,"run":"b","flags":""},"e":[{"k":"press","by":"w","lag":12}]}`,
		`{"t":"ev","n":19,"id":"c8","at":41300,"clk":{"w":116000,"b":180000,"run":"w","flags":""},"e":[{"k":"denied","by":"w","claim":"draw","code":"penalty_60s","take":60000,"rule":"WBCA 13b"}]}`,
		`{"t":"ev","n":20,"at":42300,"clk":{"w":116000,"b":180000,"run":"","flags":""},"e":[{"k":"proof","by":"w","claim":"8e"}]}`,
		`{"t":"seeking","id":"s","base":180000,"mode":"fast","rules":"fide","timing":"increment","each":2000,"rating":1500}`,
		`{"t":"seeking","base":180000,"mode":"fast","rules":"wbca","rating":1620,"reach":{"from":50,"grows":25,"anybody":20000,"waited":3000}}`,
		`{"t":"seeks","id":"l","seeks":[{"seek":"s","by":{"id":"23456789ABCDEFGH","name":"Ann"},"rating":1712,"base":60000,"mode":"fast","rules":"fide","min":1600,"casual":true,"rated":false,"fits":true}]}`,
		`{"t":"challenge","invite":"i","by":{"id":"23456789ABCDEFGH","name":"Robot","bot":true},"base":300000,"mode":"board","color":"random","wbca":true,"rated":false,"rules":"wbca"}`,
		`{"t":"uninvited","invite":"i","why":"declined"}`,
		`{"t":"blocks","id":"b","people":[]}`,
		`{"t":"event","id":"a","event":"friday-arena","n":7,"now":1793000000000,"phase":"running","name":"Friday arena","bell":1793003600000,"started":1793000000000,"held":false,"entries":3,"lines":1,"here":2,"playing":2,"waiting":0,"games":1,"top":[{"place":1,"id":"23456789ABCDEFGH","name":"Ann","rating":1712,"status":"in","points":2,"games":1,"wins":1,"draws":0,"losses":0,"direct":0,"sb":0}],"notices":[{"at":1793000000001,"by":"Jo","text":"Good luck"}],"boards":["g2"],"chat":0}`,
		`{"t":"entry","event":"friday-arena","status":"in","place":2,"points":0,"games":1,"here":true,"ready":false,"since":1793000010000,"because":{"code":"all_play","text":"3 others are playing","others":3,"next":1793000011000}}`,
		`{"t":"entry","event":"friday-arena","status":"in","place":1,"points":2,"games":1,"here":true,"ready":true,"game":"g2","color":"w","opponent":"Søren Kierkegaard"}`,
		`{"t":"desk","event":"friday-arena","n":8}`,
		`{"t":"ev","n":21,"at":42400,"clk":{"w":116000,"b":240000,"run":"w","flags":""},"e":[{"k":"ruling","by":"w","who":"A. Biter","why":"noise","act":"minute","add":60000}]}`,
		`{"t":"ev","n":22,"at":42500,"clk":{"w":116000,"b":240000,"run":"","flags":""},"e":[{"k":"ruling","who":"A. Biter","why":"by hand","act":"result","score":"1/2-1/2"},{"k":"end","end":{"result":"1/2-1/2","reason":"arbiter","rule":"","text":"The arbiter set the result"}}]}`,
	} {
		if err := c.Server([]byte(frame)); err != nil {
			t.Error(err)
		}
	}
	for name, frame := range map[string]string{
		"a first time":       `{"t":"ev","n":1,"at":0,"clk":{"w":1,"b":1,"run":"","flags":""},"e":[{"k":"press","by":"w","seen":1}]}`,
		"a side board's FEN": `{"t":"ev","n":1,"at":0,"clk":{"w":1,"b":1,"run":"","flags":""},"e":[{"k":"restored","by":"w","board":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"}]}`,
		"a further field":    `{"t":"pong","legal":true}`,
		"legality":           `{"t":"ev","n":1,"at":0,"clk":{"w":1,"b":1,"run":"","flags":""},"e":[{"k":"move","by":"w","m":"e2e5","legal":false}]}`,
		"castling rights":    `{"t":"state","game":"g","n":1,"you":"","white":{"id":"a","name":"b"},"black":{"id":"c","name":"d"},"rules":"wbca","mode":"board","base":1000,"wbca":false,"claims":[],"risk":{},"premove":false,"phase":"play","start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","board":"8/8/8/8/8/8/8/8 w","moves":[],"clk":{"w":1,"b":1,"run":"","flags":""},"here":""}`,
		"a hold's game":      `{"t":"hold","on":true,"why":"journal","game":"g"}`,
		"an unknown message": `{"t":"eval","cp":30}`,
		"an entry's board":   `{"t":"entry","event":"friday-arena","status":"in","place":0,"points":0,"games":0,"here":true,"ready":true,"board":"8/8/8/8/8/8/8/8 w"}`,
		"no number":          `{"t":"ev","at":0,"clk":{"w":1,"b":1,"run":"","flags":""},"e":[{"k":"start"}]}`,
	} {
		if c.Server([]byte(frame)) == nil {
			t.Errorf("%s: passes", name)
		}
	}
}
