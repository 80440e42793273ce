package lower

import (
	"github.com/tiler-go/tiler/exec/triton/lower/value"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

func (l *lowering) binaryExpr(e *syntax.Binary) value.Value {
	x := l.expr(e.X)
	if e.Op == "and" || e.Op == "or" {
		return l.logical(e, x)
	}
	y := l.expr(e.Y)
	l.At = e.At
	return l.Operate(e.Op, x, y)
}

// logical is x and y, x or y: what is known decides as in Python; of scalars both are
// evaluated.
func (l *lowering) logical(e *syntax.Binary, x value.Value) value.Value {
	if c, ok := value.Known(x); ok {
		if value.Truth(c) == (e.Op == "or") {
			return x
		}
		return l.expr(e.Y)
	}
	y := l.expr(e.Y)
	l.At = e.At
	o := "&"
	if e.Op == "or" {
		o = "|"
	}
	return l.Operate(o, l.Boolean(x), l.Boolean(y))
}

func (l *lowering) unary(e *syntax.Unary) value.Value {
	x := l.expr(e.X)
	l.At = e.At
	if value.IsConst(x) {
		return l.ConstUnary(e.Op, x)
	}
	if e.Op == "not" {
		t := l.Boolean(x).(value.Tensor)
		return value.Tensor{IR: l.Fold(op.Not, t.IR.Type, t.IR)}
	}
	t := l.Numeric(e.Op, x)
	o := map[string]op.Op{"-": op.Neg, "~": op.Not}[e.Op]
	if e.Op == "+" {
		return x
	}
	if !o.Row().In.Has(t.IR.Type.D) {
		l.Holds(e.Op, rule.NotDefined(o, t.IR.Type.D, value.Describe(x)))
	}
	return value.Tensor{IR: l.Fold(o, t.IR.Type, t.IR)}
}

// compareExpr is a comparison; of what is known a chain of them.
func (l *lowering) compareExpr(e *syntax.Compare) value.Value {
	x := l.expr(e.X)
	for i, o := range e.Ops {
		y := l.expr(e.Ys[i])
		l.At = e.At
		z := l.Compare(o, x, y)
		if len(e.Ops) == 1 {
			return z
		}
		c, ok := value.Known(z)
		if !ok {
			value.Fail(l.Refuse("a chain of comparisons").Fix("join two comparisons with &: (a < b) & (b < c)"))
		}
		if !value.Truth(c) {
			return false
		}
		x = y
	}
	return true
}
