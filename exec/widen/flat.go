package widen

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/write"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mostFlat is how many bytes the row of a program has at most that is part of a longer one.
const mostFlat = 64

// A flattener writes a Func whose programs are n of another's that do rows of c elements which follow each other: rows
// of n*c elements. A block that is numbered through programs, i = c*program + arange(c), is one row then, and so is its
// mask i < size.
type flattener struct {
	write.Writer
	vary    *varying
	c, n    int
	made    map[*ir.Value]*ir.Value // scalars that all programs share, and rows of n*c
	slopes  map[*ir.Value]slope
	refused bool
}

// A slope is numbers, or addresses, that grow by the same from one program to the next, and by the same from one
// element to the next, modulo 2 to the bits that they have.
type slope struct {
	first     *ir.Value // of the first program's first element
	by, along int64
}

// flattened is f with n programs in a row; nil if they do not lie so.
func flattened(f *ir.Func, vary *varying) *ir.Func {
	c := rowOf(f)
	if c == 0 {
		return nil
	}
	to := &ir.Func{Name: f.Name, File: f.File}
	w := &flattener{vary: vary, c: c, n: vary.n, made: map[*ir.Value]*ir.Value{}, slopes: map[*ir.Value]slope{}}
	w.Fn = to
	for _, p := range f.Params {
		z := to.AddParam(p.Type.D)
		z.Attr, z.Pos = p.Attr, p.Pos
		w.made[p] = z
	}
	for _, v := range f.Body.Values {
		w.Pos = v.Pos
		if w.value(v); w.refused {
			return nil
		}
	}
	to.Body = &ir.Block{Values: w.Out}
	return to
}

// rowOf is the length of the tiles of f, if they are rows of the same few elements; else 0.
func rowOf(f *ir.Func) (c int) {
	ok := true
	f.Values(func(v *ir.Value) {
		ok = ok && !v.IsControl()
		if v.IsMemory() {
			t := v.Memory().Ptr.Type
			ok = ok && t.Shape.Len()*t.D.Elem().Size() <= mostFlat
		}
		if n := v.Type.Shape.Len(); v.Type.IsTile() {
			ok = ok && v.Type.Shape.N == 1 && n <= mostFlat && (c == 0 || n == c)
			c = n
		}
	})
	if !ok {
		return 0
	}
	return c
}

func (w *flattener) value(v *ir.Value) {
	switch {
	case v.Op == op.NumPrograms && v.Index == w.vary.axis || w.vary.digit(v):
		w.refused = true
	case v.Op == op.ProgramID && v.Index == w.vary.axis:
		group := w.Add(op.ProgramID, v.Type)
		group.Attr = v.Attr
		w.slopes[v] = slope{first: w.number(op.Mul, group, int64(w.n)), by: 1}
	case w.slope(v):
	case v.Type.IsTile() || v.IsMemory() && w.inTiles(v):
		w.tile(v)
	case w.vary.any(v.Args):
		w.refused = true
	default:
		w.made[v] = w.Clone(v, v.Type, w.of(v.Args)...)
	}
}

func (w *flattener) inTiles(v *ir.Value) bool { return v.Memory().Ptr.Type.IsTile() }

// number is x with a constant.
func (w *flattener) number(o op.Op, x *ir.Value, n int64) *ir.Value {
	c := w.Add(op.Const, x.Type)
	c.Bits = dtype.FromInt(x.Type.D, n, true)
	return w.Add(o, x.Type, x, c)
}

// slope is whether v is numbers that grow evenly; these are noted, and nothing but the first is written.
func (w *flattener) slope(v *ir.Value) bool {
	z, ok := w.sloped(v)
	if ok = ok && max(z.by, -z.by, z.along, -z.along) < 1<<32; ok {
		w.slopes[v] = z
	}
	return ok
}

// counts reports whether numbers of type d may be slopes.
func counts(d dtype.DType) bool { return d.IsInt() && d != dtype.Bool }

func (w *flattener) sloped(v *ir.Value) (slope, bool) {
	d := v.Type.D
	switch ints := counts(d); {
	case v.Op == op.Arange:
		first := w.Add(op.Const, ir.Scalar(d))
		first.Bits = dtype.FromInt(d, int64(v.Index), true)
		return slope{first, 0, 1}, true
	case v.Op == ir.PtrAdd, ints && (v.Op == op.Add || v.Op == op.Sub):
		return w.sum(v)
	case ints && v.Op == op.Mul:
		return w.product(v)
	case v.Op == op.Broadcast:
		return w.linear(v.Args[0])
	case ints && v.Op == op.Cast && counts(v.Args[0].Type.D):
		x, ok := w.slopes[v.Args[0]]
		if !ok || d.Size() > v.Args[0].Type.D.Size() && v.Args[0].Op != op.Arange {
			return slope{}, false // the smaller type's may have wrapped
		}
		x.first = w.Add(op.Cast, ir.Scalar(d), x.first)
		return x, true
	case v.Op == ir.Fits:
		return w.fits(v)
	}
	return slope{}, false
}

