package store

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Dimensions that are one: where each access goes from row to row by as much as a row has elements, the last dimensions
// of a tile are one, of longer rows. Masks may limit the first of them, and nothing else may depend on where in them an
// element is.

// merging is a nest over a shape whose dimensions from first on are one.
func merging(g *nest.Nests, shape ir.Shape, first int) (*nest.Nest, affine.Axes) {
	last, row := shape.N-1, 1
	flat := shape
	for i := first; i < last; i++ {
		flat.D[i], row = 1, row*shape.D[i+1]
	}
	flat.D[last] = row * shape.D[first]
	n, m := g.NewNest(flat), affine.Identity(flat)
	n.Merged, m[first] = row, affine.MergedRows
	return n, m
}

// mergesFrom is the first of the last dimensions of a store that are one, -1 if none are.
func mergesFrom(g *nest.Nests, v *ir.Value) int {
	mem := v.Memory()
	s := mem.Ptr.Type.Shape
	for first := range s.N - 1 {
		if s.D[first] == 1 || s.D[s.N-1] == 1 {
			continue
		}
		r := merger{g: g}
		for i := first; i < s.N; i++ {
			if s.D[i] > 1 {
				r.dims, r.sizes = append(r.dims, i), append(r.sizes, s.D[i])
			}
		}
		if r.access(v) && r.tile(mem.Val) {
			return first
		}
	}
	return -1
}

// A merger looks at a value, of whose shape dims are to be one dimension.
type merger struct {
	g     *nest.Nests
	dims  []int // outermost first
	sizes []int
}

// tile reports whether elements of a tile may be computed so.
func (r merger) tile(v *ir.Value) bool {
	g := r.g
	switch {
	case !v.Type.IsTile() || affine.RepeatedConst(v) != nil:
		return true
	case g.Plan.Of(v).Within || g.Keeps(v) || g.InMemory(v):
		return false
	case v.Op == op.Load:
		return !tiles.ChoosesRows(&g.Memory, v) && r.access(v)
	case !fuse.Lazy(v) || ir.Family(v.Op) == op.Create:
		return false
	case ir.Family(v.Op) == op.Shape:
		return r.through(v)
	}
	return !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return !r.tile(a) })
}

// through is tile for what moves whole dimensions.
func (r merger) through(v *ir.Value) bool {
	to, ok := affine.DimMap(v)
	if !ok {
		return false
	}
	var dims []int
	for _, d := range r.dims {
		for i := range v.Args[0].Type.Shape.N {
			if to[i] == d {
				dims = append(dims, i)
			}
		}
	}
	if len(dims) == 0 { // it is the same along all of them
		return true
	}
	same := len(dims) == len(r.dims)
	r.dims = dims
	return same && r.tile(v.Args[0])
}

// access reports whether an access goes on from row to row, in its tensor and in a copy, and so do its mask and what it
// gives where that is false.
func (r merger) access(v *ir.Value) bool {
	mem := v.Memory()
	f, y := r.g.Forms.Of(mem.Ptr), r.g.Syms
	if f.MayGather() {
		return false
	}
	dense := mem.Ptr.Type.Shape.Dense().D
	for i, d := range r.dims[1:] {
		if dense[r.dims[i]] != dense[d]*r.sizes[i+1] {
			return false
		}
		row, step := f.Coef[r.dims[i]], f.Coef[d]
		if row == nil && step == nil {
			continue
		}
		if row == nil || step == nil || y.Mul(step, y.Constant(int64(r.sizes[i+1]))) != row {
			return false
		}
	}
	return (mem.Mask == nil || r.mask(mem.Mask)) && (mem.Other == nil || r.tile(mem.Other))
}

// mask is tile for a mask, which may limit rows.
func (r merger) mask(v *ir.Value) bool {
	b := r.g.Boxes.Of(v)
	if !b.Ok || !r.g.Require(b.Conds) {
		return r.tile(v)
	}
	return !slices.ContainsFunc(b.Atoms, func(a affine.Atom) bool { return slices.Contains(r.dims[1:], a.Dim) })
}
