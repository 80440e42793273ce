package scan

import (
	"go/token"
	"slices"
	"strings"

	"github.com/tiler-go/tiler/repl/python"
)

// A tally is how far a text is from being complete. It looks at every line once, however
// many follow.
type tally struct {
	in    byte     // '`' or '*' where the text ends inside a raw string or a comment, 0 elsewhere
	begun []string // the lines since that began
	depth int      // of brackets
	over  bool     // one was closed that none had opened, or a line is Python's: no line completes that
	last  token.Token
}

// add takes the next line of the text, or several.
func (t *tally) add(lines string) {
	if t.in = inside(t.in, lines); t.in != 0 {
		t.begun = append(t.begun, lines)
		return
	}
	if t.begun != nil {
		lines = strings.Join(append(t.begun, lines), "\n")
		t.begun = nil
	}
	_, floor := python.FloorDiv(lines, nil)
	t.over = t.over || floor || python.Block(lines)
	list, _ := Tokens(lines)
	for _, x := range list {
		switch x.Kind {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			t.depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			t.depth--
		}
		t.over = t.over || t.depth < 0
		if x.Kind != token.SEMICOLON || x.Lit != "\n" {
			t.last = x.Kind
		}
	}
}

// incomplete reports whether more lines must follow, and can.
func (t *tally) incomplete() bool {
	return t.in != 0 || !t.over && (t.depth > 0 || continues(t.last))
}

// inside is what src ends in, if it begins in what in says: '`' for a raw string, '*' for
// a comment, 0 for neither.
func inside(in byte, src string) byte {
	for i := 0; i < len(src); i++ {
		switch {
		case in != 0:
			end := "`"
			if in == '*' {
				end = "*/"
			}
			n := strings.Index(src[i:], end)
			if n < 0 {
				return in
			}
			in = 0
			i += n + len(end) - 1
		case src[i] == '`':
			in = '`'
		case strings.HasPrefix(src[i:], "/*"):
			in = '*'
			i++
		case src[i] == '"' || src[i] == '\'':
			for c, j := src[i], i+1; ; j++ {
				if j >= len(src) || src[j] == c || src[j] == '\n' {
					i = j
					break
				}
				if src[j] == '\\' {
					j++
				}
			}
		case strings.HasPrefix(src[i:], "//"):
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				return 0
			}
			i += n
		}
	}
	return in
}

// A Cell is a piece of a longer text that is evaluated at once.
type Cell struct {
	Text string
	Line int // its first line in the text
}

// A Splitter cuts a text into cells, line by line: each is as long as it must be to be
// complete. Declarations that follow one another are one cell, so that functions may call
// those below; they wait for what follows them. Commands are cells of their own.
type Splitter struct {
	line  int // how many lines have come
	tally tally
	cell  []string // the lines of the cell that has begun
	first int      // the number of the first
	decls []string // the lines of declarations that wait
	from  int      // the number of the first
}

// Add takes the next line, without its end, and is the cells that are complete.
func (s *Splitter) Add(line string) []Cell {
	s.line++
	if len(s.cell) == 0 {
		switch text := strings.TrimSpace(line); {
		case text == "":
			return nil
		case IsCommand(text) && !CommandIncomplete(text):
			return append(s.declarations(), Cell{text, s.line})
		}
		s.first = s.line
	}
	s.cell = append(s.cell, line)
	if s.tally.add(line); s.tally.incomplete() {
		return nil
	}
	return s.complete()
}

// End is the cells that are left, complete or not.
func (s *Splitter) End() []Cell {
	var out []Cell
	if len(s.cell) > 0 {
		out = s.complete()
	}
	return append(out, s.declarations()...)
}

// complete ends the cell that has begun.
func (s *Splitter) complete() []Cell {
	lines, text := s.cell, strings.Join(s.cell, "\n")
	s.cell, s.tally = nil, tally{}
	if IsCommand(text) || !onlyDecls(text) {
		return append(s.declarations(), Cell{text, s.first})
	}
	if len(s.decls) == 0 {
		s.from = s.first
	}
	for len(s.decls) < s.first-s.from { // empty lines between them
		s.decls = append(s.decls, "")
	}
	s.decls = append(s.decls, lines...)
	return nil
}

// declarations is the cell of the declarations that wait, if there are any.
func (s *Splitter) declarations() []Cell {
	if len(s.decls) == 0 {
		return nil
	}
	c := Cell{strings.Join(s.decls, "\n"), s.from}
	s.decls = nil
	return []Cell{c}
}

// Split cuts text into cells.
func Split(src string) []Cell {
	var s Splitter
	var cells []Cell
	for line := range strings.SplitSeq(src, "\n") {
		cells = append(cells, s.Add(line)...)
	}
	return append(cells, s.End()...)
}

// InText reports whether a text ends inside a string or a comment.
func InText(src string) bool {
	if inside(0, src) != 0 {
		return true
	}
	line := src[strings.LastIndexByte(src, '\n')+1:]
	list, errors := Tokens(line)
	if strings.Contains(line, "//") && (len(list) == 0 || strings.Contains(line[list[len(list)-1].End:], "//")) {
		return true
	}
	if !errors || len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	if last.Kind == token.SEMICOLON && len(list) > 1 {
		last = list[len(list)-2]
	}
	return (last.Kind == token.STRING || last.Kind == token.CHAR) && (len(last.Lit) < 2 || last.Lit[len(last.Lit)-1] != last.Lit[0])
}

// Closers closes the brackets that are open at the end of a text.
func Closers(src string) string {
	var stack []byte
	list, _ := Tokens(src)
	for _, t := range list {
		switch t.Kind {
		case token.LPAREN:
			stack = append(stack, ')')
		case token.LBRACK:
			stack = append(stack, ']')
		case token.LBRACE:
			stack = append(stack, '}')
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		}
	}
	var b strings.Builder
	for _, c := range slices.Backward(stack) {
		if c == '}' {
			b.WriteString("\n")
		}
		b.WriteByte(c)
	}
	return b.String()
}
