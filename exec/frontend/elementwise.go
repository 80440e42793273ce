package frontend

import (
	"go/types"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// elementwise is the lowering of an op of one or two operands, the receiver first.
func elementwise(o op.Op) lowerFunc {
	if o.Row().Arity == 1 {
		return one(func(c *call) value { return c.unary(o, c.operands()[0]) })
	}
	return one(func(c *call) value {
		in := c.operands()
		return c.binary(o, in[0], in[1])
	})
}

// operands is the receiver, if there is one, and the arguments.
func (c *call) operands() []value {
	if c.recv.kind == poison {
		return c.args
	}
	return append([]value{c.recv}, c.args...)
}

// operand reports whether a value may stand beside tiles: a tile or a Go int,
// float64 or bool.
func (c *call) operand(v value) bool {
	switch v.kind {
	case tileKind:
		return true
	case poison:
		return false
	case scalarKind:
		switch v.basic {
		case types.Int, types.Float64, types.Bool:
			return true
		case types.Float32:
			c.fail("a float32 as an operand, want Tile, int, float64 or bool").Fix("write float64(x)")
			return false
		}
		c.fail("%s as an operand, want Tile, int, float64 or bool", article(types.Typ[v.basic].Name())).Fix("write int(x)")
		return false
	}
	c.fail("%s as an operand, want Tile, int, float64 or bool", v.describe())
	return false
}

func kindOf(v value) dtype.Kind {
	switch v.basic {
	case types.Bool:
		return dtype.KindBool
	case types.Int:
		return dtype.KindInt
	}
	return dtype.KindFloat
}

// A role is what a Go scalar is given a dtype for.
type role uint8

const (
	weak role = iota // it takes the dtype of the tile beside it: a float is rounded to it
	own              // it has a dtype of its own, which must hold it
	cast             // it becomes an element: a float loses its fraction in an integer
)

// literal is the scalar of type d that a Go scalar becomes, nil if it is known not
// to fit, which fail then reports.
func (c *call) literal(d dtype.DType, v value, as role, fail func() *diag.Diagnostic) *ir.Value {
	if v.known {
		bits, fits := literalBits(d, v, as)
		if !fits {
			fail()
			return nil
		}
		return c.constant(d, bits)
	}
	switch {
	case v.basic == types.Bool || d == v.dtype():
		return c.casted(v.v, d)
	case v.basic == types.Int:
		if !d.IsInt() || d == dtype.Bool {
			return c.castedOnce(v.v, d)
		}
		return c.once(memoKey{ir.Fits, d, 0, v.v}, func() *ir.Value {
			x := c.emit(ir.Fits, ir.Scalar(d), v.v)
			x.Text = c.name
			return x
		})
	case d == dtype.Bool:
		c.checkOnce(d, v.v, func() *ir.Value { return c.compare(op.Eq, v.v, v.v) })
	case d.IsInt():
		c.fitsOnce(d, v.v)
	case as == own && d == dtype.Float32:
		c.checkOnce(d, v.v, func() *ir.Value { return c.fitsFloat32(v.v) })
	}
	return c.castedOnce(v.v, d)
}

// literalBits is a known Go scalar as an element, and whether it fits.
func literalBits(d dtype.DType, v value, as role) (bits uint64, ok bool) {
	switch v.basic {
	case types.Bool:
		return dtype.FromInt(d, int64(v.bits), false), true
	case types.Int:
		return dtype.FromInt(d, v.int(), false), !d.IsInt() || d == dtype.Bool || d.FitsInt(v.int())
	}
	x := v.float()
	bits = dtype.FromFloat(d, x)
	switch {
	case d == dtype.Bool:
		return bits, x == x
	case d.IsInt():
		lo, hi := intBounds(d)
		return bits, x > lo && x < hi || d == dtype.Int64 && x == float64(d.MinInt())
	case as == own && d == dtype.Float32:
		return bits, isInf(x) || !isInf(dtype.ToFloat(d, bits))
	}
	return bits, true
}

func isInf(x float64) bool { return x-x != 0 && x == x }

// intBounds is an exclusive range of floats whose integral part d holds; of int64,
// its least is in besides.
func intBounds(d dtype.DType) (lo, hi float64) {
	return float64(d.MinInt()) - 1, float64(d.MaxInt()) + 1
}

func (l *lowering) compare(o op.Op, x, y *ir.Value) *ir.Value {
	return l.emit(o, x.Type.As(dtype.Bool), x, y)
}

// castedOnce is a scalar in another type, made once in a block.
func (l *lowering) castedOnce(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D == d {
		return x
	}
	return l.once(memoKey{op.Cast, d, 0, x}, func() *ir.Value { return l.casted(x, d) })
}

// checkOnce fails the instance where a Go scalar does not fit d.
func (c *call) checkOnce(d dtype.DType, x *ir.Value, fits func() *ir.Value) {
	c.once(memoKey{op.Assert, d, 0, x}, func() *ir.Value {
		cond := fits()
		c.check(cond, c.name+": the float64 %v does not fit "+d.String(), x)
		return cond
	})
}

func (c *call) fitsOnce(d dtype.DType, x *ir.Value) {
	c.checkOnce(d, x, func() *ir.Value {
		lo, hi := intBounds(d)
		least := op.Gt
		if d == dtype.Int64 {
			lo, least = float64(d.MinInt()), op.Ge
		}
		above := c.compare(least, x, c.scalarValue(floatValue(lo)))
		below := c.compare(op.Lt, x, c.scalarValue(floatValue(hi)))
		return c.emit(op.And, ir.Scalar(dtype.Bool), above, below)
	})
}

// fitsFloat32 is whether a float64 is infinite or finite in float32.
func (c *call) fitsFloat32(x *ir.Value) *ir.Value {
	inf := floatValue(infinity)
	f64 := ir.Scalar(dtype.Float64)
	back := c.emit(op.Cast, f64, c.castedOnce(x, dtype.Float32))
	finite := c.compare(op.Ne, c.emit(op.Abs, f64, back), c.scalarValue(inf))
	infinite := c.compare(op.Eq, c.emit(op.Abs, f64, x), c.scalarValue(inf))
	return c.emit(op.Or, ir.Scalar(dtype.Bool), finite, infinite)
}

// casted is x with elements of type d.
func (l *lowering) casted(x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D == d {
		return x
	}
	if x.Op == op.Const {
		return l.constant(d, dtype.Convert(d, x.Type.D, x.Bits, false))
	}
	return l.emit(op.Cast, x.Type.As(d), x)
}

// broadcasted is x repeated to a shape that it broadcasts to.
func (l *lowering) broadcasted(x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape == s {
		return x
	}
	return l.emit(op.Broadcast, ir.Type{D: x.Type.D, Shape: s}, x)
}

// broadcast is the shape that two broadcast to, as in NumPy: aligned at the last
// dimension, sizes equal or 1.
func broadcast(x, y ir.Shape) (z ir.Shape, ok bool) {
	if x.N < y.N {
		x, y = y, x
	}
	z = x
	for i := 1; i <= y.N; i++ {
		a, b := x.D[x.N-i], y.D[y.N-i]
		switch {
		case a == b || b == 1:
		case a == 1:
			z.D[x.N-i] = b
		default:
			return z, false
		}
	}
	return z, true
}

// shapeOf is the common shape of operands.
func (c *call) shapeOf(xs ...*ir.Value) (s ir.Shape, ok bool) {
	s = xs[0].Type.Shape
	for i, x := range xs[1:] {
		z, ok := broadcast(s, x.Type.Shape)
		if !ok {
			c.doNotBroadcast(xs[:i+2])
			return s, false
		}
		s = z
	}
	return s, c.checkSize(xs[0].Type.D, s)
}

func (c *call) doNotBroadcast(xs []*ir.Value) {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = x.Type.String()
	}
	f := c.fail("%s do not broadcast", sentence(parts)).Note("shapes are aligned at the last dimension; sizes must be equal or 1")
	a, b := xs[len(xs)-2].Type.Shape, xs[len(xs)-1].Type.Shape
	switch {
	case a.N == 1 && b.N == 1:
		f.Fix("for all pairs of the two, make one a column and one a row: x.Col() and y.Row()")
	case a.N == 1 && b.N == 2 && a.D[0] == b.D[0] || b.N == 1 && a.N == 2 && b.D[0] == a.D[0]:
		f.Fix("make the vector a column: x.Col()")
	default:
		f.Fix("bring them to one shape with Reshape, ExpandDims or BroadcastTo")
	}
}

