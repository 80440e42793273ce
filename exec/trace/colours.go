package trace

import (
	"go/scanner"
	"go/token"
	"strings"
	"unicode/utf16"
)

// The classes of words of a source.
const (
	wordComment = iota
	wordString
	wordNumber
	wordKeyword
	wordName // of a function that is called or declared
)

var classNames = [...]string{wordComment: "comment", wordString: "string", wordNumber: "number", wordKeyword: "keyword", wordName: "name"}

// colours is, for each line of a Go source, the column, length and class of each word that
// has one, counted in the code units of a browser's strings.
func colours(source string) [][]int {
	lines := strings.Split(source, "\n")
	c := colourist{lines: lines, marks: make([][]int, len(lines))}
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, scanner.ScanComments)
	var name token.Position // an identifier whose successor is to come
	word := ""
	for {
		pos, tok, text := s.Scan()
		at := file.PositionFor(pos, false)
		if word != "" && tok == token.LPAREN {
			c.mark(name, word, wordName)
		}
		word = ""
		switch {
		case tok == token.EOF:
			return c.marks
		case tok == token.COMMENT:
			c.mark(at, text, wordComment)
		case tok == token.STRING || tok == token.CHAR:
			c.mark(at, text, wordString)
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			c.mark(at, text, wordNumber)
		case tok.IsKeyword():
			c.mark(at, text, wordKeyword)
		case tok == token.IDENT:
			name, word = at, text
		}
	}
}

type colourist struct {
	lines []string
	marks [][]int
}

// mark gives a word a class, line by line.
func (c *colourist) mark(at token.Position, text string, class int) {
	line, col := at.Line-1, at.Column-1
	for _, part := range strings.Split(text, "\n") {
		if line >= len(c.lines) || col > len(c.lines[line]) {
			return
		}
		if n := units(part); n > 0 {
			c.marks[line] = append(c.marks[line], units(c.lines[line][:col]), n, class)
		}
		line, col = line+1, 0
	}
}

// units is how long a browser takes a text to be.
func units(s string) int { return len(utf16.Encode([]rune(s))) }
