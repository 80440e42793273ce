package amd64

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A form says what an integer or pointer value is: start + Σ index·coef over the
// dimensions of its shape. An int32 value is its form modulo 2^32; where it is
// widened, that it did not wrap becomes a condition. A pointer's form counts
// elements from its tensor.
type form struct {
	ok    bool
	base  int // the tensor's parameter, -1 for an integer
	start *sym
	coef  [ir.MaxRank]*sym // nil: 0
	conds []cond
}

// A cond holds if a form's elements all lie in lo ... hi over a shape; below is, in
// place of hi, a scalar that they must all lie below.
type cond struct {
	f      *form
	shape  ir.Shape
	lo, hi int64
	below  *sym
}

// entry reports whether a condition depends on nothing but parameters and program ids.
func (c cond) entry() bool { return c.f.entry() && (c.below == nil || c.below.entry) }

// depth is the scope in which a condition can be checked.
func (c cond) depth() int {
	d := c.f.start.depth
	for _, x := range append(c.f.coef[:], c.below) {
		if x != nil {
			d = max(d, x.depth)
		}
	}
	return d
}

// forms computes and remembers them.
type forms struct {
	*syms
	memo []*form // by ID
}

var noForm = &form{}

func (fs *forms) of(v *ir.Value) *form {
	if f := fs.memo[v.ID]; f != nil {
		return f
	}
	fs.memo[v.ID] = noForm // ends recursion, which valid IR does not have
	f := fs.compute(v)
	if f.ok && f.size() > maxSym {
		f = noForm
	}
	fs.memo[v.ID] = f
	return f
}

func (f *form) size() int {
	n := f.start.size
	for _, c := range f.coef {
		if c != nil {
			n += c.size
		}
	}
	return n
}

func (fs *forms) compute(v *ir.Value) *form {
	d := v.Type.D
	if !v.Type.IsTile() {
		return fs.scalar(v)
	}
	if d != dtype.Int32 && d != dtype.Int64 && !d.IsPointer() {
		return noForm
	}
	switch v.Op {
	case op.Arange:
		f := fs.uniform(fs.constant(int64(v.Index)))
		f.coef[0] = fs.constant(1)
		return f
	case op.Broadcast, op.Reshape, op.Permute:
		return fs.moved(v)
	case op.Add, op.Sub:
		return fs.sum(v.Op, fs.of(v.Args[0]), fs.of(v.Args[1]))
	case ir.PtrAdd:
		return fs.sum(op.Add, fs.of(v.Args[0]), fs.of(v.Args[1]))
	case op.Mul:
		return fs.product(fs.of(v.Args[0]), fs.of(v.Args[1]))
	case op.Neg:
		return fs.scaled(fs.of(v.Args[0]), fs.constant(-1))
	case op.Cast:
		return fs.cast(v)
	case op.Mod:
		return fs.modulo(v)
	}
	return noForm
}

// modulo is x % y, for a scalar y, as long as x is in 0 ... y-1: what kernels write to
// keep addresses of ragged blocks inside a tensor.
func (fs *forms) modulo(v *ir.Value) *form {
	y := scalarBehind(v.Args[1])
	f := fs.of(v.Args[0])
	if y == nil || !f.ok || f.base >= 0 {
		return noForm
	}
	z := *f
	x := v.Args[0].Type
	if x.D == dtype.Int32 {
		z.conds = fs.inRange(f, x.Shape, math.MinInt32, math.MaxInt32)
	}
	z.conds = append(append([]cond(nil), z.conds...), cond{f: f, shape: x.Shape, below: fs.value(y)})
	return &z
}

// scalar is the form of a scalar: itself.
func (fs *forms) scalar(v *ir.Value) *form {
	switch {
	case v.Op == ir.Param && v.Type.D.IsPointer():
		f := fs.uniform(fs.constant(0))
		f.base = v.Index
		return f
	case v.Op == ir.PtrAdd:
		return fs.sum(op.Add, fs.of(v.Args[0]), fs.of(v.Args[1]))
	case v.Type.D == dtype.Int64 || v.Type.D == dtype.Int32:
		return fs.uniform(fs.value(v))
	}
	return noForm
}

func (fs *forms) uniform(start *sym) *form { return &form{ok: true, base: -1, start: start} }

// moved carries a form through a change of shape that moves whole dimensions.
func (fs *forms) moved(v *ir.Value) *form {
	x := v.Args[0]
	f := fs.of(x)
	m, ok := dimMap(v)
	if !f.ok || !ok {
		return noForm
	}
	z := &form{ok: true, base: f.base, start: f.start, conds: f.conds}
	for i := range x.Type.Shape.N {
		if m[i] >= 0 {
			z.coef[m[i]] = f.coef[i]
		}
	}
	return z
}

