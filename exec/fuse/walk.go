package fuse

import (
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
