package fuse

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Walk visits v and what its lanes are computed of, each as it is read, and goes on to the operands of those for which
// visit returns true. atHand says that only elements that belong to the lanes at hand are read: addresses may be looked
// at ahead.
func Walk(v *ir.Value, visit func(r Read, atHand bool) bool) {
	type read struct {
		Read
		atHand bool
	}
	seen := map[read]bool{}
	var walk func(r read)
	walk = func(r read) {
		if !r.V.Type.IsTile() || seen[r] || !visit(r.Read, r.atHand) {
			return
		}
		seen[r] = true
		for _, a := range r.V.Args {
			next := read{Read{a, r.M}, r.atHand && r.V.Op != op.Load && r.V.Op != ir.Swizzle}
			if ir.Family(r.V.Op) == op.Shape {
				next.M = affine.Through(r.V, r.M)
			}
			walk(next)
		}
	}
	walk(read{Read{v, affine.Identity(v.Type.Shape)}, true})
}

// HasEffects reports whether control flow contains what must not be done twice.
func HasEffects(v *ir.Value) bool {
	for _, b := range v.Blocks {
		for _, w := range b.Values {
			if w.Writes() || w.Op == op.Print || w.IsControl() && HasEffects(w) {
				return true
			}
		}
	}
	return false
}

// Twin is the remainder beside a quotient, or the quotient beside a remainder, of the same operands: they are computed
// together. It is nil if there is none.
func (p *Schedule) Twin(v *ir.Value) *ir.Value {
	if d := v.Type.D; !d.IsInt() || d == dtype.Bool || d.Size() == 8 {
		return nil
	}
	for _, u := range p.Of(v.Args[0]).Users {
		divides := (u.Op == op.FloorDiv || u.Op == op.Mod) && u.Op != v.Op
		if divides && u.Type == v.Type && slices.Equal(u.Args, v.Args) && p.Of(u).Block == p.Of(v).Block {
			return u
		}
	}
	return nil
}

// Quotient is that beside a remainder: its Twin, or, of what is itself a quotient by a constant, that by the product of
// both constants. It is nil if there is none, or v is no remainder of up to 32 bits.
func Quotient(p *Schedule, v *ir.Value) *ir.Value {
	q, x, y := p.Twin(v), v.Args[0], affine.RepeatedConst(v.Args[1])
	if v.Op != op.Mod || q != nil || v.Type.D.Size() == 8 {
		return q
	}
	if x.Op != op.FloorDiv || y == nil || x.Type != v.Type || p.Of(x).Block != p.Of(v).Block {
		return nil
	}
	if a := affine.RepeatedConst(x.Args[1]); a != nil {
		return quotientBy(p, x.Args[0], v, product(a, y))
	}
	return nil
}

// quotientBy is a quotient of x by a number above 0 that is computed where v is.
func quotientBy(p *Schedule, x, v *ir.Value, by int64) *ir.Value {
	for _, u := range p.Of(x).Users {
		if u.Op != op.FloorDiv || u.Args[0] != x || u.Type != v.Type || p.Of(u).Block != p.Of(v).Block {
			continue
		}
		if c := affine.RepeatedConst(u.Args[1]); c != nil && by > 0 && dtype.ToInt(c.Type.D, c.Bits) == by {
			return u
		}
	}
	return nil
}

// product is that of positive constants of up to 32 bits, else 0.
func product(x, y *ir.Value) int64 {
	a, b := dtype.ToInt(x.Type.D, x.Bits), dtype.ToInt(y.Type.D, y.Bits)
	if min(a, b) <= 0 || max(a, b) > math.MaxInt32 {
		return 0
	}
	return a * b
}
