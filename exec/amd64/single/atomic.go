package single

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/swap"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Atomic is an atomic of one integer, and reports whether v is one. What lies outside the tensor, or in a gap, is left
// to aside, which puts what was there into a register.
func (s *Elements) Atomic(v *ir.Value, aside func(old lir.Arg)) bool {
	g := s.g
	f, ok := s.isSingle(v)
	e := swap.Element{Builder: g.Builder, D: v.Type.D}
	change := swap.Of(g.Builder, v)
	if !ok || v.Type.IsTile() || !e.D.IsInt() || change == nil {
		return false
	}
	g.Force(f)
	a := atomic{Element: e, v: v, change: change, used: len(g.Plan.Of(v).Users) > 0, old: g.NewReg(lir.GPR)}
	a.val = g.IntReg(v.Memory().Val) // all scalars first
	if cmp := v.Memory().Cmp; cmp != nil {
		a.want = g.IntReg(cmp)
	}
	rare, locked, done, before := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.Here()
	a.at = s.place(f, e.D.Size())
	s.checkSingle(v, f, rare)
	g.Use(asm.CMP, lir.Frame(scalar.OffAlone).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, locked)
	a.replace()
	g.Jump(asm.JMP, done)
	g.Bind(locked)
	a.exchange()
	ns := g.WorkSince(before)
	g.Jump(asm.JMP, done)
	g.BindCold(rare)
	g.InCold(func() { aside(e.Sized(a.old)) })
	g.Bind(done)
	g.Spent(ns)
	if a.used {
		g.Ints[v] = g.Extend(e.D, a.old)
	}
	return true
}

// An atomic is one of an element at some place.
type atomic struct {
	swap.Element
	v              *ir.Value
	change         func(old, val lir.Reg) lir.Reg
	used           bool // what was in memory is looked at
	at             lir.Arg
	val, want, old lir.Reg
}

// address is where the element is, in a register.
func (a *atomic) address() lir.Reg {
	g := a.Builder
	r := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(r), a.at)
	return r
}

// replace changes the element where nobody else exchanges elements.
func (a *atomic) replace() {
	g := a.Builder
	if a.v.Op == op.AtomicAdd && !a.used {
		g.Use(asm.ADD, a.at, a.Sized(a.val))
		return
	}
	g.Def(asm.MOV, a.Sized(a.old), a.at)
	if a.want != 0 {
		a.ReplaceEqual(a.address(), g.CopyInt(a.old), a.want, a.val)
		return
	}
	g.Use(asm.MOV, a.at, a.Sized(a.change(a.old, a.val)))
}

// exchange changes it where others may.
func (a *atomic) exchange() {
	g := a.Builder
	switch {
	case a.want != 0:
		g.Move64(a.old, a.CompareExchange(a.address(), a.want, a.val))
	case a.v.Op == op.AtomicAdd:
		g.Move64(a.old, a.val)
		g.ExchangeAdd(a.at, a.Sized(a.old))
	default:
		at, again := a.address(), g.NewLabel()
		g.Def(asm.MOV, a.Sized(a.old), a.at)
		l := g.BeginLoop()
		g.Bind(again)
		last := g.CopyInt(a.old)
		g.Move64(a.old, a.CompareExchange(at, last, a.change(last, a.val)))
		g.Use(asm.CMP, a.Sized(a.old), a.Sized(last))
		g.Jump(asm.JNE, again)
		g.EndLoop(l)
		g.Spend(lir.CostAtomic / 1000)
	}
}
