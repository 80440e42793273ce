package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/tiler-go/tiler/tilelang/diag"
)

// A lexer makes tokens of a file's text.
type lexer struct {
	file    string
	text    string
	i       int // of the next byte
	line    int32
	start   int // of the line
	tokens  []token
	indents []int
	open    []token // brackets that are not closed yet
}

// fail ends the reading with a message.
func fail(file string, at Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.At(diag.Pos{File: file, Line: int(at.Line), Col: int(at.Col)}, format, args...)
	panic(d)
}

func (x *lexer) pos() Pos { return Pos{x.line, int32(x.i - x.start + 1)} }

func (x *lexer) emit(k kind, at Pos, text string) {
	x.tokens = append(x.tokens, token{kind: k, text: text, at: at})
}

// run makes all tokens.
func (x *lexer) run() {
	x.text = strings.TrimPrefix(x.text, "\ufeff")
	x.line, x.indents = 1, []int{0}
	x.indentation()
	for x.i < len(x.text) {
		x.next()
	}
	if n := len(x.open); n > 0 {
		fail(x.file, x.open[n-1].at, "%s is never closed", x.open[n-1])
	}
	if n := len(x.tokens); n > 0 && x.tokens[n-1].kind != newline {
		x.emit(newline, x.pos(), "")
	}
	for range x.indents[1:] {
		x.emit(dedent, x.pos(), "")
	}
	x.emit(eof, x.pos(), "")
}

