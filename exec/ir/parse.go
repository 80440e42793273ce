package ir

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Parse reads what Func.String writes. It checks the syntax, that operands exist and
// that numbers are numbers; Verify checks the rest.
func Parse(text string) (f *Func, err error) {
	p := &parser{values: map[string]*Value{}}
	p.scan(text)
	defer func() {
		if v := recover(); v != nil {
			e, ok := v.(parseError)
			if !ok {
				panic(v)
			}
			f, err = nil, e
		}
	}()
	f = p.function()
	if p.peek().text != "" {
		p.fail("text after the function: %q", p.peek().text)
	}
	f.Walk(func(b *Block) { // values that the text does not name get numbers of their own
		for _, v := range b.Values {
			if v.ID < 0 {
				f.nextID++
				v.ID = f.nextID
			}
		}
	})
	return f, nil
}

// MustParse is Parse for tests.
func MustParse(text string) *Func {
	f, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return f
}

type parseError struct {
	line int
	msg  string
}

func (e parseError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.msg) }

type token struct {
	text  string // quoted strings keep their quotes
	line  int
	first bool // begins a line
}

type parser struct {
	tokens []token
	at     int
	f      *Func
	values map[string]*Value
}

// scan splits text into tokens: punctuation ( ) { } , = by itself, quoted strings,
// and words, which may hold brackets.
func (p *parser) scan(text string) {
	line, first := 1, true
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			first = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		}
		n := tokenLen(text[i:])
		p.tokens = append(p.tokens, token{text[i : i+n], line, first})
		first = false
		i += n
	}
	p.tokens = append(p.tokens, token{"", line, true})
}

func tokenLen(s string) int {
	if strings.IndexByte("(){},=", s[0]) >= 0 {
		return 1
	}
	if s[0] == '"' {
		return quotedLen(s)
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[' || c == '(':
			depth++
		case (c == ']' || c == ')') && depth > 0:
			depth--
		case c == '"':
			return max(i, 1)
		case depth == 0 && strings.IndexByte("{}=", c) >= 0 && !strings.HasPrefix(s, "ax"):
			return max(i, 1)
		case depth == 0 && (c == ')' || c == ',' && !strings.HasPrefix(s, "axes=")):
			return max(i, 1)
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			return max(i, 1)
		}
	}
	return len(s)
}

func quotedLen(s string) int {
	for i := 1; i < len(s) && s[i] != '\n'; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.text != "" {
		p.at++
	}
	return t
}

func (p *parser) fail(format string, args ...any) {
	panic(parseError{p.peek().line, fmt.Sprintf(format, args...)})
}

func (p *parser) expect(text string) {
	if t := p.next(); t.text != text {
		p.fail("got %q, want %q", t.text, text)
	}
}

func (p *parser) accept(text string) bool {
	if p.peek().text == text {
		p.at++
		return true
	}
	return false
}

func (p *parser) quoted() string {
	s, err := strconv.Unquote(p.next().text)
	if err != nil {
		p.fail("want a quoted string")
	}
	return s
}

func (p *parser) function() *Func {
	p.expect("func")
	// The name and the parenthesis are one token, because words may hold brackets.
	name, rest, found := strings.Cut(p.peek().text, "(")
	if found {
		p.tokens[p.at].text = rest
		if rest == "" {
			p.at++
		}
	} else {
		name = p.next().text
		p.expect("(")
	}
	p.f = &Func{Name: name}
	for !p.accept(")") {
		v := p.argument()
		v.Op, v.Index = Param, len(p.f.Params)
		if strings.HasPrefix(p.peek().text, `"`) {
			v.Text = p.quoted()
		}
		p.f.Params = append(p.f.Params, v)
		p.accept(",")
	}
	p.f.File = p.quoted()
	p.expect("{")
	p.f.Body = p.block()
	return p.f
}

// argument is "v3 f32[16]", a new value.
func (p *parser) argument() *Value {
	name := p.next().text
	return p.define(name, &Value{Type: p.typ()})
}

// define names a new value; its ID is the number in its name.
func (p *parser) define(name string, v *Value) *Value {
	id, err := strconv.Atoi(strings.TrimPrefix(name, "v"))
	if err != nil || !strings.HasPrefix(name, "v") || id <= 0 || id > 1<<30 {
		p.fail("%q is not a value's name", name)
	}
	if p.values[name] != nil {
		p.fail("%s is defined twice", name)
	}
	v.ID = id
	p.f.nextID = max(p.f.nextID, id)
	p.values[name] = v
	return v
}

// typ is f32[16,64], *f32 or none.
func (p *parser) typ() (t Type) {
	name, sizes, isTile := strings.Cut(p.next().text, "[")
	if name == "none" {
		return t
	}
	d, err := dtype.Parse(name)
	if err != nil {
		p.fail("%v", err)
	}
	t.D = d
	if !isTile {
		return t
	}
	var dims []int
	for _, s := range strings.Split(strings.TrimSuffix(sizes, "]"), ",") {
		n, err := strconv.Atoi(s)
		if err != nil || len(dims) == MaxRank {
			p.fail("bad shape [%s", sizes)
		}
		dims = append(dims, n)
	}
	t.Shape = ShapeOf(dims...)
	return t
}

func (p *parser) block() *Block {
	b := &Block{}
	if p.accept("(") {
		for !p.accept(")") {
			b.Args = append(b.Args, p.argument())
			p.accept(",")
		}
	}
	for !p.accept("}") {
		if p.peek().text == "" {
			p.fail("the text ends inside a block")
		}
		b.Values = append(b.Values, p.value())
	}
	return b
}

func (p *parser) value() *Value {
	v := &Value{ID: -1}
	name := p.next().text
	if len(name) > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9' {
		if p.accept("(") {
			for !p.accept(")") {
				v.Results = append(v.Results, p.typ())
				p.accept(",")
			}
		} else {
			v.Type = p.typ()
		}
		p.expect("=")
		p.define(name, v)
		name = p.next().text
	}
	var ok bool
	if v.Op, ok = opByName(name); !ok {
		p.fail("no op is called %q", name)
	}
	for !p.peek().first && p.peek().text != "{" && p.peek().text != "}" {
		p.detail(v)
	}
	for p.accept("{") {
		v.Blocks = append(v.Blocks, p.block())
	}
	return v
}

