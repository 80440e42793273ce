package lower

import (
	"maps"
	"math/big"
	"strconv"
	"strings"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/lower/builtin"
	"github.com/tiler-go/tiler/exec/triton/lower/flow"
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
)

// expr is what an expression gives.
func (l *lowering) expr(e syntax.Expr) value.Value {
	l.At = e.Pos()
	switch e := e.(type) {
	case *syntax.Name:
		return nameOf(&l.Place, e.Name)
	case *syntax.Number:
		return literal(&l.Place, e)
	case *syntax.String:
		if e.Format {
			return value.Mystery("an f-string")
		}
		return e.Value
	case *syntax.Constant:
		switch e.Text {
		case "True", "False":
			return e.Text == "True"
		case "None":
			return nil
		}
	case *syntax.Tuple:
		return l.tuple(e.Elems)
	case *syntax.List:
		return l.tuple(e.Elems)
	case *syntax.Unary:
		return l.unary(e)
	case *syntax.Binary:
		return l.binaryExpr(e)
	case *syntax.Compare:
		return l.compareExpr(e)
	case *syntax.IfExp:
		return l.choose(e)
	case *syntax.Call:
		return l.call(e)
	case *syntax.Attribute:
		x := l.expr(e.X)
		l.At = e.At
		return attribute(&l.Emitter, x, e.Name)
	case *syntax.Subscript:
		return l.subscript(e)
	case *syntax.Walrus:
		return l.walrus(e)
	case *syntax.Comprehension:
		if e.Kind == "[" && len(e.Clauses) == 1 && l.Func != nil {
			return l.comprehension(e)
		}
	}
	return foreign(&l.Emitter, e)
}

// comprehension is [f(x) for x in a tuple], element by element.
func (l *lowering) comprehension(e *syntax.Comprehension) value.Value {
	c := e.Clauses[0]
	list := l.staticList(c.Iter)
	outer := l.Frame.Vars
	l.Frame.Vars = maps.Clone(outer)
	z := value.Tuple{}
next:
	for _, v := range list {
		assign(&l.Place, c.Target, v)
		for _, cond := range c.Conds {
			keep, ok := value.Known(l.expr(cond))
			if !ok {
				l.At = cond.Pos()
				value.Fail(l.Refuse("the condition of a comprehension must be known before the kernel runs"))
			}
			if !value.Truth(keep) {
				continue next
			}
		}
		z = append(z, l.expr(e.Elem))
	}
	l.Frame.Vars, l.At = outer, e.At
	return z
}

// staticList is a tuple, or the numbers of a range that are known.
func (l *lowering) staticList(e syntax.Expr) value.Tuple {
	if call, ok := e.(*syntax.Call); ok {
		if b, ok := l.expr(call.Func).(value.Builtin); ok && (b.Name() == "range" || b.Name() == "static_range") {
			return l.bind(b.Row, call).Numbers()
		}
	}
	return l.Elements(l.expr(e))
}

// foreign refuses what no kernel can have.
func foreign(l *value.Emitter, e syntax.Expr) value.Value {
	what := "this expression"
	switch e.(type) {
	case *syntax.Lambda:
		what = "a lambda"
	case *syntax.Dict, *syntax.Set:
		what = "a dictionary or set"
	case *syntax.Comprehension:
		what = "a comprehension"
	}
	if l.Func == nil {
		return value.Mystery(what)
	}
	value.Fail(l.Refuse("%s: not possible in a kernel", what).
		Fix("write a function with @triton.jit, or compute it before the launch"))
	return nil
}

func (l *lowering) walrus(e *syntax.Walrus) value.Value {
	n, ok := e.Target.(*syntax.Name)
	if !ok {
		value.Fail(l.Refuse(":= needs a name on its left"))
	}
	v := l.Assigned(l.expr(e.Value))
	l.Frame.Vars[n.Name] = v
	return v
}

func (l *lowering) tuple(es []syntax.Expr) value.Value {
	t := make(value.Tuple, 0, len(es))
	for _, e := range es {
		if s, ok := e.(*syntax.Starred); ok {
			t = append(t, l.Elements(l.expr(s.X))...)
			continue
		}
		t = append(t, l.expr(e))
	}
	return t
}

// literal is a number as it is written.
func literal(l *value.Place, e *syntax.Number) value.Value {
	if e.Imag {
		value.Fail(l.Refuse("complex numbers: not possible in a kernel").
			Fix("keep the real and the imaginary part in two tiles"))
	}
	if e.Float {
		x, err := strconv.ParseFloat(e.Text, 64)
		if err != nil && x == 0 {
			value.Fail(l.Refuse("%s is not a number", e.Text))
		}
		return x
	}
	n, ok := new(big.Int).SetString(strings.ToLower(e.Text), 0)
	if !ok {
		if n, ok = new(big.Int).SetString(e.Text, 10); !ok {
			value.Fail(l.Refuse("%s is not a number", e.Text))
		}
	}
	return number.Whole(n)
}

