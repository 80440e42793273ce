// Package woven stores at once what lies in pairs.
//
// Complex numbers, and what else lies in pairs, are often stored by two stores, to every second element each. Each of
// them would go through the same lines of memory, and put single elements there. One store of what both store,
// interleaved, puts down whole vectors.
package woven

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Run is f, if it has no two stores to every second element each, or a Func that has one store in their place.
func Run(f *ir.Func) *ir.Func {
	if !stores(f) {
		return f
	}
	c, some := f.Clone(), false
	c.Walk(func(b *ir.Block) {
		for i := 0; i < len(b.Values); i++ {
			j := partner(b.Values, i)
			if j < 0 {
				continue
			}
			w := &weaver{Writer: write.Writer{Fn: c, Pos: b.Values[i].Pos}}
			if w.store(b.Values[i], b.Values[j]) {
				b.Values = slices.Concat(b.Values[:i], b.Values[i+1:j], w.Out, b.Values[j+1:])
				some = true
			}
		}
	})
	if !some {
		return f
	}
	pass.Tidy(c)
	return c
}

// stores reports whether there are two stores of tiles at all.
func stores(f *ir.Func) bool {
	n := 0
	f.Values(func(v *ir.Value) {
		if isStore(v) {
			n++
		}
	})
	return n > 1
}

// least is how long rows are for which it is worth it.
const least = 8

// isStore reports whether v stores a tile of rows.
func isStore(v *ir.Value) bool {
	if v.Op != op.Store {
		return false
	}
	m := v.Memory()
	s := m.Ptr.Type.Shape
	return s.N > 0 && s.N < ir.MaxRank && last(m.Ptr) >= least && m.Val.Type.Shape == s && m.Ptr.Op == ir.PtrAdd
}

// partner is the place of a store that the one at i may be one with, -1 if there is none: nothing between them looks at
// memory or shows that control has come there.
func partner(vs []*ir.Value, i int) int {
	if !isStore(vs[i]) {
		return -1
	}
	for j := i + 1; j < len(vs); j++ {
		if isStore(vs[j]) && alike(vs[i], vs[j]) {
			return j
		}
		if !vs[j].Pure() && vs[j].Op != ir.Fits {
			return -1
		}
	}
	return -1
}

// alike reports whether two stores are under one mask, and in tiles of one tensor.
func alike(v, u *ir.Value) bool {
	x, y := v.Memory(), u.Memory()
	return v.Flags == u.Flags && x.Mask == y.Mask && x.Ptr.Type == y.Ptr.Type && x.Ptr.Args[0] == y.Ptr.Args[0] &&
		x.Val.Type == y.Val.Type
}

// A weaver writes tiles whose last dimension is twice as long.
type weaver struct {
	write.Writer
	seen  int
	casts int // of places, within which the second ones are one more than the first ones
}

// mostSeen is how many values are looked at for a pair of stores.
const mostSeen = 256

// more counts what is looked at, and is false when that is too much.
func (w *weaver) more() bool {
	w.seen++
	return w.seen < mostSeen
}

// store writes the store of both, if the second one's elements lie one beside the first one's.
func (w *weaver) store(v, u *ir.Value) bool {
	x, y := v.Memory(), u.Memory()
	first, second := x.Ptr.Args[1], y.Ptr.Args[1]
	apart, ok := w.apart(first, second)
	a, b := x.Val, y.Val
	switch {
	case !ok || apart != 1 && apart != -1:
		return false
	case apart < 0:
		first, a, b = second, b, a
	}
	at := w.woven(first)
	if at == nil || !w.even(x.Ptr.Args[0]) || x.Val.Type.Shape.Len() > last(x.Val) && !w.besides(x.Ptr) {
		return false
	}
	base := w.stretched(x.Ptr.Args[0])
	if base == nil {
		return false
	}
	args := []*ir.Value{w.Add(ir.PtrAdd, twice(x.Ptr.Type), base, at), w.interleaved(a, b)}
	if x.Mask != nil {
		mask := w.stretched(x.Mask)
		if mask == nil {
			return false
		}
		args = append(args, mask)
	}
	w.Clone(v, v.Type, args...)
	return true
}

// interleaved is a[0], b[0], a[1], b[1], ... of rows.
func (w *weaver) interleaved(a, b *ir.Value) *ir.Value {
	t := a.Type
	t.Shape.D[t.Shape.N] = 2
	t.Shape.N++
	return w.Add(op.Reshape, twice(a.Type), w.Add(op.Join, t, a, b))
}

// twice is a type with a last dimension that is twice as long.
func twice(t ir.Type) ir.Type {
	t.Shape.D[t.Shape.N-1] *= 2
	return t
}

// last is the length of a tile's last dimension, 0 of a scalar.
func last(v *ir.Value) int {
	s := v.Type.Shape
	if s.N == 0 {
		return 0
	}
	return s.D[s.N-1]
}

