package edit

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"
)

// inks are the terminal's codes for what is drawn.
type inks struct {
	prompt, keyword, text, number, comment, command string
	grey                                            string // lines below, and what is suggested
	chosen                                          string
	match, stray                                    string // a bracket and its other end; one that has none
}

var darkInks = inks{"1", "35", "32", "36", "90", "36", "90", "7", "1;4", "1;31"}
var lightInks = inks{"1", "35", "38;5;28", "34", "38;5;244", "34", "38;5;244", "7", "1;4", "1;31"}

// inks is the colours in force. Lines below the text are always set off from it.
func (c *Config) inks() inks {
	switch {
	case !c.Colour:
		return inks{grey: "90", chosen: "7"}
	case c.Light:
		return lightInks
	}
	return darkInks
}

// SetColours turns colours on or off, and says what ground they are for. It is called
// between texts.
func (e *Editor) SetColours(colour, light bool) { e.cfg.Colour, e.cfg.Light = colour, light }

// paint is the colour of every character of a text: Go's tokens, or a command of the
// session, which begins with a colon or a question mark.
func paint(text []rune, ink inks) []string {
	src := string(text)
	colours := make([]string, len(text))
	if begin := strings.TrimSpace(src); strings.HasPrefix(begin, ":") || strings.HasPrefix(begin, "?") {
		for i, r := range text {
			if r == ' ' && strings.TrimSpace(string(text[:i])) != "" {
				break
			}
			colours[i] = ink.command
		}
		return colours
	}
	tokens(text, func(t token.Token, lo, hi int) {
		if c := ink.of(t); c != "" {
			for i := lo; i < hi; i++ {
				colours[i] = c
			}
		}
	})
	return colours
}

// tokens calls do with Go's tokens in a text, and where they are.
func tokens(text []rune, do func(t token.Token, lo, hi int)) {
	src := string(text)
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(f, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	at, off := 0, 0 // a character, and its place in bytes
	for {
		pos, t, lit := s.Scan()
		if t == token.EOF {
			return
		}
		if lit == "" {
			lit = t.String()
		}
		start := f.Offset(pos)
		for ; off < start; at++ {
			off += utf8.RuneLen(text[at])
		}
		lo := at
		for ; off < min(start+len(lit), len(src)); at++ {
			off += utf8.RuneLen(text[at])
		}
		if lit != "\n" { // which is no text, but the end of a statement
			do(t, lo, at)
		}
	}
}

func (ink inks) of(t token.Token) string {
	switch {
	case t.IsKeyword():
		return ink.keyword
	case t == token.STRING || t == token.CHAR:
		return ink.text
	case t == token.INT || t == token.FLOAT || t == token.IMAG:
		return ink.number
	case t == token.COMMENT:
		return ink.comment
	}
	return ""
}

// brackets marks the bracket at the cursor, or before it, and the one that belongs to
// it. A bracket that is not closed yet is not marked; one that closes none, or another
// kind, is wrong.
func (ink inks) brackets(text []rune, pos int, colours []string) {
	partner := map[int]int{}
	var open []int
	tokens(text, func(t token.Token, lo, _ int) {
		switch t {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, lo)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			partner[lo] = -1
			if n := len(open); n > 0 && closes(text[open[n-1]], text[lo]) {
				partner[lo], partner[open[n-1]] = open[n-1], lo
				open = open[:n-1]
			}
		}
	})
	for _, i := range []int{pos, pos - 1} {
		other, ok := partner[i]
		switch {
		case !ok:
			continue
		case other < 0:
			colours[i] = ink.stray
		default:
			colours[i], colours[other] = ink.match, ink.match
		}
		return
	}
}

func closes(open, end rune) bool { return strings.Contains("() [] {}", string(open)+string(end)) }
