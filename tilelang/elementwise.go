package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An operand of an elementwise op is a Tile, int, float64 or bool. A Go scalar has
// no dtype of its own: it takes one from the tile beside it.

// kindOf is the kind of a Go scalar; tile operands report false.
func kindOf(v any) (k dtype.Kind, scalar bool) {
	switch v.(type) {
	case bool:
		return dtype.KindBool, true
	case int:
		return dtype.KindInt, true
	case float64:
		return dtype.KindFloat, true
	}
	return 0, false
}

// checkOperand refuses what is neither a tile with a value nor one of the three Go
// scalars.
func checkOperand(name string, v any) {
	switch v := v.(type) {
	case Tile:
		v.node(name)
	case int, float64, bool:
	case nil:
		fail(name, "nil as an operand")
	case *Tile:
		fault(name, "a pointer to a Tile as an operand").Fix("pass the Tile itself").raise()
	case int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr:
		fault(name, "a %T as an operand, want Tile, int, float64 or bool", v).Fix("write int(x)").raise()
	case float32:
		fault(name, "a float32 as an operand, want Tile, int, float64 or bool").Fix("write float64(x)").raise()
	default:
		fail(name, "a %T as an operand, want Tile, int, float64 or bool", v)
	}
}

// literal is the scalar tile of type d that a Go scalar becomes; an integer must
// fit, a float is rounded.
func literal(name string, d dtype.DType, v any) *node {
	t := newNode(name, d, dims{})
	t.buf.SetBits(0, literalBits(name, d, v))
	return t
}

func literalBits(name string, d dtype.DType, v any) uint64 {
	switch v := v.(type) {
	case bool:
		return dtype.FromInt(d, int64(b2i(v)), false)
	case int:
		if d.IsInt() && d != Bool && !d.FitsInt(int64(v)) {
			fault(name, "%d does not fit %s", v, d).Fix("convert the tile to a wider dtype first, or the value to one that fits").raise()
		}
		return dtype.FromInt(d, int64(v), false)
	case float64:
		if d.IsInt() && d != Bool && (v != v || math.Trunc(v) != dtype.ToFloat(Float64, math.Float64bits(intValue(d, v)))) {
			fail(name, "%v does not fit %s", v, d)
		}
		if d == Float32 && math.Abs(v) > math.MaxFloat32 && !math.IsInf(v, 0) && math.IsInf(float64(float32(v)), 0) {
			fault(name, "%v does not fit float32", v).Fix("convert the tile first: x.To(tl.Float64)").raise()
		}
		return dtype.FromFloat(d, v)
	}
	panic("unreachable: operands are checked")
}

