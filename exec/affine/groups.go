package affine

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A group is that neighbours, d at a time, have the same number along a dimension, which counts them: quotients of
// indices. A limit of such numbers is one of the indices, too.
type group struct {
	dim int
	d   int64
}

// shape is a shape with as many elements along the dimension as there are numbers.
func (e group) shape(s ir.Shape) ir.Shape {
	if e.d > 1 {
		s.D[e.dim] = int((int64(s.D[e.dim]) + e.d - 1) / e.d)
	}
	return s
}

// mostGrouped is how deep quotients are looked for.
const mostGrouped = 8

// grouped is the form of what counts neighbours, its coefficient being of their number.
func (bs *Boxes) grouped(v *ir.Value) (*Form, group) { return bs.groupedWithin(v, mostGrouped) }

func (bs *Boxes) groupedWithin(v *ir.Value, deep int) (*Form, group) {
	none := group{d: 1}
	if deep == 0 || v.Type.D != dtype.Int32 || !v.Type.IsTile() {
		return noForm, none
	}
	switch v.Op {
	case op.Shr, op.FloorDiv:
		return bs.quotients(v)
	case op.Add, op.Sub:
		f, e := bs.groupedWithin(v.Args[0], deep-1)
		g := bs.Forms.Of(v.Args[1])
		if !f.Ok || !g.Ok || g.Coef[e.dim] != nil {
			return noForm, none
		}
		return bs.sum(v.Op, f, g), e
	case op.Broadcast, op.Reshape:
		f, e := bs.groupedWithin(v.Args[0], deep-1)
		m, ok := DimMap(v)
		if !f.Ok || !ok || m[e.dim] < 0 {
			return noForm, none
		}
		z := &Form{Ok: true, Base: f.Base, Start: f.Start, Conds: f.Conds}
		for i := range v.Args[0].Type.Shape.N {
			if m[i] >= 0 {
				z.Coef[m[i]] = f.Coef[i]
			}
		}
		return z, group{int(m[e.dim]), e.d}
	}
	return noForm, none
}

// quotients is of indices, the first of which the divisor divides, by a constant.
func (bs *Boxes) quotients(v *ir.Value) (*Form, group) {
	none := group{d: 1}
	c, f := RepeatedConst(v.Args[1]), bs.Forms.Of(v.Args[0])
	if c == nil || !f.Ok || f.Base >= 0 || len(f.Conds) > 0 {
		return noForm, none
	}
	d := dtype.ToInt(c.Type.D, c.Bits)
	if v.Op == op.Shr {
		if d < 0 || d > 30 {
			return noForm, none
		}
		d = 1 << d
	}
	start, dim := f.Start, -1
	for i, c := range f.Coef {
		if c != nil {
			if dim >= 0 || !c.IsConst(1) {
				return noForm, none
			}
			dim = i
		}
	}
	if dim < 0 || d < 2 || start.Lo != start.Hi || start.Lo < 0 || start.Lo%d != 0 || start.Lo > 1<<30 {
		return noForm, none
	}
	z := bs.uniform(bs.Constant(start.Lo / d))
	z.Coef[dim] = bs.Constant(1)
	return z, group{dim, d}
}

// times is a limit of indices, of which each number has several.
func (bs *Boxes) times(a Atom, e group, s ir.Shape) Atom {
	if e.d == 1 || a.Dim != e.dim {
		return a
	}
	n := bs.Constant(int64(e.shape(s).D[e.dim]))
	for _, limit := range []**Sym{&a.Lo, &a.Hi} {
		if x := *limit; x != nil {
			if !x.Within(-1<<32, 1<<32) { // times a number it might wrap
				x = bs.Max(bs.Constant(0), bs.Min(n, x))
			}
			*limit = bs.Mul(x, bs.Constant(e.d))
		}
	}
	return a
}