// next makes the next token of a line, or goes to the next line.
func (x *lexer) next() {
	c := x.text[x.i]
	switch {
	case c == ' ' || c == '\t' || c == '\f' || c == '\r':
		x.i++
	case c == '#':
		x.comment()
	case c == '\n':
		x.newline()
	case c == '\\':
		x.continuation()
	case c >= '0' && c <= '9' || c == '.' && x.i+1 < len(x.text) && digit(x.text[x.i+1]):
		x.number()
	case c == '"' || c == '\'':
		x.string(x.i)
	case nameByte(c):
		x.word()
	default:
		x.operator()
	}
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

func (x *lexer) comment() {
	for x.i < len(x.text) && x.text[x.i] != '\n' {
		x.i++
	}
}

// newLine passes a line's end.
func (x *lexer) newLine() {
	x.i++
	x.line++
	x.start = x.i
}

func (x *lexer) newline() {
	at := x.pos()
	x.newLine()
	if len(x.open) > 0 {
		return
	}
	if n := len(x.tokens); n > 0 && x.tokens[n-1].kind != newline && x.tokens[n-1].kind != indent && x.tokens[n-1].kind != dedent {
		x.emit(newline, at, "")
	}
	x.indentation()
}

// continuation joins a line that ends in a backslash with the next one.
func (x *lexer) continuation() {
	at := x.pos()
	x.i++
	if x.i < len(x.text) && x.text[x.i] == '\r' {
		x.i++
	}
	if x.i >= len(x.text) || x.text[x.i] != '\n' {
		fail(x.file, at, "a backslash that is not at the end of its line")
	}
	x.newLine()
}

// indentation measures how far the next line that says something is indented, and makes
// tokens of the difference.
func (x *lexer) indentation() {
	for {
		width := x.blanks()
		if x.i >= len(x.text) {
			return
		}
		switch x.text[x.i] {
		case '#':
			x.comment()
			continue
		case '\n':
			x.newLine()
			continue
		}
		x.shift(width)
		return
	}
}

// blanks passes blanks, a tab as far as the next multiple of 8.
func (x *lexer) blanks() (width int) {
	for ; x.i < len(x.text); x.i++ {
		switch x.text[x.i] {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		case '\f', '\r':
		default:
			return width
		}
	}
	return width
}

func (x *lexer) shift(width int) {
	last := len(x.indents) - 1
	if width > x.indents[last] {
		if len(x.indents) > maxDepth {
			fail(x.file, x.pos(), "blocks are nested too deeply")
		}
		x.indents = append(x.indents, width)
		x.emit(indent, x.pos(), "")
		return
	}
	for ; width < x.indents[last]; last-- {
		x.indents = x.indents[:last]
		x.emit(dedent, x.pos(), "")
	}
	if width != x.indents[last] {
		fail(x.file, x.pos(), "this line is indented like no block around it")
	}
}

// word is a name, a keyword or the prefix of a string.
func (x *lexer) word() {
	at, from := x.pos(), x.i
	for x.i < len(x.text) && (nameByte(x.text[x.i]) || digit(x.text[x.i])) {
		x.i++
	}
	w := x.text[from:x.i]
	switch {
	case x.i < len(x.text) && (x.text[x.i] == '"' || x.text[x.i] == '\'') && stringPrefix(w):
		x.i = from
		x.string(from + len(w))
	case keywords[w]:
		x.emit(keyword, at, w)
	default:
		x.emit(name, at, w)
	}
}

func stringPrefix(w string) bool {
	switch strings.ToLower(w) {
	case "r", "u", "b", "f", "br", "rb", "fr", "rf":
		return true
	}
	return false
}

// number is an integer or a float, with underscores between digits.
func (x *lexer) number() {
	at, from := x.pos(), x.i
	k := integer
	if x.text[x.i] == '0' && x.i+1 < len(x.text) && strings.ContainsRune("xXoObB", rune(x.text[x.i+1])) {
		x.i += 2
		x.digits("0123456789abcdefABCDEF_")
	} else {
		x.digits("0123456789_")
		if x.accept(".") {
			k = float
			x.digits("0123456789_")
		}
		if x.exponent() {
			k = float
		}
		if x.accept("jJ") {
			k = imaginary
		}
	}
	text := x.text[from:x.i]
	if x.i < len(x.text) && nameByte(x.text[x.i]) && !x.keywordFollows() {
		fail(x.file, at, "%s is followed by a letter: not a number", text)
	}
	x.emit(k, at, strings.ReplaceAll(text, "_", ""))
}

// keywordFollows reports whether a keyword stands right behind a number, which Python
// allows: 1if x else 2.
func (x *lexer) keywordFollows() bool {
	n := x.i
	for n < len(x.text) && nameByte(x.text[n]) {
		n++
	}
	return keywords[x.text[x.i:n]]
}

func (x *lexer) digits(set string) {
	for x.i < len(x.text) && strings.IndexByte(set, x.text[x.i]) >= 0 {
		x.i++
	}
}

func (x *lexer) accept(set string) bool {
	if x.i < len(x.text) && strings.IndexByte(set, x.text[x.i]) >= 0 {
		x.i++
		return true
	}
	return false
}

// exponent passes an exponent, if there is one.
func (x *lexer) exponent() bool {
	back := x.i
	if !x.accept("eE") {
		return false
	}
	x.accept("+-")
	if x.i >= len(x.text) || !digit(x.text[x.i]) {
		x.i = back
		return false
	}
	x.digits("0123456789_")
	return true
}

var closing = map[string]string{"(": ")", "[": "]", "{": "}"}

func (x *lexer) operator() {
	at := x.pos()
	for _, o := range operators {
		if !strings.HasPrefix(x.text[x.i:], o) {
			continue
		}
		x.i += len(o)
		x.emit(operator, at, o)
		t := x.tokens[len(x.tokens)-1]
		switch o {
		case "(", "[", "{":
			if x.open = append(x.open, t); len(x.open) > maxDepth {
				fail(x.file, at, "brackets are nested too deeply")
			}
		case ")", "]", "}":
			x.close(t)
		}
		return
	}
	r, _ := utf8.DecodeRuneInString(x.text[x.i:])
	fail(x.file, at, "%q means nothing in Python", r)
}

func (x *lexer) close(t token) {
	n := len(x.open)
	if n == 0 {
		fail(x.file, t.at, "%s closes nothing", t)
	}
	if open := x.open[n-1]; closing[open.text] != t.text {
		fail(x.file, t.at, "%s does not close the %s of line %d", t, open, open.at.Line)
	}
	x.open = x.open[:n-1]
}
