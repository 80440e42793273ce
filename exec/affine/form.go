package affine

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Form says what an integer or pointer value is: start + Σ index·coef over the
// dimensions of its shape. An int32 value is its form modulo 2^32; where it is
// widened, that it did not wrap becomes a condition. A pointer's form counts
// elements from its tensor.
type Form struct {
	Ok    bool
	Base  int // the tensor's parameter, -1 for an integer
	Start *Sym
	Coef  [ir.MaxRank]*Sym // nil: 0
	Conds []Cond
}

// CoefLimit bounds coefficients, and StartLimit starts, so that spans of a tensor cannot wrap.
const (
	StartLimit = 1 << 61
	CoefLimit  = 1 << 40
)

// A Cond holds if a form's elements all lie in lo ... hi over a shape; below is, in
// place of hi, a scalar that they must all lie below.
type Cond struct {
	Form   *Form
	Shape  ir.Shape
	Lo, Hi int64
	Below  *Sym
}

// Entry reports whether a condition depends on nothing but parameters and program ids.
func (c Cond) Entry() bool { return c.Form.entry() && (c.Below == nil || c.Below.entry) }

// Fails reports whether a condition of one number is known not to hold.
func (c Cond) Fails() bool {
	return c.Form.flat() && (c.Form.Start.Hi < c.Lo || c.Form.Start.Lo > c.Hi)
}

// Depth is the scope in which a condition can be checked.
func (c Cond) Depth() int {
	d := c.Form.Start.Depth
	for _, x := range append(c.Form.Coef[:], c.Below) {
		if x != nil {
			d = max(d, x.Depth)
		}
	}
	return d
}

// A CondKey is a condition without the shape: equal ones are the same condition.
type CondKey struct {
	f      *Form
	lo, hi int64
	below  *Sym
}

func (c Cond) Key() CondKey { return CondKey{c.Form, c.Lo, c.Hi, c.Below} }

// Forms computes and remembers them.
type Forms struct {
	*Syms
	Clamped bool    // indices that are kept below a limit have one, where they are below it in any case
	memo    []*Form // by ID
	digits  map[*ir.Value]*digits
}

// NewForms finds forms of f's values.
func NewForms(s *Syms, f *ir.Func) *Forms {
	return &Forms{Syms: s, memo: make([]*Form, f.NumIDs()), digits: map[*ir.Value]*digits{}}
}

var noForm = &Form{}

// Assume makes f the form of v, whatever v is.
func (fs *Forms) Assume(v *ir.Value, f *Form) { fs.memo[v.ID] = f }

func (fs *Forms) Of(v *ir.Value) *Form {
	if f := fs.memo[v.ID]; f != nil {
		return f
	}
	fs.memo[v.ID] = noForm // ends recursion, which valid IR does not have
	f := fs.compute(v)
	if !f.Ok {
		f = fs.recombined(v)
	}
	if f.Ok && f.size() > maxSym {
		f = noForm
	}
	fs.memo[v.ID] = f
	return f
}

func (f *Form) size() int {
	n := f.Start.size
	for _, c := range f.Coef {
		if c != nil {
			n += c.size
		}
	}
	return n
}

func (fs *Forms) compute(v *ir.Value) *Form {
	d := v.Type.D
	if !v.Type.IsTile() {
		return fs.scalar(v)
	}
	if d != dtype.Int32 && d != dtype.Int64 && !d.IsPointer() {
		return noForm
	}
	switch v.Op {
	case op.Arange:
		f := fs.uniform(fs.Constant(int64(v.Index)))
		f.Coef[0] = fs.Constant(1)
		return f
	case op.Broadcast, op.Reshape, op.Permute:
		return fs.moved(v)
	case op.Add, op.Sub:
		return fs.sum(v.Op, fs.Of(v.Args[0]), fs.Of(v.Args[1]))
	case ir.PtrAdd:
		return fs.sum(op.Add, fs.Of(v.Args[0]), fs.Of(v.Args[1]))
	case op.Mul:
		return fs.product(fs.Of(v.Args[0]), fs.Of(v.Args[1]))
	case op.Neg:
		return fs.scaled(fs.Of(v.Args[0]), fs.Constant(-1))
	case op.Cast:
		return fs.cast(v)
	case op.Mod:
		return fs.modulo(v)
	case op.Where:
		return fs.chosen(v)
	case op.Minimum:
		return fs.clamped(v)
	}
	return noForm
}

// modulo is x % y, for a scalar y, as long as x is in 0 ... y-1: what kernels write to
// keep addresses of ragged blocks inside a tensor.
func (fs *Forms) modulo(v *ir.Value) *Form { return fs.below(v.Args[0], Repeated(v.Args[1]), 0) }

