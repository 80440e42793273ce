package woven

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A sum is a number modulo a power of two: so much, and multiples of values.
type sum struct {
	of   map[*ir.Value]int64
	more int64
	bits int
}

// apart is how much u's elements are more than v's, if that is known.
func (w *weaver) apart(v, u *ir.Value) (n int64, ok bool) {
	for v.Op == op.Cast && u.Op == op.Cast && v.Type == u.Type && v.Args[0].Type == u.Args[0].Type {
		v, u = v.Args[0], u.Args[0]
		w.casts++
	}
	if v.Type != u.Type || !v.Type.D.IsInt() || v.Type.D.Size() < 4 {
		return 0, false
	}
	s := sum{of: map[*ir.Value]int64{}, bits: 8 * v.Type.D.Size()}
	if !w.sum(&s, u, 1) || !w.sum(&s, v, -1) {
		return 0, false
	}
	for _, times := range s.of {
		if times != 0 {
			return 0, false
		}
	}
	if s.bits == 32 {
		return int64(int32(s.more)), true
	}
	return s.more, true
}

// sum adds so many times v to s.
func (w *weaver) sum(s *sum, v *ir.Value, times int64) bool {
	if !w.more() {
		return false
	}
	switch {
	case v.Op == op.Const:
		s.more += times * dtype.ToInt(v.Type.D, v.Bits)
	case v.Op == op.Broadcast:
		return w.sum(s, v.Args[0], times)
	case v.Op == op.Add:
		return w.sum(s, v.Args[0], times) && w.sum(s, v.Args[1], times)
	case v.Op == op.Sub:
		return w.sum(s, v.Args[0], times) && w.sum(s, v.Args[1], -times)
	case v.Op == op.Mul && constant(v.Args[1]) != nil:
		c := constant(v.Args[1])
		return w.sum(s, v.Args[0], times*dtype.ToInt(c.Type.D, c.Bits))
	case v.Op == ir.Fits, v.Op == op.Cast && narrows(v, s.bits):
		return w.sum(s, v.Args[0], times)
	default:
		s.of[v] += times
	}
	return true
}

// narrows reports whether a cast of integers changes nothing modulo 2 to the power of so many bits.
func narrows(v *ir.Value, bits int) bool {
	from, to := v.Args[0].Type.D, v.Type.D
	return from.IsInt() && to.IsInt() && 8*min(from.Size(), to.Size()) >= bits
}

// constant is the constant that a value is or repeats, nil if it is none.
func constant(v *ir.Value) *ir.Value {
	for v.Op == op.Broadcast {
		v = v.Args[0]
	}
	if v.Op != op.Const {
		return nil
	}
	return v
}
