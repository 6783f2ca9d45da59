package game

import "strings"

// Book is a rule book as players and arbiters read it (WBCA 19): every numbered rule in plain words, with what this
// server does about it. The texts are shared and must not be changed.
type Book struct {
	Name  string // as set-ups name the rule set: "wbca"
	Cite  string // as results cite it: "WBCA"
	Title string
	About string
	Rules []BookRule // in the book's order; the rules of this hall (H1, H2...) come last
}

// BookRule is one rule. A number that the book uses twice has a word behind it: "7a mate", "7a material".
type BookRule struct {
	Number  string // as results cite it: "7c", "14E", "6.5"
	Heading string
	Says    string // the rule in plain words
	Here    string // what this server does about it
}

// HallTitle heads the rules that are the server's own.
const HallTitle = "This hall"

// Books are all rule books, in the order of RuleSets.
func Books() []Book { return []Book{bookWBCA, bookUS, bookCCA, bookFIDE} }

// BookOf is the book of a rule set.
func BookOf(ruleSet string) (Book, bool) {
	for _, b := range Books() {
		if b.Name == ruleSet {
			return b, true
		}
	}
	return Book{}, false
}

// Rule finds a rule by its number, with or without the word behind it: "7a" is the first of the two.
func (b Book) Rule(number string) (BookRule, bool) {
	for _, r := range b.Rules {
		if plain, _, _ := strings.Cut(r.Number, " "); number != "" && (r.Number == number || plain == number) {
			return r, true
		}
	}
	return BookRule{}, false
}

// Hall tells whether the rule is the server's own and not the book's.
func (r BookRule) Hall() bool { return strings.HasPrefix(r.Number, "H") }

// Citations splits what a result cites into rule numbers: "8f+8h" is 8f and 8h, "" is none.
func Citations(rule string) []string {
	if rule == "" {
		return nil
	}
	return strings.Split(rule, "+")
}