// maxTileBytes bounds one tile, as the language does.
const maxTileBytes = 1 << 30

// checkSize reports a tile that is too large.
func (c *call) checkSize(d dtype.DType, s ir.Shape) bool {
	n := 1
	for _, k := range s.D[:s.N] {
		if n > maxTileBytes/d.Size()/k {
			c.fail("a tile %s is over 1 GiB", ir.Type{D: d, Shape: s}).Fix("use smaller blocks and a larger grid")
			return false
		}
		n *= k
	}
	return true
}

// operands are those of an elementwise op, and the types they are computed in.
type operands struct {
	x     []*ir.Value
	d     dtype.DType
	tiles dtype.DType // what the tiles alone promote to, Invalid if there are none
}

// resolve turns operands of a class into IR values, and finds the type they are
// computed in: the tiles are promoted from left to right, and then each scalar with
// what they give.
func (c *call) resolve(class dtype.Class, vs ...value) (in operands, ok bool) {
	in.x = make([]*ir.Value, len(vs))
	for i, v := range vs {
		if !c.operand(v) {
			return in, false
		}
		if v.kind != tileKind {
			continue
		}
		in.x[i] = v.v
		d := v.v.Type.D
		if d.IsPointer() {
			c.fail("%s: a pointer", describeAll(vs)).Fix("pointers move with Add and Sub of integers; compute on the offsets before adding them")
			return in, false
		}
		if in.tiles == dtype.Invalid {
			in.tiles = d
		} else if in.tiles, ok = c.promoted(class, in.tiles, d, vs); !ok {
			return in, false
		}
	}
	in.d = in.tiles
	for i, v := range vs {
		if in.x[i] == nil {
			if in.x[i], in.d, ok = c.scalar(&in, class, v, vs); !ok {
				return in, false
			}
		}
	}
	return in, true
}

