package game_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flagfall/game"
)

// TestBooksHaveWhatTheCodeCites reads this package's source: every rule number that can reach a result is in its book. A
// number gets there as an argument for a parameter named rule, out of a field of a rule set, or as a note behind a "+".
func TestBooksHaveWhatTheCodeCites(t *testing.T) {
	c := readCitations(t)
	want := map[string]string{ // so that a reader who finds nothing is noticed
		"wbca": "7a 7b 7c 7d 8a 8b 8c 8d 8e 8f 8g 8h 8i 8f+8e 8f+8g 8f+8h 8f+8i",
		"uscf": "13A 13B 13C 14A 14B 14C 14D1 14E 14F1 14G",
		"cca":  "12 13 13A 13B 14A 14B 14D1 23 24",
		"fide": "5.1.1 5.1.2 5.2.1 5.2.2 5.2.3 6.5 7.5.5 9.2 9.3 9.6.1 9.6.2",
	}
	for _, book := range game.Books() {
		if book.Cite != c.cites[book.Name] {
			t.Errorf("results under %s cite %q, the book says %q", book.Name, c.cites[book.Name], book.Cite)
		}
		found := c.found[book.Name]
		for _, rule := range strings.Fields(want[book.Name]) {
			if !slices.Contains(found, rule) {
				t.Errorf("%s %s is not found in the code", book.Cite, rule)
			}
		}
		for _, rule := range found {
			for _, number := range game.Citations(rule) {
				if _, ok := book.Rule(number); !ok {
					t.Errorf("the code cites %s %s, which is not in the book", book.Cite, number)
				}
			}
		}
	}
}

// citing are the structs whose texts are rule numbers, but for the fields named.
var citing = map[string][]string{"RuleSet": {"Name", "Book"}, "usBook": nil, "drawRule": nil}

// citations collects rule numbers out of the source.
type citations struct {
	t      *testing.T
	fset   *token.FileSet
	fields map[string][]string // of a struct: its fields in order, "" for those that hold no rule
	takes  map[string][]int    // of a function: which parameters are rules
	notes  []string            // what may stand behind a rule
	sets   map[string]string   // variable of a rule set: its name
	cites  map[string]string   // rule set: as results cite it
	found  map[string][]string // rule set: what it cites
}

func readCitations(t *testing.T) *citations {
	c := &citations{
		t: t, fset: token.NewFileSet(), fields: map[string][]string{}, takes: map[string][]int{},
		sets: map[string]string{}, cites: map[string]string{}, found: map[string][]string{},
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "book") {
			continue
		}
		if files[name], err = parser.ParseFile(c.fset, name, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		ast.Inspect(file, c.declared)
	}
	for name, file := range files {
		for _, decl := range file.Decls {
			c.cited(name, decl)
		}
	}
	return c
}

// declared notes structs, functions, rule sets and notes.
func (c *citations) declared(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.TypeSpec:
		if s, ok := n.Type.(*ast.StructType); ok {
			c.structure(n.Name.Name, s)
		}
	case *ast.FuncDecl:
		i := 0
		for _, field := range n.Type.Params.List {
			for _, name := range field.Names {
				if name.Name == "rule" {
					c.takes[n.Name.Name] = append(c.takes[n.Name.Name], i)
				}
				i++
			}
		}
		c.noted(n)
	case *ast.ValueSpec:
		for i, value := range n.Values {
			if lit, ok := value.(*ast.CompositeLit); ok && typeName(lit.Type) == "RuleSet" {
				texts := c.texts(lit)
				c.sets[n.Names[i].Name] = texts["Name"]
				c.cites[texts["Name"]] = texts["Book"]
			}
		}
	}
	return true
}

func (c *citations) structure(name string, s *ast.StructType) {
	except, ok := citing[name]
	if !ok {
		return
	}
	for _, field := range s.Fields.List {
		for _, id := range field.Names {
			if typeName(field.Type) != "string" || slices.Contains(except, id.Name) {
				c.fields[name] = append(c.fields[name], "")
				continue
			}
			c.fields[name] = append(c.fields[name], id.Name)
		}
	}
}

// noted collects what a function with a result named note may give: texts, or "+" and a variable that is set to texts.
func (c *citations) noted(f *ast.FuncDecl) {
	if f.Type.Results == nil || !slices.ContainsFunc(f.Type.Results.List, func(field *ast.Field) bool {
		return slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == "note" })
	}) {
		return
	}
	var letters []string
	joined := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, value := range n.Rhs {
				if text, ok := literal(value); ok {
					letters = append(letters, text)
				}
			}
		case *ast.ReturnStmt:
			for _, value := range n.Results {
				if sum, ok := value.(*ast.BinaryExpr); ok {
					plus, _ := literal(sum.X)
					joined = joined || plus == "+"
				} else if text, _ := literal(value); text != "" {
					c.notes = append(c.notes, text)
				}
			}
		}
		return true
	})
	for _, letter := range letters {
		if joined && letter != "" {
			c.notes = append(c.notes, "+"+letter)
		}
	}
}

