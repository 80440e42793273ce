package scalar

import (
	"math"
	"math/bits"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Apply is an elementwise op or type change of the IR on lanes.
func (g *Scalars) Apply(v *ir.Value, in []lane.Lanes) lane.Lanes {
	switch v.Op {
	case op.Cast:
		return g.Cast(v.Type.D, in[0])
	case op.CastRTZ:
		return g.CastRTZ(v.Type.D, in[0])
	case op.Bitcast:
		return g.BitcastNaN(v.Type.D, in[0])
	case ir.PtrAdd:
		return g.Prim(op.Add, dtype.Int64, in[0].As(dtype.Int64), in[1])
	case op.Where:
		if isMax, ok := Greater(v); ok {
			return g.GreaterOf(isMax, v.Type.D, in[1], in[2])
		}
	case op.FloorDiv, op.Mod:
		if Shifts(v, in[1]) {
			return shifted(g, v, in[0], in[1].Bits)
		}
	}
	return g.Elementwise(v.Op, in[len(in)-1].D, in...)
}

// Greater reports whether a Where chooses the greater, or the lesser, of its operands: of floats the second one, if
// neither is, as the instructions for that do.
func Greater(v *ir.Value) (isMax, ok bool) {
	if v.Op != op.Where || v.Type.D != dtype.Float32 && v.Type.D != dtype.Float64 {
		return false, false
	}
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	if c.Op != op.Gt && c.Op != op.Lt {
		return false, false
	}
	same, crossed := c.Args[0] == x && c.Args[1] == y, c.Args[0] == y && c.Args[1] == x
	return same == (c.Op == op.Gt), same || crossed
}

// DividesInt reports whether v divides integers, by a way of which a part depends on the divisor alone.
func DividesInt(g *Scalars, v *ir.Value) bool {
	d := v.Type.D
	return (v.Op == op.FloorDiv || v.Op == op.Mod) && d.IsInt() && d != dtype.Bool && (!lane.Wide(d) || !g.EVEX)
}

// Shifts reports whether a division by y is one of numbers that are not negative by a power of two: bits are taken.
func Shifts(v *ir.Value, y lane.Lanes) bool {
	n := int64(int32(y.Bits))
	return y.Known && v.Type.D == dtype.Int32 && n > 1 && n&(n-1) == 0 && affine.Between(v.Args[0], 0, math.MaxInt32)
}

// shifted is such a division by n.
func shifted(g *Scalars, v *ir.Value, x lane.Lanes, n uint64) lane.Lanes {
	u := dtype.Uint32
	if v.Op == op.Mod {
		return g.Prim(op.And, u, x.As(u), lane.Const(u, n-1)).As(v.Type.D)
	}
	return g.Prim(op.Shr, u, x.As(u), lane.Const(u, uint64(bits.TrailingZeros64(n)))).As(v.Type.D)
}

// LooksUp reports whether a division of lanes by y is better looked up in a table: there are few dividends.
func LooksUp(g *Scalars, v *ir.Value, y lane.Lanes) bool {
	n := int64(g.Lanes)
	d := v.Type.D
	return g.EVEX && y.Known && d == dtype.Int32 && dtype.ToInt(d, y.Bits) > 1 && affine.Between(v.Args[0], -n, n-1)
}