func (c *call) promoted(class dtype.Class, x, y dtype.DType, vs []value) (dtype.DType, bool) {
	d, err := dtype.Promote(class, x, y)
	if err != nil {
		c.promotionError(class, vs, err)
	}
	return d, err == nil
}

func (c *call) promotionError(class dtype.Class, vs []value, err error) {
	f := c.fail("%s: %v", describeAll(vs), err)
	switch class {
	case dtype.Divide, dtype.FloorDiv, dtype.Modulo:
		f.Fix("convert one of them with To, so that both are signed or both unsigned integers, or both floats")
	case dtype.Bitwise:
		f.Fix("bitwise operators take integers and bools: compare first, or convert with To or Bitcast")
	default:
		f.Fix("convert one of them with To")
	}
}

// scalar is a Go scalar as an operand, and the type that the op is computed in with
// it.
func (c *call) scalar(in *operands, class dtype.Class, v value, vs []value) (*ir.Value, dtype.DType, bool) {
	beside := in.tiles
	if beside == dtype.Invalid {
		beside = dtype.Bool // beside which every scalar has a type of its own
	}
	kind := kindOf(v)
	with, lit, err := dtype.PromoteLiteral(class, beside, kind)
	if err != nil {
		c.promotionError(class, vs, err)
		return nil, 0, false
	}
	as := weak
	if kind > beside.Kind() || class == dtype.Compare {
		as = own
	}
	x := c.literal(lit, v, as, func() *diag.Diagnostic {
		return c.fail("%s: %s does not fit %s", describeAll(vs), v.text(), lit).Fix("convert the tile to a wider dtype first, or the value to one that fits")
	})
	switch in.d {
	case dtype.Invalid:
		return x, lit, x != nil
	case in.tiles:
		return x, with, x != nil
	}
	d, ok := c.promoted(class, in.d, with, vs)
	return x, d, ok && x != nil
}

func describeAll(vs []value) string {
	parts := make([]string, len(vs))
	for i, v := range vs {
		parts[i] = v.describe()
	}
	return sentence(parts)
}

// wantTile reports an op on Go scalars alone.
func (c *call) wantTile(in operands, vs ...value) bool {
	if in.tiles == dtype.Invalid {
		c.fail("%s: no tile", describeAll(vs)).Fix("use Go's own operators, or make a tile with tl.Full")
		return false
	}
	return true
}

// takes reports whether an op has a meaning for operands promoted to d.
func (c *call) takes(o op.Op, d dtype.DType, vs ...value) bool {
	row := o.Row()
	if row.In.Has(d) {
		return true
	}
	f := c.fail("%s: computed in %s, which it does not take", describeAll(vs), d)
	switch {
	case row.In&op.IntsB == 0:
		f.Fix("convert first: x.To(tl.Float32)")
	case row.In&op.Floats == 0:
		f.Fix("it takes integers: convert first, for example x.To(tl.Int32)")
	}
	return false
}

