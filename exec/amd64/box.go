package amd64

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A box is what most masks are: for each dimension, the indices from some lo to some
// hi, known before any lane is looked at. It turns a mask into loop bounds.
type box struct {
	ok    bool
	atoms []atom
	conds []cond // without which the box is not what the mask says; see require
}

// An atom limits one dimension of the mask's shape. cmp is the comparison it comes
// from: two atoms of the same comparison limit alike.
type atom struct {
	cmp *ir.Value
	dim int
	hi  *sym // indices below it; nil for no limit
	lo  *sym // indices from it on; nil for no limit
}

// boxOf is the box of a bool tile.
func (g *gen) boxOf(v *ir.Value) *box {
	if b := g.boxes[v]; b != nil {
		return b
	}
	b := g.computeBox(v)
	g.boxes[v] = b
	return b
}

var noBox = &box{}

func (g *gen) computeBox(v *ir.Value) *box {
	switch {
	case v.Op == op.Broadcast && v.Args[0].Op == op.Const:
		if v.Args[0].Bits != 0 {
			return &box{ok: true}
		}
	case v.Op == op.And:
		x, y := g.boxOf(v.Args[0]), g.boxOf(v.Args[1])
		if x.ok && y.ok {
			z := &box{ok: true, atoms: slices.Clip(x.atoms), conds: merged(x.conds, y.conds)}
			for _, a := range y.atoms {
				if !slices.Contains(z.atoms, a) {
					z.atoms = append(z.atoms, a)
				}
			}
			return z
		}
	case v.Op == op.Broadcast || v.Op == op.Reshape || v.Op == op.Permute:
		return g.movedBox(v)
	case v.Op == op.Lt || v.Op == op.Le || v.Op == op.Gt || v.Op == op.Ge:
		return g.compareBox(v)
	}
	return noBox
}

func (g *gen) movedBox(v *ir.Value) *box {
	x := g.boxOf(v.Args[0])
	m, ok := dimMap(v)
	if !x.ok || !ok {
		return noBox
	}
	z := &box{ok: true, conds: x.conds}
	for _, a := range x.atoms {
		if m[a.dim] < 0 {
			return noBox // a limit on a dimension of size 1: all lanes or none
		}
		a.dim = m[a.dim]
		z.atoms = append(z.atoms, a)
	}
	return z
}

// compareBox is x op y where x-y is ±index + start along one dimension.
func (g *gen) compareBox(v *ir.Value) *box {
	x, y := v.Args[0], v.Args[1]
	lo, hi := int64(-1<<61), int64(1<<61)
	switch x.Type.D {
	case dtype.Int32:
		lo, hi = math.MinInt32, math.MaxInt32
	case dtype.Int64:
	default:
		return noBox
	}
	fx, fy := g.forms.of(x), g.forms.of(y)
	if !fx.ok || !fy.ok || !v.Type.IsTile() {
		return noBox
	}
	z := &box{ok: true}
	z.conds = merged(g.forms.inRange(fx, x.Type.Shape, lo, hi), g.forms.inRange(fy, y.Type.Shape, lo, hi))
	for _, c := range z.conds {
		if !c.entry() && g.effects {
			return noBox
		}
	}
	diff := g.forms.sum(op.Sub, fx, fy)
	dim := -1
	for i, c := range diff.coef {
		switch {
		case c == nil:
		case dim >= 0 || !c.isConst(1) && !c.isConst(-1):
			return noBox
		default:
			dim = i
		}
	}
	if dim < 0 {
		return noBox
	}
	z.atoms = []atom{g.limit(v, dim, diff.start, diff.coef[dim].n < 0)}
	return z
}

// limit solves start ± index op 0 for the index.
func (g *gen) limit(v *ir.Value, dim int, start *sym, falling bool) atom {
	a := atom{cmp: v, dim: dim}
	one := g.syms.constant(1)
	neg := g.syms.mul(start, g.syms.constant(-1))
	o := v.Op
	if falling { // -i + start < 0 is i - start > 0
		neg = start
		o = map[op.Op]op.Op{op.Lt: op.Gt, op.Le: op.Ge, op.Gt: op.Lt, op.Ge: op.Le}[o]
	}
	switch o {
	case op.Lt:
		a.hi = neg
	case op.Le:
		a.hi = g.syms.add(neg, one)
	case op.Gt:
		a.lo = g.syms.add(neg, one)
	case op.Ge:
		a.lo = neg
	}
	return a
}
