package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Integers between general registers and lanes.

// Extend is the low bits of x as a value of integer type d.
func (g *Vectors) Extend(d dtype.DType, x lir.Reg) lir.Reg {
	r := g.NewReg(lir.GPR)
	switch d {
	case dtype.Bool:
		g.Move64(r, x)
		g.RMW(asm.AND, g.R64(r), lir.Imm(1))
	case dtype.Int8:
		g.Def(asm.MOVSX, g.R64(r), g.R8(x))
	case dtype.Int16:
		g.Def(asm.MOVSX, g.R64(r), g.R16(x))
	case dtype.Int32:
		g.Def(asm.MOVSXD, g.R64(r), g.R32(x))
	case dtype.Uint8:
		g.Def(asm.MOVZX, g.R32(r), g.R8(x))
	case dtype.Uint16:
		g.Def(asm.MOVZX, g.R32(r), g.R16(x))
	case dtype.Uint32:
		g.Def(asm.MOV, g.R32(r), g.R32(x))
	default:
		g.Move64(r, x)
	}
	return r
}

// FirstInt is the first lane of an integer or bool vector as a scalar.
func (g *Vectors) FirstInt(x Lanes) lir.Reg {
	r, src := g.NewReg(lir.GPR), g.Reg(x, 0)
	switch {
	case x.D == dtype.Bool && g.EVEX:
		g.Def(asm.KMOVW, g.R32(r), g.K(src))
		g.RMW(asm.AND, g.R32(r), lir.Imm(1))
	case x.D == dtype.Bool:
		g.Def(asm.VMOVD, g.R32(r), g.VW(src, 16))
		g.RMW(asm.AND, g.R32(r), lir.Imm(1))
	case Wide(x.D):
		g.Def(asm.VMOVQ, g.R64(r), g.VW(src, 16))
	default:
		g.Def(asm.VMOVD, g.R32(r), g.VW(src, 16))
		if x.D.IsSigned() {
			s := g.NewReg(lir.GPR)
			g.Def(asm.MOVSXD, g.R64(s), g.R32(r))
			return s
		}
	}
	return r
}

// SplatInt is a general register in all lanes.
func (g *Vectors) SplatInt(d dtype.DType, x lir.Reg) Lanes {
	if d == dtype.Bool {
		return g.SplatBool(x)
	}
	r := g.NewVec()
	o, src := asm.VPBROADCASTD, g.R32(x)
	if Wide(d) {
		o, src = asm.VPBROADCASTQ, g.R64(x)
	}
	if g.EVEX {
		g.Def(o, g.V(r), src)
		return Lanes{D: d, R: [2]lir.Reg{r, r}}
	}
	t := g.NewVec()
	if Wide(d) {
		g.Def(asm.VMOVQ, g.VW(t, 16), src)
	} else {
		g.Def(asm.VMOVD, g.VW(t, 16), src)
	}
	g.Def(o, g.V(r), g.VW(t, 16))
	return Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// LoadScalar is an integer in memory, extended to 64 bits; a bool becomes 0 or 1.
func (g *Vectors) LoadScalar(d dtype.DType, a lir.Arg) lir.Reg {
	r := g.NewReg(lir.GPR)
	switch d {
	case dtype.Int8:
		g.Def(asm.MOVSX, g.R64(r), a.Sized(1))
	case dtype.Int16:
		g.Def(asm.MOVSX, g.R64(r), a.Sized(2))
	case dtype.Uint16:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(2))
	case dtype.Int32:
		g.Def(asm.MOVSXD, g.R64(r), a)
	case dtype.Uint32:
		g.Def(asm.MOV, g.R32(r), a)
	case dtype.Bool:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(1))
		return g.SetIf(asm.SETNE, r, lir.Imm(0))
	case dtype.Uint8:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(1))
	default:
		g.Def(asm.MOV, g.R64(r), a)
	}
	return r
}
