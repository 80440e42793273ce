package affine

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Box is what most masks are: for each dimension, the indices from some lo to some
// hi, known before any lane is looked at. It turns a mask into loop bounds.
type Box struct {
	Ok    bool
	Atoms []Atom
	Conds []Cond // without which the box is not what the mask says; see require
}

// An Atom limits one dimension of the mask's shape. cmp is the comparison it comes
// from: two atoms of the same comparison limit alike.
type Atom struct {
	cmp *ir.Value
	Dim int
	Hi  *Sym // indices below it; nil for no limit
	Lo  *Sym // indices from it on; nil for no limit
	All bool // it lets through all indices or none; see allOrNone
}

// Boxes computes and remembers them.
type Boxes struct {
	*Forms
	late   func(c Cond) bool // it is too late to check the condition
	memo   map[*ir.Value]*Box
	around map[*ir.Value]*Box
}

// NewBoxes finds boxes by the forms of fs. A box that needs a condition which is late is not found.
func NewBoxes(fs *Forms, late func(c Cond) bool) *Boxes {
	return &Boxes{fs, late, map[*ir.Value]*Box{}, map[*ir.Value]*Box{}}
}

// Of is the box of a bool tile.
func (bs *Boxes) Of(v *ir.Value) *Box {
	if b := bs.memo[v]; b != nil {
		return b
	}
	b := bs.compute(v)
	bs.memo[v] = b
	return b
}

// Around is a box that a bool tile is false outside of: its own, or that of all conditions of a conjunction that are
// one. It has no atoms if there are none.
func (bs *Boxes) Around(v *ir.Value) *Box {
	b := bs.around[v]
	if b == nil {
		if b = bs.Of(v); !b.Ok && v.Op == op.And {
			b = joined(bs.Around(v.Args[0]), bs.Around(v.Args[1]))
		}
		bs.around[v] = b
	}
	return b
}

var noBox = &Box{}

func (bs *Boxes) compute(v *ir.Value) *Box {
	switch {
	case v.Op == op.Broadcast && v.Args[0].Op == op.Const:
		if v.Args[0].Bits != 0 {
			return &Box{Ok: true}
		}
	case v.Op == op.And:
		x, y := bs.Of(v.Args[0]), bs.Of(v.Args[1])
		if x.Ok && y.Ok {
			return joined(x, y)
		}
	case v.Op == op.Broadcast || v.Op == op.Reshape || v.Op == op.Permute:
		return bs.moved(v)
	case v.Op == op.Lt || v.Op == op.Le || v.Op == op.Gt || v.Op == op.Ge:
		return bs.compare(v)
	}
	return noBox
}

// joined is what two boxes have in common.
func joined(x, y *Box) *Box {
	z := &Box{Ok: x.Ok && y.Ok, Atoms: slices.Clip(x.Atoms), Conds: merged(x.Conds, y.Conds)}
	for _, a := range y.Atoms {
		if !slices.Contains(z.Atoms, a) {
			z.Atoms = append(z.Atoms, a)
		}
	}
	return z
}

func (bs *Boxes) moved(v *ir.Value) *Box {
	if cond := v.Args[0]; !cond.Type.IsTile() {
		return &Box{Ok: true, Atoms: []Atom{bs.allOrNone(Atom{cmp: cond, Hi: bs.Value(cond)}, v.Type.Shape)}}
	}
	x := bs.Of(v.Args[0])
	m, ok := DimMap(v)
	if !x.Ok || !ok {
		return noBox
	}
	z := &Box{Ok: true, Conds: x.Conds}
	for _, a := range x.Atoms {
		if m[a.Dim] < 0 { // of size 1
			a = bs.allOrNone(a, v.Type.Shape)
		} else {
			a.Dim = m[a.Dim]
		}
		z.Atoms = append(z.Atoms, a)
	}
	return z
}

// allOrNone makes a limit of index 0 one of a shape, of which that lets through all or none: limits times the size of
// a dimension are at one of its ends or beyond.
func (bs *Boxes) allOrNone(a Atom, s ir.Shape) Atom {
	a.Dim, a.All = 0, true
	for a.Dim < s.N-1 && s.D[a.Dim] == 1 {
		a.Dim++
	}
	for _, limit := range []**Sym{&a.Lo, &a.Hi} {
		if x := *limit; x != nil && s.D[a.Dim] > 1 {
			if !x.Within(-1<<32, 1<<32) { // times a size it might wrap
				x = bs.Max(bs.Constant(0), bs.Min(bs.Constant(1), x))
			}
			*limit = bs.Mul(x, bs.Constant(int64(s.D[a.Dim])))
		}
	}
	return a
}

