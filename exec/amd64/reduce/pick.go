package reduce

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions that pick an element: the best one, of equals that with the lowest index, a NaN only if all are. So the
// order of combining does not show.
//
// Accumulators begin with the worst value at nowhere. Whatever is no better than the worst, a NaN or the least integer,
// is not taken into them: it is known by that index, and if it is still there in the end, all elements are such, and
// the first one was to be picked.

// nowhere is the index of what is in accumulators at first, behind all others.
const nowhere = math.MaxInt32

// pick makes r such a reduction.
func (r *Reduction) pick(d dtype.DType) {
	r.Index, r.Once, r.Free = true, true, true
	r.Types = append(r.Types, dtype.Int32)
	r.Identity = []lane.Lanes{worst(d, r.better()), lane.Const(dtype.Int32, nowhere)}
	r.Combine = func(x, y []lane.Lanes) []lane.Lanes { return r.chosen(r.precedes(x, y), x, y) }
	r.Next = func(x, y []lane.Lanes) []lane.Lanes { return r.chosen(r.exceeds(x, y), x, y) }
}

// better is the comparison that holds of a better value and another one.
func (r *Reduction) better() op.Op {
	if r.V.Op == op.MinIndex || r.V.Op == op.ArgMin {
		return op.Lt
	}
	return op.Gt
}

// chosen is y where a mask says so, x elsewhere.
func (r *Reduction) chosen(take lane.Lanes, x, y []lane.Lanes) []lane.Lanes {
	return []lane.Lanes{r.Builder.Blend(take, y[0], x[0]), r.Builder.Blend(take, y[1], x[1])}
}

// computed is the values of two pairs as they are compared.
func (r *Reduction) computed(x, y []lane.Lanes) (f dtype.DType, a, b lane.Lanes) {
	f = r.Types[0].Compute()
	return f, x[0].As(f), y[0].As(f)
}

// exceeds is where y is better than x, or a number where x is NaN.
func (r *Reduction) exceeds(x, y []lane.Lanes) lane.Lanes {
	g := r.Builder
	f, a, b := r.computed(x, y)
	if !f.IsFloat() {
		return g.Compare(r.better(), f, b, a)
	}
	more, less := b, a
	if r.better() == op.Lt {
		more, less = a, b
	}
	return r.both(g.CompareFloat(lane.NotLe, f, more, less), g.CompareFloat(lane.Ordered, f, b, b))
}

// precedes is where y is to be picked rather than x, wherever they are: of two NaNs the one with the lower index.
func (r *Reduction) precedes(x, y []lane.Lanes) lane.Lanes {
	g := r.Builder
	f, a, b := r.computed(x, y)
	same := g.Compare(op.Eq, f, a, b)
	if f.IsFloat() {
		same = r.either(same, r.both(g.CompareFloat(lane.Unordered, f, a, a), g.CompareFloat(lane.Unordered, f, b, b)))
	}
	return r.either(r.exceeds(x, y), r.both(same, r.lower(x, y)))
}

// merge combines pairs of accumulators, in which a NaN is nowhere: a number that is not is lower.
func (r *Reduction) merge(x, y []lane.Lanes) []lane.Lanes {
	g := r.Builder
	f, a, b := r.computed(x, y)
	var same lane.Lanes
	if f.IsFloat() {
		same = g.CompareFloat(lane.Alike, f, a, b)
	} else {
		same = g.Compare(op.Eq, f, a, b)
	}
	return r.chosen(r.either(g.Compare(r.better(), f, b, a), r.both(same, r.lower(x, y))), x, y)
}

// found is the indices that accumulators' are in the end.
func (r *Reduction) found(index lane.Lanes) lane.Lanes {
	none := r.Builder.Compare(op.Eq, dtype.Int32, index, lane.Const(dtype.Int32, nowhere))
	return r.Builder.Blend(none, lane.Const(dtype.Int32, 0), index)
}

func (r *Reduction) lower(x, y []lane.Lanes) lane.Lanes {
	return r.Builder.Compare(op.Lt, dtype.Int32, y[1], x[1])
}

func (r *Reduction) both(a, b lane.Lanes) lane.Lanes {
	return r.Builder.PrimBool(op.And, []lane.Lanes{a, b})
}

func (r *Reduction) either(a, b lane.Lanes) lane.Lanes {
	return r.Builder.PrimBool(op.Or, []lane.Lanes{a, b})
}