// chosen is where x < y, x, 0: another way to write the same.
func (fs *Forms) chosen(v *ir.Value) *Form {
	less, x := v.Args[0], v.Args[1]
	if !IsZeros(v.Args[2]) || len(less.Args) != 2 {
		return noForm
	}
	a, b := less.Args[0], less.Args[1]
	switch {
	case less.Op == op.Lt && a == x:
		return fs.below(x, Repeated(b), 0)
	case !fs.Clamped:
	case less.Op == op.Gt && b == x:
		return fs.below(x, Repeated(a), 0)
	case less.Op == op.Le && a == x:
		return fs.below(x, Repeated(b), 1)
	case less.Op == op.Ge && b == x:
		return fs.below(x, Repeated(a), 1)
	}
	return noForm
}

// clamped is the smaller of x and y, in either order: the same again.
func (fs *Forms) clamped(v *ir.Value) *Form {
	if !fs.Clamped {
		return noForm
	}
	if y := Repeated(v.Args[1]); y != nil {
		return fs.below(v.Args[0], y, 1)
	}
	return fs.below(v.Args[1], Repeated(v.Args[0]), 1)
}

// below is x, as long as it is in 0 ... y+more-1. Where more numbers are between the least and the greatest x than that
// it never is: rk % 2 of indices rk is no form, though no index need be known.
func (fs *Forms) below(v, y *ir.Value, more int64) *Form {
	f := fs.Of(v)
	if y == nil || !f.Ok || f.Base >= 0 {
		return noForm
	}
	z := *f
	x := v.Type
	if x.D == dtype.Int32 {
		z.Conds = fs.inRange(f, x.Shape, math.MinInt32, math.MaxInt32)
	}
	limit := fs.Add(fs.Value(y), fs.Constant(more))
	if f.width(x.Shape) >= limit.Hi {
		return noForm
	}
	z.Conds = append(append([]Cond(nil), z.Conds...), Cond{Form: f, Shape: x.Shape, Below: limit})
	return &z
}

// scalar is the form of a scalar: itself.
func (fs *Forms) scalar(v *ir.Value) *Form {
	switch {
	case v.Op == ir.Param && v.Type.D.IsPointer():
		f := fs.uniform(fs.Constant(0))
		f.Base = v.Index
		return f
	case v.Op == ir.PtrAdd:
		return fs.sum(op.Add, fs.Of(v.Args[0]), fs.Of(v.Args[1]))
	case v.Type.D == dtype.Int64 || v.Type.D == dtype.Int32:
		return fs.uniform(fs.Value(v))
	}
	return noForm
}

func (fs *Forms) uniform(start *Sym) *Form { return &Form{Ok: true, Base: -1, Start: start} }

// moved carries a form through a change of shape that moves whole dimensions.
func (fs *Forms) moved(v *ir.Value) *Form { return fs.through(v, fs.Of(v.Args[0])) }

// through carries a form of v's operand to v.
func (fs *Forms) through(v *ir.Value, f *Form) *Form {
	x := v.Args[0]
	m, ok := DimMap(v)
	if f.Ok && v.Op == op.Reshape && x.Type.Shape.N == 1 {
		return fs.cut(f, v.Type.Shape)
	}
	if !f.Ok || !ok {
		return noForm
	}
	z := &Form{Ok: true, Base: f.Base, Start: f.Start, Conds: f.Conds}
	for i := range x.Type.Shape.N {
		if m[i] >= 0 {
			z.Coef[m[i]] = f.Coef[i]
		}
	}
	return z
}

// cut is the form of a row that becomes several dimensions.
func (fs *Forms) cut(f *Form, shape ir.Shape) *Form {
	z := &Form{Ok: true, Base: f.Base, Start: f.Start, Conds: f.Conds}
	dense := shape.Dense()
	for i := range shape.N {
		if c := f.Coef[0]; c != nil && shape.D[i] > 1 {
			z.Coef[i] = fs.Mul(c, fs.Constant(int64(dense.D[i])))
		}
	}
	return z
}

func (fs *Forms) sum(o op.Op, x, y *Form) *Form {
	if !x.Ok || !y.Ok || x.Base >= 0 && y.Base >= 0 {
		return noForm
	}
	if o == op.Sub {
		y = fs.scaled(y, fs.Constant(-1))
	}
	z := &Form{Ok: true, Base: max(x.Base, y.Base), Start: fs.Add(x.Start, y.Start)}
	for i := range z.Coef {
		z.Coef[i] = fs.addCoef(x.Coef[i], y.Coef[i])
	}
	z.Conds = merged(x.Conds, y.Conds)
	return z
}

