// Package pairs computes in registers what combines two elements of a row whose numbers differ in one bit.
//
// Networks that sort, written out, compare such elements. A stage makes a tile [A, 2, C] of a row, reduces it along the
// middle, repeats that along the middle, and makes a row of it again: each element becomes what combines the two of its
// pair. Where C is less than a vector the row is computed as a row instead: both elements of a pair are at hand then, and
// what comes of one stage is there for the next.
package pairs

import (
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Run is f, if it has no such stages whose pairs lie within so many lanes, or a Func that has Swizzles instead.
func Run(f *ir.Func, lanes int) *ir.Func {
	some := false
	f.Values(func(v *ir.Value) { some = some || pairOf(v, lanes).of != nil })
	if !some {
		return f
	}
	c := f.Clone()
	subst := map[*ir.Value]*ir.Value{}
	c.Walk(func(b *ir.Block) {
		w := &flattener{Writer: write.Writer{Fn: c}, lanes: lanes, made: map[flat]row{}, halves: map[oneOf]*ir.Value{}}
		for _, v := range b.Values {
			if v.Op == op.Reshape && v.Args[0].Type.Shape.N > 1 && !v.Type.D.IsPointer() {
				w.Pos = v.Pos
				x := v.Args[0]
				if z := w.row(strided{x, steps(x.Type.Shape)}, x.Type.Shape.Len()); z.swizzled || z.numbers {
					subst[v] = w.reshaped(z.v, v.Type.Shape)
				}
			}
			w.Out = append(w.Out, v)
		}
		b.Values = w.Out
	})
	c.Replace(subst)
	pass.Tidy(c)
	dropZeros(c)
	pass.Tidy(c)
	return c
}

// dropZeros makes integers times 0, of what is not chosen, 0. Floats are not 0 then if they are infinite.
func dropZeros(f *ir.Func) {
	zeros := map[*ir.Value]*ir.Value{}
	f.Values(func(v *ir.Value) {
		for _, a := range v.Args {
			if v.Op == op.Mul && v.Type.D.IsInt() && affine.IsZeros(a) {
				zeros[v] = a
			}
		}
	})
	f.Replace(zeros)
}

// A pair is a reduction of two elements, so many apart in a row of all, that is repeated in both places.
type pair struct {
	of    *ir.Value
	by    op.Op
	apart int
}

// pairOf is what v is of a pair, if it is one that lies within so many lanes.
func pairOf(v *ir.Value, lanes int) (none pair) {
	if v.Op != op.Broadcast || !v.Args[0].Type.IsTile() {
		return none
	}
	x := v.Args[0]
	for kept := x.Type.Shape; x.Op == op.Reshape; x = x.Args[0] {
		if _, ok := affine.DimMap(x); !ok || x.Type.Shape.Len() != kept.Len() {
			return none
		}
	}
	switch x.Op {
	case op.Sum, op.Max, op.Min, op.XorSum, op.OrSum:
	default:
		return none
	}
	of := x.Args[0]
	s, d := of.Type.Shape, x.Type.D
	if of.Type != v.Type || s.D[x.Axis] != 2 || v.Args[0].Type.Shape != s.With(x.Axis, 1) {
		return none
	}
	if d != of.Type.D || d.Size() < 4 {
		return none
	}
	if apart := s.Dense().D[x.Axis]; 2*apart <= lanes && apart&(apart-1) == 0 {
		return pair{of, x.Op.Row().Combine, apart}
	}
	return none
}

// A strided is a tile whose element for number i of a row is number i / step % size along each dimension. Where a step
// is 0 or less the index is -step.
type strided struct {
	v    *ir.Value
	step [ir.MaxRank]int
}

// steps is those of all elements in order.
func steps(s ir.Shape) [ir.MaxRank]int {
	z := s.Dense().D
	for i := range z {
		if i >= s.N || s.D[i] == 1 {
			z[i] = 0
		}
	}
	return z
}

// whole reports whether x is a tile's elements in order, as many as there are.
func (x strided) whole(size int) bool {
	return x.v.Type.Shape.Len() == size && x.step == steps(x.v.Type.Shape)
}

// A row is a tile of one dimension, nil if there is none.
type row struct {
	v        *ir.Value
	swizzled bool // pairs were found in what it is computed of
	numbers  bool // it is computed of numbers alone, and indices
}

type flattener struct {
	write.Writer
	lanes  int
	made   map[flat]row
	halves map[oneOf]*ir.Value
}

// A oneOf is the first (0) or the second (1) element of pairs, so many apart, of a tile.
type oneOf struct {
	v            *ir.Value
	apart, which int
}

// A flat is what has been written: so many elements of a strided tile.
type flat struct {
	strided
	size int
}

// row writes a row of x, which is of all elements of some tile.
func (w *flattener) row(x strided, size int) row {
	z, ok := w.made[flat{x, size}]
	if !ok {
		if z = w.computed(x, size); z.v == nil && x.whole(size) {
			z = row{v: w.reshaped(x.v, ir.ShapeOf(size))}
		}
		w.made[flat{x, size}] = z
	}
	return z
}

func (w *flattener) reshaped(v *ir.Value, s ir.Shape) *ir.Value {
	if v.Type.Shape == s {
		return v
	}
	return w.Add(op.Reshape, ir.Type{D: v.Type.D, Shape: s}, v)
}

// computed is a row of x that is not x in another shape.
func (w *flattener) computed(x strided, size int) (none row) {
	v, t := x.v, ir.Type{D: x.v.Type.D, Shape: ir.ShapeOf(size)}
	if s := affine.Repeated(v); s != nil {
		return row{v: w.Add(op.Broadcast, t, s), numbers: true}
	}
	if v.Op == op.Broadcast && x.whole(size) {
		if p := pairOf(v, w.lanes); p.of != nil {
			return w.pair(p, size)
		}
	}
	switch {
	case v.Type.Shape.N == 1 && x.whole(size):
		return row{v: v}
	case v.Op == op.Arange:
		return row{v: w.digits(x, t), numbers: true}
	case v.Op == op.Reshape && x.whole(size):
		return w.row(strided{v.Args[0], steps(v.Args[0].Type.Shape)}, size)
	case v.Op == op.Broadcast, v.Op == op.Permute, v.Op == op.Reshape:
		to, ok := affine.DimMap(v)
		if !ok {
			return none
		}
		y := strided{v: v.Args[0]}
		for i := range y.v.Type.Shape.N {
			if to[i] >= 0 {
				y.step[i] = x.step[to[i]]
			}
		}
		return w.row(y, size)
	case !affine.LaneByLane(v) || v.CanFail() || v.Type.D.IsPointer() || v.Args[0].Type.D.IsPointer():
		return none
	}
	z, args := row{numbers: true}, make([]*ir.Value, len(v.Args))
	for i, a := range v.Args {
		y := w.row(strided{a, x.step}, size)
		if y.v == nil {
			return none
		}
		args[i], z.swizzled, z.numbers = y.v, z.swizzled || y.swizzled, z.numbers && y.numbers
	}
	if z.v = undone(v.Op, args); z.v == nil {
		z.v = w.Clone(v, t, args...)
	}
	return z
}

// undone is y of x ^ (x ^ y), nil if that is not what an op does.
func undone(o op.Op, args []*ir.Value) *ir.Value {
	if o != op.Xor || args[1].Op != op.Xor {
		return nil
	}
	if i := slices.Index(args[1].Args, args[0]); i >= 0 {
		return args[1].Args[1-i]
	}
	return nil
}

// digits is an Arange along a dimension.
func (w *flattener) digits(x strided, t ir.Type) *ir.Value {
	n, step := x.v.Type.Shape.D[0], x.step[0]
	if step > 0 && (n&(n-1) != 0 || step&(step-1) != 0) {
		return nil
	}
	number := func(o op.Op, y *ir.Value, c int) *ir.Value {
		k := w.Add(op.Const, ir.Scalar(t.D))
		k.Bits = uint64(uint32(c))
		return w.Add(o, t, y, w.Add(op.Broadcast, t, k))
	}
	if step <= 0 {
		k := w.Add(op.Const, ir.Scalar(t.D))
		k.Bits = uint64(uint32(x.v.Index - step))
		return w.Add(op.Broadcast, t, k)
	}
	z := w.Add(op.Arange, t)
	if step > 1 {
		z = number(op.Shr, z, bits.TrailingZeros(uint(step)))
	}
	if n*step < t.Shape.D[0] {
		z = number(op.And, z, n-1)
	}
	if x.v.Index != 0 {
		z = number(op.Add, z, x.v.Index)
	}
	return z
}

// pair is what combines the elements of pairs. The operands are the same in both places, in their order, but of
// integers, which combine in any.
func (w *flattener) pair(p pair, size int) row {
	t := ir.Type{D: p.of.Type.D, Shape: ir.ShapeOf(size)}
	if t.D.IsInt() && !w.chooses(p, p.of, size) {
		y := w.row(strided{p.of, steps(p.of.Type.Shape)}, size).v
		return row{v: w.Add(p.by, t, y, w.swizzle(y, p.apart, 2)), swizzled: true}
	}
	return row{v: w.Add(p.by, t, w.half(p, p.of, 0, size), w.half(p, p.of, 1, size)), swizzled: true}
}

// half is, for both elements of pairs, what v has for one of them. A factor of an index along the pair, which is how
// kernels choose one, is a number then.
func (w *flattener) half(p pair, v *ir.Value, which, size int) *ir.Value {
	key := oneOf{v, p.apart, which}
	z := w.halves[key]
	if z == nil {
		z = w.halfOf(p, v, which, size)
		w.halves[key] = z
	}
	return z
}

func (w *flattener) halfOf(p pair, v *ir.Value, which, size int) *ir.Value {
	if z := w.fixed(p, v, which, size); z != nil {
		return z
	}
	if w.chooses(p, v, size) {
		args := make([]*ir.Value, len(v.Args))
		for i, a := range v.Args {
			args[i] = w.half(p, a, which, size)
		}
		return w.Clone(v, ir.Type{D: v.Type.D, Shape: ir.ShapeOf(size)}, args...)
	}
	return w.swizzle(w.row(strided{v, steps(v.Type.Shape)}, size).v, p.apart, which)
}

// fixed is a row of v at one index along pairs, nil if that takes more than numbers.
func (w *flattener) fixed(p pair, v *ir.Value, which, size int) *ir.Value {
	x := strided{v, steps(v.Type.Shape)}
	x.step[slices.Index(x.step[:], p.apart)] = -which
	return w.row(x, size).v
}

// chooses reports whether v is made of an index along pairs and of something else.
func (w *flattener) chooses(p pair, v *ir.Value, size int) bool {
	if !affine.LaneByLane(v) || v.CanFail() || v.Type.D.IsPointer() || v.Args[0].Type.D.IsPointer() {
		return false
	}
	return slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return w.fixed(p, a, 0, size) != nil })
}

func (w *flattener) swizzle(y *ir.Value, apart, which int) *ir.Value {
	if y.Type.D == dtype.Bool { // there are no registers of them to move
		t := y.Type.As(dtype.Int32)
		zero := w.Add(op.Broadcast, t, w.Add(op.Const, ir.Scalar(t.D)))
		return w.Add(op.Ne, y.Type, w.swizzle(w.Add(op.Cast, t, y), apart, which), zero)
	}
	z := w.Add(ir.Swizzle, y.Type, y)
	z.Index, z.Axis = apart, which
	return z
}
