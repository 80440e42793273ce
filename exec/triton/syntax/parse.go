package syntax

import (
	"github.com/tiler-go/tiler/tilelang/diag"
)

// maxDepth bounds how deep blocks, brackets and operators are nested.
const maxDepth = 100

// Parse reads a file. The error is a *diag.Diagnostic.
func Parse(name, text string) (f *File, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *diag.Diagnostic:
			f, err = nil, r
		default:
			panic(r)
		}
	}()
	x := &lexer{file: name, text: text}
	x.run()
	p := &parser{exprs{cursor{file: name, tokens: x.tokens}}}
	f = &File{Name: name, Text: text}
	for p.peek().kind != eof {
		f.Body = append(f.Body, p.statement()...)
	}
	return f, nil
}

// At is a place in the file as diagnostics name it.
func (f *File) At(p Pos) diag.Pos { return diag.Pos{File: f.Name, Line: int(p.Line), Col: int(p.Col)} }

// A parser reads statements; what it is made of reads expressions, and tokens.
type parser struct{ exprs }

// A cursor is a place among a file's tokens.
type cursor struct {
	file   string
	tokens []token
	i      int
	depth  int
}

func (c *cursor) peek() token { return c.tokens[c.i] }

// ahead is the token n after the next one.
func (c *cursor) ahead(n int) token { return c.tokens[min(c.i+n, len(c.tokens)-1)] }

func (c *cursor) take() token {
	t := c.tokens[c.i]
	if t.kind != eof {
		c.i++
	}
	return t
}

// is reports whether the next token is an operator or keyword.
func (c *cursor) is(text string) bool {
	t := c.peek()
	return t.text == text && (t.kind == operator || t.kind == keyword)
}

// isAny is the next token's text if it is one of those.
func (c *cursor) isAny(texts ...string) bool {
	for _, s := range texts {
		if c.is(s) {
			return true
		}
	}
	return false
}

// accept takes the next token if it is an operator or keyword.
func (c *cursor) accept(text string) bool {
	if c.is(text) {
		c.i++
		return true
	}
	return false
}

func (c *cursor) expect(text string) token {
	if !c.is(text) {
		c.fail("%s, want '%s'", c.peek(), text)
	}
	return c.take()
}

func (c *cursor) name() token {
	if c.peek().kind != name {
		c.fail("%s, want a name", c.peek())
	}
	return c.take()
}

func (c *cursor) fail(format string, args ...any) { fail(c.file, c.peek().at, format, args...) }

// last is the last token that was read and says something.
func (c *cursor) last() token {
	i := c.i - 1
	for ; i > 0; i-- {
		if k := c.tokens[i].kind; k != newline && k != indent && k != dedent {
			break
		}
	}
	return c.tokens[i]
}

// deeper bounds recursion; the result ends it.
func (c *cursor) deeper() func() {
	if c.depth++; c.depth > maxDepth {
		c.fail("nested too deeply")
	}
	return func() { c.depth-- }
}
