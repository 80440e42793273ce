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

// identity is the value that changes nothing under an op: -0 for a sum of floats,
// NaN, which loses, for extrema.
func identity(o op.Op, d dtype.DType) []lane.Lanes {
	bits := uint64(0)
	switch {
	case d.IsFloat() && o == op.Add:
		bits = dtype.FromFloat(d, math.Copysign(0, -1))
	case d.IsFloat():
		bits = dtype.FromFloat(d, math.NaN())
	case o == op.Maximum:
		bits = dtype.FromInt(d, d.MinInt(), false)
	case o == op.Minimum:
		bits = d.MaxInt()
	}
	return []lane.Lanes{lane.Const(d, bits)}
}
