package value

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

// ScalarValue is a scalar as an IR value.
func (l *Emitter) ScalarValue(v Value) *ir.Value {
	if v.Known {
		return l.Constant(v.DType(), v.Bits)
	}
	return v.IR
}

var comparisons = map[token.Token]op.Op{
	token.LSS: op.Lt, token.LEQ: op.Le, token.GTR: op.Gt, token.GEQ: op.Ge, token.EQL: op.Eq, token.NEQ: op.Ne,
}

var operators = map[token.Token]op.Op{
	token.ADD: op.Add, token.SUB: op.Sub, token.MUL: op.Mul, token.QUO: op.FloorDiv, token.REM: op.Mod,
	token.AND: op.And, token.OR: op.Or, token.XOR: op.Xor, token.AND_NOT: op.And,
}

// Apply is an elementwise op of scalars of one type, folded if they are known.
func (l *Emitter) Apply(o op.Op, result types.BasicKind, xs ...Value) Value {
	d := xs[0].DType()
	if d == dtype.Bool && (o == op.And || o == op.Or) {
		for i, x := range xs {
			if x.Known && x.Bool() == (o == op.Or) {
				return x
			} else if x.Known {
				return xs[1-i]
			}
		}
	}
	known := true
	for _, x := range xs {
		known = known && x.Known
	}
	if known {
		var in [3]uint64
		for i, x := range xs {
			in[i] = x.Bits
		}
		return Value{Kind: ScalarKind, Basic: result, Known: true, Bits: op.Scalar(o, d, in[:len(xs)]...)}
	}
	args := make([]*ir.Value, len(xs))
	for i, x := range xs {
		args[i] = l.ScalarValue(x)
	}
	return Runtime(result, l.Emit(o, ir.Scalar(o.Result(d)), args...))
}

// ScalarBinary is x o y of two Go numbers or bools at the current position.
func (l *Emitter) ScalarBinary(o token.Token, p token.Pos, x, y Value) Value {
	if o == token.SHL || o == token.SHR {
		return l.shift(o, p, x, y)
	}
	if x.Basic != y.Basic {
		return Bad // go/types has said that they differ
	}
	if c, ok := comparisons[o]; ok {
		return l.Apply(c, types.Bool, x, y)
	}
	if x.DType().IsFloat() {
		return l.floatBinary(o, p, x, y)
	}
	if z, ok := identity(o, x, y); ok {
		return z
	}
	switch o {
	case token.QUO, token.REM:
		return l.Divide(operators[o], p, x, y)
	case token.AND_NOT:
		y = l.Apply(op.Not, y.Basic, y)
	}
	return l.Apply(operators[o], x.Basic, x, y)
}

// identity is x o y of integers where one of them makes it trivial.
func identity(o token.Token, x, y Value) (z Value, ok bool) {
	switch {
	case (o == token.ADD || o == token.SUB || o == token.OR || o == token.XOR) && y.IsInt(0):
		return x, true
	case (o == token.ADD || o == token.OR || o == token.XOR) && x.IsInt(0):
		return y, true
	case (o == token.MUL || o == token.QUO) && y.IsInt(1):
		return x, true
	case o == token.MUL && x.IsInt(1):
		return y, true
	case o == token.MUL && x.IsInt(0):
		return x, true
	case o == token.MUL && y.IsInt(0):
		return y, true
	}
	return z, false
}

func (l *Emitter) floatBinary(o token.Token, p token.Pos, x, y Value) Value {
	switch o {
	case token.ADD, token.SUB:
		if x.Unrounded || y.Unrounded {
			return l.UnroundedSum(p, fmt.Sprintf("%s(x*y) %s z", types.Typ[x.Basic].Name(), o))
		}
		return l.Apply(operators[o], x.Basic, x, y)
	case token.MUL:
		z := l.Apply(op.Mul, x.Basic, x, y)
		z.Unrounded = l.File.Fuses
		return z
	case token.QUO:
		return l.Apply(op.Div, x.Basic, x, y)
	}
	return Bad
}

// UnroundedSum refuses a sum that Go may fuse with the product in it.
func (l *Emitter) UnroundedSum(p token.Pos, instead string) Value {
	l.Error(p, "a product of floats in a sum: Go may round it once with the sum, or twice").
		Note("compiled for this processor, Go computes x*y + z with one fused instruction, so results would differ").
		Fix("round the product first: %s", instead)
	return Bad
}

const divideByZero = "panic: runtime error: integer divide by zero"

// Divide is an integer quotient or remainder.
func (l *Emitter) Divide(o op.Op, p token.Pos, x, y Value) Value {
	if y.IsInt(0) {
		l.Error(p, "division by zero").Fix("test the divisor first")
		return Bad
	}
	z := l.Apply(o, x.Basic, x, y)
	if !z.Known {
		z.IR.Flags |= ir.GoScalar
		z.IR.Text = divideByZero
	}
	return z
}

