package edge

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"flagfall/server/arena"
	"flagfall/server/arena/host"
	"flagfall/server/table"
	"flagfall/server/wire"
)

// fields gives the JSON members of a struct, those of embedded ones too, and which are always there.
func fields(kind reflect.Type) (members, required []string) {
	for i := range kind.NumField() {
		field := kind.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			more, always := fields(field.Type)
			members, required = append(members, more...), append(required, always...)
		case name != "-" && field.IsExported():
			members = append(members, name)
			if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
				required = append(required, name)
			}
		}
	}
	slices.Sort(members)
	slices.Sort(required)
	return slices.Compact(members), slices.Compact(required)
}

// What is sent of events has the fields that are described, and no others.
func TestEventsDescribed(t *testing.T) {
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]yaml.Node
				Required   []string
				Additional *bool `yaml:"additionalProperties"`
			}
		}
	}
	if err := yaml.Unmarshal(OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]any{
		"Settings": arena.Settings{}, "EventTerms": arena.Terms{}, "Listed": host.Listed{}, "Row": arena.Row{}, "Notice": arena.NoticeView{}, "Because": arena.WaitsView{},
		"Mine": arena.Mine{}, "EventPage": arena.Page{}, "Holder": arena.Member{}, "EntryView": arena.EntryView{}, "Waiting": arena.Waiting{}, "ActDone": arena.ActView{},
		"Report": arena.ReportView{}, "Desk": arena.DeskPage{}, "GameLog": table.GameLog{}, "Club": clubLine{}, "ClubView": clubView{},
	} {
		members, required := fields(reflect.TypeOf(value))
		schema := document.Components.Schemas[name]
		var described []string
		for member := range schema.Properties {
			described = append(described, member)
		}
		slices.Sort(described)
		slices.Sort(schema.Required)
		if name == "Settings" { // in a request whatever is missing is as in the defaults
			required = nil
		}
		if !slices.Equal(members, described) || !slices.Equal(required, schema.Required) || schema.Additional == nil || *schema.Additional {
			t.Errorf("%s has %v (always: %v), described are %v (%v)", name, members, required, described, schema.Required)
		}
	}
}

// The frames have the same lines as the answers over HTTP.
func TestFramesAndAnswersAlike(t *testing.T) {
	for _, pair := range [][2]any{
		{wire.Standing{}, arena.Row{}}, {wire.Notice{}, arena.NoticeView{}}, {wire.Because{}, arena.WaitsView{}}, {host.Terms{}, arena.Terms{}},
	} {
		of, other := reflect.TypeOf(pair[0]), reflect.TypeOf(pair[1])
		a, always := fields(of)
		b, alsoAlways := fields(other)
		if !slices.Equal(a, b) || !slices.Equal(always, alsoAlways) {
			t.Errorf("%s has %v, %s has %v", of, a, other, b)
		}
	}
	entry, _ := fields(reflect.TypeFor[wire.EntryNews]())
	mine, _ := fields(reflect.TypeFor[arena.Mine]())
	mine = append(mine, "event", "id", "t")
	slices.Sort(mine)
	if !slices.Equal(entry, mine) {
		t.Errorf("entry has %v, Mine %v", entry, mine)
	}
}

// Every code of an event is one of the published codes, and every field of an act is described.
func TestEventCodesPublished(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../arena/settings.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "Code" {
			return true
		}
		literal := spec.Values[0].(*ast.BasicLit)
		code, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		count++
		if wire.Message(code) == "" {
			t.Errorf("%s = %q is none of wire's codes", spec.Names[0].Name, code)
		}
		return true
	})
	if count < 15 {
		t.Errorf("%d codes found", count)
	}
}
