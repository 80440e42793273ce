package value

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

var operators = map[string]op.Op{
	"+": op.Add, "-": op.Sub, "*": op.Mul, "/": op.Div, "//": op.FloorDiv, "%": op.Mod,
	"&": op.And, "|": op.Or, "^": op.Xor, "<<": op.Shl, ">>": op.Shr,
	"<": op.Lt, "<=": op.Le, ">": op.Gt, ">=": op.Ge, "==": op.Eq, "!=": op.Ne,
}

// Boolean is a value as a bool: a tile lane by lane.
func (l *Emitter) Boolean(v Value) Value {
	if t, ok := v.(Tensor); ok {
		return Tensor{IR: l.AsBool(t.IR)}
	}
	if !IsConst(v) {
		Fail(l.Refuse("%s as a condition", Describe(v)))
	}
	return Truth(v)
}

// Operate is x o y.
func (l *Emitter) Operate(o string, x, y Value) Value {
	_, dynamic := x.(Tensor)
	_, either := y.(Tensor)
	if !dynamic && !either {
		return l.constant2(o, x, y)
	}
	if p, ok := x.(Tensor); ok && p.IR.Type.D.IsPointer() && (o == "+" || o == "-") {
		return l.move(p, y, o == "-")
	}
	if p, ok := y.(Tensor); ok && p.IR.Type.D.IsPointer() && o == "+" {
		return l.move(p, x, false)
	}
	code, ok := operators[o]
	if !ok {
		d := l.Refuse("%s %s %s: not possible in a kernel", Describe(x), o, Describe(y))
		if o == "**" {
			d.Fix("multiply, or use libdevice.pow")
		}
		Fail(d)
	}
	return l.Elementwise(code, o, x, y)
}

// constant2 is an operation on what is known.
func (l *Emitter) constant2(o string, x, y Value) Value {
	z, ok := constBinary(o, x, y)
	if !ok {
		if l.Func == nil {
			return Mystery("something of the host")
		}
		Fail(l.Refuse("%s %s %s: not possible in a kernel", Describe(x), o, Describe(y)))
	}
	return z
}

// move is a pointer with an offset, in elements.
func (l *Emitter) move(p Tensor, by Value, back bool) Value {
	off := l.ToTensor(by).IR
	if !off.Type.D.IsInt() {
		Fail(l.Refuse("%s moved by %s: pointers move by integers", Describe(p), Describe(by)))
	}
	off = l.Cast(off, dtype.Int64)
	if back {
		off = l.Fold(op.Neg, off.Type, off)
	}
	s := l.Shape("+", p.IR, off)
	return Tensor{IR: l.Emit(ir.PtrAdd, ir.Type{D: p.IR.Type.D, Shape: s}, l.Broadcast(p.IR, s), l.Broadcast(off, s))}
}

// ToTensor is a number as a scalar of its own type.
func (l *Emitter) ToTensor(v Value) Tensor {
	if t, ok := v.(Tensor); ok {
		return t
	}
	if !number.Is(v) {
		Fail(l.Refuse("%s where a number or a tile is wanted", Describe(v)))
	}
	d, ok := number.Type(v)
	if !ok {
		Fail(l.Refuse("%s does not fit 64 bits", Describe(v)))
	}
	return Tensor{IR: l.Constant(d, number.Bits(v, d))}
}

// Numeric is a value that is no pointer.
func (l *Emitter) Numeric(what string, v Value) Tensor {
	t := l.ToTensor(v)
	l.Holds(what, t.IR.Type.NoPointer())
	return t
}

// Elementwise is an op of several operands, promoted together and broadcast.
func (l *Emitter) Elementwise(o op.Op, what string, vs ...Value) Value {
	class := o.Row().Class
	xs, d := l.promote(class, what, vs)
	if !o.Row().In.Has(d) {
		l.Holds(what, rule.NotDefined(o, d, describeAll(vs)))
	}
	signed := xs[0].Type.D.IsSigned()
	if z, ok := l.chained(o, vs, xs, d); ok {
		return z
	}
	s := l.Shape(what, xs...)
	for i, x := range xs {
		xs[i] = l.Broadcast(l.Cast(x, d), s)
	}
	t := ir.Type{D: d, Shape: s}
	switch {
	case o == op.Shr && signed && !d.IsSigned() && d != dtype.Bool:
		// Arithmetic if the left operand was signed before promotion.
		return Tensor{IR: emit.SignedShr(l, xs[0], xs[1])}
	case (o == op.FloorDiv || o == op.Mod) && d.IsInt():
		return l.divide(o, what, t, xs)
	}
	return Tensor{IR: l.Fold(o, t.As(o.Result(d)), xs...)}
}

func describeAll(vs []Value) string { return rule.Sentence(descriptions(vs)) }

