package gogen

import (
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/triton/gogen/value"
	"github.com/tiler-go/tiler/exec/triton/lower"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// expressions print a function's expressions.
type expressions struct {
	value.Printer
	names
	printed
	g       *gen
	plan    *plan
	program string // the name of *tl.Program
	needs   bool   // the program, in a function that is called
}

// names are of variables.
type names struct {
	vars    map[string]value.Type // what they are, wherever they are bound
	cur     map[string]value.Type // and here
	passed  map[string]value.Type
	read    map[string]bool
	known   map[string]bool // what was read in the round before
	open    map[string]bool // declared so far
	masks   map[string]bool // what is used as a mask
	changed bool            // one of them is more than it was in the round before
}

// varName is the name of a parameter that is another kind of variable in the function.
func (n *names) varName(name string) string {
	if n.renamed(name) {
		return value.GoName(name) + "Tile"
	}
	return value.GoName(name)
}

func (n *names) renamed(name string) bool {
	t, ok := n.passed[name]
	return ok && n.vars[name].Kind == value.Tile && t.Kind != value.Tile
}

// expr is an expression in Go.
func (f *expressions) expr(e syntax.Expr) value.Value {
	f.At = e.Pos()
	switch e := e.(type) {
	case *syntax.Name:
		return f.name(e)
	case *syntax.Number:
		return f.number(e)
	case *syntax.String:
		return value.Of(strconv.Quote(e.Value), value.Type{Kind: value.Text, Weak: true})
	case *syntax.Constant:
		return f.constant(e)
	case *syntax.Tuple:
		return f.tuple(e.Elems)
	case *syntax.List:
		return f.tuple(e.Elems)
	case *syntax.Unary:
		return f.unary(e)
	case *syntax.Binary:
		x := f.expr(e.X)
		if e.Op == "and" || e.Op == "or" {
			return f.logical(e, x)
		}
		y := f.expr(e.Y)
		f.At = e.At
		if e.Op == "**" && x.Weak && y.Weak {
			if m, ok := f.File.Meaning(e); ok && m.Known && !f.localIn(e) {
				return f.Literal(m.Const)
			}
		}
		return f.Binary(e.Op, x, y)
	case *syntax.Compare:
		return f.compare(e)
	case *syntax.IfExp:
		return f.ifExpr(e)
	case *syntax.Call:
		return f.call(e)
	case *syntax.Attribute:
		return f.attribute(e)
	case *syntax.Subscript:
		return f.subscript(e)
	}
	f.Refuse("this expression has no counterpart in Go")
	return value.Value{}
}

// localIn reports whether an expression has variables of the function in it.
func (f *expressions) localIn(e syntax.Expr) (found bool) {
	walk(e, func(n *syntax.Name) {
		_, bound := f.cur[n.Name]
		found = found || bound || f.plan.locals[n.Name]
	})
	return found
}

func (f *expressions) number(e *syntax.Number) value.Value {
	if e.Imag {
		f.Refuse("complex numbers have no counterpart in a kernel")
	}
	if e.Float {
		return value.Of(e.Text, value.WeakFloat)
	}
	return value.Of(e.Text, value.WeakInt)
}

func (f *expressions) constant(e *syntax.Constant) value.Value {
	if e.Text == "None" {
		return value.Value{}
	}
	return value.Known(e.Text == "True")
}

func (f *expressions) tuple(es []syntax.Expr) value.Value {
	z := value.Value{Type: value.TupleOf()}
	for _, e := range es {
		v := f.expr(e)
		z.Parts, z.Elems = append(z.Parts, v), append(z.Elems, v.Type)
	}
	return z
}

// name is a variable, or what stands in the file.
func (f *expressions) name(e *syntax.Name) value.Value {
	if t, ok := f.cur[e.Name]; ok {
		f.read[e.Name] = true
		v := value.Of(f.varName(e.Name), t)
		v.Name = e.Name
		if f.vars[e.Name].Kind == value.Tile && t.IsNumber() {
			v.Kind = value.Tile
		}
		return v
	}
	if f.plan.locals[e.Name] {
		f.Refuse("%s is not bound on every path to here", e.Name)
	}
	m, ok := f.File.Meaning(e)
	if !ok {
		f.Refuse("%s is not known before a launch", e.Name)
	}
	return f.meant(e.Name, m)
}

// meaning is what an expression stands for that is none of the function's own.
func (f *expressions) meaning(e syntax.Expr) (m lower.Meaning, ok bool) {
	root := e
	for {
		a, ok := root.(*syntax.Attribute)
		if !ok {
			break
		}
		root = a.X
	}
	n, ok := root.(*syntax.Name)
	if !ok {
		return m, false
	}
	if t, own := f.cur[n.Name]; own || f.plan.locals[n.Name] {
		if t.Kind == value.Func && root == e {
			return *t.Fn, true
		}
		return m, false
	}
	return f.File.Meaning(e)
}

// meant is a constant or function of the file; a number keeps its name.
func (f *expressions) meant(name string, m lower.Meaning) value.Value {
	if !m.Known {
		return value.Value{Type: value.Type{Kind: value.Func, Fn: &m}}
	}
	v := f.Literal(m.Const)
	named := v.Kind == value.Int || v.Kind == value.Float || v.Kind == value.Text
	if name == "" || !named || strings.Contains(v.Code, "math.") {
		return v
	}
	name = value.GoName(name)
	if old, ok := f.g.consts[name]; !ok || old == v.Code {
		f.g.consts[name] = v.Code
		v.Code, v.Prec = name, value.Primary
	}
	return v
}

func (f *expressions) logical(e *syntax.Binary, x value.Value) value.Value {
	if x.Kind != value.Tile { // what is known decides without the other side
		c := f.Condition(x)
		if c.Static != nil && *c.Static == (e.Op == "or") {
			return c
		}
	}
	y := f.expr(e.Y)
	f.At = e.At
	if x.Kind == value.Tile || y.Kind == value.Tile {
		o := map[string]string{"and": "&", "or": "|"}[e.Op]
		return f.Tiles(value.Operators[o], f.TruthTile(x), f.TruthTile(y))
	}
	return f.Both(map[string]string{"and": "&&", "or": "||"}[e.Op], x, y)
}

func (f *expressions) unary(e *syntax.Unary) value.Value {
	x := f.expr(e.X)
	f.At = e.At
	return f.Unary(e.Op, x)
}

// compare is a chain of comparisons.
func (f *expressions) compare(e *syntax.Compare) value.Value {
	x := f.expr(e.X)
	var z value.Value
	for i, o := range e.Ops {
		y := f.expr(e.Ys[i])
		f.At = e.At
		v := f.Compare(o, x, y)
		switch {
		case i == 0:
			z = v
		case z.Kind == value.Tile || v.Kind == value.Tile:
			f.Refuse("a chain of comparisons of tiles")
		default:
			z = f.Both("&&", z, v)
		}
		x = y
	}
	return z
}

// ifExpr is x if c else y, by a variable of its own.
func (f *expressions) ifExpr(e *syntax.IfExp) value.Value {
	c := f.Condition(f.expr(e.Cond))
	if c.Static != nil {
		if *c.Static {
			return f.expr(e.Then)
		}
		return f.expr(e.Else)
	}
	x, y := f.Strong(f.expr(e.Then), false), f.Strong(f.expr(e.Else), false)
	f.At = e.At
	t, ok := x.Type.Join(y.Type)
	if !ok || t.GoType() == "" || f.Repeated {
		f.Refuse("%s or %s, by a condition, has no counterpart in an expression of Go", x.Kind, y.Kind)
	}
	if t.Kind == value.Tile {
		x, y = f.Lifted(x), f.Lifted(y)
	}
	temp := f.temp()
	f.emit("%s := %s\nif %s {\n%s = %s\n}", temp, y.Code, c.Code, temp, x.Code)
	return value.Of(temp, t)
}
