package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
)

// Code for a sym is written when it is first needed, in the outermost scope where its parts exist,
// which takes address arithmetic out of loops.

// scalars are the scalars of a Func, and what addresses and masks make of them: syms in registers, and the conditions
// without which forms and boxes do not hold.
type scalars struct {
	*scopes
	syms  *affine.Syms
	forms *affine.Forms
	boxes *affine.Boxes

	symRegs   symRegs
	entry     *lir.Seq // code that runs first in each instance: conditions of boxes
	entryRegs symRegs  // in entry
	required  map[affine.CondKey]bool
	effects   bool            // the instance may have done what must not be done twice
	around    []affine.Around // the control flow that is open, outermost first
	bail      int             // label: this instance goes to the portable engine
	cold      *coldCode       // not nil in code that may be jumped over
}

func newScalars(s *scopes, f *ir.Func) *scalars {
	g := &scalars{scopes: s, syms: affine.NewSyms(s.depthOf), required: map[affine.CondKey]bool{}}
	g.forms = affine.NewForms(g.syms, f)
	g.boxes = affine.NewBoxes(g.forms, func(c affine.Cond) bool { _, _, ok := g.checkable(c); return !ok })
	return g
}

// coldCode is what was computed in code that is jumped over, and must not be relied
// on after it.
type coldCode struct {
	syms  []*affine.Sym
	tiles []*ir.Value
	conds []affine.CondKey
}

// symRegs are the registers in which syms are held, by their number.
type symRegs []lir.Reg

// of is the register that holds x, 0 if none does.
func (s symRegs) of(x *affine.Sym) lir.Reg {
	if x.ID < len(s) {
		return s[x.ID]
	}
	return 0
}

// hold says that r holds x.
func (s *symRegs) hold(x *affine.Sym, r lir.Reg) {
	for len(*s) <= x.ID {
		*s = append(*s, 0)
	}
	(*s)[x.ID] = r
}

// symReg is the general register that holds x, computed where it first can be.
func (g *scalars) symReg(x *affine.Sym) lir.Reg {
	if r := g.symRegs.of(x); r != 0 {
		return r
	}
	if x.Kind == affine.Value {
		return g.intReg(x.V)
	}
	g.at(x.Depth, func() { g.symRegs.hold(x, g.computeSym(x)) })
	if g.cold != nil && x.Depth == len(g.enclosing)-1 {
		g.cold.syms = append(g.cold.syms, x)
	}
	return g.symRegs.of(x)
}

func (g *scalars) computeSym(x *affine.Sym) lir.Reg {
	switch x.Kind {
	case affine.Const:
		return g.NewInt(x.N)
	case affine.Sum:
		if x.B.Kind == affine.Const && x.B.N == int64(int32(x.B.N)) {
			r := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(r), lir.Mem(g.symReg(x.A), int(x.B.N)))
			return r
		}
		for _, t := range [][2]*affine.Sym{{x.A, x.B}, {x.B, x.A}} {
			if t[1].Kind == affine.Product && t[1].B.IsConst(-1) {
				return g.BinInt(asm.SUB, g.symReg(t[0]), g.R64(g.symReg(t[1].A)))
			}
		}
		r := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(r), lir.MemIndex(g.symReg(x.A), g.symReg(x.B), 1, 0))
		return r
	case affine.Product:
		return g.mulSym(x)
	}
	xa, xb := x.A, x.B
	if xa.Kind == affine.Const {
		xa, xb = xb, xa // an extremum is the same either way round
	}
	a, b := g.symReg(xa), g.symArg(xb)
	r := g.NewReg(lir.GPR)
	g.Move(r, b)
	g.Use(asm.CMP, g.R64(a), b)
	if x.Kind == affine.Min {
		g.RMW(asm.CMOVL, g.R64(r), g.R64(a))
	} else {
		g.RMW(asm.CMOVG, g.R64(r), g.R64(a))
	}
	return r
}

func (g *scalars) mulSym(x *affine.Sym) lir.Reg {
	a := g.symReg(x.A)
	r := g.NewReg(lir.GPR)
	switch n := x.B.N; {
	case x.B.Kind != affine.Const:
		g.Move64(r, a)
		g.RMW(asm.IMUL, g.R64(r), g.R64(g.symReg(x.B)))
	case n == -1:
		g.Move64(r, a)
		g.RMW(asm.NEG, g.R64(r))
	case n > 0 && n&(n-1) == 0:
		g.Move64(r, a)
		g.RMW(asm.SHL, g.R64(r), lir.Imm(int64(lir.Log2(n))))
	case n == int64(int32(n)):
		g.Def(asm.IMUL, g.R64(r), g.R64(a), lir.Imm(n))
	default:
		g.SetImm(r, n)
		g.RMW(asm.IMUL, g.R64(r), g.R64(a))
	}
	return r
}

// symArg is x as an operand: a constant that fits 32 bits, or its register.
func (g *scalars) symArg(x *affine.Sym) lir.Arg {
	if x.Kind == affine.Const && x.N == int64(int32(x.N)) {
		return lir.Imm(x.N)
	}
	return g.R64(g.symReg(x))
}
