package tiles

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// Wanted is limits outside of which nobody looks at a tile that is kept, nor at others of its shape. A Swizzle's loop
// goes through all of it.
func (g *Memory) Wanted(v *ir.Value, more ...*ir.Value) (atoms []affine.Atom) {
	if v.Op == ir.Swizzle {
		return nil
	}
	for dim, bounds := range fuse.Demanded(g.Plan, v) {
		atoms = append(atoms, g.Along(dim, bounds)...)
	}
	for _, x := range more {
		also := g.Wanted(x)
		atoms = slices.DeleteFunc(atoms, func(a affine.Atom) bool { return !slices.ContainsFunc(also, a.Alike) })
	}
	return atoms
}

// Along is limits of a dimension that hold for all indices that one of some bounds lets through.
func (g *Memory) Along(dim int, bounds []fuse.Bound) (atoms []affine.Atom) {
	for i, b := range bounds {
		var some []affine.Atom
		if box := g.Boxes.Around(b.Mask); g.Require(box.Conds) {
			for _, a := range box.Atoms {
				if a.Dim == b.Dim && !(b.UpTo && a.Lo != nil) {
					a.Dim = dim
					some = append(some, a)
				}
			}
		}
		if i > 0 {
			some = slices.DeleteFunc(some, func(a affine.Atom) bool { return !slices.ContainsFunc(atoms, a.Alike) })
		}
		atoms = some
	}
	return atoms
}

// WantedRows is Wanted, but of rows that are short as a whole: their ends are not worth looking for. Those of a tile of
// one row, for which that is done but once, are short up to more blocks.
func (g *Memory) WantedRows(v *ir.Value) []affine.Atom {
	s, inner, blocks := v.Type.Shape, v.Type.Shape.N-1, 2
	for inner > 0 && s.D[inner] == 1 {
		inner--
	}
	if s.Len() == s.D[inner] {
		blocks = 32
	}
	short := s.D[inner] <= blocks*g.Lanes
	return slices.DeleteFunc(g.Wanted(v), func(a affine.Atom) bool { return short && a.Dim == inner })
}

// WantedOf is how many rows and columns of a product anybody looks at, and how many elements of its chains may be other
// than zeros, 0 for all of them.
func (g *Memory) WantedOf(v *ir.Value) (z [3]lir.Reg) {
	s, k := v.Type.Shape, v.Args[0].Type.Shape.D[v.Type.Shape.N-1]
	atoms := append(g.Wanted(v), g.Along(s.N, fuse.Summed(g.Plan, v))...)
	for i, size := range []int{s.D[s.N-2], s.D[s.N-1], k} {
		if _, hi := g.Syms.Interval(atoms, s.N-2+i, size); hi != g.Syms.Constant(int64(size)) {
			z[i] = g.SymReg(hi)
		}
	}
	return z
}
