// Package reduce combines lanes as reductions do: partial results in registers, and these
// pairwise. It knows no tiles.
package reduce

import (
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Partials is how many partial results there are: element i goes to partial i mod Partials, and
// they combine at distances of half as many, a quarter, ... and 1.
const Partials = 16

// A Reduction is what a reduction does with elements: several streams at once where it
// reduces tuples or carries indices.
type Reduction struct {
	Builder *elementwise.Builder
	V       *ir.Value
	by      op.Op // what combines two elements, None if that is several ops, or of tuples
	Index   bool  // a last stream holds the index along the axis
	Types   []dtype.DType
	Combine Combination
	// Next combines as Combine does where all of y lies behind all of x, or x is the identity.
	Next Combination
	// Identity is a value per stream that changes nothing, nil if there is none.
	Identity []lane.Lanes
	// Once says that combining with the same padding again, at higher indices, changes nothing.
	Once bool
	// Free says that the order of combining does not show in the result.
	Free bool
}

// A Combination is of the streams of some elements with those of others.
type Combination = func(x, y []lane.Lanes) []lane.Lanes

// Of is the reduction that an op is; own combines as the kernel's own function does.
func Of(g *elementwise.Builder, v *ir.Value, own Combination) *Reduction {
	d := v.Args[0].Type.D
	r := &Reduction{Builder: g, V: v}
	for _, a := range v.Args {
		r.Types = append(r.Types, a.Type.D)
	}
	r.Combine, r.by = own, v.Combining()
	switch {
	case len(v.Args) > 1:
		r.by = op.None
	case v.Op == op.MaxIndex || v.Op == op.ArgMax || v.Op == op.MinIndex || v.Op == op.ArgMin:
		r.pick(d)
		return r
	case v.Op != op.Reduce:
		r.Combine = func(x, y []lane.Lanes) []lane.Lanes { return []lane.Lanes{g.Elementwise(r.by, d, x[0], y[0])} }
	}
	r.Next, r.Identity = r.Combine, identity(r.by, d)
	if r.Identity != nil {
		r.Once = r.by != op.Add && r.by != op.Xor && r.by != op.Mul
		r.Free = r.Once || !d.IsFloat()
	}
	return r
}

// Adds reports whether elements are numbers of which zeros change nothing but the sign of one.
func (r *Reduction) Adds() bool {
	return (r.by == op.Add || r.by == op.Xor) && r.Types[0] != dtype.Bool
}

// An Accumulator is registers that hold the partials of all streams, and which lanes
// of them hold any, if there is no identity.
type Accumulator struct {
	streams []lane.Lanes
	valid   lane.Lanes
}

// NewAccumulator is one that holds nothing yet.
func (r *Reduction) NewAccumulator() *Accumulator {
	g := r.Builder
	a := &Accumulator{}
	for i, d := range r.Types {
		z := lane.Lanes{D: d, Quiet: r.V.Op == op.Max || r.V.Op == op.Min} // as is all that goes into it
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
		if r.Identity != nil {
			init = r.Identity[i]
		}
		g.Assign(z, init)
		a.streams = append(a.streams, z)
	}
	if r.Identity == nil {
		a.valid = g.NewMask()
		g.Assign(a.valid, lane.Const(dtype.Bool, 0))
	}
	return a
}

// Take combines a block into the accumulator; on, if any, says which of its lanes
// exist.
func (r *Reduction) Take(a *Accumulator, x []lane.Lanes, on *lane.Lanes) {
	g := r.Builder
	if r.Identity != nil {
		if on != nil {
			for i := range r.V.Args { // an index comes with its element
				x[i] = g.Blend(*on, x[i], r.Identity[i])
			}
		}
		r.into(a, r.Next(a.streams, x))
		return
	}
	z := r.Combine(a.streams, x)
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
	r.into(a, z)
	g.Assign(a.valid, valid)
}

// into puts streams into an accumulator.
func (r *Reduction) into(a *Accumulator, z []lane.Lanes) {
	for i := range z {
		r.Builder.Assign(a.streams[i], z[i])
	}
}

// Changed is the lanes of accumulators that change as blocks are taken.
func (r *Reduction) Changed(accs []*Accumulator, take func()) (mask lane.Lanes) {
	g := r.Builder
	var old []lane.Lanes
	for _, a := range accs {
		for _, x := range a.streams {
			old = append(old, g.Variable(x))
		}
	}
	take()
	mask = lane.Const(dtype.Bool, 0)
	for i, x := range old {
		y := accs[i/len(r.Types)].streams[i%len(r.Types)]
		if x.D == dtype.Bool {
			x = g.PrimBool(op.Xor, []lane.Lanes{x, y})
		} else {
			x = g.Compare(op.Ne, x.RawInt().D, x.RawInt(), y.RawInt())
		}
		mask = g.PrimBool(op.Or, []lane.Lanes{mask, x})
	}
	return mask
}

// Tree combines the partials of rows of a size and leaves the result in lane 0. Partials that no element goes to are
// left out: they hold nothing, or what changes nothing.
func (r *Reduction) Tree(accs []*Accumulator, size int) []lane.Lanes {
	g := r.Builder
	a := accs[0]
	for i, b := range accs[1:] {
		if (i+1)*g.Lanes < size {
			r.fold(a, b.streams, b.valid)
		}
	}
	for d := g.Lanes / 2; d > 0; d /= 2 {
		if d >= size {
			continue
		}
		var down []lane.Lanes
		for _, x := range a.streams {
			down = append(down, g.ShiftDown(x, d))
		}
		valid := a.valid
		if r.Identity == nil {
			valid = g.ShiftDown(a.valid, d)
		}
		r.fold(a, down, valid)
	}
	if r.Index {
		g.Assign(a.streams[1], r.found(a.streams[1]))
	}
	return a.streams
}

// fold combines partials into others, where there are any.
func (r *Reduction) fold(a *Accumulator, y []lane.Lanes, valid lane.Lanes) {
	switch {
	case r.Index:
		r.into(a, r.merge(a.streams, y))
	case r.Identity != nil:
		r.Take(a, y, nil)
	default:
		r.Take(a, y, &valid)
	}
}

// Pairwise combines so many elements in the order of partials, each of which is done before the next one is begun.
func (r *Reduction) Pairwise(n int, element func(i int) []lane.Lanes) []lane.Lanes {
	var partial func(i, d int) []lane.Lanes // number i, after those at a distance of d and more are combined
	partial = func(i, d int) []lane.Lanes {
		if d == Partials {
			z := element(i)
			for i += Partials; i < n; i += Partials {
				z = r.Next(z, element(i))
			}
			return z
		}
		z := partial(i, 2*d)
		if i+d < n {
			z = r.Combine(z, partial(i+d, 2*d))
		}
		return z
	}
	return partial(0, 1)
}

// InOrder combines so many elements as neighbors, where the order does not show.
func (r *Reduction) InOrder(n int, element func(i int) []lane.Lanes) []lane.Lanes {
	var from func(lo, hi int) []lane.Lanes
	from = func(lo, hi int) []lane.Lanes {
		if hi-lo == 1 {
			return element(lo)
		}
		mid := (lo + hi + 1) / 2
		x := from(lo, mid)
		return r.Next(x, from(mid, hi))
	}
	return from(0, n)
}
