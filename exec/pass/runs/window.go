package runs

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A tensor may be stored to in several places, and loaded from elsewhere than it is stored to, if no run touches what
// another one does, nor one place what another one does: halves of rows, butterflies. Each place is a row's number
// times a pitch, plus the remainder, plus numbers: then it is enough that places of a row are a remainder's range apart
// or more, and all within a pitch, which is asked when the kernel runs.

// A place is where a tensor is touched: pitch·(line / by) + line % by + plus.
type place struct {
	line, by    *ir.Value
	pitch, plus []*ir.Value // factors, summands
	d           dtype.DType
}

// mostPlaces is how many places of a tensor there may be.
const mostPlaces = 4

// placeOf is the place that pointers are, if they are one.
func placeOf(ptr *ir.Value) (z place, ok bool) {
	if ptr.Op != ir.PtrAdd || ptr.Args[0].Op != op.Broadcast || ptr.Args[0].Args[0].Op != ir.Param {
		return z, false
	}
	v := ptr.Args[1]
	if v.Op == op.Cast && counts(v.Args[0].Type.D) {
		v = v.Args[0]
	}
	var rests int
	if z.d = v.Type.D; !counts(z.d) || !z.add(v, &rests, 0) || rests != 1 || z.pitch == nil {
		return z, false
	}
	return z, true
}

// mostSummands is how deep a place's sum may be.
const mostSummands = 8

// add adds a summand to a place.
func (z *place) add(v *ir.Value, rests *int, deep int) bool {
	switch {
	case deep > mostSummands:
		return false
	case v.Op == op.Add:
		return z.add(v.Args[0], rests, deep+1) && z.add(v.Args[1], rests, deep+1)
	case v.Op == op.Broadcast && !v.Args[0].Type.IsTile():
		z.plus = append(z.plus, v.Args[0])
		return true
	case v.Op == op.Mod:
		*rests++
		return z.divides(v)
	case v.Op == op.Mul && z.pitch == nil:
		return z.multiplies(v)
	}
	return false
}

// multiplies notes a multiple of the quotient.
func (z *place) multiplies(v *ir.Value) bool {
	for v.Op == op.Mul && v.Args[1].Op == op.Broadcast && !v.Args[1].Args[0].Type.IsTile() && len(z.pitch) < 2 {
		z.pitch = append(z.pitch, v.Args[1].Args[0])
		v = v.Args[0]
	}
	return v.Op == op.FloorDiv && z.divides(v)
}

// divides notes what is divided, and by which number.
func (z *place) divides(v *ir.Value) bool {
	if !dividesLine(v) || z.line != nil && (z.line != v.Args[0] || z.by != divisor(v)) {
		return false
	}
	z.line, z.by = v.Args[0], divisor(v)
	return true
}

// same reports whether two places are one.
func (z place) same(o place) bool { return slices.Equal(z.plus, o.plus) }

// alike reports whether two places are in rows of one pitch.
func (z place) alike(o place) bool {
	return z.line == o.line && z.by == o.by && z.d == o.d && slices.Equal(z.pitch, o.pitch)
}

// share notes that a tensor is touched at pointers of several places, if these may be apart.
func (r *region) share(root *ir.Value, ptrs ...*ir.Value) bool {
	for _, ptr := range ptrs {
		z, ok := placeOf(ptr)
		have := r.shared[root]
		if !ok || len(have) > 0 && !z.alike(have[0]) {
			return false
		}
		if !slices.ContainsFunc(have, z.same) {
			if len(have) == mostPlaces {
				return false
			}
			r.shared[root] = append(have, z)
		}
	}
	return true
}

// asking asks for one thing more ahead of the runs: that a number is at least, or at most, another one.
type asking func(o op.Op, x *ir.Value, y int64)

// apartInRows asks whether the places of shared tensors are apart.
func apartInRows(w *runWriter, and asking) {
	minus := func(x, y *ir.Value) *ir.Value { return w.Add(op.Sub, wide, x, y) }
	var done []*ir.Value
	for _, v := range w.stores {
		root := rootOf(v.Memory().Ptr)
		if len(w.shared[root]) == 0 || slices.Contains(done, root) {
			continue
		}
		done = append(done, root)
		starts, room := rowsOf(w, w.shared[root], and)
		for i, x := range starts {
			for _, y := range starts[:i] {
				d := minus(x, y)
				d = w.Add(op.Maximum, wide, d, minus(y, x))
				and(op.Ge, minus(d, w.widened(w.shared[root][0].by)), 0)
				and(op.Ge, minus(room, d), 0)
			}
		}
	}
}

// rowsOf is where places begin in rows, and by how much a pitch is more than a remainder's range. It asks whether that
// is anything, and nothing wraps.
func rowsOf(w *runWriter, places []place, and asking) (starts []*ir.Value, room *ir.Value) {
	z := places[0]
	n := int64(w.t.Shape.D[0])
	by, pitch := w.widened(z.by), w.number(1)
	for _, f := range z.pitch {
		f = w.widened(f)
		and(op.Ge, f, 0)
		and(op.Le, f, math.MaxInt32)
		pitch = w.Add(op.Mul, wide, pitch, f)
	}
	and(op.Le, pitch, math.MaxInt32)
	rows := w.Add(op.Add, wide, w.startOf(z.line), w.number(n))
	rows = w.Add(op.FloorDiv, wide, rows, w.Add(op.Maximum, wide, by, w.number(1)))
	and(op.Le, rows, math.MaxInt32)
	end := w.Add(op.Add, wide, w.Add(op.Mul, wide, pitch, rows), by)
	most := int64(mostWide)
	if z.d == dtype.Int32 {
		most = math.MaxInt32
	}
	for _, o := range places {
		start := w.number(0)
		for _, s := range o.plus {
			s = w.widened(s)
			and(op.Ge, s, -mostWide/mostSummands)
			and(op.Le, s, mostWide/mostSummands)
			start = w.Add(op.Add, wide, start, s)
		}
		and(op.Ge, start, -most)
		and(op.Le, w.Add(op.Add, wide, end, start), most)
		starts = append(starts, start)
	}
	room = w.Add(op.Sub, wide, pitch, by)
	and(op.Ge, room, 0)
	return starts, room
}
