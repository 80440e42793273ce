package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions keep 16 partial results: element i goes to partial i mod 16, and the
// partials combine at distances 8, 4, 2, 1. Along the inner dimension the partials
// are the lanes of one block (of two on AVX2); along another they are 16 rows in
// memory.

// A reducer is what a reduction does with elements: several streams at once where it
// reduces tuples or carries indices.
type reducer struct {
	v       *ir.Value
	in      []*ir.Value
	index   bool // a last stream holds the index along the axis
	types   []dtype.DType
	combine func(x, y []lane.Lanes) []lane.Lanes
	// identity is a value per stream that changes nothing, nil if there is none.
	identity []lane.Lanes
	// once says that combining with the same padding again changes nothing.
	once bool
	// free says that the order of combining does not show in the result.
	free bool
}

const partials = 16

// reduction translates a reduction.
func (g *gen) reduction(v *ir.Value) {
	r := g.reducerOf(v)
	x := v.Args[0].Type.Shape
	inner := x.D[v.Axis] > 1
	for i := v.Axis + 1; i < x.N; i++ {
		inner = inner && x.D[i] == 1
	}
	results := g.resultTypes(v)
	switch {
	case x.D[v.Axis] == 1:
		g.reduceNothing(r, results)
	case inner:
		g.reduceInner(r, results)
	default:
		g.reduceRows(r, results)
	}
}

// resultTypes is the types of v's results, the index stream's last.
func (g *gen) resultTypes(v *ir.Value) []ir.Type {
	switch {
	case len(v.Results) > 0:
		return v.Results
	case v.Op == op.ArgMax || v.Op == op.ArgMin:
		return []ir.Type{{D: v.Args[0].Type.D, Shape: v.Type.Shape}, v.Type}
	}
	return []ir.Type{v.Type}
}

func (g *gen) reducerOf(v *ir.Value) *reducer {
	d := v.Args[0].Type.D
	r := &reducer{v: v, in: v.Args}
	for _, a := range v.Args {
		r.types = append(r.types, a.Type.D)
	}
	switch v.Op {
	case op.Reduce:
		r.combine = func(x, y []lane.Lanes) []lane.Lanes {
			return g.lanesOfBlock(v.Blocks[0], append(append([]lane.Lanes(nil), x...), y...))
		}
	case op.MaxIndex, op.ArgMax, op.MinIndex, op.ArgMin:
		r.index = true
		r.types = append(r.types, dtype.Int32)
		better := op.Gt
		if v.Op == op.MinIndex || v.Op == op.ArgMin {
			better = op.Lt
		}
		r.combine = func(x, y []lane.Lanes) []lane.Lanes { return g.betterPair(better, d, x, y) }
		r.identity = []lane.Lanes{lane.Worst(d, better), lane.Const(dtype.Int32, math.MaxInt32)}
		r.once = false
	default:
		o := v.Op.Row().Combine
		r.combine = func(x, y []lane.Lanes) []lane.Lanes { return []lane.Lanes{g.Elementwise(o, d, x[0], y[0])} }
		r.identity, r.once = lane.Identity(o, d), o != op.Add && o != op.Xor
		r.free = !d.IsFloat() || o == op.Maximum || o == op.Minimum
	}
	return r
}

// betterPair keeps y where it is better than x, or equal with a lower index, or a
// number where x is NaN; of two NaNs the lower index stays.
func (g *gen) betterPair(better op.Op, d dtype.DType, x, y []lane.Lanes) []lane.Lanes {
	and := func(a, b lane.Lanes) lane.Lanes { return g.PrimBool(op.And, []lane.Lanes{a, b}) }
	or := func(a, b lane.Lanes) lane.Lanes { return g.PrimBool(op.Or, []lane.Lanes{a, b}) }
	f := d.Compute()
	lower := g.Compare(op.Lt, dtype.Int32, y[1], x[1])
	take := or(g.Compare(better, f, y[0].As(f), x[0].As(f)), and(g.Compare(op.Eq, f, y[0].As(f), x[0].As(f)), lower))
	if d.IsFloat() {
		xNaN, yNaN := g.Compare(op.Ne, f, x[0], x[0]), g.Compare(op.Ne, f, y[0], y[0])
		notY := g.PrimBool(op.Not, []lane.Lanes{yNaN})
		take = or(take, and(xNaN, or(notY, lower)))
	}
	return []lane.Lanes{g.Blend(take, y[0], x[0]), g.Blend(take, y[1], x[1])}
}