// binary is an elementwise op of two operands, at least one of them a tile.
func (c *call) binary(o op.Op, x, y value) value {
	in, ok := c.resolve(o.Row().Class, x, y)
	if !ok || !c.wantTile(in, x, y) || !c.takes(o, in.d, x, y) {
		return bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return bad
	}
	a, b, d := in.x[0], in.x[1], in.d
	if (o == op.FloorDiv || o == op.Mod) && d.IsInt() {
		return c.integerDivision(o, x, a, b, d, shape)
	}
	signed := a.Type.D.IsSigned()
	a, b = c.broadcasted(c.casted(a, d), shape), c.broadcasted(c.casted(b, d), shape)
	if o == op.Shr && signed && !d.IsSigned() && d != dtype.Bool {
		// Arithmetic if the left operand was signed before promotion.
		s := a.Type.As(d.WithSign(true))
		z := c.emit(op.Shr, s, c.emit(op.Bitcast, s, a), c.emit(op.Bitcast, s, b))
		return tileOf(c.emit(op.Bitcast, a.Type, z))
	}
	return tileOf(c.emit(o, ir.Type{D: o.Result(d), Shape: shape}, a, b))
}

// integerDivision fails where the divisor is 0.
func (c *call) integerDivision(o op.Op, x value, a, b *ir.Value, d dtype.DType, shape ir.Shape) value {
	b = c.casted(b, d)
	if b.Op == op.Const && b.Bits == 0 {
		c.fail("division by zero: %s by %s", x.describe(), b.Type).
			Fix("keep zeros out of the divisor, also in lanes that are masked off later: tl.Where(y.Eq(0), 1, y)")
		return bad
	}
	if c.lane != nil && b.Op != op.Const {
		return c.refuse(c.p, c.name+" in a combining function", "it fails on zero", "divide by a constant, or compute the quotient before")
	}
	z := c.emit(o, ir.Type{D: d, Shape: shape}, c.broadcasted(c.casted(a, d), shape), c.broadcasted(b, shape))
	z.Text = c.name
	return tileOf(z)
}

// unary is an elementwise op of one tile.
func (c *call) unary(o op.Op, x value) value {
	if !c.notPointer(x) || !c.takes(o, x.v.Type.D, x) {
		return bad
	}
	return tileOf(c.emit(o, x.v.Type, x.v))
}

// notPointer reports a pointer tile where elements are wanted.
func (c *call) notPointer(x value) bool {
	if x.kind != tileKind {
		return false
	}
	if x.v.Type.D.IsPointer() {
		c.fail("%s: a pointer tile", x.describe()).Fix("load what it points to first: tl.Load(x)")
		return false
	}
	return true
}

func lowerAdd(c *call) value {
	x, y := c.recv, c.args[0]
	if !c.operand(y) {
		return bad
	}
	if y.kind == tileKind {
		if z, ok := c.fuseDot(x, y); ok {
			return z
		}
		if y.v.Type.D.IsPointer() {
			return c.movePointer(y, x, 1)
		}
	}
	if x.v.Type.D.IsPointer() {
		return c.movePointer(x, y, 1)
	}
	return c.binary(op.Add, x, y)
}

func lowerSub(c *call) value {
	in := c.operands()
	x, y := in[0], in[1]
	if x.kind == tileKind && x.v.Type.D.IsPointer() {
		if !c.operand(y) {
			return bad
		}
		return c.movePointer(x, y, -1)
	}
	return c.binary(op.Sub, x, y)
}

// movePointer is a pointer moved by integers, times sign.
func (c *call) movePointer(ptr, off value, sign int64) value {
	var n *ir.Value
	switch {
	case off.kind == scalarKind && off.basic == types.Int && off.known:
		n = c.int64(off.int() * sign)
		sign = 1
	case off.kind == scalarKind && off.basic == types.Int:
		n = off.v
	case off.kind == tileKind && off.v.Type.D.IsInt():
		n = off.v
	default:
		c.fail("%s and %s: pointers move by integers", ptr.describe(), off.describe()).Fix("add int offsets or integer tiles")
		return bad
	}
	shape, ok := c.shapeOf(ptr.v, n)
	if !ok {
		return bad
	}
	n = c.casted(n, dtype.Int64)
	if sign < 0 {
		n = c.emit(op.Neg, n.Type, n)
	}
	return pointerTo(c.emit(ir.PtrAdd, ir.Type{D: ptr.v.Type.D, Shape: shape}, c.broadcasted(ptr.v, shape), c.broadcasted(n, shape)), ptr.base)
}

