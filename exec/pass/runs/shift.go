package runs

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is turned by some elements is numbered by (c + k) % N, where c is a remainder by N, too: in each run that
// is c plus k % N, or N less from where that is N on. Runs end there, as where a comparison changes.

// A shift is a division of a remainder, to which numbers have been added, by the number that left it.
type shift struct {
	rest  *ir.Value   // the remainder
	plus  []*ir.Value // added
	minus []*ir.Value // subtracted
}

// mostShifts is how many numbers may be added to a remainder.
const mostShifts = 4

// shiftOf takes a shift apart.
func shiftOf(v *ir.Value) (s shift, ok bool) {
	if v.Op != op.FloorDiv && v.Op != op.Mod || !counts(v.Type.D) || divisor(v) == nil || divisor(v).Type.IsTile() {
		return s, false
	}
	x := v.Args[0]
	for len(s.plus)+len(s.minus) < mostShifts && (x.Op == op.Add || x.Op == op.Sub) {
		a, b := x.Args[0], x.Args[1]
		if x.Op == op.Add && a.Op == op.Broadcast {
			a, b = b, a
		}
		switch {
		case b.Op != op.Broadcast || b.Args[0].Type.IsTile():
			return s, false
		case x.Op == op.Add:
			s.plus = append(s.plus, b.Args[0])
		default:
			s.minus = append(s.minus, b.Args[0])
		}
		x = a
	}
	s.rest = x
	return s, x != v.Args[0] && x.Op == op.Mod && divisor(x) == divisor(v)
}

// by is by how much a remainder is shifted, which is the same for the whole block.
func (s shift) by(w *runWriter) *ir.Value {
	sum := w.number(0)
	for _, v := range s.plus {
		sum = w.Add(op.Add, wide, sum, w.widened(v))
	}
	for _, v := range s.minus {
		sum = w.Add(op.Sub, wide, sum, w.widened(v))
	}
	return sum
}

// shifted is what a shift is within a run: on either side of where a row begins anew.
func (w *runWriter) shifted(v *ir.Value, s shift) part {
	w.turned = append(w.turned, v)
	rows, rest, by := split(w, v, s)
	start := w.part(s.rest).start
	on := w.side(start, rest[1], 0).ahead
	if v.Op == op.Mod {
		less := w.Add(op.Sub, wide, rest[0], by)
		return part{start: w.Add(op.Add, wide, start, w.Add(op.Where, wide, on, rest[0], less))}
	}
	return part{one: w.as(v.Type.D, w.Add(op.Where, wide, on, rows, w.Add(op.Add, wide, rows, w.number(1))))}
}

// split is by how many rows a shift is, how many elements are left, and how many of a row these leave: ahead of the
// loop.
func split(w *runWriter, v *ir.Value, s shift) (rows *ir.Value, rest [2]*ir.Value, by *ir.Value) {
	out := w.Out
	w.Out = nil
	by = w.Add(op.Maximum, wide, w.widened(divisor(v)), w.number(1)) // it is larger: the guard asks
	k := s.by(w)
	rows, rest[0] = w.Add(op.FloorDiv, wide, k, by), w.Add(op.Mod, wide, k, by)
	rest[1] = w.Add(op.Sub, wide, by, rest[0])
	w.ahead, w.Out = append(w.ahead, w.Out...), out
	return rows, rest, by
}

// turnedRows asks whether no shift is negative or wraps, and rows are long enough to be cut in two.
func turnedRows(w *runWriter, least int64, and asking) {
	for _, v := range w.turned {
		most := int64(mostWide)
		if v.Type.D == dtype.Int32 {
			most = math.MaxInt32
		}
		s, _ := shiftOf(v)
		k, by := s.by(w), w.widened(divisor(v))
		and(op.Ge, by, least)
		and(op.Le, by, most/2)
		and(op.Ge, k, 0)
		and(op.Le, k, most/2)
	}
}
