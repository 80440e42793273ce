package python

import (
	"go/parser"
	"regexp"
	"strings"
)

var (
	operandEnds = regexp.MustCompile(`[\w.]*[\w)\]]\s*$`)
	keywordEnds = regexp.MustCompile(`\b(?:return|break|continue|else|default|fallthrough)\s*$`)
	declaration = regexp.MustCompile(`\b(?:import|var|const|type)\s*$`)
	goesOn      = regexp.MustCompile(`^\(?[\w.]+\s*(?:[)\],+\-*/%].*)?$`)
	words       = regexp.MustCompile(`\.?\b[A-Za-z_]\w*`)
)

// FloorDiv is the first x // y of a text, which in Go is x and a comment. What follows is taken for
// a number, and not for a comment, if a comment could not stand there, or if it is an expression of
// numbers and of names that are known, if there is a known.
func FloorDiv(text string, known func(name string) bool) (m Mistake, ok bool) {
	var brackets []bool // those that are open: whether a comment may stand at the end of a line in it
	for i := 0; i < len(text); {
		n := piece(text[i:])
		if text[i] == '#' {
			n = 1
		}
		switch c := text[i]; {
		case n > 1 && strings.HasPrefix(text[i:], "//"):
			before := text[strings.LastIndexByte(text[:i], '\n')+1 : i]
			x, y := strings.TrimSpace(operandEnds.FindString(before)), strings.TrimSpace(text[i+2:i+n])
			within := len(brackets) > 0 && !brackets[len(brackets)-1]
			if x != "" && !keywordEnds.MatchString(before) && (within && goesOn.MatchString(y) || known != nil && isExpr(y, known)) {
				return floorDiv(i, x, y), true
			}
		case n > 1:
		case c == '(' || c == '[':
			brackets = append(brackets, c == '(' && declaration.MatchString(text[max(0, i-10):i]))
		case c == '{':
			brackets = append(brackets, true)
		case strings.IndexByte(")]}", c) >= 0 && len(brackets) > 0:
			brackets = brackets[:len(brackets)-1]
		}
		i += n
	}
	return m, false
}

// floorDiv is the advice about x // y.
func floorDiv(at int, x, y string) Mistake {
	y = regexp.MustCompile(`^\w[\w.]*`).FindString(y)
	if y == "" {
		y = "y"
	}
	if strings.ContainsAny(x, ")]") {
		x = "x"
	}
	fix := "write " + x + " / " + y
	if x[0] < '0' || x[0] > '9' {
		fix += ", for tiles " + x + ".FloorDiv(" + y + ")"
	}
	return Mistake{At: at, Msg: "// begins a comment in Go", Fix: fix + "; put a comment on its own line"}
}

// isExpr reports whether a comment is an expression of numbers and known names.
func isExpr(text string, known func(name string) bool) bool {
	if _, err := parser.ParseExpr(text); err != nil {
		return false
	}
	for _, w := range words.FindAllString(text, -1) {
		if w[0] != '.' && !known(w) {
			return false
		}
	}
	return !strings.ContainsAny(text, "\"'`{}")
}