// cited collects the numbers in a declaration.
func (c *citations) cited(file string, decl ast.Decl) {
	var inside []int // parameters of the function around that are rules
	if f, ok := decl.(*ast.FuncDecl); ok {
		inside = c.takes[f.Name.Name]
	}
	owner := bookOfFile(file)
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt: // uscf.claim = usBook{...}.claim
			if set := c.assigned(n); set != "" {
				owner = []string{set}
			}
		case *ast.CallExpr:
			for _, i := range c.takes[typeName(n.Fun)] {
				if i < len(n.Args) {
					c.value(owner, n.Args[i], inside != nil)
				}
			}
		case *ast.CompositeLit:
			c.composite(owner, n, inside != nil)
		}
		return true
	})
}

func (c *citations) assigned(n *ast.AssignStmt) string {
	if len(n.Lhs) != 1 {
		return ""
	}
	if field, ok := n.Lhs[0].(*ast.SelectorExpr); ok {
		return c.sets[typeName(field.X)]
	}
	return ""
}

// composite collects the fields of a struct that cites, and the rule of a Result.
func (c *citations) composite(owner []string, n *ast.CompositeLit, passed bool) {
	switch name := typeName(n.Type); {
	case name == "Result":
		for _, elt := range n.Elts {
			if kv, ok := elt.(*ast.KeyValueExpr); ok && typeName(kv.Key) == "Rule" {
				c.value(owner, kv.Value, passed)
			}
		}
	case c.fields[name] != nil:
		texts := c.texts(n)
		if name == "RuleSet" {
			owner = []string{texts["Name"]}
		}
		for _, field := range c.fields[name] {
			c.add(owner, n, texts[field])
		}
	default: // a list of them leaves the type out
		list, ok := n.Type.(*ast.ArrayType)
		if !ok || c.fields[typeName(list.Elt)] == nil {
			return
		}
		for _, elt := range n.Elts {
			lit := *elt.(*ast.CompositeLit)
			lit.Type = list.Elt
			c.composite(owner, &lit, passed)
		}
	}
}

// value collects what an argument for a rule can be; a form that is not known fails, so that none is overlooked.
func (c *citations) value(owner []string, e ast.Expr, passed bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := literal(e)
		c.add(owner, e, text)
		return
	case *ast.BinaryExpr:
		if text, ok := literal(e.X); ok && typeName(e.Y) == "note" {
			c.add(owner, e, text)
			for _, note := range c.notes {
				c.add(owner, e, text+note)
			}
			return
		}
	case *ast.Ident:
		if e.Name == "rule" && passed { // its callers are read
			return
		}
	case *ast.SelectorExpr:
		if e.Sel.Name == "Rule" { // what an arbiter names
			return
		}
		for _, fields := range c.fields {
			if slices.Contains(fields, e.Sel.Name) {
				return
			}
		}
	}
	c.t.Errorf("%s: this test cannot tell which rule is cited", c.fset.Position(e.Pos()))
}

func (c *citations) add(owner []string, at ast.Node, rule string) {
	if rule == "" {
		return
	}
	if strings.HasPrefix(rule, "H") { // a rule of this hall is in every book
		owner = game.RuleSets()
	}
	if owner == nil {
		c.t.Errorf("%s: rule %q is cited, but of which book?", c.fset.Position(at.Pos()), rule)
	}
	for _, set := range owner {
		c.found[set] = append(c.found[set], rule)
	}
}

// texts are the fields of a composite literal that are plain texts, by name.
func (c *citations) texts(n *ast.CompositeLit) map[string]string {
	texts := map[string]string{}
	fields := c.fields[typeName(n.Type)]
	for i, elt := range n.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			texts[typeName(kv.Key)], _ = literal(kv.Value)
		} else if i < len(fields) && fields[i] != "" {
			texts[fields[i]], _ = literal(elt)
		}
	}
	return texts
}

// bookOfFile are the rule sets whose numbers a file may write down; nil for files that serve all.
func bookOfFile(name string) []string {
	switch {
	case strings.HasPrefix(name, "wbca"):
		return []string{"wbca"}
	case strings.HasPrefix(name, "us"):
		return []string{"uscf", "cca"}
	case strings.HasPrefix(name, "fide"):
		return []string{"fide"}
	}
	return nil
}

func literal(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}

// typeName is the last name of an identifier or a selector.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}