// compare is x op y where x-y is ±index + start along one dimension, or the same everywhere.
func (bs *Boxes) compare(v *ir.Value) *Box {
	x, y := v.Args[0], v.Args[1]
	lo, hi := int64(-1<<61), int64(1<<61)
	switch x.Type.D {
	case dtype.Int32:
		lo, hi = math.MinInt32, math.MaxInt32
	case dtype.Int64:
	default:
		return noBox
	}
	if !v.Type.IsTile() {
		return noBox
	}
	fx, fy, by := bs.Forms.Of(x), bs.Forms.Of(y), group{d: 1}
	if !fx.Ok && fy.Ok {
		fx, by = bs.grouped(x)
	}
	if !fx.Ok || !fy.Ok || by.d > 1 && fy.Coef[by.dim] != nil {
		return noBox
	}
	z := &Box{Ok: true}
	z.Conds = merged(bs.inRange(fx, by.shape(x.Type.Shape), lo, hi), bs.inRange(fy, y.Type.Shape, lo, hi))
	for _, c := range z.Conds {
		if c.Below != nil || bs.late(c) { // remainders seldom leave all indices as they are
			return noBox
		}
	}
	diff := bs.sum(op.Sub, fx, fy)
	dim := -1
	for i, c := range diff.Coef {
		switch {
		case c == nil || v.Type.Shape.D[i] == 1:
		case dim >= 0 || !c.IsConst(1) && !c.IsConst(-1):
			return noBox
		default:
			dim = i
		}
	}
	if dim < 0 {
		z.Atoms = []Atom{bs.allOrNone(bs.limit(v, 0, diff.Start, false), v.Type.Shape)}
		return z
	}
	z.Atoms = []Atom{bs.times(bs.limit(v, dim, diff.Start, diff.Coef[dim].N < 0), by, v.Type.Shape)}
	return z
}

// limit solves start ± index op 0 for the index.
func (bs *Boxes) limit(v *ir.Value, dim int, start *Sym, falling bool) Atom {
	a := Atom{cmp: v, Dim: dim}
	one := bs.Constant(1)
	neg := bs.Mul(start, bs.Constant(-1))
	o := v.Op
	if falling { // -i + start < 0 is i - start > 0
		neg = start
		o = map[op.Op]op.Op{op.Lt: op.Gt, op.Le: op.Ge, op.Gt: op.Lt, op.Ge: op.Le}[o]
	}
	switch o {
	case op.Lt:
		a.Hi = neg
	case op.Le:
		a.Hi = bs.Add(neg, one)
	case op.Gt:
		a.Lo = bs.Add(neg, one)
	case op.Ge:
		a.Lo = neg
	}
	return a
}

// Mapped is a box's atoms in the nest's dimensions; ok is false if one of them is in
// a dimension that the nest does not run over.
func Mapped(atoms []Atom, m Axes) (z []Atom, ok bool) {
	for _, a := range atoms {
		if m[a.Dim] < 0 {
			return nil, false
		}
		a.Dim = int(m[a.Dim])
		z = append(z, a)
	}
	return z, true
}

func (a Atom) same(b Atom) bool { return a.cmp == b.cmp && a.Dim == b.Dim }

// Alike reports whether atoms let through the same indices, as far as that is known.
func (a Atom) Alike(b Atom) bool { return a.same(b) || a.Dim == b.Dim && a.Hi == b.Hi && a.Lo == b.Lo }

// Has reports whether atoms has one that limits as a does.
func Has(atoms []Atom, a Atom) bool {
	for _, b := range atoms {
		if a.same(b) {
			return true
		}
	}
	return false
}

// Subset reports whether all of x are in y.
func Subset(x, y []Atom) bool {
	for _, a := range x {
		if !Has(y, a) {
			return false
		}
	}
	return true
}

// Intersect is what of x is in y.
func Intersect(x, y []Atom) (z []Atom) {
	for _, a := range x {
		if Has(y, a) {
			z = append(z, a)
		}
	}
	return z
}

// Union is x and what y has beside it.
func Union(x, y []Atom) []Atom {
	z := slices.Clip(x)
	for _, a := range y {
		if !Has(z, a) {
			z = append(z, a)
		}
	}
	return z
}

// Interval is the indices of a dimension of some size that atoms let through: none where lo is not below hi.
func (s *Syms) Interval(atoms []Atom, dim, size int) (lo, hi *Sym) {
	lo, hi = s.Constant(0), s.Constant(int64(size))
	for _, a := range atoms {
		if a.Dim == dim && a.Hi != nil {
			hi = s.Min(hi, a.Hi)
		}
		if a.Dim == dim && a.Lo != nil {
			lo = s.Max(lo, a.Lo)
		}
	}
	return lo, hi
}

// UpTo reports whether atoms only limit indices from above.
func UpTo(atoms []Atom) bool {
	for _, a := range atoms {
		if a.Hi == nil {
			return false
		}
	}
	return true
}