// intValue is what a float becomes in the integer type d, as a float again.
func intValue(d dtype.DType, v float64) float64 {
	i := dtype.ToInt(d, dtype.Saturate(d, v))
	if d == Uint64 {
		return float64(uint64(i))
	}
	return float64(i)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// resolve turns two operands of a class into nodes, and finds the type they are
// computed in.
func resolve(name string, class dtype.Class, x, y any) (a, b *node, d dtype.DType) {
	checkOperand(name, x)
	checkOperand(name, y)
	kx, sx := kindOf(x)
	ky, sy := kindOf(y)
	var lit dtype.DType
	var err error
	switch {
	case sx && sy:
		fault(name, "%s and %s: no tile", describe(x), describe(y)).Fix("use Go's own operator, or tl.Full for a tile").raise()
	case sy:
		a = x.(Tile).t
		refusePointer(name, a, y)
		d, lit, err = dtype.PromoteLiteral(class, a.dt, ky)
		if err == nil {
			b = literal(name, lit, y)
		}
	case sx:
		b = y.(Tile).t
		refusePointer(name, b, x)
		d, lit, err = dtype.PromoteLiteral(class, b.dt, kx)
		if err == nil {
			a = literal(name, lit, x)
		}
	default:
		a, b = x.(Tile).t, y.(Tile).t
		refusePointer(name, a, y)
		refusePointer(name, b, x)
		d, err = dtype.Promote(class, a.dt, b.dt)
	}
	if err != nil {
		promotionFault(name, class, x, y, err)
	}
	return a, b, d
}

func promotionFault(name string, class dtype.Class, x, y any, err error) {
	f := fault(name, "%s and %s: %v", describe(x), describe(y), err)
	switch class {
	case dtype.Divide, dtype.FloorDiv, dtype.Modulo:
		f.Fix("convert one of them with To, so that both are signed or both unsigned integers, or both floats")
	case dtype.Bitwise:
		f.Fix("bitwise operators take integers and bools: compare first, or convert with To or Bitcast")
	default:
		f.Fix("convert one of them with To")
	}
	f.raise()
}

func refusePointer(name string, t *node, other any) {
	if t.dt.IsPointer() {
		fault(name, "%s and %s: a pointer", t, describe(other)).
			Fix("pointers move with Add and Sub of integers; compute on the offsets before adding them").raise()
	}
}

// shapeOf is the common shape of operands.
func shapeOf(name string, operands ...*node) dims {
	shape := operands[0].shape
	for _, x := range operands[1:] {
		z, ok := shape.broadcast(x.shape)
		if !ok {
			broadcastFault(name, operands)
		}
		shape = z
	}
	return shape
}

func broadcastFault(name string, operands []*node) {
	f := fault(name, "%s and %s do not broadcast", operands[0], operands[len(operands)-1])
	f.Note("shapes are aligned at the last dimension; sizes must be equal or 1")
	if a, b := operands[0].shape, operands[len(operands)-1].shape; a.n == 1 && b.n == 1 {
		f.Fix("for all pairs of the two, make one a column and one a row: x.Col() and y.Row()")
	}
	f.raise()
}

// binary is an elementwise op of two operands.
func binary(name string, o op.Op, x, y any) Tile {
	row := o.Row()
	a, b, d := resolve(name, row.Class, x, y)
	if !row.In.Has(d) {
		wrongType(name, o, d)
	}
	shape := shapeOf(name, a, b)
	switch o {
	case op.FloorDiv, op.Mod:
		if d.IsInt() {
			refuseZero(name, x, b, d, shape)
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

func wrongType(name string, o op.Op, d dtype.DType) {
	f := fault(name, "%s tiles", d)
	switch {
	case o.Row().In&op.IntsB == 0:
		f.Fix("convert first: x.To(tl.Float32)")
	case o.Row().In&op.Floats == 0:
		f.Fix("it takes integers: convert first, for example x.To(tl.Int32)")
	}
	f.raise()
}

// refuseZero is the fault of an integer division by zero, with the lane.
func refuseZero(name string, x any, y *node, d dtype.DType, shape dims) {
	at := op.ZeroDivisor(y.converted(d).elems())
	if at < 0 {
		return
	}
	f := fault(name, "division by zero: %s by %s", describe(x), y)
	if y.shape.n > 0 {
		f.Note("the divisor's element %s is 0", indexString(y.shape.coord(at)))
	}
	f.Fix("keep zeros out of the divisor, also in lanes that are masked off later: tl.Where(y.Eq(0), 1, y)").raise()
}

// as is t's bits read as another type of the same width.
func (t *node) as(d dtype.DType) *node {
	if t.affine() && t.dt.Bits() == 64 && d.Bits() == 64 && !d.IsFloat() {
		return newAffine(d, t.shape, t.lazy.start, t.strides, t.base)
	}
	z := *t.real()
	z.dt, z.buf = d, z.buf.As(d)
	return &z
}

// unary is an elementwise op of one operand.
func unary(name string, o op.Op, x Tile) Tile {
	t := x.node(name)
	if t.dt.IsPointer() {
		fault(name, "a pointer").Fix("read what it points to: tl.Load(x)").raise()
	}
	if !o.Row().In.Has(t.dt) {
		wrongType(name, o, t.dt)
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
	var n *node
	switch v := off.(type) {
	case int:
		n = literal(name, Int64, v)
	case Tile:
		n = v.t
	}
	if n == nil || !n.dt.IsInt() || n.dt.IsPointer() {
		fault(name, "%s and %s: pointers move by integers", ptr, describe(off)).raise()
	}
	z := elementwise(name, o, Int64, shapeOf(name, ptr, n), ptr.as(Int64), n).as(ptr.dt)
	z.base = ptr.base
	return tile(z)
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
