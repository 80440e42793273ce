package fold

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions keep 16 partial results: element i goes to partial i mod 16, and the
// partials combine at distances 8, 4, 2, 1. Along the inner dimension the partials
// are the lanes of one block (of two on AVX2); along another they are 16 rows in
// memory, or registers if there are no more elements than that.

// Reduce translates a reduction.
func Reduce(g *nest.Nests, v *ir.Value) {
	r := reduce.Of(g.Builder, v, scalar.Combine(g.Scalars, v, nil))
	x := v.Args[0].Type.Shape
	inner := x.D[v.Axis] > 1
	for i := v.Axis + 1; i < x.N; i++ {
		inner = inner && x.D[i] == 1
	}
	results := resultTypes(v)
	switch {
	case x.D[v.Axis] == 1:
		reduceNothing(g, r, results)
	case inner:
		reduceInner(g, r, results)
	default:
		reduceRows(g, r, results)
	}
}

// fillsTree reports whether all partials that are combined of a row are elements, each at most once.
func fillsTree(size int) bool { return size <= reduce.Partials && size&(size-1) == 0 }

// resultTypes is the types of v's results, the index stream's last.
func resultTypes(v *ir.Value) []ir.Type {
	switch {
	case len(v.Results) > 0:
		return v.Results
	case picksIndex(v):
		return []ir.Type{{D: v.Args[0].Type.D, Shape: v.Type.Shape}, v.Type}
	}
	return []ir.Type{v.Type}
}

// reduceInner reduces along the inner dimension. Rows that a mask leaves out are done apart from the others, as they
// are: all masked off. What a mask leaves out of rows themselves is done so, too, if they are one block; else the loop
// over a row ends where its mask does, and the rest is padding.
func reduceInner(g *nest.Nests, r *reduce.Reduction, results []ir.Type) {
	x, ahead := r.V.Args[0].Type.Shape, g.Plan.Of(r.V).Prefetches
	atoms := reductionDomain(g.NewNest(x), r, affine.Identity(x))
	whole := atOnce(g, r, atoms)
	if whole {
		atoms = slices.DeleteFunc(atoms, func(a affine.Atom) bool { return a.Dim == r.V.Axis })
	}
	rows := rowSet{atoms: atoms, only: wanted(g, r.V), ahead: ahead, whole: whole}
	rest, ok := beyond(g.Syms, atoms, r.V.Axis)
	rows.padded = !ok
	overRows(g, r, results, rows)
	if ok && len(atoms) > 0 {
		overRows(g, r, results, rowSet{atoms: []affine.Atom{rest}, only: rows.only, whole: whole})
	}
}

// atOnce reports whether rows are so short that all elements of one are reduced at once, under masks, whatever the
// domain leaves out. With AVX2 that is rows of two blocks of a tile of several, and a tile that is one block if nothing
// but the axis limits it: of elements of 4 bytes and more, as those of fewer are loaded one by one under masks.
func atOnce(g *nest.Nests, r *reduce.Reduction, atoms []affine.Atom) bool {
	x := r.V.Args[0].Type.Shape
	size := x.D[r.V.Axis]
	if g.EVEX {
		return size <= g.Lanes
	}
	other := func(a affine.Atom) bool { return a.Dim != r.V.Axis }
	one := x.Len() == size
	if size > reduce.Partials || one == (size > g.Lanes) || one && slices.ContainsFunc(atoms, other) {
		return false
	}
	seen := map[*ir.Value]bool{}
	return !slices.ContainsFunc(r.V.Args, func(v *ir.Value) bool { return narrowLoad(v, seen) })
}

// narrowLoad reports whether v is computed of such elements; seen are values that are not.
func narrowLoad(v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] || !v.Type.IsTile() {
		return false
	}
	if v.Op == op.Load {
		return v.Type.D.Size() < 4
	}
	seen[v] = true
	return slices.ContainsFunc(v.Args, func(x *ir.Value) bool { return narrowLoad(x, seen) })
}

// beyond is what lies behind limits of one dimension, in which rows are numbered.
func beyond(s *affine.Syms, atoms []affine.Atom, axis int) (rest affine.Atom, ok bool) {
	for i, a := range atoms {
		if a.Dim == axis || a.Lo != nil || i > 0 && a.Dim != rest.Dim {
			return rest, false
		}
		if rest.Dim = a.Dim; i == 0 {
			rest.Lo = a.Hi
		}
		rest.Lo = s.Min(rest.Lo, a.Hi)
	}
	return rest, true
}

// A rowSet is rows that are reduced: those that atoms let through, or all of them, whose loops end where atoms do:
// padded. Of these, only some are looked at.
type rowSet struct {
	atoms, only []affine.Atom
	ahead       []fuse.Prefetch
	padded      bool
	whole       bool // all blocks of a row are one round
}

// overRows reduces them in a nest of their own.
func overRows(g *nest.Nests, r *reduce.Reduction, results []ir.Type, rows rowSet) {
	x := r.V.Args[0].Type.Shape
	size := x.D[r.V.Axis]
	n := g.NewNest(x)
	m := affine.Identity(x)
	n.Unroll = reduce.Partials / g.Lanes
	// More chains than partials need, to be faster; rounds are powers of two, and one with an index is not for one block.
	if r.Free && (lane.Halves(r.Types[0]) == 1 || r.Index && g.EVEX) {
		for n.Unroll < 4 && 2*n.Unroll*g.Lanes*len(r.Types) <= size {
			n.Unroll *= 2
		}
	}
	n.Short = rows.whole && !g.EVEX
	n.Rows, n.Only, n.Ahead.List, n.Atoms = rows.padded, rows.only, rows.ahead, rows.atoms
	k := len(n.Dims) - 1
	accs := make([]*reduce.Accumulator, n.Unroll)
	n.At(k, func() {
		for i := range accs {
			accs[i] = r.NewAccumulator()
		}
	})
	var pads []lane.Lanes
	if rows.padded && len(rows.atoms) > 0 {
		n.At(k, func() { pads = n.RowPads(r.V.Args, m, size) })
	}
	n.After[k] = func() {
		if pads != nil {
			padding(n, r, accs, pads, size)
		}
		storeReduced(g, n, r, r.Tree(accs, size), results)
	}
	n.Run(func() {
		block := make([]lane.Lanes, 0, len(r.Types))
		for _, v := range r.V.Args {
			block = append(block, n.Eval(v, m))
		}
		if r.Index {
			block = append(block, n.IndexLanes(r.V.Axis, n.Body()))
		}
		on := n.Tail
		if on != nil && on.Surely && on.First == size && fillsTree(size) {
			on = nil
		}
		if on != nil && pads != nil {
			for i := range pads {
				block[i] = g.Blend(*on, block[i], pads[i])
			}
			on = existing(n, size)
		}
		r.Take(accs[n.Off/g.Lanes], block, on)
	})
}
