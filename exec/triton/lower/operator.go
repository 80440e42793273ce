package lower

import (
	"github.com/tiler-go/tiler/exec/emit"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/triton/number"
	"github.com/tiler-go/tiler/exec/triton/syntax"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

var operators = map[string]op.Op{
	"+": op.Add, "-": op.Sub, "*": op.Mul, "/": op.Div, "//": op.FloorDiv, "%": op.Mod,
	"&": op.And, "|": op.Or, "^": op.Xor, "<<": op.Shl, ">>": op.Shr,
	"<": op.Lt, "<=": op.Le, ">": op.Gt, ">=": op.Ge, "==": op.Eq, "!=": op.Ne,
}

func (l *lowering) binaryExpr(e *syntax.Binary) value {
	x := l.expr(e.X)
	if e.Op == "and" || e.Op == "or" {
		return l.logical(e, x)
	}
	y := l.expr(e.Y)
	l.at = e.At
	return l.operate(e.Op, x, y)
}

// logical is x and y, x or y: what is known decides as in Python; of scalars both are
// evaluated.
func (l *lowering) logical(e *syntax.Binary, x value) value {
	if c, ok := known(x); ok {
		if truth(c) == (e.Op == "or") {
			return x
		}
		return l.expr(e.Y)
	}
	y := l.expr(e.Y)
	l.at = e.At
	o := "&"
	if e.Op == "or" {
		o = "|"
	}
	return l.operate(o, l.boolean(x), l.boolean(y))
}

// boolean is a value as a bool: a tile lane by lane.
func (l *emitter) boolean(v value) value {
	if t, ok := v.(tensor); ok {
		return tensor{v: l.asBool(t.v)}
	}
	if !isConst(v) {
		fail(l.refuse("%s as a condition", describe(v)))
	}
	return truth(v)
}

// operate is x o y.
func (l *emitter) operate(o string, x, y value) value {
	_, dynamic := x.(tensor)
	_, either := y.(tensor)
	if !dynamic && !either {
		return l.constant2(o, x, y)
	}
	if p, ok := x.(tensor); ok && p.v.Type.D.IsPointer() && (o == "+" || o == "-") {
		return l.move(p, y, o == "-")
	}
	if p, ok := y.(tensor); ok && p.v.Type.D.IsPointer() && o == "+" {
		return l.move(p, x, false)
	}
	code, ok := operators[o]
	if !ok {
		d := l.refuse("%s %s %s: not possible in a kernel", describe(x), o, describe(y))
		if o == "**" {
			d.Fix("multiply, or use libdevice.pow")
		}
		fail(d)
	}
	return l.elementwise(code, o, x, y)
}

// constant2 is an operation on what is known.
func (l *emitter) constant2(o string, x, y value) value {
	z, ok := constBinary(o, x, y)
	if !ok {
		if l.fn == nil {
			return mystery{"something of the host"}
		}
		fail(l.refuse("%s %s %s: not possible in a kernel", describe(x), o, describe(y)))
	}
	return z
}

// move is a pointer with an offset, in elements.
func (l *emitter) move(p tensor, by value, back bool) value {
	off := l.toTensor(by).v
	if !off.Type.D.IsInt() {
		fail(l.refuse("%s moved by %s: pointers move by integers", describe(p), describe(by)))
	}
	off = l.cast(off, dtype.Int64)
	if back {
		off = l.fold(op.Neg, off.Type, off)
	}
	s := l.shape("+", p.v, off)
	return tensor{v: l.Emit(ir.PtrAdd, ir.Type{D: p.v.Type.D, Shape: s}, l.broadcast(p.v, s), l.broadcast(off, s))}
}

// toTensor is a number as a scalar of its own type.
func (l *emitter) toTensor(v value) tensor {
	if t, ok := v.(tensor); ok {
		return t
	}
	if !number.Is(v) {
		fail(l.refuse("%s where a number or a tile is wanted", describe(v)))
	}
	d, ok := number.Type(v)
	if !ok {
		fail(l.refuse("%s does not fit 64 bits", describe(v)))
	}
	return tensor{v: l.Constant(d, number.Bits(v, d))}
}

// numeric is a value that is no pointer.
func (l *emitter) numeric(what string, v value) tensor {
	t := l.toTensor(v)
	l.holds(what, t.v.Type.NoPointer())
	return t
}

// elementwise is an op of several operands, promoted together and broadcast.
func (l *emitter) elementwise(o op.Op, what string, vs ...value) value {
	class := o.Row().Class
	xs, d := l.promote(class, what, vs)
	if !o.Row().In.Has(d) {
		l.holds(what, rule.NotDefined(o, d, describeAll(vs)))
	}
	signed := xs[0].Type.D.IsSigned()
	if z, ok := l.chained(o, vs, xs, d); ok {
		return z
	}
	s := l.shape(what, xs...)
	for i, x := range xs {
		xs[i] = l.broadcast(l.cast(x, d), s)
	}
	t := ir.Type{D: d, Shape: s}
	switch {
	case o == op.Shr && signed && !d.IsSigned() && d != dtype.Bool:
		// Arithmetic if the left operand was signed before promotion.
		return tensor{v: emit.SignedShr(l, xs[0], xs[1])}
	case (o == op.FloorDiv || o == op.Mod) && d.IsInt():
		return l.divide(o, what, t, xs)
	}
	return tensor{v: l.fold(o, t.As(o.Result(d)), xs...)}
}

func describeAll(vs []value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = describe(v)
	}
	return rule.Sentence(parts)
}