// shift is x << y or x >> y. The count may be of another type; a negative one fails.
func (l *Emitter) shift(o token.Token, p token.Pos, x, y Value) Value {
	if y.Known && y.DType().IsSigned() && y.Int() < 0 {
		l.Error(p, "a negative shift count")
		return Bad
	}
	if y.IsInt(0) {
		return x
	}
	if !y.Known && y.DType().IsSigned() && !l.IsNonneg(y.IR) {
		l.Check(l.Emit(op.Ge, ir.Scalar(dtype.Bool), y.IR, l.Constant(y.DType(), 0)), "panic: runtime error: negative shift amount")
	}
	// A count of 64 or more shifts everything out, in every type.
	d := x.DType()
	if y.Known {
		y.Bits = min(y.Bits, 64)
	} else if y.DType().Bits() > d.Bits() {
		y = l.Apply(op.Minimum, y.Basic, y, Value{Kind: ScalarKind, Basic: y.Basic, Known: true, Bits: 64})
	}
	shift := op.Shl
	if o == token.SHR {
		shift = op.Shr
	}
	return l.Apply(shift, x.Basic, x, l.Cast(y, x.Basic))
}

// IsNonneg reports whether an integer is certainly not negative.
func (l *Emitter) IsNonneg(v *ir.Value) bool {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		return true
	case op.Const:
		return dtype.ToInt(v.Type.D, v.Bits) >= 0
	case op.Add, op.Mul: // may wrap
		return false
	case op.FloorDiv, op.Minimum:
		return l.IsNonneg(v.Args[0]) && l.IsNonneg(v.Args[1])
	case op.Mod:
		return l.IsNonneg(v.Args[0])
	case op.And, op.Maximum:
		return l.IsNonneg(v.Args[0]) || l.IsNonneg(v.Args[1])
	case op.Cast:
		from := v.Args[0].Type.D
		return from.IsInt() && !from.IsSigned() && from.Bits() < v.Type.D.Bits()
	}
	return l.Nonneg[v]
}

// Check ends the instance if cond does not hold; text is the whole message, in which
// %v stands for the operands in turn.
func (l *Emitter) Check(cond *ir.Value, text string, operands ...*ir.Value) {
	v := l.Emit(op.Assert, ir.Type{}, append([]*ir.Value{cond}, operands...)...)
	v.Flags |= ir.GoScalar
	v.Text = text
}

// ScalarUnary is o x of a Go number or bool.
func (l *Emitter) ScalarUnary(o token.Token, x Value) Value {
	switch o {
	case token.SUB:
		z := l.Apply(op.Neg, x.Basic, x)
		z.Unrounded = x.Unrounded
		return z
	case token.XOR, token.NOT:
		return l.Apply(op.Not, x.Basic, x)
	}
	return x
}

// Cast is a scalar in another Go type, where every value converts.
func (l *Emitter) Cast(x Value, to types.BasicKind) Value {
	from, d := x.DType(), GoTypes[to]
	z := Value{Kind: ScalarKind, Basic: to, Known: x.Known, Bits: x.Bits, IR: x.IR}
	switch {
	case from == d:
	case x.Known:
		z.Bits = dtype.Convert(d, from, x.Bits, false)
	default:
		z.IR = l.Once(op.Cast, d, 0, x.IR, func() *ir.Value { return l.Emit(op.Cast, ir.Scalar(d), x.IR) })
		if from.IsInt() && from.Bits() <= d.Bits() && l.IsNonneg(x.IR) {
			l.Nonneg[z.IR] = true
		}
	}
	return z
}

// Convert is the Go conversion of a scalar.
func (l *Emitter) Convert(x Value, to types.BasicKind, p token.Pos) Value {
	if x.DType().IsFloat() && GoTypes[to].IsInt() {
		return l.goInt(x, to, p)
	}
	return l.Cast(x, to)
}

// CastedOnce is a scalar in another type, made once in a block.
func (l *Emitter) CastedOnce(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D == d {
		return x
	}
	return l.Once(op.Cast, d, 0, x, func() *ir.Value { return emit.Cast(l, x, d) })
}

// Operator is x op y of Go values.
func (l *Emitter) Operator(o token.Token, p token.Pos, x, y Value) Value {
	if x.Kind == Poison || y.Kind == Poison {
		l.Suspect(p)
		return Bad
	}
	switch {
	case x.Kind == ScalarKind && y.Kind == ScalarKind:
		l.At(p)
		return l.ScalarBinary(o, p, x, y)
	case x.Kind == StringKind && y.Kind == StringKind:
		return stringOperator(o, x.Str, y.Str)
	case x.Kind == DTypeKind && y.Kind == DTypeKind && (o == token.EQL || o == token.NEQ):
		return Bool((x.D == y.D) == (o == token.EQL))
	case (x.Kind == NilKind || y.Kind == NilKind) && (o == token.EQL || o == token.NEQ):
		return Bool((x.Kind == y.Kind) == (o == token.EQL))
	}
	if l.typeErrors {
		return Bad // go/types has said that there is no such operator
	}
	return l.Refuse(p, x.Describe()+" "+o.String()+" "+y.Describe(), "", "compare numbers, bools, strings or dtypes")
}

func stringOperator(o token.Token, x, y string) Value {
	switch o {
	case token.ADD:
		return String(x + y)
	case token.EQL:
		return Bool(x == y)
	case token.NEQ:
		return Bool(x != y)
	case token.LSS:
		return Bool(x < y)
	case token.LEQ:
		return Bool(x <= y)
	case token.GTR:
		return Bool(x > y)
	case token.GEQ:
		return Bool(x >= y)
	}
	return Bad
}
