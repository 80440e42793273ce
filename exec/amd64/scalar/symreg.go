package scalar

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
)

// Scalars are the scalars of a Func, and what addresses and masks make of them: syms in registers, and the conditions
// without which forms and boxes do not hold.
type Scalars struct {
	*scopes
	Syms  *affine.Syms
	Forms *affine.Forms
	Boxes *affine.Boxes

	symRegs   symRegs
	Once      *lir.Seq // code that runs ahead of all instances of a call: conditions that are the same for all of a launch
	Entry     *lir.Seq // code that runs first in each instance: conditions of boxes
	entryRegs symRegs  // in entry
	required  map[affine.CondKey]bool
	rooms     map[room]int    // words of the frame that are set once a call
	Effects   bool            // the instance may have done what must not be done twice
	Around    []affine.Around // the control flow that is open, outermost first
	Bail      int             // label: this instance goes to the portable engine
	cold      *coldCode       // not nil in code that may be jumped over
	rounds    *Rounds         // of the loop that is being written, if it has nothing but single elements
}

// New is for a Func whose code b writes.
func New(b *elementwise.Builder, f *ir.Func) *Scalars {
	s := newScopes(b, f)
	g := &Scalars{scopes: s, Syms: affine.NewSyms(s.DepthOf), required: map[affine.CondKey]bool{}, rooms: map[room]int{}}
	g.Forms = affine.NewForms(g.Syms, f)
	g.Boxes = affine.NewBoxes(g.Forms, func(c affine.Cond) bool { _, _, ok := g.checkable(c); return !ok })
	return g
}

// coldCode is what was computed in code that is jumped over, and must not be relied
// on after it.
type coldCode struct {
	syms  []*affine.Sym
	tiles []*ir.Value
	conds []affine.CondKey
}

// WhereCold writes code that may be jumped over, and gives the tiles that were noted in it.
func (g *Scalars) WhereCold(f func()) (tiles []*ir.Value) {
	outer := g.cold
	g.cold = &coldCode{}
	f()
	for _, x := range g.cold.syms {
		g.symRegs.hold(x, 0)
	}
	for _, c := range g.cold.conds {
		delete(g.required, c)
	}
	tiles, g.cold = g.cold.tiles, outer
	return tiles
}

// IsCold reports whether the code that is being written may be jumped over.
func (g *Scalars) IsCold() bool { return g.cold != nil }

// NoteCold notes a tile that is computed where isCold.
func (g *Scalars) NoteCold(v *ir.Value) { g.cold.tiles = append(g.cold.tiles, v) }

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

// SymReg is the general register that holds x, computed where it first can be.
func (g *Scalars) SymReg(x *affine.Sym) lir.Reg {
	if r := g.symRegs.of(x); r != 0 {
		return r
	}
	if x.Kind == affine.Value {
		return g.IntReg(x.V)
	}
	g.At(x.Depth, func() { g.symRegs.hold(x, g.computeSym(x)) })
	if g.cold != nil && x.Depth == len(g.Enclosing)-1 {
		g.cold.syms = append(g.cold.syms, x)
	}
	return g.symRegs.of(x)
}

func (g *Scalars) computeSym(x *affine.Sym) lir.Reg {
	switch x.Kind {
	case affine.Const:
		return g.NewInt(x.N)
	case affine.Sum:
		if x.B.Kind == affine.Const && x.B.N == int64(int32(x.B.N)) {
			r := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(r), lir.Mem(g.SymReg(x.A), int(x.B.N)))
			return r
		}
		for _, t := range [][2]*affine.Sym{{x.A, x.B}, {x.B, x.A}} {
			if t[1].Kind == affine.Product && t[1].B.IsConst(-1) {
				return g.BinInt(asm.SUB, g.SymReg(t[0]), g.R64(g.SymReg(t[1].A)))
			}
		}
		r := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(r), lir.MemIndex(g.SymReg(x.A), g.SymReg(x.B), 1, 0))
		return r
	case affine.Product:
		return g.mulSym(x)
	}
	xa, xb := x.A, x.B
	if xa.Kind == affine.Const {
		xa, xb = xb, xa // an extremum is the same either way round
	}
	a, b := g.SymReg(xa), g.SymArg(xb)
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

func (g *Scalars) mulSym(x *affine.Sym) lir.Reg {
	a := g.SymReg(x.A)
	r := g.NewReg(lir.GPR)
	switch n := x.B.N; {
	case x.B.Kind != affine.Const:
		g.Move64(r, a)
		g.RMW(asm.IMUL, g.R64(r), g.R64(g.SymReg(x.B)))
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

// SymArg is x as an operand: a constant that fits 32 bits, or its register.
func (g *Scalars) SymArg(x *affine.Sym) lir.Arg {
	if x.Kind == affine.Const && x.N == int64(int32(x.N)) {
		return lir.Imm(x.N)
	}
	return g.R64(g.SymReg(x))
}

// Force computes all scalars of a form and its conditions, which include those of their own forms.
func (g *Scalars) Force(f *affine.Form) {
	g.forceScalars(f)
	for _, c := range f.Conds {
		g.forceScalars(c.Form)
		if c.Below != nil {
			g.SymReg(c.Below)
		}
	}
}

func (g *Scalars) forceScalars(f *affine.Form) {
	g.SymReg(f.Start)
	for _, c := range f.Coef {
		if c != nil && c.Kind != affine.Const {
			g.SymReg(c)
		}
	}
}

// AddScaled adds x·size to r.
func (g *Scalars) AddScaled(r lir.Reg, x *affine.Sym, size int64) {
	if x.Kind == affine.Const {
		g.AddConst(r, x.N*size)
		return
	}
	g.Def(asm.LEA, g.R64(r), lir.MemIndex(r, g.SymReg(x), int(size), 0))
}
