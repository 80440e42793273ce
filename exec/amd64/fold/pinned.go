package fold

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions along a short axis that others follow have code for each of its elements.

// mostPinned is how long an axis may be that has code for each of its elements.
const mostPinned = 2 * reduce.Partials

// fewPinned is up to how many elements what depends on one of them alone, a factor or where a row begins, is computed
// ahead of the loop. Of more than that it would not stay in registers: then several blocks are done at once, and it is
// computed once for these.
const fewPinned = 4

// reducePinned reduces along a short axis, with all of its elements at hand.
func reducePinned(g *nest.Nests, r *reduce.Reduction, results []ir.Type) {
	x, axis := r.V.Args[0].Type.Shape, r.V.Axis
	n, m := g.NewNestPinning(x, axis), affine.Identity(x)
	n.Only = wanted(g, r.V)
	if x.D[axis] > fewPinned && !r.Index {
		n.Late, n.Unroll = true, blocksAtOnce(g, len(r.Types), x.D[n.Inner()])
		limitLoads(n, r.V, m)
	}
	n.Run(func() {
		z := byBlock(n, r, m)
		for i := range z {
			n.GoTo(i)
			writeReduced(n, r, z[i], results)
		}
	})
}

// blocksAtOnce is how many blocks of so long a row are done at once: as many as leave registers for what waits to be
// combined.
func blocksAtOnce(g *nest.Nests, streams, length int) int {
	most := 2
	if g.EVEX {
		most = 4
	}
	blocks := (length + g.Lanes - 1) / g.Lanes
	most = min(max(1, most/streams), blocks)
	for most > 1 && blocks%most != 0 {
		most--
	}
	return most
}

// byBlock is the reduction's streams in each block of the round. An element of all blocks is done before the next one.
func byBlock(n *nest.Nest, r *reduce.Reduction, m affine.Axes) (z [][]lane.Lanes) {
	streams := len(r.Types)
	all := *r
	each := func(combine reduce.Combination) reduce.Combination {
		return func(x, y []lane.Lanes) (z []lane.Lanes) {
			for k := 0; k < len(x); k += streams {
				z = append(z, combine(x[k:k+streams:k+streams], y[k:k+streams:k+streams])...)
			}
			return z
		}
	}
	all.Combine, all.Next = each(r.Combine), each(r.Next)
	combined := all.Pairwise
	if r.Index {
		combined = all.InOrder
	}
	flat := combined(n.Shape.D[r.V.Axis], func(i int) (z []lane.Lanes) {
		n.Pinned.At = i
		for k := range n.Unroll {
			n.GoTo(k)
			for _, v := range r.V.Args {
				z = append(z, n.Eval(v, m))
			}
			if r.Index {
				z = append(z, lane.Const(dtype.Int32, uint64(i)))
			}
		}
		return z
	})
	for k := range n.Unroll {
		z = append(z, flat[k*streams:(k+1)*streams])
	}
	return z
}

// wholeLoads is the limits that masks of loads have along the pinned dimension and the inner one: where these are not
// reached there is code without masks.
type wholeLoads struct {
	n     *nest.Nest
	axis  int
	seen  map[reading]bool
	atoms []affine.Atom
}

// reading is a value read through a map of its dimensions.
type reading struct {
	v *ir.Value
	m affine.Axes
}

// limitLoads lets the nest have such code.
func limitLoads(n *nest.Nest, v *ir.Value, m affine.Axes) {
	w := wholeLoads{n: n, axis: v.Axis, seen: map[reading]bool{}}
	for _, a := range v.Args {
		w.visit(a, m)
	}
	y := n.G.Syms
	for i, a := range w.atoms {
		var left *affine.Sym
		if a.Hi != nil {
			left = y.Add(a.Hi, y.Constant(-int64(n.Shape.D[a.Dim])))
		} else {
			left = y.Sub(y.Constant(0), a.Lo)
		}
		if i > 0 {
			left = y.Min(left, n.Beyond)
		}
		n.Beyond = left
	}
	n.Whole = w.atoms
}

func (w *wholeLoads) visit(v *ir.Value, m affine.Axes) {
	at := reading{v, m}
	if w.seen[at] || !v.Type.IsTile() || w.n.G.Keeps(v) || w.n.G.InMemory(v) {
		return
	}
	w.seen[at] = true
	switch {
	case v.Op == op.Load:
		w.limits(v.Memory().Mask, m)
	case ir.Family(v.Op) == op.Shape:
		w.visit(v.Args[0], affine.Through(v, m))
	default:
		for _, a := range v.Args {
			w.visit(a, m)
		}
	}
}

// limits takes those of a mask.
func (w *wholeLoads) limits(mask *ir.Value, m affine.Axes) {
	if mask == nil {
		return
	}
	atoms, ok := w.n.MaskAtoms(mask, m)
	if !ok {
		return
	}
	for _, a := range atoms {
		along := a.Dim == w.axis || a.Dim == w.n.Inner()
		if along && !affine.Has(w.atoms, a) {
			w.atoms = append(w.atoms, a)
		}
	}
}
