package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// Code for a sym is written when it is first needed, in the outermost scope where its parts exist,
// which takes address arithmetic out of loops.

// symReg is the general register that holds x, computed where it first can be.
func (g *gen) symReg(x *affine.Sym) reg {
	if r := g.symRegs[x]; r != 0 {
		return r
	}
	if x.Kind == affine.Value {
		return g.intReg(x.V)
	}
	g.at(x.Depth, func() { g.symRegs[x] = g.computeSym(x) })
	if g.cold != nil && x.Depth == len(g.scopes)-1 {
		g.cold.syms = append(g.cold.syms, x)
	}
	return g.symRegs[x]
}

func (g *gen) computeSym(x *affine.Sym) reg {
	switch x.Kind {
	case affine.Const:
		return g.newInt(x.N)
	case affine.Sum:
		if x.B.Kind == affine.Const && x.B.N == int64(int32(x.B.N)) {
			r := g.newReg(gpr)
			g.def(asm.LEA, g.r64(r), mem(g.symReg(x.A), int(x.B.N)))
			return r
		}
		for _, t := range [][2]*affine.Sym{{x.A, x.B}, {x.B, x.A}} {
			if t[1].Kind == affine.Product && t[1].B.IsConst(-1) {
				return g.binInt(asm.SUB, g.symReg(t[0]), g.r64(g.symReg(t[1].A)))
			}
		}
		r := g.newReg(gpr)
		g.def(asm.LEA, g.r64(r), memIndex(g.symReg(x.A), g.symReg(x.B), 1, 0))
		return r
	case affine.Product:
		return g.mulSym(x)
	}
	xa, xb := x.A, x.B
	if xa.Kind == affine.Const {
		xa, xb = xb, xa // an extremum is the same either way round
	}
	a, b := g.symReg(xa), g.symArg(xb)
	r := g.newReg(gpr)
	g.move(r, b)
	g.use(asm.CMP, g.r64(a), b)
	if x.Kind == affine.Min {
		g.rmw(asm.CMOVL, g.r64(r), g.r64(a))
	} else {
		g.rmw(asm.CMOVG, g.r64(r), g.r64(a))
	}
	return r
}

func (g *gen) mulSym(x *affine.Sym) reg {
	a := g.symReg(x.A)
	r := g.newReg(gpr)
	switch n := x.B.N; {
	case x.B.Kind != affine.Const:
		g.move64(r, a)
		g.rmw(asm.IMUL, g.r64(r), g.r64(g.symReg(x.B)))
	case n == -1:
		g.move64(r, a)
		g.rmw(asm.NEG, g.r64(r))
	case n > 0 && n&(n-1) == 0:
		g.move64(r, a)
		g.rmw(asm.SHL, g.r64(r), imm(int64(log2(n))))
	case n == int64(int32(n)):
		g.def(asm.IMUL, g.r64(r), g.r64(a), imm(n))
	default:
		g.setImm(r, n)
		g.rmw(asm.IMUL, g.r64(r), g.r64(a))
	}
	return r
}

func log2(n int64) int {
	k := 0
	for n > 1 {
		n >>= 1
		k++
	}
	return k
}

// symArg is x as an operand: a constant that fits 32 bits, or its register.
func (g *gen) symArg(x *affine.Sym) arg {
	if x.Kind == affine.Const && x.N == int64(int32(x.N)) {
		return imm(x.N)
	}
	return g.r64(g.symReg(x))
}
