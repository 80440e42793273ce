package pass

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// hoist takes pure values out of Fors and Loops whose operands come from outside.
// Tiles move too: their code is only written where it is needed. Out of a loop's branches,
// which may not run, integers alone move: what they take is little. What leaves the loop runs once anyway.
func hoist(f *ir.Func) { hoistBlock(f.Body) }

// hoistBlock works from the inside out, so that a value can leave several loops.
func hoistBlock(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			hoistBlock(inner)
		}
		if v.Op == ir.For || v.Op == ir.Loop {
			out = append(out, invariant(v.Blocks[0], map[*ir.Value]bool{}, pure)...)
		}
		out = append(out, v)
	}
	b.Values = out
}

// invariant removes from a block of a loop the values that may move and do not depend on what is inside the loop, which
// it adds to, and gives them in order.
func invariant(b *ir.Block, inside map[*ir.Value]bool, may func(v *ir.Value) bool) (moved []*ir.Value) {
	for _, a := range b.Args {
		inside[a] = true
	}
	kept := b.Values[:0]
	for _, v := range b.Values {
		if v.Op == ir.If {
			for _, side := range v.Blocks {
				if end := side.Values[len(side.Values)-1].Op; end != ir.Break && end != ir.Return {
					moved = append(moved, invariant(side, inside, little)...)
				}
			}
		}
		if may(v) && !slices.ContainsFunc(v.Args, func(a *ir.Value) bool { return inside[a] }) {
			moved = append(moved, v)
			continue
		}
		inside[v] = true
		kept = append(kept, v)
	}
	b.Values = kept
	return moved
}

// pure reports whether a value may be computed earlier.
func pure(v *ir.Value) bool {
	return v.Pure() && !v.IsTerm() && len(v.Blocks) == 0 && v.Op != ir.Result
}

// little reports whether a value may be computed earlier even if nobody asks for it: a number, or integer arithmetic,
// but no division.
func little(v *ir.Value) bool {
	switch {
	case !pure(v) || v.Type.IsTile() || v.Op == op.FloorDiv || v.Op == op.Mod:
		return false
	case v.Op == op.Const || v.Op == ir.PtrAdd:
		return true
	}
	return v.Type.D.IsInt() && (ir.Family(v.Op) == op.Elementwise || ir.Family(v.Op) == op.Change)
}