// lanesOfBlock is a lane function of the kernel's own, written out.
func (g *gen) lanesOfBlock(b *ir.Block, in []lane.Lanes) []lane.Lanes {
	vals := map[*ir.Value]lane.Lanes{}
	for i, a := range b.Args {
		vals[a] = in[i]
	}
	get := func(v *ir.Value) lane.Lanes {
		if x, ok := vals[v]; ok {
			return x
		}
		return g.Splat(v) // a scalar from outside, or a constant
	}
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Yield:
			out := make([]lane.Lanes, len(v.Args))
			for i, a := range v.Args {
				out[i] = get(a)
			}
			return out
		case v.Op == op.Const:
			vals[v] = lane.Const(v.Type.D, v.Bits)
		default:
			a := make([]lane.Lanes, len(v.Args))
			for i := range a {
				a[i] = get(v.Args[i])
			}
			vals[v] = g.Apply(v, a)
		}
	}
	scalar.Refuse("a lane function that yields nothing")
	return nil
}

// An accumulator is registers that hold the partials of all streams, and which lanes
// of them hold any, if there is no identity.
type accumulator struct {
	streams []lane.Lanes
	valid   lane.Lanes
}

func (g *gen) newAccumulator(r *reducer) *accumulator {
	a := &accumulator{}
	for i, d := range r.types {
		z := lane.Lanes{D: d, Quiet: r.v.Op == op.Max || r.v.Op == op.Min} // as is all that goes into it
		for h := range lane.Halves(d) {
			z.R[h] = g.NewVec()
		}
		if lane.Halves(d) == 1 {
			z.R[1] = z.R[0]
		}
		if d == dtype.Bool {
			z.R[0] = g.NewMask().R[0]
		}
		init := lane.Lanes{D: d, Known: true}
		if r.identity != nil {
			init = r.identity[i]
		}
		g.Assign(z, init)
		a.streams = append(a.streams, z)
	}
	if r.identity == nil {
		a.valid = g.NewMask()
		g.Assign(a.valid, lane.Const(dtype.Bool, 0))
	}
	return a
}

// take combines a block into the accumulator; on, if any, says which of its lanes
// exist.
func (g *gen) take(r *reducer, a *accumulator, x []lane.Lanes, on *lane.Lanes) {
	if r.identity != nil {
		if on != nil {
			for i := range x {
				x[i] = g.Blend(*on, x[i], r.identity[i])
			}
		}
		for i, z := range r.combine(a.streams, x) {
			g.Assign(a.streams[i], z)
		}
		return
	}
	z := r.combine(a.streams, x)
	for i := range z {
		z[i] = g.Blend(a.valid, z[i], x[i])
		if on != nil {
			z[i] = g.Blend(*on, z[i], a.streams[i])
		}
	}
	valid := lane.Const(dtype.Bool, 1)
	if on != nil {
		valid = g.PrimBool(op.Or, []lane.Lanes{a.valid, *on})
	}
	for i := range z {
		g.Assign(a.streams[i], z[i])
	}
	g.Assign(a.valid, valid)
}

// reduceInner reduces along the inner dimension.
func (g *gen) reduceInner(r *reducer, results []ir.Type) {
	x := r.in[0].Type.Shape
	size := x.D[r.v.Axis]
	n := g.newNest(x)
	m := affine.Identity(x)
	n.unroll = partials / g.Lanes
	if r.free && lane.Halves(r.types[0]) == 1 { // more chains than partials need, to be faster
		n.unroll = max(n.unroll, min(4, size/g.Lanes))
	}
	n.rows, n.ahead.list = true, g.plan.Of(r.v).Prefetches
	n.atoms = n.reductionDomain(r, m)
	k := len(n.dims) - 1
	accs := make([]*accumulator, n.unroll)
	n.at(k, func() {
		for i := range accs {
			accs[i] = g.newAccumulator(r)
		}
	})
	var pads []lane.Lanes
	if len(n.atoms) > 0 {
		n.at(k, func() { pads = n.rowPads(r.in, m, size) })
	}
	n.after[k] = func() {
		if pads != nil {
			n.padding(r, accs, pads, size)
		}
		g.storeReduced(n, r, g.tree(r, accs), results)
	}
	n.run(func() {
		block := make([]lane.Lanes, 0, len(r.types))
		for _, v := range r.in {
			block = append(block, n.eval(v, m))
		}
		if r.index {
			block = append(block, n.indexLanes(r.v.Axis, n.body()))
		}
		on := n.tail
		if on != nil && pads != nil {
			for i := range pads {
				block[i] = g.Blend(*on, block[i], pads[i])
			}
			on = n.existing(size)
		}
		g.take(r, accs[n.off/g.Lanes], block, on)
	})
}