func (fs *forms) sum(o op.Op, x, y *form) *form {
	if !x.ok || !y.ok || x.base >= 0 && y.base >= 0 {
		return noForm
	}
	if o == op.Sub {
		y = fs.scaled(y, fs.constant(-1))
	}
	z := &form{ok: true, base: max(x.base, y.base), start: fs.add(x.start, y.start)}
	for i := range z.coef {
		z.coef[i] = fs.addCoef(x.coef[i], y.coef[i])
	}
	z.conds = merged(x.conds, y.conds)
	return z
}

// merged is the conditions of both, each once.
func merged(x, y []cond) []cond {
	if len(x) == 0 {
		return y
	}
	z := slices.Clip(x)
	for _, c := range y {
		if !slices.Contains(z, c) {
			z = append(z, c)
		}
	}
	return z
}

func (fs *forms) addCoef(a, b *sym) *sym {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	if c := fs.add(a, b); !c.isConst(0) {
		return c
	}
	return nil
}

// product is x·y where one of them is the same everywhere.
func (fs *forms) product(x, y *form) *form {
	switch {
	case !x.ok || !y.ok:
	case y.flat():
		return fs.scaled(x, y.start)
	case x.flat():
		return fs.scaled(y, x.start)
	}
	return noForm
}

// flat reports whether all elements are equal.
func (f *form) flat() bool { return f.coef == [ir.MaxRank]*sym{} }

func (fs *forms) scaled(f *form, by *sym) *form {
	if !f.ok {
		return noForm
	}
	z := &form{ok: true, base: f.base, start: fs.mul(f.start, by), conds: f.conds}
	for i, c := range f.coef {
		if c != nil {
			if p := fs.mul(c, by); !p.isConst(0) {
				z.coef[i] = p
			}
		}
	}
	return z
}

// cast is the form of an int32 widened, on condition that it did not wrap, or of an
// int64 narrowed, which forms do modulo 2^32.
func (fs *forms) cast(v *ir.Value) *form {
	x := v.Args[0]
	f := fs.of(x)
	switch {
	case !f.ok:
		return noForm
	case x.Type.D == dtype.Int64 && v.Type.D == dtype.Int32:
		return f
	case x.Type.D == dtype.Int32 && v.Type.D == dtype.Int64:
		z := *f
		z.conds = fs.inRange(f, x.Type.Shape, math.MinInt32, math.MaxInt32)
		return &z
	}
	return noForm
}

// inRange is f's conditions and the one that it lies in lo ... hi, unless that is
// certain.
func (fs *forms) inRange(f *form, shape ir.Shape, lo, hi int64) []cond {
	if l, h, ok := f.bounds(shape); ok && l >= lo && h <= hi {
		return f.conds
	}
	for _, c := range f.conds {
		if c.f == f && c.lo == lo && c.hi == hi {
			return f.conds
		}
	}
	return append(append([]cond(nil), f.conds...), cond{f: f, shape: shape, lo: lo, hi: hi})
}

// bounds is the range of a form's elements over a shape as far as it is known.
func (f *form) bounds(shape ir.Shape) (lo, hi int64, ok bool) {
	const limit = 1 << 61
	lo, hi = f.start.lo, f.start.hi
	if lo < -limit || hi > limit {
		return 0, 0, false
	}
	for i, c := range f.coef {
		if c == nil {
			continue
		}
		n := int64(shape.D[i] - 1)
		if !c.within(-1<<40, 1<<40) || n > 1<<20 {
			return 0, 0, false
		}
		lo, hi = lo+min(0, c.lo*n), hi+max(0, c.hi*n)
	}
	return lo, hi, lo > -limit && hi < limit
}

// entry reports whether a form depends on nothing but parameters and program ids.
func (f *form) entry() bool {
	for _, c := range f.coef {
		if c != nil && !c.entry {
			return false
		}
	}
	return f.start.entry
}

// dimMap says, for a shape op that moves whole dimensions, which dimension of the
// result each dimension of the operand becomes; -1 for one of size 1 that is
// repeated or dropped.
func dimMap(v *ir.Value) (m [ir.MaxRank]int, ok bool) {
	x, z := v.Args[0].Type.Shape, v.Type.Shape
	switch v.Op {
	case op.Broadcast:
		for i := range x.N {
			m[i] = i + z.N - x.N
			if x.D[i] == 1 {
				m[i] = -1
			}
		}
		return m, true
	case op.Permute:
		for i, a := range v.Axes {
			m[a] = i
			if x.D[a] == 1 {
				m[a] = -1
			}
		}
		return m, true
	case op.Reshape:
		return reshapeMap(x, z)
	}
	return m, false
}

// reshapeMap matches dimensions one by one where only those of size 1 come or go.
func reshapeMap(x, z ir.Shape) (m [ir.MaxRank]int, ok bool) {
	j := 0
	for i := range x.N {
		if x.D[i] == 1 {
			m[i] = -1
			continue
		}
		for j < z.N && z.D[j] == 1 {
			j++
		}
		if j == z.N || z.D[j] != x.D[i] {
			return m, false
		}
		m[i] = j
		j++
	}
	for ; j < z.N; j++ {
		if z.D[j] != 1 {
			return m, false
		}
	}
	return m, true
}
