package fuse

import (
	"slices"

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
	return new(ascent).of(v, dim, m)
}

// Turns is how many consecutive indices of a dimension have the same v, which is greater by one for the next as many:
// the power of two that indices are divided by. It is 0 if v does not grow so.
func Turns(v *ir.Value, dim int, m affine.Axes) (turns int, widened []Read) {
	a := &ascent{divided: true}
	if by, widened, ok := a.of(v, dim, m); ok && by == 1 {
		return a.turns, widened
	}
	return 0, nil
}

// An ascent is how values grow along a dimension.
type ascent struct {
	divided bool // quotients of the indices by turns may take the place of indices
	turns   int
}

func (s *ascent) of(v *ir.Value, dim int, m affine.Axes) (by int, widened []Read, ok bool) {
	if !v.Type.IsTile() || v.Type.Shape.D[dim] == 1 || affine.RepeatedConst(v) != nil {
		return 0, nil, true
	}
	switch {
	case v.Op == op.Arange:
		return 1, nil, true
	case s.divided && s.turns == 0 && dividesIndex(v, dim) > 1:
		s.turns = dividesIndex(v, dim)
		return 1, nil, true
	case !Lazy(v) || v.Op == op.Load:
		return 0, nil, false
	case ir.Family(v.Op) == op.Shape:
		to, _ := affine.DimMap(v)
		for i := range v.Args[0].Type.Shape.N {
			if to[i] == dim {
				return s.of(v.Args[0], i, affine.Through(v, m))
			}
		}
		return 0, nil, true
	}
	for i, a := range v.Args {
		d, inside, known := s.of(a, dim, m)
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

// dividesIndex is the power of two that v divides the indices of a dimension by, 0 if it does not.
func dividesIndex(v *ir.Value, dim int) int {
	if v.Op != op.FloorDiv && v.Op != op.Shr {
		return 0
	}
	c := affine.RepeatedConst(v.Args[1])
	if c == nil || !isIndex(v.Args[0], dim) {
		return 0
	}
	n := dtype.ToInt(c.Type.D, c.Bits)
	switch {
	case v.Op == op.Shr && n > 0 && n < 30:
		return 1 << n
	case v.Op == op.FloorDiv && n > 0 && n < 1<<30 && n&(n-1) == 0:
		return int(n)
	}
	return 0
}

// EndsInRow reports whether a mask holds for the first indices of a dimension, however many: quotients of these alone,
// to which nothing is added that might wrap, are less than what is the same for all.
func EndsInRow(mask *ir.Value, dim int) bool {
	v, i := beneath(mask, dim)
	if i < 0 || v.Op != op.Lt && v.Op != op.Le {
		return false
	}
	by, _, ok := Along(v.Args[1], i, affine.Axes{})
	q, j := beneath(v.Args[0], i)
	return ok && by == 0 && j >= 0 && dividesIndex(q, j) > 0
}

// PhaseInRow is which one of so many consecutive indices of a dimension a mask may let through, as it says what remains
// of the index and a number, divided by as many: -1 if it says nothing of the kind.
func PhaseInRow(mask *ir.Value, dim, turns int) int {
	return phaseInRow(mask, dim, turns, map[*ir.Value]bool{})
}

// phaseInRow is PhaseInRow; seen are conjunctions that have been looked at.
func phaseInRow(mask *ir.Value, dim, turns int, seen map[*ir.Value]bool) int {
	if mask.Op == op.And {
		if seen[mask] {
			return -1
		}
		seen[mask] = true
		return max(phaseInRow(mask.Args[0], dim, turns, seen), phaseInRow(mask.Args[1], dim, turns, seen))
	}
	v, i := beneath(mask, dim)
	if i < 0 || v.Op != op.Eq || v.Args[0].Op != op.Mod {
		return -1
	}
	left, n := affine.RepeatedConst(v.Args[1]), affine.RepeatedConst(v.Args[0].Args[1])
	x, added := v.Args[0].Args[0], int64(0)
	if x.Op == op.Add {
		c := affine.RepeatedConst(x.Args[1])
		if c == nil {
			return -1
		}
		x, added = x.Args[0], dtype.ToInt(c.Type.D, c.Bits)
	}
	if left == nil || n == nil || dtype.ToInt(n.Type.D, n.Bits) != int64(turns) || !isIndex(x, i) {
		return -1
	}
	phase := (dtype.ToInt(left.Type.D, left.Bits) - added) % int64(turns)
	return int(phase+int64(turns)) % turns
}

// isIndex reports whether v is the indices of a dimension.
func isIndex(v *ir.Value, dim int) bool {
	x, i := beneath(v, dim)
	return i >= 0 && x.Op == op.Arange && x.Index == 0
}

// beneath is what shape operations move whole dimensions of, and which one a dimension is there, -1 if it is none.
func beneath(v *ir.Value, dim int) (*ir.Value, int) {
	for dim >= 0 && ir.Family(v.Op) == op.Shape && len(v.Args) == 1 {
		to, ok := affine.DimMap(v)
		if dim = slices.Index(to[:v.Args[0].Type.Shape.N], dim); !ok {
			dim = -1
		}
		v = v.Args[0]
	}
	return v, dim
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
