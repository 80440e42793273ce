package store

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// pairs lets the nest of a store that rounds to bfloat16 do two blocks at a time: rounding, packing and storing 16
// elements as words takes as many instructions as eight as double words.
func pairs(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value) bool {
	const least = 4 // blocks of a row
	if g.EVEX || a.D != dtype.BFloat16 || val.Type.D != dtype.Float32 || len(n.Dims) == 0 || n.Row != nil {
		return false
	}
	if n.Shape.D[n.Inner()] < least*g.Lanes || n.Unroll > 1 || n.Late {
		return false
	}
	n.Unroll, n.Pairs = 2, true
	return true
}

// storePair stores two blocks of float32 lanes as bfloat16.
func storePair(g *nest.Nests, x, y lane.Lanes, at lir.Arg, streaming bool) {
	u, d := g.Unit, dtype.BFloat16
	apart, done := g.NewLabel(), g.NewLabel()
	nan := g.Reg(g.CompareFloat(lane.Unordered, dtype.Float32, x.As(dtype.Float32), y.As(dtype.Float32)), 0)
	u.Use(asm.VPTEST, g.V(nan), g.V(nan))
	u.Jump(asm.JNE, apart)
	z := roundWords(g, g.Reg(x, 0), g.Reg(y, 0))
	if streaming {
		u.Use(asm.VMOVNTPS, at.Sized(32), g.V(z))
	} else {
		u.Use(asm.VMOVUPS, at.Sized(32), g.V(z))
	}
	u.Jump(asm.JMP, done)
	u.BindCold(apart)
	for i, v := range []lane.Lanes{x, y} {
		if to := at.Plus(i * g.Lanes * d.Size()); streaming {
			g.StreamAs(d, v, to)
		} else {
			g.StoreAs(d, v, to, nil)
		}
	}
	u.Bind(done)
}

// roundWords is two registers of float32 lanes, none of them NaN, as bfloat16: their upper halves, and one more where
// the lower half is more than a half, or a half and the upper one is odd.
func roundWords(g *nest.Nests, x, y lir.Reg) lir.Reg {
	u := g.Unit
	op := func(o asm.Op, args ...lir.Arg) lir.Reg {
		r := g.NewVec()
		u.Def(o, append([]lir.Arg{g.V(r)}, args...)...)
		return r
	}
	halves := g.BytesConst([]byte{
		0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15,
	})
	splat := func(n uint64) lir.Arg { return g.Const64(n * 0x0001000100010001) }
	x, y = op(asm.VPSHUFB, g.V(x), halves), op(asm.VPSHUFB, g.V(y), halves)
	low, high := op(asm.VUNPCKLPD, g.V(x), g.V(y)), op(asm.VUNPCKHPD, g.V(x), g.V(y))
	odd := op(asm.VPAND, g.V(high), splat(1))
	least := g.NewVec()
	g.ZeroVec(least)
	least = op(asm.VPSUBW, g.V(least), g.V(odd))
	carry := op(asm.VPCMPGTW, g.V(op(asm.VPXOR, g.V(low), splat(0x8000))), g.V(least))
	return op(asm.VPERMQ, g.V(op(asm.VPSUBW, g.V(high), g.V(carry))), lir.Imm(0xd8))
}
