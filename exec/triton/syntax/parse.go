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
	p := &parser{file: name, tokens: x.tokens}
	f = &File{Name: name, Text: text}
	for p.peek().kind != eof {
		f.Body = append(f.Body, p.statement()...)
	}
	return f, nil
}

// At is a place in the file as diagnostics name it.
func (f *File) At(p Pos) diag.Pos { return diag.Pos{File: f.Name, Line: int(p.Line), Col: int(p.Col)} }

// A parser reads tokens.
type parser struct {
	file   string
	tokens []token
	i      int
	depth  int
}

func (p *parser) peek() token { return p.tokens[p.i] }

// ahead is the token n after the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.i+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.i]
	if t.kind != eof {
		p.i++
	}
	return t
}

// is reports whether the next token is an operator or keyword.
func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && (t.kind == operator || t.kind == keyword)
}

// isAny is the next token's text if it is one of those.
func (p *parser) isAny(texts ...string) bool {
	for _, s := range texts {
		if p.is(s) {
			return true
		}
	}
	return false
}

// accept takes the next token if it is an operator or keyword.
func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.i++
		return true
	}
	return false
}

func (p *parser) expect(text string) token {
	if !p.is(text) {
		p.fail("%s, want '%s'", p.peek(), text)
	}
	return p.take()
}

func (p *parser) name() token {
	if p.peek().kind != name {
		p.fail("%s, want a name", p.peek())
	}
	return p.take()
}

func (p *parser) fail(format string, args ...any) { fail(p.file, p.peek().at, format, args...) }

// last is the last token that was read and says something.
func (p *parser) last() token {
	i := p.i - 1
	for ; i > 0; i-- {
		if k := p.tokens[i].kind; k != newline && k != indent && k != dedent {
			break
		}
	}
	return p.tokens[i]
}

// deeper bounds recursion; the result ends it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deeply")
	}
	return func() { p.depth-- }
}
