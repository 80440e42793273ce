package frontend

import (
	"go/types"
	"math"
	"strings"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

var infinity = math.Inf(1)

// elementType is a dtype argument that elements can have.
func (c *call) elementType(v value) (dtype.DType, bool) {
	if v.kind != dtypeKind {
		return 0, false
	}
	if !v.d.Valid() || v.d.IsPointer() {
		c.fail("%s is not an element type", v.d).Fix("use one of tl.Bool, tl.Int8 ... tl.Float64")
		return 0, false
	}
	return v.d, true
}

// shapeArg is a shape of ints, which must be known; first is the place of the first
// among the arguments.
func (c *call) shapeArg(sizes []value, first int) (s ir.Shape, ok bool) {
	if len(sizes) > ir.MaxRank {
		c.fail("%d dimensions, at most %d are allowed", len(sizes), ir.MaxRank)
		return s, false
	}
	s.N = len(sizes)
	for i, v := range sizes {
		if s.D[i], ok = c.staticInt(v, c.argPos(first+i), "a size of a tile"); !ok {
			return s, false
		}
	}
	for _, d := range s.D[:s.N] {
		if d < 1 {
			c.fail("a tile of shape %s: every dimension must be at least 1", shape.Index(s.Dims()))
			return s, false
		}
	}
	return s, true
}

func lowerArange(c *call) value {
	lo, ok := c.staticInt(c.args[0], c.argPos(0), "the start of Arange")
	hi, ok2 := c.staticInt(c.args[1], c.argPos(1), "the end of Arange")
	if !ok || !ok2 {
		return bad
	}
	if hi <= lo {
		c.fail("Arange(%d, %d) is empty: the end must be above the start", lo, hi)
		return bad
	}
	if lo < math.MinInt32 || hi-1 > math.MaxInt32 {
		c.fail("Arange(%d, %d) does not fit int32", lo, hi).Fix("use a smaller range and add an int64 tile")
		return bad
	}
	t := ir.Tile(dtype.Int32, hi-lo)
	if !c.checkSize(t.D, t.Shape) {
		return bad
	}
	v := c.emit(op.Arange, t)
	v.Index = lo
	return tileOf(v)
}

func lowerFull(c *call) value { return c.full(c.args[0], c.args[1], c.args[2:], 2) }

func lowerZeros(c *call) value { return c.full(c.args[0], intValue(0), c.args[1:], 1) }

func (c *call) full(d, v value, sizes []value, first int) value {
	t, ok := c.elementType(d)
	if !ok || !c.operand(v) {
		return bad
	}
	shape, ok := c.shapeArg(sizes, first)
	if !ok || !c.checkSize(t, shape) {
		return bad
	}
	if v.kind == tileKind {
		if v.v.Type.IsTile() {
			c.fail("a value of shape %s", v.v.Type.Shape).Fix("use BroadcastTo to repeat a tile")
			return bad
		}
		if !c.notPointer(v) {
			return bad
		}
		return tileOf(c.broadcasted(c.casted(v.v, t), shape))
	}
	x := c.element(t, v)
	if x == nil {
		return bad
	}
	return tileOf(c.broadcasted(x, shape))
}

// element is a Go scalar as an element of type d, nil if it is known not to fit.
func (c *call) element(d dtype.DType, v value) *ir.Value {
	return c.literal(d, v, cast, func() *diag.Diagnostic {
		f := c.fail("%s does not fit %s", v.describe(), d)
		if d.IsInt() {
			f.Note("%s holds %d ... %d", d, d.MinInt(), d.MaxInt())
		}
		return f.Fix("use a wider dtype, or a value that fits")
	})
}

func lowerZerosLike(c *call) value {
	x := c.args[0]
	if !c.notPointer(x) {
		return bad
	}
	return tileOf(c.broadcasted(c.constant(x.v.Type.D, 0), x.v.Type.Shape))
}

func lowerTo(c *call) value {
	in := c.operands()
	x := in[0]
	d, ok := c.elementType(in[1])
	if !ok {
		return bad
	}
	from := x.v.Type.D
	if from.IsPointer() {
		c.fail("%s to %s: a pointer", x.describe(), d).Fix("convert what it points to: tl.Load(x).To(d)")
		return bad
	}
	if from == d {
		return x // also keeps a product what it is
	}
	for _, o := range in[2:] {
		if o.s != "TowardZero" {
			continue
		}
		if !from.IsFloat() || !d.IsFloat() || d.Size() >= from.Size() {
			c.fail("%s to %s: TowardZero is for a float to a narrower float", x.describe(), d).Fix("leave out TowardZero: it changes no other cast")
			return bad
		}
		return tileOf(c.emit(op.CastRTZ, x.v.Type.As(d), x.v))
	}
	return tileOf(c.casted(x.v, d))
}

func lowerBitcast(c *call) value {
	d, ok := c.elementType(c.args[0])
	if !ok {
		return bad
	}
	x := c.recv.v
	if from := x.Type.D; from.IsPointer() || from.Bits() != d.Bits() {
		c.fail("%s (%d bits) to %s (%d bits)", x.Type, from.Bits(), d, d.Bits()).Fix("use To to convert values")
		return bad
	}
	if x.Type.D == d {
		return tileOf(x)
	}
	return tileOf(c.emit(op.Bitcast, x.Type.As(d), x))
}

// scalarTile is the receiver, which must be a scalar that is not a pointer.
func (c *call) scalarTile() *ir.Value {
	x := c.recv.v
	if x.Type.IsTile() {
		f := c.fail("%s is not a scalar", x.Type)
		if x.Type.D == dtype.Bool {
			f.Fix("choose lane by lane with tl.Where, or reduce first: tl.Max(x).Ne(0).Bool()")
		} else {
			f.Fix("reduce it first, for example with tl.Sum or tl.Max")
		}
		return nil
	}
	if x.Type.D.IsPointer() {
		c.fail("a pointer").Fix("read what it points to: tl.Load(x)")
		return nil
	}
	return x
}

func lowerInt(c *call) value {
	x := c.scalarTile()
	if x == nil {
		return bad
	}
	d := x.Type.D
	if !d.IsInt() {
		c.fail("a %s tile", d).Fix("convert it first: x.To(tl.Int64).Int()")
		return bad
	}
	n := c.goInt(x)
	if d == dtype.Uint64 {
		c.check(c.compare(op.Ge, n, c.int64(0)), c.name+": %v does not fit a Go int", x)
	}
	return scalarOf(types.Int, n)
}

// goInt is a scalar integer as a Go int.
func (c *call) goInt(x *ir.Value) *ir.Value { return c.castedOnce(x, dtype.Int64) }

// scalarOf is a Go scalar that v holds, or v's constant.
func scalarOf(b types.BasicKind, v *ir.Value) value {
	if v.Op == op.Const {
		return value{kind: scalarKind, basic: b, known: true, bits: v.Bits}
	}
	return runtime(b, v)
}

func lowerFloat(c *call) value {
	x := c.scalarTile()
	if x == nil {
		return bad
	}
	return scalarOf(types.Float64, c.castedOnce(x, dtype.Float64))
}

func lowerBool(c *call) value {
	x := c.scalarTile()
	if x == nil {
		return bad
	}
	if x.Type.D != dtype.Bool {
		c.fail("a %s tile", x.Type.D).Fix("compare it first: x.Ne(0).Bool()")
		return bad
	}
	return scalarOf(types.Bool, x)
}

// goName is an element type as a kernel spells it: Float32.
func goName(d dtype.DType) string {
	if d == dtype.BFloat16 {
		return "BFloat16"
	}
	s := d.String()
	return strings.ToUpper(s[:1]) + s[1:]
}
