package frontend

import (
	"fmt"
	"go/token"
	"go/types"

	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Go scalars compute as Go does: integers wrap, division truncates and fails on 0,
// floats round once per operation. What is known is computed here, by the same
// loops that engines use.

// scalarValue is a scalar as an IR value.
func (l *emitter) scalarValue(v value) *ir.Value {
	if v.known {
		return l.Constant(v.dtype(), v.bits)
	}
	return v.v
}

var comparisons = map[token.Token]op.Op{
	token.LSS: op.Lt, token.LEQ: op.Le, token.GTR: op.Gt, token.GEQ: op.Ge, token.EQL: op.Eq, token.NEQ: op.Ne,
}

var operators = map[token.Token]op.Op{
	token.ADD: op.Add, token.SUB: op.Sub, token.MUL: op.Mul, token.QUO: op.FloorDiv, token.REM: op.Mod,
	token.AND: op.And, token.OR: op.Or, token.XOR: op.Xor, token.AND_NOT: op.And,
}

// apply is an elementwise op of scalars of one type, folded if they are known.
func (l *emitter) apply(o op.Op, result types.BasicKind, xs ...value) value {
	d := xs[0].dtype()
	if d == dtype.Bool && (o == op.And || o == op.Or) {
		for i, x := range xs {
			if x.known && x.bool() == (o == op.Or) {
				return x
			} else if x.known {
				return xs[1-i]
			}
		}
	}
	known := true
	for _, x := range xs {
		known = known && x.known
	}
	if known {
		var in [3]uint64
		for i, x := range xs {
			in[i] = x.bits
		}
		return value{kind: scalarKind, basic: result, known: true, bits: op.Scalar(o, d, in[:len(xs)]...)}
	}
	args := make([]*ir.Value, len(xs))
	for i, x := range xs {
		args[i] = l.scalarValue(x)
	}
	return runtime(result, l.Emit(o, ir.Scalar(o.Result(d)), args...))
}

// scalarBinary is x o y of two Go numbers or bools at the current position.
func (l *emitter) scalarBinary(o token.Token, p token.Pos, x, y value) value {
	if o == token.SHL || o == token.SHR {
		return l.shift(o, p, x, y)
	}
	if x.basic != y.basic {
		return bad // go/types has said that they differ
	}
	if c, ok := comparisons[o]; ok {
		return l.apply(c, types.Bool, x, y)
	}
	if x.dtype().IsFloat() {
		return l.floatBinary(o, p, x, y)
	}
	if z, ok := identity(o, x, y); ok {
		return z
	}
	switch o {
	case token.QUO, token.REM:
		return l.divide(operators[o], p, x, y)
	case token.AND_NOT:
		y = l.apply(op.Not, y.basic, y)
	}
	return l.apply(operators[o], x.basic, x, y)
}

// identity is x o y of integers where one of them makes it trivial.
func identity(o token.Token, x, y value) (z value, ok bool) {
	switch {
	case (o == token.ADD || o == token.SUB || o == token.OR || o == token.XOR) && y.isInt(0):
		return x, true
	case (o == token.ADD || o == token.OR || o == token.XOR) && x.isInt(0):
		return y, true
	case (o == token.MUL || o == token.QUO) && y.isInt(1):
		return x, true
	case o == token.MUL && x.isInt(1):
		return y, true
	case o == token.MUL && x.isInt(0):
		return x, true
	case o == token.MUL && y.isInt(0):
		return y, true
	}
	return z, false
}

func (l *emitter) floatBinary(o token.Token, p token.Pos, x, y value) value {
	switch o {
	case token.ADD, token.SUB:
		if x.unrounded || y.unrounded {
			return l.unroundedSum(p, fmt.Sprintf("%s(x*y) %s z", types.Typ[x.basic].Name(), o))
		}
		return l.apply(operators[o], x.basic, x, y)
	case token.MUL:
		z := l.apply(op.Mul, x.basic, x, y)
		z.unrounded = true
		return z
	case token.QUO:
		return l.apply(op.Div, x.basic, x, y)
	}
	return bad
}

// unroundedSum refuses a sum that Go may fuse with the product in it.
func (l *emitter) unroundedSum(p token.Pos, instead string) value {
	l.error(p, "a product of floats in a sum: Go may round it once with the sum, or twice").
		Note("on some processors Go computes x*y + z with one fused instruction, so results would differ").
		Fix("round the product first: %s", instead)
	return bad
}

const divideByZero = "panic: runtime error: integer divide by zero"

// divide is an integer quotient or remainder.
func (l *emitter) divide(o op.Op, p token.Pos, x, y value) value {
	if y.isInt(0) {
		l.error(p, "division by zero").Fix("test the divisor first")
		return bad
	}
	z := l.apply(o, x.basic, x, y)
	if !z.known {
		z.v.Flags |= ir.GoScalar
		z.v.Text = divideByZero
	}
	return z
}

// shift is x << y or x >> y. The count may be of another type; a negative one fails.
func (l *emitter) shift(o token.Token, p token.Pos, x, y value) value {
	if y.known && y.dtype().IsSigned() && y.int() < 0 {
		l.error(p, "a negative shift count")
		return bad
	}
	if y.isInt(0) {
		return x
	}
	if !y.known && y.dtype().IsSigned() && !l.isNonneg(y.v) {
		l.check(l.Emit(op.Ge, ir.Scalar(dtype.Bool), y.v, l.Constant(y.dtype(), 0)), "panic: runtime error: negative shift amount")
	}
	// A count of 64 or more shifts everything out, in every type.
	d := x.dtype()
	if y.known {
		y.bits = min(y.bits, 64)
	} else if y.dtype().Bits() > d.Bits() {
		y = l.apply(op.Minimum, y.basic, y, value{kind: scalarKind, basic: y.basic, known: true, bits: 64})
	}
	shift := op.Shl
	if o == token.SHR {
		shift = op.Shr
	}
	return l.apply(shift, x.basic, x, l.cast(y, x.basic))
}

// isNonneg reports whether an integer is certainly not negative.
func (l *emitter) isNonneg(v *ir.Value) bool {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		return true
	case op.Const:
		return dtype.ToInt(v.Type.D, v.Bits) >= 0
	case op.Add, op.Mul: // may wrap
		return false
	case op.FloorDiv, op.Minimum:
		return l.isNonneg(v.Args[0]) && l.isNonneg(v.Args[1])
	case op.Mod:
		return l.isNonneg(v.Args[0])
	case op.And, op.Maximum:
		return l.isNonneg(v.Args[0]) || l.isNonneg(v.Args[1])
	case op.Cast:
		from := v.Args[0].Type.D
		return from.IsInt() && !from.IsSigned() && from.Bits() < v.Type.D.Bits()
	}
	return l.nonneg[v]
}