// divide is an integer quotient or remainder, which fails where the divisor is 0.
func (l *emitter) divide(o op.Op, what string, t ir.Type, xs []*ir.Value) value {
	by := xs[1]
	for by.Op == op.Broadcast {
		by = by.Args[0]
	}
	if by.Op == op.Const && by.Bits == 0 {
		fail(l.refuse("%s: division by zero", what))
	}
	if by.Op == op.Const {
		return tensor{v: l.fold(o, t, xs...)}
	}
	if l.lanes != nil {
		fail(l.refuse("%s in a combining function: it fails on zero", what).Fix("divide by a constant, or compute the quotient beforehand"))
	}
	z := l.Emit(o, t, xs...)
	z.Text = what
	return tensor{v: z}
}

// chained is x + tl.dot(a, b): the product's chain of multiply-adds, begun at x.
func (l *emitter) chained(o op.Op, vs []value, xs []*ir.Value, d dtype.DType) (value, bool) {
	if o != op.Add {
		return nil, false
	}
	for i, v := range vs {
		p, ok := v.(tensor)
		acc := xs[1-i]
		if !ok || !p.dot || p.v.Type.D != d || acc.Type != p.v.Type {
			continue
		}
		return tensor{v: emit.Chain(l, p.v, acc)}, true
	}
	return nil, false
}

// promote brings operands to IR values, and finds the type that they are computed in: that
// of the tensors, which numbers take if they are of no higher kind.
func (l *emitter) promote(class dtype.Class, what string, vs []value) (xs []*ir.Value, d dtype.DType) {
	xs = make([]*ir.Value, len(vs))
	for i, v := range vs {
		t, ok := v.(tensor)
		if !ok {
			continue
		}
		if t.v.Type.D.IsPointer() {
			l.holds(what, rule.PointerOperand(describeAll(vs)))
		}
		xs[i] = t.v
		d = l.promoted(class, d, t.v.Type.D, vs, what)
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

func (l *emitter) promoted(class dtype.Class, x, y dtype.DType, vs []value, what string) dtype.DType {
	if x == dtype.Invalid {
		return y
	}
	d, err := dtype.Promote(class, x, y)
	if err != nil {
		l.holds(what, rule.NotPromoted(class, describeAll(vs), err))
	}
	return d
}

// literal is a number beside tensors of type d: of d if its kind is not higher, else of a type
// of its own.
func (l *emitter) literal(d dtype.DType, what string, v value, vs []value) *ir.Value {
	if !number.Is(v) {
		fail(l.refuse("%s: %s", what, describeAll(vs)))
	}
	if d == dtype.Invalid || number.Kind(v) > d.Kind() {
		return l.toTensor(v).v
	}
	if n, ok := number.Big(v); ok && d.IsInt() && !number.Fits(n, d) {
		l.holds(what, rule.NotBeside(describeAll(vs), constText(v), d))
	}
	return l.Constant(d, number.Bits(v, d))
}

func (l *lowering) unary(e *syntax.Unary) value {
	x := l.expr(e.X)
	l.at = e.At
	if isConst(x) {
		return l.constUnary(e.Op, x)
	}
	if e.Op == "not" {
		t := l.boolean(x).(tensor)
		return tensor{v: l.fold(op.Not, t.v.Type, t.v)}
	}
	t := l.numeric(e.Op, x)
	o := map[string]op.Op{"-": op.Neg, "~": op.Not}[e.Op]
	if e.Op == "+" {
		return x
	}
	if !o.Row().In.Has(t.v.Type.D) {
		l.holds(e.Op, rule.NotDefined(o, t.v.Type.D, describe(x)))
	}
	return tensor{v: l.fold(o, t.v.Type, t.v)}
}

func (l *emitter) constUnary(o string, x value) value {
	if o == "not" {
		return !truth(x)
	}
	if z, ok := number.Unary(o, x); ok {
		return z
	}
	return l.constant2(o, x, x)
}

// compareExpr is a comparison; of what is known a chain of them.
func (l *lowering) compareExpr(e *syntax.Compare) value {
	x := l.expr(e.X)
	for i, o := range e.Ops {
		y := l.expr(e.Ys[i])
		l.at = e.At
		z := l.compare(o, x, y)
		if len(e.Ops) == 1 {
			return z
		}
		c, ok := known(z)
		if !ok {
			fail(l.refuse("a chain of comparisons").Fix("join two comparisons with &: (a < b) & (b < c)"))
		}
		if !truth(c) {
			return false
		}
		x = y
	}
	return true
}

func (l *emitter) compare(o string, x, y value) value {
	if o == "is" || o == "is not" {
		if x != nil && y != nil && !(isConst(x) && isConst(y)) {
			fail(l.refuse("%s %s %s: only None can be told by is", describe(x), o, describe(y)).Fix("compare with =="))
		}
		z := x == nil && y == nil || x != nil && y != nil && equal(x, y)
		return z == (o == "is")
	}
	if isConst(x) && isConst(y) {
		z, ok := constCompare(o, x, y)
		if !ok {
			fail(l.refuse("%s %s %s: not possible in a kernel", describe(x), o, describe(y)))
		}
		return z
	}
	if !isTensorOrNumber(x) || !isTensorOrNumber(y) { // a tensor is not equal to None, nor to a string
		if o == "==" || o == "!=" {
			return o == "!="
		}
		fail(l.refuse("%s %s %s: not possible in a kernel", describe(x), o, describe(y)))
	}
	code, ok := operators[o]
	if !ok {
		fail(l.refuse("%s %s %s: not possible in a kernel", describe(x), o, describe(y)))
	}
	return l.elementwise(code, o, x, y)
}

func isTensorOrNumber(v value) bool {
	_, ok := v.(tensor)
	return ok || number.Is(v)
}
