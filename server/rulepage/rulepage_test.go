package rulepage

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"flagfall/game"
)

func render(t *testing.T) Pages {
	t.Helper()
	pages, err := Render()
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

var ids = regexp.MustCompile(` id="([^"]*)"`)

// anchors are the ids of a page; each may be there once.
func anchors(t *testing.T, page string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, m := range ids.FindAllStringSubmatch(page, -1) {
		if found[m[1]] {
			t.Errorf("the id %s is there twice", m[1])
		}
		found[m[1]] = true
	}
	return found
}

// Every book has its page with every rule on it, and the same as JSON.
func TestBooks(t *testing.T) {
	pages := render(t)
	for _, b := range game.Books() {
		page := string(pages[PageOf(b.Name)])
		found := anchors(t, page)
		var data Book
		if err := json.Unmarshal(pages[JSONOf(b.Name)], &data); err != nil {
			t.Fatal(err)
		}
		if len(b.Rules) < 20 || len(data.Rules) != len(b.Rules) || data.Cite != b.Cite || data.URL != "/rules/"+b.Name {
			t.Fatalf("%s: %d rules, %d as JSON", b.Name, len(b.Rules), len(data.Rules))
		}
		hall := false
		for i, r := range b.Rules {
			got := data.Rules[i]
			if got.Number != r.Number || got.Heading != r.Heading || got.Says != r.Says || got.Here != r.Here || got.Hall != r.Hall() {
				t.Errorf("%s %s as JSON: %+v", b.Name, r.Number, got)
			}
			if !found[got.Anchor] || !strings.Contains(page, `<a href="#`+got.Anchor+`"`) {
				t.Errorf("%s %s is not on the page at #%s", b.Name, r.Number, got.Anchor)
			}
			plain, _, _ := strings.Cut(r.Number, " ")
			if !found[plain] {
				t.Errorf("%s: no #%s", b.Name, plain)
			}
			hall = hall || r.Hall()
		}
		if hall && !strings.Contains(page, ">"+game.HallTitle+"</h2>") {
			t.Errorf("%s: the server's own rules have no heading", b.Name)
		}
		if !strings.Contains(string(pages[ListPage]), `href="/rules/`+b.Name+`"`) || !strings.Contains(string(pages[LostPage]), `href="/rules/`+b.Name+`"`) {
			t.Errorf("%s is not in the list", b.Name)
		}
	}
	if got := string(pages[PageOf("wbca")]); strings.Count(got, `<article id="7a"`) != 1 || strings.Count(got, `<article id="7a-material"`) != 1 {
		t.Error("WBCA 7a has not its two anchors")
	}
}

// The pages need no script and no style of their own: the content policy allows neither.
func TestPolicy(t *testing.T) {
	for name, page := range render(t) {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		for _, banned := range []string{"<script", "<style", "style=", "onclick", "javascript:", "ZgotmplZ"} {
			if strings.Contains(string(page), banned) {
				t.Errorf("%s has %s", name, banned)
			}
		}
		for _, needed := range []string{`<html lang="en">`, `name="viewport"`, "<h1>", "<title>", `href="/rules/rules.css"`} {
			if !strings.Contains(string(page), needed) {
				t.Errorf("%s lacks %s", name, needed)
			}
		}
	}
}

// Every rule that a result or an event can cite has its place on the page: the numbers are read out of the source of the
// game, wherever a text has the form of a rule number of the book.
func TestCitationsLink(t *testing.T) {
	pages := render(t)
	found := map[string]map[string]bool{}
	for _, b := range game.Books() {
		found[b.Name] = anchors(t, string(pages[PageOf(b.Name)]))
	}
	for ruleSet, numbers := range cited(t) {
		for _, rule := range numbers {
			for _, number := range game.Citations(rule) {
				url := URL(ruleSet, number)
				if _, anchor, ok := strings.Cut(url, "#"); !ok || !found[ruleSet][anchor] {
					t.Errorf("%s %s links to %q, where nothing is", ruleSet, number, url)
				}
			}
		}
	}
	for _, bad := range [][2]string{{"wbca", "99"}, {"chess", "1"}, {"fide", ""}} {
		if got := URL(bad[0], bad[1]); got != "" {
			t.Errorf("%v links to %s", bad, got)
		}
	}
}

// cited are the rules that the files of a rule set and the common ones cite.
func cited(t *testing.T) map[string][]string {
	t.Helper()
	ours := map[string]string{"wbca": `^(7|8|13|14|10)[a-i]?(\+8[a-i])?$`, "fide": `^\d+\.\d+(\.\d+)?$`, "uscf": `^1\d[A-Z]\d?$`, "cca": `^\d\d[A-Z]?\d?$`}
	files := map[string][]string{"wbca": {"wbca.go", "wbca_draws.go"}, "fide": {"fide.go"}, "uscf": {"us.go"}, "cca": {"us.go"}}
	out := map[string][]string{}
	for ruleSet, names := range files {
		form := regexp.MustCompile(ours[ruleSet])
		for _, name := range names {
			file, err := parser.ParseFile(token.NewFileSet(), "../../game/"+name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					if form.MatchString(text) && !(ruleSet == "cca" && usOnly[text]) {
						out[ruleSet] = append(out[ruleSet], text)
					}
				}
				return true
			})
		}
		if len(out[ruleSet]) < 5 {
			t.Errorf("%s cites only %v", ruleSet, out[ruleSet])
		}
		setup := game.Terms{RuleSet: ruleSet, Base: 300000, Mode: game.Fast}.Setup(game.Player{}, game.Player{})
		for _, e := range []game.Event{
			{Kind: game.Restored}, {Kind: game.Faulted}, {Kind: game.DelayInserted}, {Kind: game.Disputed},
			{Kind: game.Denied, Claim: game.ClaimIllegal}, {Kind: game.Denied, Claim: game.ClaimTime}, {Kind: game.Denied, Claim: game.ClaimDraw},
			{Kind: game.Denied, Claim: game.ClaimRetract}, {Kind: game.Denied, Claim: game.ClaimAbandoned}, {Kind: game.Denied, Claim: game.ClaimThreefold},
		} {
			if cite := setup.Cites(e); cite != "" {
				out[ruleSet] = append(out[ruleSet], cite[strings.LastIndex(cite, " ")+1:])
			}
		}
	}
	return out
}

// usOnly are numbers of US Chess in the file that both sets share.
var usOnly = map[string]bool{"13C": true, "14E": true, "14C": true, "14F1": true, "14G": true}

func Example() {
	fmt.Println(URL("wbca", "7c"))
	// Output: /rules/wbca#7c
}
