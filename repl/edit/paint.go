package edit

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf8"
)

// paint is the colour of every character of a text: Go's tokens, or a command of the
// session, which begins with a colon.
func paint(text []rune) []string {
	src := string(text)
	colours := make([]string, len(text))
	if strings.HasPrefix(strings.TrimSpace(src), ":") {
		for i, r := range text {
			if r == ' ' && strings.TrimSpace(string(text[:i])) != "" {
				break
			}
			colours[i] = "36"
		}
		return colours
	}
	fset := token.NewFileSet()
	f := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(f, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	at, off := 0, 0 // a character, and its place in bytes
	for {
		pos, t, lit := s.Scan()
		if t == token.EOF {
			return colours
		}
		c := colourOf(t)
		if c == "" {
			continue
		}
		if lit == "" {
			lit = t.String()
		}
		start := f.Offset(pos)
		for ; off < start; at++ {
			off += utf8.RuneLen(text[at])
		}
		for ; off < min(start+len(lit), len(src)); at++ {
			colours[at] = c
			off += utf8.RuneLen(text[at])
		}
	}
}

func colourOf(t token.Token) string {
	switch {
	case t.IsKeyword():
		return "35"
	case t == token.STRING || t == token.CHAR:
		return "32"
	case t == token.INT || t == token.FLOAT || t == token.IMAG:
		return "36"
	case t == token.COMMENT:
		return "90"
	}
	return ""
}
