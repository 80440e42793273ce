package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Lanes of 32 and of 64 bits made of each other.

// Widened extends 32-bit lanes to two registers of 64-bit ones.
func (g *Vectors) Widened(to dtype.DType, o asm.Op, x Lanes) Lanes {
	half := g.Bytes / 2
	src := g.Reg(x, 0)
	z := Lanes{D: to}
	z.R[0], z.R[1] = g.NewVec(), g.NewVec()
	g.Def(o, g.V(z.R[0]), g.VW(src, half))
	hi := g.NewVec()
	if g.EVEX {
		g.Def(asm.VEXTRACTI64X4, g.VW(hi, half), g.V(src), lir.Imm(1))
	} else {
		g.Def(asm.VEXTRACTI128, g.VW(hi, half), g.V(src), lir.Imm(1))
	}
	g.Def(o, g.V(z.R[1]), g.VW(hi, half))
	return z
}

// Narrowed keeps the low words of 64-bit lanes.
func (g *Vectors) Narrowed(to dtype.DType, x Lanes) Lanes {
	if !g.EVEX {
		r := g.packHalves(g.Reg(x, 0), g.Reg(x, 1))
		return Lanes{D: to, R: [2]lir.Reg{r, r}}
	}
	return g.Joined(to, func(i, half int) lir.Reg {
		r := g.NewVec()
		g.Def(asm.VPMOVQD, g.VW(r, half), g.V(g.Reg(x, i)))
		return r
	})
}

// Joined makes one register of 32-bit lanes from two halves, each made by f in a
// register of half the width.
func (g *Vectors) Joined(d dtype.DType, f func(i, half int) lir.Reg) Lanes {
	half := g.Bytes / 2
	lo, hi := f(0, half), f(1, half)
	r := g.NewVec()
	o := asm.VINSERTI128
	if g.EVEX {
		o = asm.VINSERTI64X4
	}
	g.Def(o, g.V(r), g.V(lo), g.VW(hi, half), lir.Imm(1))
	return Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// packHalves is the low words of eight 64-bit lanes in two registers, as 32-bit
// lanes in order.
func (g *Vectors) packHalves(lo, hi lir.Reg) lir.Reg {
	t, r := g.NewVec(), g.NewVec()
	g.Def(asm.VSHUFPS, g.V(t), g.V(lo), g.V(hi), lir.Imm(0x88))
	g.Def(asm.VPERMQ, g.V(r), g.V(t), lir.Imm(0xd8))
	return r
}

// packWords puts the low words of eight 32-bit lanes, unsigned and below 2^16, into a
// 128-bit register.
func (g *Vectors) packWords(dst, src lir.Reg) {
	t := g.NewVec()
	g.Def(asm.VPACKUSDW, g.V(t), g.V(src), g.V(src))
	u := g.NewVec()
	g.Def(asm.VPERMQ, g.V(u), g.V(t), lir.Imm(0x08))
	g.Def(asm.VMOVDQA, g.VW(dst, 16), g.VW(u, 16))
}
