package pass

import (
	"github.com/tiler-go/tiler/exec/ir"
)

// hoist takes pure values out of Fors and Loops whose operands come from outside.
// Tiles move too: their code is only written where it is needed.
func hoist(f *ir.Func) { hoistBlock(f.Body) }

// hoistBlock works from the inside out, so that a value can leave several loops.
func hoistBlock(b *ir.Block) {
	var out []*ir.Value
	for _, v := range b.Values {
		for _, inner := range v.Blocks {
			hoistBlock(inner)
		}
		if v.Op == ir.For || v.Op == ir.Loop {
			out = append(out, invariant(v.Blocks[0])...)
		}
		out = append(out, v)
	}
	b.Values = out
}

// invariant removes from a loop's block the values that do not depend on it, and
// gives them in order.
func invariant(b *ir.Block) (moved []*ir.Value) {
	inside := map[*ir.Value]bool{}
	for _, a := range b.Args {
		inside[a] = true
	}
	kept := b.Values[:0]
	for _, v := range b.Values {
		free := v.Pure() && !v.IsTerm() && len(v.Blocks) == 0 && v.Op != ir.Result
		for _, a := range v.Args {
			free = free && !inside[a]
		}
		if free {
			moved = append(moved, v)
			continue
		}
		inside[v] = true
		kept = append(kept, v)
	}
	b.Values = kept
	return moved
}
