package scalar

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Combine is what a reduction or scan combines elements of its streams by. If live is not nil, it is what is computed
// of a lane function.
func Combine(g *Scalars, v *ir.Value, live map[*ir.Value]bool) func(x, y []lane.Lanes) []lane.Lanes {
	if len(v.Blocks) > 0 {
		return func(x, y []lane.Lanes) []lane.Lanes { return lanesOfBlock(g, v.Blocks[0], live, slices.Concat(x, y)) }
	}
	return func(x, y []lane.Lanes) []lane.Lanes {
		return []lane.Lanes{g.Elementwise(v.Op.Row().Combine, v.Args[0].Type.D, x[0], y[0])}
	}
}

// lanesOfBlock is a lane function of the kernel's own, written out.
func lanesOfBlock(g *Scalars, b *ir.Block, live map[*ir.Value]bool, in []lane.Lanes) []lane.Lanes {
	vals := map[*ir.Value]lane.Lanes{}
	for i, a := range b.Args {
		vals[a] = in[i]
	}
	get := func(v *ir.Value) lane.Lanes {
		if x, ok := vals[v]; ok {
			return x
		}
		return g.Splat(v) // a scalar from outside, or a constant
	}
	for _, v := range b.Values {
		switch {
		case v.Op == ir.Yield:
			out := make([]lane.Lanes, len(v.Args))
			for i, a := range v.Args {
				if live == nil || live[a] {
					out[i] = get(a)
				}
			}
			return out
		case live != nil && !live[v]:
		case v.Op == op.Const:
			vals[v] = lane.Const(v.Type.D, v.Bits)
		default:
			a := make([]lane.Lanes, len(v.Args))
			for i := range a {
				a[i] = get(v.Args[i])
			}
			vals[v] = g.Apply(v, a)
		}
	}
	Refuse("a lane function that yields nothing")
	return nil
}
