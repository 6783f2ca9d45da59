package pgn

import "strings"

// tokenKind is what a piece of the text is.
type tokenKind uint8

const (
	endOfText tokenKind = iota
	word                // a move, a move number, a result, or anything else without spaces
	tagLine             // [Name "value"]
	comment
	openLine // ( of a variation
	closeLine
	glyph // $6
)

// token is a piece of the text and the line it begins on, from 1.
type token struct {
	kind tokenKind
	text string
	line int
	open bool // a comment or a tag that the text ends in
}

// lexer cuts PGN into tokens. Nothing that it meets stops it.
type lexer struct {
	text  string
	at    int
	line  int
	ahead *token
}

func newLexer(text string) *lexer {
	return &lexer{text: strings.TrimPrefix(text, "\ufeff"), line: 1}
}

// peek looks at the next token.
func (l *lexer) peek() token {
	if l.ahead == nil {
		next := l.read()
		l.ahead = &next
	}
	return *l.ahead
}

// next takes the next token.
func (l *lexer) next() token {
	t := l.peek()
	l.ahead = nil
	return t
}

func (l *lexer) read() token {
	l.skip()
	t := token{line: l.line}
	if l.at >= len(l.text) {
		return t
	}
	switch c := l.text[l.at]; c {
	case '{':
		return l.until(comment, "}")
	case ';':
		return l.restOfLine()
	case '[':
		return l.tag()
	case '(', ')':
		t.kind = openLine
		if c == ')' {
			t.kind = closeLine
		}
		l.at++
		return t
	}
	from := l.at
	for l.at < len(l.text) && !strings.ContainsRune(" \t\r\n\v\f{};()[", rune(l.text[l.at])) {
		l.at++
	}
	if l.at == from { // a bracket that closes nothing
		l.at++
	}
	t.kind, t.text = word, l.text[from:l.at]
	if t.text[0] == '$' {
		t.kind = glyph
	}
	return t
}

// skip passes spaces, and lines that begin with the escape %.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\n':
			l.line++
		case c == '%' && (l.at == 0 || l.text[l.at-1] == '\n'):
			escaped, _, _ := strings.Cut(l.text[l.at:], "\n")
			l.at += len(escaped)
			continue
		case !strings.ContainsRune(" \t\r\v\f", rune(c)):
			return
		}
		l.at++
	}
}

func (l *lexer) until(kind tokenKind, end string) token {
	t := token{kind: kind, line: l.line}
	body, _, closed := strings.Cut(l.text[l.at+1:], end)
	t.text, t.open = body, !closed
	l.at = min(len(l.text), l.at+1+len(body)+len(end))
	l.line += strings.Count(body, "\n")
	return t
}

func (l *lexer) restOfLine() token {
	t := token{kind: comment, line: l.line}
	t.text, _, _ = strings.Cut(l.text[l.at+1:], "\n")
	l.at += 1 + len(t.text)
	return t
}

// tag takes a tag pair. It ends at its bracket outside quotes, or at the end of its line.
func (l *lexer) tag() token {
	t := token{kind: tagLine, line: l.line, open: true}
	line, _, _ := strings.Cut(l.text[l.at+1:], "\n")
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			t.text, t.open = line[:i], false
			l.at += i + 2
			return t
		}
	}
	t.text = strings.TrimRight(line, "\r")
	l.at += 1 + len(line)
	return t
}
