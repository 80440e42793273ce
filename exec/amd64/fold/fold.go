package fold

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
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

// reduceInner reduces along the inner dimension.
func reduceInner(g *nest.Nests, r *reduce.Reduction, results []ir.Type) {
	x := r.V.Args[0].Type.Shape
	size := x.D[r.V.Axis]
	n := g.NewNest(x)
	m := affine.Identity(x)
	n.Unroll = reduce.Partials / g.Lanes
	if r.Free && lane.Halves(r.Types[0]) == 1 { // more chains than partials need, to be faster
		n.Unroll = max(n.Unroll, min(4, size/g.Lanes))
	}
	n.Rows, n.Ahead.List = true, g.Plan.Of(r.V).Prefetches
	n.Atoms = reductionDomain(n, r, m)
	k := len(n.Dims) - 1
	accs := make([]*reduce.Accumulator, n.Unroll)
	n.At(k, func() {
		for i := range accs {
			accs[i] = r.NewAccumulator()
		}
	})
	var pads []lane.Lanes
	if len(n.Atoms) > 0 {
		n.At(k, func() { pads = n.RowPads(r.V.Args, m, size) })
	}
	n.After[k] = func() {
		if pads != nil {
			padding(n, r, accs, pads, size)
		}
		storeReduced(g, n, r, r.Tree(accs), results)
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
		if on != nil && pads != nil {
			for i := range pads {
				block[i] = g.Blend(*on, block[i], pads[i])
			}
			on = existing(n, size)
		}
		r.Take(accs[n.Off/g.Lanes], block, on)
	})
}
