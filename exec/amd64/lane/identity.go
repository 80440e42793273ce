package lane

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Worst is what loses against, or equals, everything.
func Worst(d dtype.DType, better op.Op) Lanes {
	switch {
	case d.IsFloat():
		return Identity(op.Maximum, d)[0]
	case better == op.Gt:
		return Identity(op.Maximum, d)[0]
	}
	return Identity(op.Minimum, d)[0]
}

// Identity is the value that changes nothing under an op: -0 for a sum of floats,
// NaN, which loses, for extrema.
func Identity(o op.Op, d dtype.DType) []Lanes {
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
	return []Lanes{Const(d, bits)}
}
