// Package rulepage writes the rule books as pages (WBCA 19: the rules are posted) and as JSON, from the data that results
// cite. The pages work without script and can be printed.
package rulepage

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"strings"

	"flagfall/game"
)

//go:embed page.html rules.css
var source embed.FS

// Book is a rule book as JSON.
type Book struct {
	Name  string `json:"name"` // "wbca"
	Cite  string `json:"cite"` // as results name it: "WBCA"
	Title string `json:"title"`
	About string `json:"about"`
	URL   string `json:"url"` // of the page: "/rules/wbca"
	Rules []Rule `json:"rules,omitempty"`
}

// Rule is one rule of a book.
type Rule struct {
	Number  string `json:"number"` // as results cite it: "7c"
	Anchor  string `json:"anchor"` // on the page
	Heading string `json:"heading"`
	Says    string `json:"says"`
	Here    string `json:"here"` // what this server does about it
	Hall    bool   `json:"hall"` // the server's own, not the book's
}

// Pages are all that is served, by path below "/": "rules/wbca.html", "api/rules/wbca.json", "rules/rules.css".
type Pages map[string][]byte

// Names of the pages that are there beside those of the books.
const (
	ListPage = "rules.html"         // the list of books
	LostPage = "rules/unknown.html" // there is no such book
	ListJSON = "api/rules.json"
	Style    = "rules/rules.css"
)

// PageOf is the page of a book.
func PageOf(book string) string { return "rules/" + book + ".html" }

// JSONOf is the JSON of a book.
func JSONOf(book string) string { return "api/rules/" + book + ".json" }

// Render writes every page.
func Render() (Pages, error) {
	page, err := template.ParseFS(source, "page.html")
	if err != nil {
		return nil, err
	}
	books := Books()
	pages := Pages{}
	write := func(name string, v view) {
		var out bytes.Buffer
		if err == nil {
			err = page.Execute(&out, v)
		}
		pages[name] = out.Bytes()
	}
	write(ListPage, view{Books: books})
	write(LostPage, view{Books: books, Lost: true})
	list := make([]Book, len(books))
	for i := range books {
		write(PageOf(books[i].Name), view{Books: books, Book: &books[i]})
		pages[JSONOf(books[i].Name)] = encoded(books[i])
		list[i] = books[i]
		list[i].Rules = nil
	}
	pages[ListJSON] = encoded(map[string]any{"books": list})
	if err != nil {
		return nil, fmt.Errorf("rule pages: %w", err)
	}
	pages[Style], err = fs.ReadFile(source, "rules.css")
	return pages, err
}

// view is what the template shows: one book, or the list.
type view struct {
	Books []Book
	Book  *Book
	Lost  bool
}

// Sections are the book's own rules and then the server's.
func (v view) Sections() []section {
	own, hall := section{ID: "book", Title: "The rules"}, section{ID: "hall", Title: game.HallTitle, Hall: true}
	for _, r := range v.Book.Rules {
		if r.Hall {
			hall.Rules = append(hall.Rules, r)
		} else {
			own.Rules = append(own.Rules, r)
		}
	}
	return []section{own, hall}
}

type section struct {
	ID, Title string
	Hall      bool
	Rules     []Rule
}

// Books are all rule books.
func Books() []Book {
	var books []Book
	for _, b := range game.Books() {
		book := Book{Name: b.Name, Cite: b.Cite, Title: b.Title, About: b.About, URL: "/rules/" + b.Name}
		taken := map[string]bool{}
		for _, r := range b.Rules {
			anchor := anchorOf(r.Number, taken)
			taken[anchor] = true
			book.Rules = append(book.Rules, Rule{
				Number: r.Number, Anchor: anchor, Heading: r.Heading, Says: r.Says, Here: r.Here, Hall: r.Hall(),
			})
		}
		books = append(books, book)
	}
	return books
}

// anchorOf is the plain number, as results cite it; a number that is there twice keeps its word the second time.
func anchorOf(number string, taken map[string]bool) string {
	if plain, _, _ := strings.Cut(number, " "); !taken[plain] {
		return plain
	}
	return strings.ReplaceAll(number, " ", "-")
}

// URL is the address of the rule that a result cites, by the rule set and one number of it; "" for none.
func URL(ruleSet, number string) string {
	book, known := game.BookOf(ruleSet)
	if !known {
		return ""
	}
	if _, known = book.Rule(number); !known {
		return ""
	}
	return "/rules/" + book.Name + "#" + number
}

func encoded(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("rulepage: " + err.Error()) // structs of strings always can be encoded
	}
	return text
}
