package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// binary is an elementwise op of two operands.
func binary(name string, o op.Op, x, y any) Tile {
	if z := indexAndInt(name, o, x, y); z != nil {
		z.marks = x.(Tile).t.marks
		return tile(z)
	}
	row := o.Row()
	wantTile(name, x, y)
	in := resolve(name, row.Class, x, y)
	a, b, d := in.nodes[0], in.nodes[1], in.d
	if !row.In.Has(d) {
		wrongType(name, o, d, x, y)
	}
	shape := shapeOf(name, a, b)
	if watching.Load() > 0 {
		a, b = notePromotion(name, o, d, a, b, x, y)
	}
	switch o {
	case op.FloorDiv, op.Mod:
		if d.IsInt() {
			refuseZero(name, x, b, d)
		}
	case op.Shr:
		// Arithmetic if the left operand was signed before promotion.
		if a.dt.IsSigned() && !d.IsSigned() && d != Bool {
			s := d.WithSign(true)
			return tile(elementwise(name, o, s, shape, a.converted(d).as(s), b.converted(d).as(s)).as(d))
		}
	}
	return tile(elementwise(name, o, d, shape, a, b))
}

// wrongType is the fault of operands that an op has no meaning for when promoted to d.
func wrongType(name string, o op.Op, d dtype.DType, vs ...any) {
	must(name, rule.NotDefined(o, d, describeAll(vs)))
}

// refuseZero is the fault of an integer division by zero, with the lane.
func refuseZero(name string, x any, y *node, d dtype.DType) {
	lanes, m := y.borrow(d)
	at := op.ZeroDivisor(lanes)
	if m.free(); at < 0 {
		return
	}
	f := broken(name, rule.ByZero(describe(x), y.String())).as(DivisionFault)
	if y.shape.N > 0 {
		f.Note("the divisor's element %s is 0", shape.Index(y.shape.Place(at).Dims()))
	}
	f.raise()
}

// as is t's bits read as another type of the same width.
func (t *node) as(d dtype.DType) *node {
	if t.affine && t.dt.Bits() == 64 && d.Bits() == 64 && !d.IsFloat() {
		z := newAffine(d, t.shape, t.start, t.strides, t.base)
		z.marks = t.marks
		return z
	}
	z := *t.real()
	z.dt, z.buf = d, z.buf.As(d)
	return &z
}

// unary is an elementwise op of one operand.
func unary(name string, o op.Op, x Tile) Tile {
	t := x.node(name)
	refusePointer(name, t)
	if !o.Row().In.Has(t.dt) {
		wrongType(name, o, t.dt, x)
	}
	return tile(elementwise(name, o, t.dt, t.shape, t))
}

// Add is x + y; integers wrap. An integer added to a pointer moves it by elements.
// x.Add(tl.Dot(a, b)) is tl.Dot(a, b, tl.Acc(x)) where the types agree.
func (x Tile) Add(y any) Tile {
	const name = "Tile.Add"
	t := x.node(name)
	checkOperand(name, y)
	if u, ok := y.(Tile); ok {
		if z := fuseDot(t, u.t); z != nil {
			return tile(z)
		}
		if u.t.dt.IsPointer() {
			return movePointer(name, u.t, x, op.Add)
		}
	}
	if t.dt.IsPointer() {
		return movePointer(name, t, y, op.Add)
	}
	return binary(name, op.Add, x, y)
}

// Sub is x - y; integers wrap. An integer subtracted from a pointer moves it back.
func (x Tile) Sub(y any) Tile {
	const name = "Tile.Sub"
	if t := x.node(name); t.dt.IsPointer() {
		checkOperand(name, y)
		return movePointer(name, t, y, op.Sub)
	}
	return binary(name, op.Sub, x, y)
}

// movePointer is ptr + off or ptr - off, in elements; narrow offsets are extended
// by their own signedness.
func movePointer(name string, ptr *node, off any, o op.Op) Tile {
	var z *node
	switch v := off.(type) {
	case int:
		if z = indexPlusInt(o, ptr, int64(v)); z != nil {
			z.marks = ptr.marks
		} else {
			z = movedBy(name, ptr, newScalar(Int64, uint64(v)), o)
		}
	case Tile:
		if v.t.dt.IsInt() {
			z = movedBy(name, ptr, v.t, o)
		}
	}
	if z == nil {
		must(name, rule.NoMove(ptr.String(), describe(off)))
	}
	return tile(z)
}