// stretched is a tile each element of which is there twice, one beside the other: what a mask or a number is of both
// elements of a pair. It is nil for what is loaded, or may fail.
func (w *weaver) stretched(v *ir.Value) *ir.Value {
	if !w.more() {
		return nil
	}
	switch {
	case v.Op == op.Arange:
		n := w.numbers(v)
		if n == nil {
			return nil
		}
		return w.Add(op.Shr, n.Type, n, w.repeated(1, n.Type))
	case v.Op == op.Broadcast && last(v.Args[0]) <= 1:
		return w.Add(op.Broadcast, twice(v.Type), v.Args[0])
	case v.Op == op.Broadcast || v.Op == op.Reshape && last(v) == last(v.Args[0]):
		return w.changed(v, w.stretched(v.Args[0]))
	case !affine.LaneByLane(v) || !v.Pure() || v.Type.D.IsFloat():
		return nil
	}
	args := make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		if args[i] = w.stretched(a); args[i] == nil {
			return nil
		}
	}
	return w.Clone(v, twice(v.Type), args...)
}

// changed is a change of shape of what has been made twice as long.
func (w *weaver) changed(v, x *ir.Value) *ir.Value {
	if x == nil {
		return nil
	}
	return w.Clone(v, twice(v.Type), x)
}

// numbers counts twice as far from twice as high, nil where these are no numbers of 32 bits.
func (w *weaver) numbers(v *ir.Value) *ir.Value {
	if v.Index < math.MinInt32/2 || v.Index+last(v) > math.MaxInt32/2 {
		return nil
	}
	z := w.Clone(v, twice(v.Type))
	z.Index *= 2
	return z
}

// repeated is a tile of one number.
func (w *weaver) repeated(n int64, t ir.Type) *ir.Value {
	c := w.Add(op.Const, ir.Scalar(t.D))
	c.Bits = dtype.FromInt(t.D, n, false)
	return w.Add(op.Broadcast, t, c)
}

// woven is, of places that are even numbers of elements apart along the last dimension, all places: v's element, and
// the one behind it. It is nil where they are not two apart.
func (w *weaver) woven(v *ir.Value) *ir.Value {
	if !w.more() {
		return nil
	}
	switch v.Op {
	case op.Broadcast, op.Reshape:
		if n := last(v); n != last(v.Args[0]) {
			return nil
		}
		return w.changed(v, w.woven(v.Args[0]))
	case op.Cast:
		if w.casts--; w.casts >= 0 {
			return w.changed(v, w.woven(v.Args[0]))
		}
	case op.Add, op.Sub:
		return w.moved(v, w.woven, 1)
	case op.Mul:
		if c := affine.RepeatedConst(v.Args[1]); c != nil && c.Bits == 2 {
			return w.doubled(v.Args[0])
		}
	case op.Shl:
		if c := affine.RepeatedConst(v.Args[1]); c != nil && c.Bits == 1 {
			return w.doubled(v.Args[0])
		}
	}
	return nil
}

// moved is a sum or difference of what by makes of one operand, and so many times the other one, which is the same all
// along rows.
func (w *weaver) moved(v *ir.Value, by func(*ir.Value) *ir.Value, times int64) *ir.Value {
	x, y := v.Args[0], v.Args[1]
	turned := v.Op == op.Add && w.even(x)
	if turned {
		x, y = y, x
	}
	if !w.even(y) {
		return nil
	}
	x, y = by(x), w.stretched(y)
	if x == nil || y == nil {
		return nil
	}
	if times != 1 {
		y = w.Add(op.Mul, y.Type, y, w.repeated(times, y.Type))
	}
	if turned {
		x, y = y, x
	}
	return w.Clone(v, twice(v.Type), x, y)
}

// doubled is 2v and 2v + 1 of numbers that ascend by one along the last dimension.
func (w *weaver) doubled(v *ir.Value) *ir.Value {
	if !w.more() {
		return nil
	}
	switch v.Op {
	case op.Arange:
		return w.numbers(v)
	case op.Broadcast, op.Reshape:
		if last(v) != last(v.Args[0]) {
			return nil
		}
		return w.changed(v, w.doubled(v.Args[0]))
	case op.Add, op.Sub:
		return w.moved(v, w.doubled, 2)
	}
	return nil
}

// even reports whether a tile is the same all along rows.
func (w *weaver) even(v *ir.Value) bool {
	switch {
	case !w.more():
		return false
	case !v.Type.IsTile():
		return true
	case v.Op == op.Broadcast && last(v.Args[0]) <= 1:
		return true
	case v.Op == op.Broadcast || v.Op == op.Reshape && last(v) == last(v.Args[0]):
		return w.even(v.Args[0])
	case !affine.LaneByLane(v) || !v.Pure():
		return false
	}
	for _, a := range v.Args {
		if !w.even(a) {
			return false
		}
	}
	return true
}
