package affine

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Steps that are no number.
const (
	Many    = math.MaxInt64     // a number of the launch, or one times it
	Unknown = math.MaxInt64 - 1 // not the same everywhere, as far as a look tells
)

// Step is by how much an integer or a pointer grows along a dimension of its shape, as far as a look at the operations
// that compute it tells. Unlike a Form it knows quotients, if inPieces: x%n grows as x does, and x/n not at all, but
// for where a piece ends. Otherwise a step that is a number holds everywhere, but for the wrap of integers.
func Step(v *ir.Value, dim int, inPieces bool) int64 {
	s := stepper{inPieces: inPieces, left: 64}
	return s.of(v, dim)
}

// stepper looks at so many values still.
type stepper struct {
	inPieces bool
	left     int
}

func (s *stepper) of(v *ir.Value, dim int) int64 {
	if s.left--; s.left < 0 {
		return Unknown
	}
	if !v.Type.IsTile() || v.Type.Shape.D[dim] == 1 {
		return 0
	}
	arg := func(i int) int64 { return s.of(v.Args[i], dim) }
	switch v.Op {
	case op.Arange:
		return 1
	case op.Broadcast, op.Reshape, op.Permute:
		return s.moved(v, dim)
	case op.Cast:
		if from := v.Args[0].Type.D; from.IsInt() && min(from.Bits(), v.Type.D.Bits()) >= 32 {
			return arg(0)
		}
	case op.Add, ir.PtrAdd:
		return stepSum(arg(0), arg(1))
	case op.Sub:
		return stepSum(arg(0), stepProduct(arg(1), -1))
	case op.Mul:
		for i, factor := range v.Args {
			if c := RepeatedConst(factor); c != nil {
				return stepProduct(arg(1-i), dtype.ToInt(c.Type.D, c.Bits))
			}
			if arg(i) == 0 {
				return stepProduct(arg(1-i), Many)
			}
		}
	case op.FloorDiv, op.Mod:
		if !s.inPieces || arg(1) != 0 {
			break
		}
		switch x := arg(0); {
		case v.Op == op.Mod, x == 0:
			return x
		case x == 1:
			return 0
		}
	}
	if !LaneByLane(v) && v.Op != op.Load {
		return Unknown
	}
	for i := range v.Args {
		if arg(i) != 0 {
			return Unknown
		}
	}
	return 0
}

// LaneByLane reports whether v's elements are each made of its operands' elements at the same place, and nothing else.
func LaneByLane(v *ir.Value) bool {
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Primitive, op.Change:
		return len(v.Args) > 0
	}
	return v.Op == ir.PtrAdd
}

// moved is the step of what moves whole dimensions.
func (s *stepper) moved(v *ir.Value, dim int) int64 {
	x := v.Args[0]
	m, ok := DimMap(v)
	if !x.Type.IsTile() {
		return 0
	} else if !ok {
		return Unknown
	}
	for i := range x.Type.Shape.N {
		if m[i] == dim {
			return s.of(x, i)
		}
	}
	return 0
}

func stepSum(x, y int64) int64 {
	switch {
	case x == 0:
		return y
	case y == 0:
		return x
	case x >= Unknown || y >= Unknown:
		return Unknown
	}
	return clampAdd(x, y)
}

func stepProduct(x, by int64) int64 {
	switch {
	case x == 0 || by == 0:
		return 0
	case x == Unknown:
		return Unknown
	case x == Many || by == Many, x > 1<<31 || x < -1<<31 || by > 1<<31 || by < -1<<31:
		return Many
	}
	return x * by
}