// divide is an integer quotient or remainder, which fails where the divisor is 0.
func (l *Emitter) divide(o op.Op, what string, t ir.Type, xs []*ir.Value) Value {
	by := xs[1]
	for by.Op == op.Broadcast {
		by = by.Args[0]
	}
	if by.Op == op.Const && by.Bits == 0 {
		Fail(l.Refuse("%s: division by zero", what))
	}
	if by.Op == op.Const {
		return Tensor{IR: l.Fold(o, t, xs...)}
	}
	if l.Lanes != nil {
		Fail(l.Refuse("%s in a combining function: it fails on zero", what).
			Fix("divide by a constant, or compute the quotient beforehand"))
	}
	z := l.Emit(o, t, xs...)
	z.Text = what
	return Tensor{IR: z}
}

// chained is x + tl.dot(a, b): the product's chain of multiply-adds, begun at x.
func (l *Emitter) chained(o op.Op, vs []Value, xs []*ir.Value, d dtype.DType) (Value, bool) {
	if o != op.Add {
		return nil, false
	}
	for i, v := range vs {
		p, ok := v.(Tensor)
		acc := xs[1-i]
		if !ok || !p.Dot || p.IR.Type.D != d || acc.Type != p.IR.Type {
			continue
		}
		return Tensor{IR: emit.Chain(l, p.IR, acc)}, true
	}
	return nil, false
}

// promote brings operands to IR values, and finds the type that they are computed in: that
// of the tensors, which numbers take if they are of no higher kind.
func (l *Emitter) promote(class dtype.Class, what string, vs []Value) (xs []*ir.Value, d dtype.DType) {
	xs = make([]*ir.Value, len(vs))
	for i, v := range vs {
		t, ok := v.(Tensor)
		if !ok {
			continue
		}
		if t.IR.Type.D.IsPointer() {
			l.Holds(what, rule.PointerOperand(describeAll(vs)))
		}
		xs[i] = t.IR
		d = l.promoted(class, d, t.IR.Type.D, vs, what)
	}
	tiles := d
	for i, v := range vs {
		if xs[i] == nil {
			beside := tiles
			if class == dtype.Compare {
				beside = dtype.Invalid // a number that is compared has a type of its own
			}
			xs[i] = l.literal(beside, what, v, vs)
			d = l.promoted(class, d, xs[i].Type.D, vs, what)
		}
	}
	return xs, d
}

func (l *Emitter) promoted(class dtype.Class, x, y dtype.DType, vs []Value, what string) dtype.DType {
	if x == dtype.Invalid {
		return y
	}
	d, err := dtype.Promote(class, x, y)
	if err != nil {
		l.Holds(what, rule.NotPromoted(class, describeAll(vs), err))
	}
	return d
}

// literal is a number beside tensors of type d: of d if its kind is not higher, else of a type
// of its own.
func (l *Emitter) literal(d dtype.DType, what string, v Value, vs []Value) *ir.Value {
	if !number.Is(v) {
		Fail(l.Refuse("%s: %s", what, describeAll(vs)))
	}
	if d == dtype.Invalid || number.Kind(v) > d.Kind() {
		return l.ToTensor(v).IR
	}
	if n, ok := number.Big(v); ok && d.IsInt() && !number.Fits(n, d) {
		l.Holds(what, rule.NotBeside(describeAll(vs), constText(v), d))
	}
	return l.Constant(d, number.Bits(v, d))
}

// ConstUnary is an operator on what is known.
func (l *Emitter) ConstUnary(o string, x Value) Value {
	if o == "not" {
		return !Truth(x)
	}
	if z, ok := number.Unary(o, x); ok {
		return z
	}
	return l.constant2(o, x, x)
}

// Compare is a comparison.
func (l *Emitter) Compare(o string, x, y Value) Value {
	if o == "is" || o == "is not" {
		if x != nil && y != nil && !(IsConst(x) && IsConst(y)) {
			Fail(l.Refuse("%s %s %s: only None can be told by is", Describe(x), o, Describe(y)).Fix("compare with =="))
		}
		z := x == nil && y == nil || x != nil && y != nil && equal(x, y)
		return z == (o == "is")
	}
	switch code, ok := operators[o]; {
	case IsConst(x) && IsConst(y):
		if z, ok := ConstCompare(o, x, y); ok {
			return z
		}
	case !IsTensorOrNumber(x) || !IsTensorOrNumber(y): // a tensor is not equal to None, nor to a string
		if o == "==" || o == "!=" {
			return o == "!="
		}
	case ok:
		return l.Elementwise(code, o, x, y)
	}
	Fail(l.Refuse("%s %s %s: not possible in a kernel", Describe(x), o, Describe(y)))
	return nil
}

// IsTensorOrNumber reports whether a value is what operators compute with.
func IsTensorOrNumber(v Value) bool {
	_, ok := v.(Tensor)
	return ok || number.Is(v)
}
