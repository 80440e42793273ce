package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Beside reports whether what a gather picks along a dimension lies side by side but for a few places: its indices are
// the same along it, or, along its axis, grow by one as an index and a number do, or the greater, the lesser or a
// chosen one of two such, or what remains of one. It is a guess about speed: nothing is known of how many places there
// are. A tile of one element has no such dimension.
func Beside(gather *ir.Value, dim int) bool {
	if dim < 0 {
		return false
	}
	by := pieces{}.of(gather.Args[1], dim)
	return by == 0 && dim != gather.Axis || by == 1 && dim == gather.Axis
}

// pieces is by how much values grow along a dimension in pieces, -1 if that is not known.
type pieces map[pieceKey]int

type pieceKey struct {
	v   *ir.Value
	dim int
}

func (p pieces) of(v *ir.Value, dim int) int {
	if !v.Type.IsTile() || v.Type.Shape.D[dim] == 1 || affine.RepeatedConst(v) != nil {
		return 0
	}
	key := pieceKey{v, dim}
	by, known := p[key]
	if !known {
		by = p.look(v, dim)
		p[key] = by
	}
	return by
}

func (p pieces) look(v *ir.Value, dim int) int {
	switch {
	case v.Op == op.Arange:
		return 1
	case !Lazy(v) || v.Op == op.Load:
		return -1
	case ir.Family(v.Op) == op.Shape:
		if x, i := beneath(v, dim); i >= 0 {
			return p.of(x, i)
		}
		to, ok := affine.DimMap(v)
		if ok && len(v.Args) == 1 && !slices.Contains(to[:v.Args[0].Type.Shape.N], dim) { // repeated along it
			return 0
		}
		return -1
	}
	least, most, sum := 1, 0, 0
	for _, a := range v.Args {
		by := p.of(a, dim)
		least, most, sum = min(least, by), max(most, by), sum+by
	}
	switch {
	case least < 0 || sum > most && v.Op == op.Add:
		return -1
	case most == 0:
		return 0
	case v.Op == op.Sub, v.Op == op.Mod:
		if p.of(v.Args[1], dim) != 0 {
			return -1
		}
		return 1
	case v.Op == op.Add, v.Op == op.Minimum, v.Op == op.Maximum, v.Op == op.Where, v.Op == op.Cast, v.Type.D == dtype.Bool:
		return most
	}
	return -1
}