// condition is a bool tile, or a Go bool as one, nil if it is neither.
func (c *call) condition(what string, v value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.kind == scalarKind && v.basic == types.Bool {
		return c.scalarValue(v)
	}
	if v.kind == tileKind && v.v.Type.D == dtype.Bool {
		return v.v
	}
	c.fail("the %s is %s, want bool", what, v.describe()).Fix("compare first, for example x.Ne(0)")
	return nil
}

func lowerWhere(c *call) value {
	cond, x, y := c.condition("condition", c.args[0]), c.args[1], c.args[2]
	if cond == nil {
		return bad
	}
	if x.kind == tileKind && y.kind == tileKind && x.v.Type.D.IsPointer() && y.v.Type.D.IsPointer() {
		return c.wherePointers(cond, x, y)
	}
	in, ok := c.resolve(op.Where.Row().Class, x, y)
	if !ok {
		return bad
	}
	shape, ok := c.shapeOf(in.x[0], in.x[1], cond)
	if !ok {
		return bad
	}
	a, b := c.broadcasted(c.casted(in.x[0], in.d), shape), c.broadcasted(c.casted(in.x[1], in.d), shape)
	return tileOf(c.emit(op.Where, a.Type, c.broadcasted(cond, shape), a, b))
}

func (c *call) wherePointers(cond *ir.Value, x, y value) value {
	if x.base != y.base {
		c.fail("%s and %s: pointers into different tensors, %s and %s", x.describe(), y.describe(), x.base.Text, y.base.Text).
			Fix("load from both, masked, and choose between the values")
		return bad
	}
	shape, ok := c.shapeOf(x.v, y.v, cond)
	if !ok {
		return bad
	}
	a := c.broadcasted(x.v, shape)
	return pointerTo(c.emit(op.Where, a.Type, c.broadcasted(cond, shape), a, c.broadcasted(y.v, shape)), x.base)
}

func lowerExtremum(c *call, number, nan op.Op) value {
	for _, o := range c.args[2:] {
		if o.s == "PropagateNaN" {
			number = nan
		}
	}
	return c.binary(number, c.args[0], c.args[1])
}

func lowerClamp(c *call) value {
	x := c.binary(op.Maximum, c.args[0], c.args[1])
	if x.kind == poison {
		return bad
	}
	return c.binary(op.Minimum, x, c.args[2])
}

func lowerFMA(c *call) value {
	in, ok := c.resolve(op.FMA.Row().Class, c.args...)
	if !ok || !c.wantTile(in, c.args...) || !c.takes(op.FMA, in.d, c.args...) {
		return bad
	}
	shape, ok := c.shapeOf(in.x...)
	if !ok {
		return bad
	}
	for i, x := range in.x {
		in.x[i] = c.broadcasted(c.casted(x, in.d), shape)
	}
	return tileOf(c.emit(op.FMA, in.x[0].Type, in.x...))
}

func lowerSoftmax(c *call) value {
	x := c.args[0]
	axis := value{kind: optionKind, s: "Axis", list: c.args[1:2]}
	keep := value{kind: optionKind, s: "KeepDims"}
	step := func(name string, f func(c *call) value, args ...value) value {
		for _, a := range args {
			if a.poisoned() {
				return bad
			}
		}
		return f(&call{lowering: c.lowering, name: name, p: c.p, args: args, exprs: c.exprs, results: 1})
	}
	greatest := step("tl.Max", func(c *call) value { return lowerExtreme(c, op.Max) }, x, axis, keep)
	below := step("Tile.Sub", func(c *call) value { return c.binary(op.Sub, c.args[0], c.args[1]) }, x, greatest)
	z := step("tl.Exp", func(c *call) value { return c.unary(op.Exp, c.args[0]) }, below)
	sum := step("tl.Sum", lowerSum, z, axis, keep)
	return step("Tile.Div", func(c *call) value { return c.binary(op.Div, c.args[0], c.args[1]) }, z, sum)
}