// merged is the conditions of both, each once.
func merged(x, y []Cond) []Cond {
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

func (fs *Forms) addCoef(a, b *Sym) *Sym {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	if c := fs.Add(a, b); !c.IsConst(0) {
		return c
	}
	return nil
}

// product is x·y where one of them is the same everywhere.
func (fs *Forms) product(x, y *Form) *Form {
	switch {
	case !x.Ok || !y.Ok:
	case y.flat():
		return fs.scaled(x, y.Start)
	case x.flat():
		return fs.scaled(y, x.Start)
	}
	return noForm
}

// Flat reports whether it is known that all elements are equal.
func (f *Form) Flat() bool { return f.Ok && f.flat() }

func (f *Form) flat() bool { return f.Coef == [ir.MaxRank]*Sym{} }

func (fs *Forms) scaled(f *Form, by *Sym) *Form {
	if !f.Ok {
		return noForm
	}
	z := &Form{Ok: true, Base: f.Base, Start: fs.Mul(f.Start, by), Conds: f.Conds}
	for i, c := range f.Coef {
		if c != nil {
			if p := fs.Mul(c, by); !p.IsConst(0) {
				z.Coef[i] = p
			}
		}
	}
	return z
}

// cast is the form of an int32 widened, on condition that it did not wrap, or of an
// int64 narrowed, which forms do modulo 2^32.
func (fs *Forms) cast(v *ir.Value) *Form {
	x := v.Args[0]
	f := fs.Of(x)
	switch {
	case !f.Ok:
		return noForm
	case x.Type.D == dtype.Int64 && v.Type.D == dtype.Int32:
		return f
	case x.Type.D == dtype.Int32 && v.Type.D == dtype.Int64:
		z := *f
		z.Conds = fs.inRange(f, x.Type.Shape, math.MinInt32, math.MaxInt32)
		return &z
	}
	return noForm
}

// inRange is f's conditions and the one that it lies in lo ... hi, unless that is
// certain.
func (fs *Forms) inRange(f *Form, shape ir.Shape, lo, hi int64) []Cond {
	if l, h, ok := f.bounds(shape); ok && l >= lo && h <= hi {
		return f.Conds
	}
	for _, c := range f.Conds {
		if c.Form == f && c.Lo == lo && c.Hi == hi {
			return f.Conds
		}
	}
	return append(append([]Cond(nil), f.Conds...), Cond{Form: f, Shape: shape, Lo: lo, Hi: hi})
}

// width is how far a form's elements are apart over a shape, at least.
func (f *Form) width(shape ir.Shape) (n int64) {
	for i, c := range f.Coef {
		if c != nil && c.Kind == Const && c.Within(-1<<31, 1<<31) {
			n += max(c.N, -c.N) * int64(shape.D[i]-1)
		}
	}
	return n
}

// bounds is the range of a form's elements over a shape as far as it is known.
func (f *Form) bounds(shape ir.Shape) (lo, hi int64, ok bool) {
	const limit = 1 << 61
	lo, hi = f.Start.Lo, f.Start.Hi
	if lo < -limit || hi > limit {
		return 0, 0, false
	}
	for i, c := range f.Coef {
		if c == nil {
			continue
		}
		n := int64(shape.D[i] - 1)
		if !c.Within(-1<<40, 1<<40) || n > 1<<20 {
			return 0, 0, false
		}
		lo, hi = lo+min(0, c.Lo*n), hi+max(0, c.Hi*n)
	}
	return lo, hi, lo > -limit && hi < limit
}

// entry reports whether a form depends on nothing but parameters and program ids.
func (f *Form) entry() bool {
	for _, c := range f.Coef {
		if c != nil && !c.entry {
			return false
		}
	}
	return f.Start.entry
}

// MayGather reports whether addresses are no form, or only as long as a remainder leaves them as they are.
func (f *Form) MayGather() bool {
	return !f.Ok || f.Base < 0 || f.limited()
}

func (f *Form) limited() bool {
	return slices.ContainsFunc(f.Conds, func(c Cond) bool { return c.Below != nil })
}

// Rises reports whether rows of a matrix of addresses are contiguous, and columns are not.
func (f *Form) Rises() bool { return f.Ok && f.unit(1) && f.Coef[0] != nil && !f.unit(0) }

// Falls reports whether columns of a matrix of addresses are contiguous, and rows are not.
func (f *Form) Falls() bool { return f.Ok && f.unit(0) && f.Coef[1] != nil && !f.unit(1) }

func (f *Form) unit(dim int) bool { return f.Coef[dim] != nil && f.Coef[dim].IsConst(1) }