func movedBy(name string, ptr, off *node, o op.Op) *node {
	shape := shapeOf(name, ptr, off)
	if f, g, ok := formulas(Int64, shape, ptr, off); ok {
		sign := 1
		if o == op.Sub {
			sign = -1
		}
		checkSize(name, ptr.dt, shape)
		f = f.plus(g, sign)
		z := newAffine(ptr.dt, shape, f.start, f.strides, ptr.base)
		if ptr.marks != nil || off.marks != nil {
			watchLanes(name, o, Int64, shape, z, []*node{ptr, off})
		}
		return z
	}
	z := elementwise(name, o, Int64, shape, ptr.as(Int64), off).as(ptr.dt)
	z.base = ptr.base
	return z
}

// Mul is x * y; integers wrap.
func (x Tile) Mul(y any) Tile { return binary("Tile.Mul", op.Mul, x, y) }

// Div is x / y, correctly rounded; integers are divided as float32.
func (x Tile) Div(y any) Tile { return binary("Tile.Div", op.Div, x, y) }

// FloorDiv is the quotient of integers, truncated toward zero as in C.
func (x Tile) FloorDiv(y any) Tile { return binary("Tile.FloorDiv", op.FloorDiv, x, y) }

// Mod is the remainder, with the sign of x as in C.
func (x Tile) Mod(y any) Tile { return binary("Tile.Mod", op.Mod, x, y) }

// And is x & y.
func (x Tile) And(y any) Tile { return binary("Tile.And", op.And, x, y) }

// Or is x | y.
func (x Tile) Or(y any) Tile { return binary("Tile.Or", op.Or, x, y) }

// Xor is x ^ y.
func (x Tile) Xor(y any) Tile { return binary("Tile.Xor", op.Xor, x, y) }

// Shl is x << y; shifting by the width or more gives 0.
func (x Tile) Shl(y any) Tile { return binary("Tile.Shl", op.Shl, x, y) }

// Shr is x >> y, arithmetic if x is signed.
func (x Tile) Shr(y any) Tile { return binary("Tile.Shr", op.Shr, x, y) }

// Lt is x < y, lane by lane.
func (x Tile) Lt(y any) Tile { return binary("Tile.Lt", op.Lt, x, y) }

// Le is x <= y, lane by lane.
func (x Tile) Le(y any) Tile { return binary("Tile.Le", op.Le, x, y) }

// Gt is x > y, lane by lane.
func (x Tile) Gt(y any) Tile { return binary("Tile.Gt", op.Gt, x, y) }

// Ge is x >= y, lane by lane.
func (x Tile) Ge(y any) Tile { return binary("Tile.Ge", op.Ge, x, y) }

// Eq is x == y, lane by lane.
func (x Tile) Eq(y any) Tile { return binary("Tile.Eq", op.Eq, x, y) }

// Ne is x != y, lane by lane.
func (x Tile) Ne(y any) Tile { return binary("Tile.Ne", op.Ne, x, y) }

// Neg is -x.
func (x Tile) Neg() Tile { return unary("Tile.Neg", op.Neg, x) }

// Not is the complement of x's bits; of bools, the opposite.
func (x Tile) Not() Tile { return unary("Tile.Not", op.Not, x) }

// Sub is x - y where x may be a Go scalar: 1 - x.
func Sub(x, y any) Tile {
	if t, ok := x.(Tile); ok {
		return t.Sub(y)
	}
	return binary("tl.Sub", op.Sub, x, y)
}

// Div is x / y where x may be a Go scalar: 1 / x.
func Div(x, y any) Tile { return binary("tl.Div", op.Div, x, y) }

// FloorDiv is x // y where x may be a Go scalar.
func FloorDiv(x, y any) Tile { return binary("tl.FloorDiv", op.FloorDiv, x, y) }

// Mod is x % y where x may be a Go scalar.
func Mod(x, y any) Tile { return binary("tl.Mod", op.Mod, x, y) }

// Shl is x << y where x may be a Go scalar: 1 << x.
func Shl(x, y any) Tile { return binary("tl.Shl", op.Shl, x, y) }

// Shr is x >> y where x may be a Go scalar.
func Shr(x, y any) Tile { return binary("tl.Shr", op.Shr, x, y) }
