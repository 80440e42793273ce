package reduce

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// worst is what loses against, or equals, everything.
func worst(d dtype.DType, better op.Op) lane.Lanes {
	if d.IsFloat() || better == op.Gt {
		return identity(op.Maximum, d)[0]
	}
	return identity(op.Minimum, d)[0]
}

// identity is the value that changes nothing under an op, nil if there is none: -0 for a sum of floats, NaN, which
// loses, for extrema, unless it wins.
func identity(o op.Op, d dtype.DType) []lane.Lanes {
	bits := uint64(0)
	switch o {
	case op.Add:
		if d.IsFloat() {
			bits = dtype.FromFloat(d, math.Copysign(0, -1))
		}
	case op.Or, op.Xor:
	case op.And:
		bits = dtype.FromInt(d, -1, false)
	case op.Mul:
		bits = dtype.FromInt(d, 1, false)
	case op.Maximum, op.MaximumNaN:
		bits = extreme(d, o == op.MaximumNaN, -1, dtype.FromInt(d, d.MinInt(), false))
	case op.Minimum, op.MinimumNaN:
		bits = extreme(d, o == op.MinimumNaN, 1, dtype.FromInt(d, int64(d.MaxInt()), true))
	default:
		return nil
	}
	return []lane.Lanes{lane.Const(d, bits)}
}

// extreme is an integer, or a float: NaN, or where that wins the infinity of a sign.
func extreme(d dtype.DType, wins bool, sign int, integer uint64) uint64 {
	switch {
	case !d.IsFloat():
		return integer
	case wins:
		return dtype.FromFloat(d, math.Inf(sign))
	}
	return dtype.FromFloat(d, math.NaN())
}
