package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A row that is repeated along an outer dimension is computed again in each row of its users' loops, which costs
// little where that is loads of neighbours. Where it is more, as of elements that lie apart, the row is kept.

// repeated reports whether v is such a row, and not cheap.
func (p *Schedule) repeated(v *ir.Value) bool {
	inner := innermost(v.Type.Shape)
	if inner < 0 || v.Type.D.IsPointer() {
		return false
	}
	repeats := func(u *ir.Value) bool { return repeatsOutside(u, inner) }
	return slices.ContainsFunc(p.Of(v).Users, repeats) && p.rowCost(v, keptRow) > keptRow
}

// keptRow is what a row may cost that is not kept.
const keptRow = 8

// innermost is the last dimension larger than 1, -1 if there is none.
func innermost(s ir.Shape) int {
	for i := s.N - 1; i >= 0; i-- {
		if s.D[i] > 1 {
			return i
		}
	}
	return -1
}

// repeatsOutside reports whether u repeats its operand along a dimension outside of one of that.
func repeatsOutside(u *ir.Value, dim int) bool {
	if u.Op != op.Broadcast {
		return false
	}
	x, z := u.Args[0].Type.Shape, u.Type.Shape
	for i := range dim + z.N - x.N {
		if z.D[i] > 1 && (i < z.N-x.N || x.D[i-(z.N-x.N)] == 1) {
			return true
		}
	}
	return false
}

// rowCost is cost, with loads of elements that lie apart one by one.
func (p *Schedule) rowCost(v *ir.Value, limit int) int {
	if !Lazy(v) || p.Of(v).Keep || limit < 0 {
		return 1
	}
	n := ownCost(v)
	if v.Op == op.Load {
		n = loadCost
		if p.apart(v) {
			n = apartCost
		}
		return n
	}
	for _, a := range v.Args {
		if a.Type.IsTile() {
			n += p.rowCost(a, limit-n)
		}
	}
	return n
}

// apartCost is that of a load whose lanes are put together.
const apartCost = 32

// apart reports whether the elements of a load's rows are known to lie a stride apart that is not one element.
func (p *Schedule) apart(v *ir.Value) bool {
	inner := innermost(v.Type.Shape)
	if inner < 0 {
		return false
	}
	f := p.formOf(v)
	return f.Ok && f.Base >= 0 && f.Coef[inner] != nil && !f.Coef[inner].IsConst(1)
}