// detail is an operand or an attribute.
func (p *parser) detail(v *Value) {
	t := p.next().text
	switch {
	case v.Op == op.Const && v.Flags == 0 && len(v.Args) == 0 && t[0] != '@':
		v.Bits = p.constant(v.Type.D, t)
	case t[0] == 'v' && len(t) > 1 && t[1] >= '0' && t[1] <= '9':
		a := p.values[t]
		if a == nil {
			p.fail("%s is not defined", t)
		}
		v.Args = append(v.Args, a)
	case t[0] == '#':
		v.Index = p.number(t[1:])
	case strings.HasPrefix(t, "axis="):
		v.Axis = p.number(t[5:])
	case strings.HasPrefix(t, "axes="):
		for _, s := range strings.Split(t[5:], ",") {
			v.Axes = append(v.Axes, p.number(s))
		}
	case t[0] == '"':
		p.at--
		v.Text = p.quoted()
	case t[0] == '@':
		v.Pos = p.position(t[1:])
	default:
		p.word(v, t)
	}
}

// word is a flag or a chain.
func (p *parser) word(v *Value, name string) {
	for i, n := range flagNames {
		if n == name {
			v.Flags |= 1 << i
			return
		}
	}
	for _, c := range dot.Chains() {
		if c.String() == name {
			v.Chain = c
			return
		}
	}
	p.fail("unknown attribute %q", name)
}

func (p *parser) number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		p.fail("%q is not a number", s)
	}
	return n
}

// position is 12:3, or the file in quotes before it, which is a token of its own.
func (p *parser) position(s string) diag.Pos {
	pos := diag.Pos{File: p.f.File}
	if s == "" {
		pos.File = p.quoted()
		s = strings.TrimPrefix(p.next().text, ":")
	}
	line, col, _ := strings.Cut(s, ":")
	pos.Line, pos.Col = p.number(line), p.number(col)
	return pos
}

func (p *parser) constant(d dtype.DType, s string) uint64 {
	switch {
	case d == dtype.Bool && (s == "true" || s == "false"):
		if s == "true" {
			return 1
		}
		return 0
	case d.IsFloat():
		hex, _, _ := strings.Cut(strings.TrimPrefix(s, "0x"), "(")
		bits, err := strconv.ParseUint(hex, 16, 64)
		if err != nil || !strings.HasPrefix(s, "0x") {
			p.fail("%q is not a float's bits", s)
		}
		return bits
	}
	if d.IsSigned() || d.IsPointer() {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			p.fail("%q is not a constant of type %s", s, d)
		}
		if d.Bits() < 64 {
			return uint64(n) & (1<<d.Bits() - 1)
		}
		return uint64(n)
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		p.fail("%q is not a constant of type %s", s, d)
	}
	return n
}
