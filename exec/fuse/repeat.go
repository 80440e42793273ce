package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
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

// A column that is repeated along an inner dimension is computed once in each row, in all lanes of a vector alike. Rows
// are often of few vectors: where a column takes more than a few instructions it is kept, computed in as many lanes as
// there are.

// column reports whether v is such a column.
func (p *Schedule) column(v *ir.Value) bool {
	inner := innermost(v.Type.Shape)
	if inner < 0 || v.Type.D.IsPointer() || v.Type.Shape.D[inner] < fewRows {
		return false
	}
	repeats := func(u *ir.Value) bool { return repeatsInside(u, inner) && !p.forAddresses(u, 0) }
	return slices.ContainsFunc(p.Of(v).Users, repeats) && p.rowCost(v, keptColumn) > keptColumn
}

// keptColumn is what a column may cost that is not kept, fewRows in how many rows it would be computed at least.
const keptColumn, fewRows = 6, 4

// repeatsInside reports whether u repeats its operand along a dimension inside of one of that.
func repeatsInside(u *ir.Value, dim int) bool {
	if u.Op != op.Broadcast {
		return false
	}
	x, z := u.Args[0].Type.Shape, u.Type.Shape
	for i := dim + 1; i < x.N; i++ {
		if x.D[i] == 1 && z.D[i+z.N-x.N] > 1 {
			return true
		}
	}
	return false
}

// mostSteps is how many steps an address is followed: there may be two ways at each.
const mostSteps = 8

// forAddresses reports whether v is needed for addresses and masks only, which are seldom computed.
func (p *Schedule) forAddresses(v *ir.Value, depth int) bool {
	if depth > mostSteps {
		return false
	}
	return !slices.ContainsFunc(p.Of(v).Users, func(u *ir.Value) bool {
		switch {
		case u.Op == ir.PtrAdd, u.IsMemory() && v == u.Memory().Mask:
			return false
		case u.Type.IsTile() && (u.Type.D.IsInt() || u.Type.D == dtype.Bool) && Lazy(u) && u.Op != op.Load:
			return !p.forAddresses(u, depth+1)
		}
		return true
	})
}

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
	f := p.allForms().Of(v.Memory().Ptr)
	return f.Ok && f.Base >= 0 && f.Coef[inner] != nil && !f.Coef[inner].IsConst(1)
}
