package fuse

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Read is a value as it is read through a map of its dimensions.
type Read struct {
	V *ir.Value
	M affine.Axes
}

// Along is by how much v, read through m, grows from one index of a dimension to the next; ok is false if that is not
// known to be the same everywhere. Casts of int32 in whose operand the index is a summand are widened.
func Along(v *ir.Value, dim int, m affine.Axes) (by int, widened []Read, ok bool) {
	if !v.Type.IsTile() || v.Type.Shape.D[dim] == 1 || affine.RepeatedConst(v) != nil {
		return 0, nil, true
	}
	switch {
	case v.Op == op.Arange:
		return 1, nil, true
	case !Lazy(v) || v.Op == op.Load:
		return 0, nil, false
	case ir.Family(v.Op) == op.Shape:
		to, _ := affine.DimMap(v)
		for i := range v.Args[0].Type.Shape.N {
			if to[i] == dim {
				return Along(v.Args[0], i, affine.Through(v, m))
			}
		}
		return 0, nil, true
	}
	for i, a := range v.Args {
		d, inside, known := Along(a, dim, m)
		if !known || d != 0 && (by != 0 || !carries(v, i)) {
			return 0, nil, false
		}
		by, widened = by+d, append(widened, inside...)
	}
	if by != 0 && v.Op == op.Cast {
		widened = append(widened, Read{v, m})
	}
	return by, widened, true
}

// carries reports whether v grows as its operand i does.
func carries(v *ir.Value, i int) bool {
	switch v.Op {
	case op.Add, ir.PtrAdd:
		return true
	case op.Sub:
		return i == 0
	case op.Cast:
		return v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32
	}
	return false
}