// nameOf is what a variable holds: one of the function, of its file or of Python.
func nameOf(l *value.Place, name string) value.Value {
	if v, ok := l.Frame.Vars[name]; ok {
		if gone, isGone := v.(flow.Lost); isGone {
			value.Fail(gone.Refuse(l, name))
		}
		return v
	}
	if v, ok := l.Frame.Scope.Lookup(name); ok {
		return v
	}
	if b, ok := builtin.Find("builtins." + name); ok {
		return b
	}
	switch name {
	case "int", "float", "bool", "tuple", "list", "str":
		return value.Class(name)
	}
	value.Fail(l.Refuse("%s is not defined here", name).
		Note("a kernel sees its parameters, its own variables, functions and constants of its file, and triton.language"))
	return nil
}

// subscript is x[index]: an element of a tuple, or a tile with axes inserted.
func (l *lowering) subscript(e *syntax.Subscript) value.Value {
	x := l.expr(e.X)
	switch x := x.(type) {
	case value.Tuple:
		return l.element(x, e)
	case value.Tensor:
		return l.expanded(x, e)
	case *value.Region:
		l.At = e.At
		value.Fail(l.Refuse("%s cannot be indexed", value.Describe(x)))
	}
	l.At = e.At
	if l.Func == nil {
		return value.Mystery("an element")
	}
	// A launch within a kernel, a dictionary: both are the host's.
	value.Fail(l.Refuse("%s cannot be indexed", value.Describe(x)))
	return nil
}

func (l *lowering) element(t value.Tuple, e *syntax.Subscript) value.Value {
	if s, ok := e.Index.(*syntax.Slice); ok && s.Step == nil {
		return l.slice(t, s)
	}
	i, ok := value.Known(l.expr(e.Index))
	n, isInt := i.(int64)
	l.At = e.At
	if !ok || !isInt {
		value.Fail(l.Refuse("the index of a tuple must be known before the kernel runs"))
	}
	if n < 0 {
		n += int64(len(t))
	}
	if n < 0 || n >= int64(len(t)) {
		value.Fail(l.Refuse("index %d of a tuple of %d", n, len(t)))
	}
	return t[n]
}

func (l *lowering) slice(t value.Tuple, s *syntax.Slice) value.Value {
	bound := func(e syntax.Expr, without int) int {
		if e == nil {
			return without
		}
		n := l.StaticInt(l.expr(e), "the bound of a slice")
		if n < 0 {
			n += len(t)
		}
		return max(0, min(n, len(t)))
	}
	lo, hi := bound(s.Lo, 0), bound(s.Hi, len(t))
	return append(value.Tuple{}, t[lo:max(lo, hi)]...)
}

// expanded is x[:, None] and the like.
func (l *lowering) expanded(x value.Tensor, e *syntax.Subscript) value.Value {
	index := []syntax.Expr{e.Index}
	if t, ok := e.Index.(*syntax.Tuple); ok {
		index = t.Elems
	}
	l.At = e.At
	s := ir.Shape{}
	axis := 0
	for _, i := range index {
		size := 1
		if isColon(i) {
			if axis == x.IR.Type.Shape.N {
				value.Fail(l.Refuse("%s has %d dimensions", value.Describe(x), axis))
			}
			size = x.IR.Type.Shape.D[axis]
			axis++
		} else if !l.isNone(i) {
			value.Fail(l.Refuse("a tile is indexed with : and None only").
				Fix("load the elements that are wanted, or choose them with tl.where, tl.gather or tl.sum"))
		}
		if s.N == ir.MaxRank {
			value.Fail(l.Refuse("a tile has at most %d dimensions", ir.MaxRank))
		}
		s.D[s.N] = size
		s.N++
	}
	for ; axis < x.IR.Type.Shape.N; axis++ {
		if s.N == ir.MaxRank {
			value.Fail(l.Refuse("a tile has at most %d dimensions", ir.MaxRank))
		}
		s.D[s.N] = x.IR.Type.Shape.D[axis]
		s.N++
	}
	return value.Tensor{IR: emit.Reshape(&l.Emitter, x.IR, s)}
}

func isColon(e syntax.Expr) bool {
	s, ok := e.(*syntax.Slice)
	return ok && s.Lo == nil && s.Hi == nil && s.Step == nil
}

func (l *lowering) isNone(e syntax.Expr) bool {
	at := l.At
	v := l.expr(e)
	l.At = at
	return v == nil
}

// choose is x if cond else y.
func (l *lowering) choose(e *syntax.IfExp) value.Value {
	cond := l.expr(e.Cond)
	if c, ok := value.Known(cond); ok {
		if value.Truth(c) {
			return l.expr(e.Then)
		}
		return l.expr(e.Else)
	}
	l.At = e.At
	c := l.Condition(cond)
	if l.Lanes != nil {
		return either(&l.Emitter, c, l.expr(e.Then), l.expr(e.Else))
	}
	var x, y value.Value
	one := func(e syntax.Expr, to *value.Value) func() flow.Flow {
		return func() flow.Flow { *to = l.expr(e); return flow.Falls }
	}
	return l.Branch(c, one(e.Then, &x), one(e.Else, &y), nil, func() (value.Value, value.Value) { return x, y })
}
