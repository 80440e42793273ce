package frontend

import (
	"go/types"
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

var notANumber = math.NaN()

// program is p.ID(axis) or p.Num(axis).
func (c *call) program(o op.Op) value {
	axis, ok := c.staticInt(c.args[0], c.argPos(0), "an axis of the grid")
	if !ok {
		return bad
	}
	if axis < 0 || axis > 2 {
		c.fail("axis %d: a grid has axes 0, 1 and 2", axis).Fix("count axes from 0")
		return bad
	}
	return runtime(types.Int, c.once(memoKey{o, 0, uint64(axis), nil}, func() *ir.Value {
		v := c.emit(o, ir.Scalar(dtype.Int64))
		v.Index = axis
		return v
	}))
}

// label is the text that a Print or Assert begins with.
func (c *call) label(i int) (string, bool) {
	if c.args[i].kind != stringKind {
		return "", false
	}
	return c.args[i].s, true
}

// shown is the values of a Print or Assert, and for each whether it is a Go scalar.
func (c *call) shown(first int) (xs []*ir.Value, isGo []int, ok bool) {
	for i, v := range c.args[first:] {
		switch v.kind {
		case scalarKind:
			xs, isGo = append(xs, c.scalarValue(v)), append(isGo, 1)
		case tileKind:
			xs, isGo = append(xs, v.v), append(isGo, 0)
		default:
			c.error(c.argPos(first+i), "%s: %s as a value, want tiles and numbers", c.name, v.describe()).
				Fix("put text that is known into the label")
			return nil, nil, false
		}
	}
	return xs, isGo, true
}

func lowerPrint(c *call) {
	label, ok := c.label(0)
	xs, isGo, ok2 := c.shown(1)
	if ok && ok2 {
		v := c.emit(op.Print, ir.Type{}, xs...)
		v.Text, v.Axes = label, isGo
	}
}

func lowerAssert(c *call) {
	cond := c.condition("condition", c.args[0])
	label, ok := c.label(1)
	xs, isGo, ok2 := c.shown(2)
	if cond == nil || !ok || !ok2 || cond.Op == op.Const && cond.Bits != 0 {
		return
	}
	v := c.emit(op.Assert, ir.Type{}, append([]*ir.Value{cond}, xs...)...)
	v.Text, v.Axes = label, append([]int{0}, isGo...)
}

func lowerStaticAssert(c *call) {
	cond, ok := c.static(c.args[0], c.argPos(0), "the condition of tl.StaticAssert")
	if ok && cond == 0 {
		message := c.args[1].s
		c.fail("%s", message)
	}
}

func lowerAssume(c *call) { c.condition("condition", c.args[0]) }

// lowerHint is a promise about a tile, which changes nothing.
func lowerHint(c *call) value { return c.args[0] }

func lowerCdiv(c *call) value {
	x, d := c.args[0], c.args[1]
	if d.known && d.int() <= 0 {
		c.fail("division of %s by %s", plain(x), d.text()).Fix("the block size must be at least 1")
		return bad
	}
	if d.isInt(1) {
		return x
	}
	if !d.known {
		xv := c.scalarValue(x)
		c.check(c.compare(op.Gt, d.v, c.int64(0)), "tl.Cdiv: division of %v by %v\nfix: the block size must be at least 1", xv, d.v)
	}
	q, r := c.goDivide(op.FloorDiv, x, d), c.goDivide(op.Mod, x, d)
	up := c.cast(c.apply(op.Gt, types.Bool, r, intValue(0)), types.Int)
	z := c.apply(op.Add, types.Int, q, up)
	if !z.known && !x.known && c.isNonneg(x.v) {
		c.nonneg[z.v] = true
	}
	return z
}

func plain(v value) string {
	if v.known {
		return v.text()
	}
	return v.describe()
}

// goDivide is x / d or x % d of Go ints.
func (c *call) goDivide(o op.Op, x, d value) value {
	z := c.apply(o, types.Int, x, d)
	if !z.known {
		z.v.Flags |= ir.GoScalar
		z.v.Text = divideByZero
	}
	return z
}

// lowerNextPow2 spreads the highest bit of n-1 to all below it, and adds 1.
func lowerNextPow2(c *call) value {
	n := c.args[0]
	if n.known {
		return c.knownPow2(n.int())
	}
	const most = 1 << 62
	c.check(c.compare(op.Le, n.v, c.int64(most)), "tl.NextPow2: %v has no next power of two", n.v)
	z := c.apply(op.Sub, types.Int, c.apply(op.Maximum, types.Int, n, intValue(1)), intValue(1))
	for s := 1; s < 64; s *= 2 {
		z = c.apply(op.Or, types.Int, z, c.apply(op.Shr, types.Int, z, intValue(s)))
	}
	return c.apply(op.Add, types.Int, z, intValue(1))
}

func (c *call) knownPow2(n int64) value {
	p := int64(1)
	for p < n {
		if p > math.MaxInt64/2 {
			c.fail("%d has no next power of two", n)
			return bad
		}
		p *= 2
	}
	return intValue(int(p))
}

func lowerSwizzle2D(c *call) []value {
	i, j, rows, cols, group := c.args[0], c.args[1], c.args[2], c.args[3], c.args[4]
	const grid = "tl.Swizzle2D: a grid of %v by %v in groups of %v\nfix: all three must be at least 1"
	and := func(x, y value) value { return c.apply(op.And, types.Bool, x, y) }
	atLeast := func(x value, n int) value { return c.apply(op.Ge, types.Bool, x, intValue(n)) }
	below := func(x, n value) value { return c.apply(op.Lt, types.Bool, x, n) }
	if !c.require(and(and(atLeast(rows, 1), atLeast(cols, 1)), atLeast(group, 1)), grid, rows, cols, group) {
		return nil
	}
	const cell = "tl.Swizzle2D: cell (%v,%v) of a grid of %v by %v\nfix: launch as many programs as there are cells"
	if !c.require(and(and(atLeast(i, 0), below(i, rows)), and(atLeast(j, 0), below(j, cols))), cell, i, j, rows, cols) {
		return nil
	}
	mul := func(x, y value) value { return c.apply(op.Mul, types.Int, x, y) }
	ij := c.apply(op.Add, types.Int, mul(i, cols), j)
	perGroup := mul(group, cols)
	if perGroup.isInt(0) {
		c.fail("a grid of %s by %s in groups of %s overflows", plain(rows), plain(cols), plain(group))
		return nil
	}
	first := mul(c.goDivide(op.FloorDiv, ij, perGroup), group)
	height := c.apply(op.Minimum, types.Int, c.apply(op.Sub, types.Int, rows, first), group)
	if height.isInt(0) {
		c.fail("cell (%s,%s) lies outside every group", plain(i), plain(j))
		return nil
	}
	ij = c.goDivide(op.Mod, ij, perGroup)
	return []value{c.apply(op.Add, types.Int, first, c.goDivide(op.Mod, ij, height)), c.goDivide(op.FloorDiv, ij, height)}
}

// require ends the instance if cond does not hold; it reports whether it may.
func (c *call) require(cond value, text string, operands ...value) bool {
	if cond.known {
		if !cond.bool() {
			c.fail("%s", describeAll(operands))
		}
		return cond.bool()
	}
	xs := make([]*ir.Value, len(operands))
	for i, v := range operands {
		xs[i] = c.scalarValue(v)
	}
	c.check(cond.v, text, xs...)
	return true
}

// random is a random op of a seed and an offset: the counter is the offset's low and
// high words (the high one 0 for offsets of up to 32 bits), the key the seed's,
// sign-extended.
func (c *call) random(o op.Op) value {
	seed, off := c.randOperand("seed", c.args[0]), c.randOperand("offset", c.args[1])
	if seed == nil || off == nil {
		return bad
	}
	shape, ok := c.shapeOf(off, seed)
	if !ok {
		return bad
	}
	c0, c1 := c.casted(off, dtype.Uint32), c.constant(dtype.Uint32, 0)
	if off.Type.D.Bits() == 64 {
		c1 = c.highWord(off)
		if c.args[1].kind == scalarKind { // an int that fits int32 is one
			narrow := c.casted(c.casted(off, dtype.Int32), dtype.Int64)
			c1 = c.emit(op.Where, c1.Type, c.compare(op.Eq, narrow, off), c.constant(dtype.Uint32, 0), c1)
		}
	}
	in := []*ir.Value{c0, c1, c.casted(seed, dtype.Uint32), c.highWord(c.casted(seed, dtype.Int64))}
	for i, x := range in {
		in[i] = c.broadcasted(x, shape)
	}
	return tileOf(c.emit(o, ir.Type{D: o.Result(dtype.Uint32), Shape: shape}, in...))
}

// highWord is the upper 32 bits of 64.
func (c *call) highWord(x *ir.Value) *ir.Value {
	x = c.casted(x, dtype.Uint64)
	if x.Op == op.Const {
		return c.constant(dtype.Uint32, x.Bits>>32)
	}
	return c.casted(c.emit(op.Shr, x.Type, x, c.broadcasted(c.constant(dtype.Uint64, 32), x.Type.Shape)), dtype.Uint32)
}

// randOperand is a seed or offset: an integer tile, or a Go int, as int32 if it is
// known to fit.
func (c *call) randOperand(what string, v value) *ir.Value {
	if !c.operand(v) {
		return nil
	}
	if v.kind == scalarKind && v.basic == types.Int {
		if v.known && dtype.Int32.FitsInt(v.int()) {
			return c.constant(dtype.Int32, dtype.FromInt(dtype.Int32, v.int(), false))
		}
		return c.scalarValue(v)
	}
	if v.kind == tileKind && v.v.Type.D.IsInt() {
		return v.v
	}
	c.fail("the %s is %s, want integers", what, v.describe())
	return nil
}

// mathFuncs are the functions of package math whose results every processor agrees
// on.
var mathFuncs = map[string]func(l *lowering, args []value) value{
	"Inf":   mathInf,
	"NaN":   func(*lowering, []value) value { return floatValue(notANumber) },
	"Sqrt":  mathOp(op.Sqrt),
	"Abs":   mathOp(op.Abs),
	"Floor": mathOp(op.Floor),
	"Ceil":  mathOp(op.Ceil),
	"Trunc": mathOp(op.Trunc),
	"FMA":   mathOp(op.FMA),
	"IsNaN": func(l *lowering, args []value) value { return l.apply(op.Ne, types.Bool, args[0], args[0]) },
	"IsInf": mathIsInf,
}

func mathOp(o op.Op) func(l *lowering, args []value) value {
	return func(l *lowering, args []value) value { return l.apply(o, types.Float64, args...) }
}

func mathInf(l *lowering, args []value) value {
	if sign := args[0]; sign.known {
		if sign.int() >= 0 {
			return floatValue(infinity)
		}
		return floatValue(-infinity)
	}
	positive := l.apply(op.Ge, types.Bool, args[0], intValue(0))
	f64 := ir.Scalar(dtype.Float64)
	return runtime(types.Float64, l.emit(op.Where, f64, positive.v, l.scalarValue(floatValue(infinity)), l.scalarValue(floatValue(-infinity))))
}

func mathIsInf(l *lowering, args []value) value {
	x, sign := args[0], args[1]
	is := func(v float64) value { return l.apply(op.Eq, types.Bool, x, floatValue(v)) }
	holds := func(o op.Op) value { return l.apply(o, types.Bool, sign, intValue(0)) }
	and := func(x, y value) value { return l.apply(op.And, types.Bool, x, y) }
	return l.apply(op.Or, types.Bool, and(holds(op.Ge), is(infinity)), and(holds(op.Le), is(-infinity)))
}

// dtypeMethods are what is asked of dtypes, all of it known.
var dtypeMethods = map[string]func(c *call, d dtype.DType) value{
	"String":    func(_ *call, d dtype.DType) value { return stringValue(d.String()) },
	"Short":     func(_ *call, d dtype.DType) value { return stringValue(d.Short()) },
	"Size":      func(_ *call, d dtype.DType) value { return intValue(d.Size()) },
	"Bits":      func(_ *call, d dtype.DType) value { return intValue(d.Bits()) },
	"Valid":     func(_ *call, d dtype.DType) value { return boolValue(d.Valid()) },
	"IsFloat":   func(_ *call, d dtype.DType) value { return boolValue(d.IsFloat()) },
	"IsInt":     func(_ *call, d dtype.DType) value { return boolValue(d.IsInt()) },
	"IsSigned":  func(_ *call, d dtype.DType) value { return boolValue(d.IsSigned()) },
	"IsPointer": func(_ *call, d dtype.DType) value { return boolValue(d.IsPointer()) },
	"IsFP8":     func(_ *call, d dtype.DType) value { return boolValue(d.IsFP8()) },
	"IsNarrow":  func(_ *call, d dtype.DType) value { return boolValue(d.IsNarrow()) },
	"Elem":      func(_ *call, d dtype.DType) value { return dtypeValue(d.Elem()) },
	"Compute":   func(_ *call, d dtype.DType) value { return dtypeValue(d.Compute()) },
	"Kind": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Uint8, known: true, bits: uint64(d.Kind())}
	},
	"MinInt": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Int64, known: true, bits: uint64(d.MinInt())}
	},
	"MaxInt": func(_ *call, d dtype.DType) value {
		return value{kind: scalarKind, basic: types.Uint64, known: true, bits: d.MaxInt()}
	},
	"WithSign": func(c *call, d dtype.DType) value {
		signed, ok := c.static(c.args[0], c.argPos(0), "a signedness")
		if !ok {
			return bad
		}
		return dtypeValue(d.WithSign(signed != 0))
	},
	"FitsInt": func(c *call, d dtype.DType) value {
		n, ok := c.static(c.args[0], c.argPos(0), "an integer beside a dtype")
		if !ok {
			return bad
		}
		return boolValue(d.FitsInt(int64(n)))
	},
}