// linear is a value as numbers that grow evenly, be it not at all.
func (w *flattener) linear(v *ir.Value) (slope, bool) {
	if x, ok := w.slopes[v]; ok {
		return x, true
	}
	z := w.made[v]
	return slope{first: z}, z != nil && !v.Type.IsTile()
}

func (w *flattener) sum(v *ir.Value) (slope, bool) {
	a, ok := w.linear(v.Args[0])
	b, also := w.linear(v.Args[1])
	if !ok || !also || w.same(v) {
		return slope{}, false
	}
	z := slope{w.Add(v.Op, ir.Scalar(v.Type.D), a.first, b.first), a.by + b.by, a.along + b.along}
	if v.Op == op.Sub {
		z.by, z.along = a.by-b.by, a.along-b.along
	}
	return z, true
}

// same reports whether v is a scalar that does not differ, which is as it is.
func (w *flattener) same(v *ir.Value) bool { return !v.Type.IsTile() && !w.vary.of(v) }

// product is a multiple by a constant.
func (w *flattener) product(v *ir.Value) (slope, bool) {
	x, y := v.Args[0], v.Args[1]
	if _, ok := w.constant(x); ok {
		x, y = y, x
	}
	a, ok := w.linear(x)
	n, also := w.constant(y)
	if !ok || !also || w.same(v) {
		return slope{}, false
	}
	return slope{w.number(op.Mul, a.first, n), a.by * n, a.along * n}, true
}

// constant is what a number is before the kernel runs. Small ones alone, whose products do not wrap.
func (w *flattener) constant(v *ir.Value) (int64, bool) {
	if v.Op == op.Broadcast {
		v = v.Args[0]
	}
	if v.Op != op.Const || !v.Type.D.IsInt() {
		return 0, false
	}
	n := dtype.ToInt(v.Type.D, v.Bits)
	return n, -1<<16 < n && n < 1<<16
}

// fits is numbers that must all fit, as they do if the first and the last do.
func (w *flattener) fits(v *ir.Value) (slope, bool) {
	x, ok := w.slopes[v.Args[0]]
	if !ok {
		return slope{}, false
	}
	w.Clone(v, v.Type, w.number(op.Add, x.first, x.by*int64(w.n-1)))
	x.first = w.Clone(v, v.Type, x.first)
	return x, true
}

// of is what values are of which all programs have the same, or rows.
func (w *flattener) of(vs []*ir.Value) (z []*ir.Value) {
	for _, v := range vs {
		x := w.made[v]
		if s, ok := w.slopes[v]; ok && x == nil {
			x = w.row(v, s)
			w.made[v] = x
		}
		w.refused = w.refused || x == nil
		z = append(z, x)
	}
	return z
}

// row is numbers that grow on from the end of one program to the start of the next; nil if these do not.
func (w *flattener) row(v *ir.Value, s slope) *ir.Value {
	if w.c == 1 {
		s.along = s.by
	}
	if !v.Type.IsTile() || s.by != s.along*int64(w.c) {
		return nil
	}
	t := w.typeOf(v)
	first := w.Add(op.Broadcast, t, s.first)
	if s.along == 0 {
		return first
	}
	up, o, d := w.Add(op.Arange, t.As(dtype.Int32)), op.Add, t.D
	if d.IsPointer() {
		o, d = ir.PtrAdd, dtype.Int64
	}
	if d != dtype.Int32 {
		up = w.Add(op.Cast, t.As(d), up)
	}
	if s.along != 1 {
		by := w.Add(op.Const, ir.Scalar(d))
		by.Bits = dtype.FromInt(d, s.along, true)
		up = w.Add(op.Mul, up.Type, up, w.Add(op.Broadcast, up.Type, by))
	}
	return w.Add(o, t, first, up)
}

func (w *flattener) typeOf(v *ir.Value) ir.Type {
	if !v.Type.IsTile() {
		return v.Type
	}
	return ir.Tile(v.Type.D, w.n*w.c)
}

// tile writes an operation on rows.
func (w *flattener) tile(v *ir.Value) {
	family := ir.Family(v.Op)
	ok := v.IsMemory() || v.Op == ir.PtrAdd || v.Op == op.Broadcast && !v.Args[0].Type.IsTile()
	if !ok && family != op.Elementwise && family != op.Change {
		w.refused = true
		return
	}
	if args := w.of(v.Args); !w.refused {
		w.made[v] = w.Clone(v, w.typeOf(v), args...)
	}
}
