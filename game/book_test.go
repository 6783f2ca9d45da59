package game_test

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flagfall/game"
)

// numbers are the rules of each book as its text counts them, in order. Those of US Chess behind the list of CCA and the
// articles of FIDE beyond the usual extract are there since results cite them.
var numbers = map[string]string{
	"wbca": "1 2 3 4 5 6 6a 6b 6c 6d 7 7a_mate 7b 7c 7d 7e 7a_material 8 8a 8b 8c 8d 8e 8f 8g 8h 8i 9 10 11 12 13 13a 13b " +
		"14 15 16 17 18 19 20 21 22",
	"uscf": "5C 10B 11A 11D 11D1 11H 13A 13B 13C 13C2 13C7 13C8 14A 14B 14B1 14C 14C8 14D1 14E 14F1 14F4 14G 14G1 14G2 " +
		"14H6 14K 15C 16D1",
	"cca": "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 " +
		"10B 11D1 13A 13B 14A 14B 14D1",
	"fide": "4.1 4.2 4.3 5.1.1 5.1.2 5.2.1 5.2.2 5.2.3 6.2.3 6.2.4 6.2.5 6.5 6.11.2 7.3 7.5.1 7.5.2 7.5.3 7.5.4 7.5.5 9.1 " +
		"9.2 9.3 9.5.3 9.6.1 9.6.2 12.9",
}

// hallRules is how many rules of its own the server has, in every book: H1, H2...
const hallRules = 17

func TestBooksHaveEveryRule(t *testing.T) {
	var names []string
	for _, book := range game.Books() {
		names = append(names, book.Name)
		var want []string
		for _, number := range strings.Fields(numbers[book.Name]) {
			want = append(want, strings.ReplaceAll(number, "_", " "))
		}
		for i := range hallRules {
			want = append(want, "H"+strconv.Itoa(i+1))
		}
		var got []string
		for _, rule := range book.Rules {
			got = append(got, rule.Number)
			if rule.Hall() != strings.HasPrefix(rule.Number, "H") {
				t.Errorf("%s %s: of this hall %v", book.Name, rule.Number, rule.Hall())
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the rules\n%v, want\n%v", book.Name, got, want)
		}
	}
	if !slices.Equal(names, game.RuleSets()) {
		t.Errorf("books %v, rule sets %v", names, game.RuleSets())
	}
}

// inside is what readers have no use for: numbers of decisions, names of settings and of states.
var inside = regexp.MustCompile(`\bD[0-9]|[a-z]_[a-z]|\bTODO\b|^[^A-Z]|  |[^.]$`)

func TestBookTexts(t *testing.T) {
	for _, book := range game.Books() {
		if book.Cite == "" || book.Title == "" || inside.MatchString(book.About) {
			t.Errorf("%s: cite %q, title %q, about %q", book.Name, book.Cite, book.Title, book.About)
		}
		seen := map[string]bool{}
		for _, rule := range book.Rules {
			if seen[rule.Number] || rule.Number == "" {
				t.Errorf("%s: rule %q is there twice, or has no number", book.Name, rule.Number)
			}
			seen[rule.Number] = true
			if rule.Heading == "" || strings.HasSuffix(rule.Heading, ".") {
				t.Errorf("%s %s: heading %q", book.Name, rule.Number, rule.Heading)
			}
			for _, text := range []string{rule.Says, rule.Here} {
				if text == "" || inside.MatchString(text) {
					t.Errorf("%s %s: not for readers: %q", book.Name, rule.Number, text)
				}
			}
		}
	}
}

// mentioned are rule numbers in running text. A bare number is one only after the word "rule".
var mentioned = map[string]*regexp.Regexp{
	"wbca": regexp.MustCompile(`\bH\d+|\b\d+[a-i]\b|\brules? \d+`),
	"uscf": regexp.MustCompile(`\bH\d+|\b\d+[A-Z]\d*\b`),
	"cca":  regexp.MustCompile(`\bH\d+|\b\d+[A-Z]\d*\b|\brules? \d+`),
	"fide": regexp.MustCompile(`\bH\d+|\b\d+(?:\.\d+)+`),
}

func TestBooksReferToTheirOwnRules(t *testing.T) {
	for _, book := range game.Books() {
		n := 0
		for _, rule := range book.Rules {
			for _, found := range mentioned[book.Name].FindAllString(rule.Says+" "+rule.Here, -1) {
				number := found[strings.LastIndex(found, " ")+1:]
				if _, ok := book.Rule(number); !ok {
					t.Errorf("%s %s refers to %q, which is not there", book.Name, rule.Number, number)
				}
				n++
			}
		}
		if n < 5 {
			t.Errorf("%s: only %d references found", book.Name, n)
		}
	}
}

func TestBookRule(t *testing.T) {
	for _, c := range []struct{ book, number, want string }{
		{"wbca", "7c", "A fallen flag"},
		{"wbca", "7a", "Mate"}, // what results cite
		{"wbca", "7a mate", "Mate"},
		{"wbca", "7a material", "Mating material"},
		{"wbca", "H5", "Two flags that nobody notices"},
		{"wbca", "23", ""},
		{"wbca", "", ""},
		{"uscf", "14E", "Not enough to win on time"},
		{"uscf", "14e", ""},
		{"cca", "12", "Enough to win on time"},
		{"fide", "6.5", "The flag"},
		{"fide", "6", ""},
	} {
		book, ok := game.BookOf(c.book)
		if !ok {
			t.Fatalf("there is no book %q", c.book)
		}
		rule, ok := book.Rule(c.number)
		if ok != (c.want != "") || rule.Heading != c.want {
			t.Errorf("%s %q: %q, %v; want %q", c.book, c.number, rule.Heading, ok, c.want)
		}
	}
	if book, ok := game.BookOf("checkers"); ok {
		t.Errorf("checkers are in %q", book.Title)
	}
}

func TestCitations(t *testing.T) {
	for _, c := range []struct {
		rule string
		want []string
	}{
		{"", nil},
		{"7c", []string{"7c"}},
		{"8f+8h", []string{"8f", "8h"}},
		{"7.5.5", []string{"7.5.5"}},
	} {
		if got := game.Citations(c.rule); !slices.Equal(got, c.want) {
			t.Errorf("%q cites %v, want %v", c.rule, got, c.want)
		}
	}
}

func TestBooksHaveWhatWorkedExamplesCite(t *testing.T) {
	file, err := os.Open("testdata/rulings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var example struct {
			ID      string `json:"id"`
			RuleSet string `json:"ruleset"`
			Expect  struct {
				Rule string `json:"rule"`
			} `json:"expect"`
		}
		if err := json.Unmarshal(lines.Bytes(), &example); err != nil {
			t.Fatal(err)
		}
		book, ok := game.BookOf(strings.ToLower(example.RuleSet))
		if !ok {
			t.Fatalf("%s: there is no book %q", example.ID, example.RuleSet)
		}
		for _, number := range game.Citations(example.Expect.Rule) {
			if _, ok := book.Rule(number); !ok {
				t.Errorf("%s: %s has no rule %q", example.ID, book.Cite, number)
			}
			n++
		}
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%d citations, %v", n, err)
	}
}