// check ends the instance if cond does not hold; text is the whole message, in which
// %v stands for the operands in turn.
func (l *emitter) check(cond *ir.Value, text string, operands ...*ir.Value) {
	v := l.Emit(op.Assert, ir.Type{}, append([]*ir.Value{cond}, operands...)...)
	v.Flags |= ir.GoScalar
	v.Text = text
}

func (l *emitter) scalarUnary(o token.Token, x value) value {
	switch o {
	case token.SUB:
		z := l.apply(op.Neg, x.basic, x)
		z.unrounded = x.unrounded
		return z
	case token.XOR, token.NOT:
		return l.apply(op.Not, x.basic, x)
	}
	return x
}

// cast is a scalar in another Go type, where every value converts.
func (l *emitter) cast(x value, to types.BasicKind) value {
	from, d := x.dtype(), goTypes[to]
	z := value{kind: scalarKind, basic: to, known: x.known, bits: x.bits, v: x.v}
	switch {
	case from == d:
	case x.known:
		z.bits = dtype.Convert(d, from, x.bits, false)
	default:
		z.v = l.once(memoKey{op.Cast, d, 0, x.v}, func() *ir.Value { return l.Emit(op.Cast, ir.Scalar(d), x.v) })
		if from.IsInt() && from.Bits() <= d.Bits() && l.isNonneg(x.v) {
			l.nonneg[z.v] = true
		}
	}
	return z
}

// convert is the Go conversion of a scalar.
func (l *emitter) convert(x value, to types.BasicKind, p token.Pos) value {
	if x.dtype().IsFloat() && goTypes[to].IsInt() {
		return l.goInt(x, to, p)
	}
	return l.cast(x, to)
}

// castedOnce is a scalar in another type, made once in a block.
func (l *emitter) castedOnce(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D == d {
		return x
	}
	return l.once(memoKey{op.Cast, d, 0, x}, func() *ir.Value { return emit.Cast(l, x, d) })
}
