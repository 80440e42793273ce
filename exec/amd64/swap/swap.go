// Package swap is what an atomic does to one element. It knows no tiles and no lanes.
package swap

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Element writes code for elements of a type, whose bits are in general registers.
type Element struct {
	Builder *elementwise.Builder
	D       dtype.DType
}

// Sized is as much of a register as an element has.
func (e Element) Sized(r lir.Reg) lir.Arg { return e.Builder.VW(r, e.D.Size()) }

// SwapFloat puts val where want is found, or where both are NaN: then it asks for the very NaN that it has seen.
func (e Element) SwapFloat(at, want, val lir.Reg, keep func(lir.Reg)) {
	g := e.Builder
	again, done := g.NewLabel(), g.NewLabel()
	l := g.BeginLoop()
	g.Bind(again)
	seen := e.CompareExchange(at, want, val)
	keep(seen)
	g.Use(asm.CMP, e.Sized(seen), e.Sized(want))
	g.Jump(asm.JE, done)
	e.unlessNaN(seen, done)
	e.unlessNaN(want, done)
	g.Move64(want, seen)
	g.Jump(asm.JMP, again)
	g.EndLoop(l)
	g.Bind(done)
	g.Spend(lir.CostAtomic / 1000)
}

// unlessNaN jumps to label if a float's bits are no NaN's: without their sign not above infinity's.
func (e Element) unlessNaN(x lir.Reg, label int) {
	g := e.Builder
	infinity := dtype.FromFloat(e.D, math.Inf(1))
	twice := g.CopyInt(x)
	g.RMW(asm.ADD, e.Sized(twice), e.Sized(twice))
	g.Use(asm.CMP, e.Sized(twice), e.Sized(g.NewInt(int64(2*infinity))))
	g.Jump(asm.JBE, label)
}

// ReplaceEqual puts val where old, which is in memory, is what is wanted, or both are NaN. An integer is written in any
// case, as nobody else exchanges.
func (e Element) ReplaceEqual(at, old, want, val lir.Reg) {
	g := e.Builder
	equal, done := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, e.Sized(old), e.Sized(want))
	if e.D.IsInt() {
		g.RMW(asm.CMOVE, e.Sized(old), e.Sized(val))
	} else {
		g.Jump(asm.JE, equal)
		e.unlessNaN(old, done)
		e.unlessNaN(want, done)
		g.Bind(equal)
		g.Move64(old, val)
	}
	g.Use(asm.MOV, lir.Mem(at, 0), e.Sized(old))
	g.Bind(done)
}

// CompareExchange puts new where old is found, at an address, and gives what was found.
func (e Element) CompareExchange(at, old, new lir.Reg) lir.Reg {
	found := e.Builder.NewReg(lir.GPR)
	e.Builder.Unit.CompareExchange(found, at, old, new, e.D.Size())
	return found
}

// Of is what comes of what is in memory, and a lane's value; nil if code has no way for it.
func Of(g *elementwise.Builder, v *ir.Value) func(old, val lir.Reg) lir.Reg {
	d := v.Type.D
	size := d.Size()
	if size < 4 {
		return nil
	}
	sized := func(r lir.Reg) lir.Arg { return g.VW(r, size) }
	choose := func(signed, unsigned asm.Op) func(old, val lir.Reg) lir.Reg {
		o := unsigned
		if d.IsSigned() {
			o = signed
		}
		return func(old, val lir.Reg) lir.Reg {
			z := g.CopyInt(old)
			g.Use(asm.CMP, sized(val), sized(old))
			g.RMW(o, sized(z), sized(val))
			return z
		}
	}
	combine := v.Op.Row().Combine
	switch {
	case combine == op.None:
		return func(_, val lir.Reg) lir.Reg { return val }
	case d.IsFloat():
		move := lane.ByWidth(d, asm.VMOVD, asm.VMOVQ)
		float := func(bits lir.Reg) lane.Lanes {
			r := g.NewVec()
			g.Def(move, g.VW(r, 16), sized(bits))
			return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
		}
		return func(old, val lir.Reg) lir.Reg {
			r := g.NewReg(lir.GPR)
			g.Def(move, sized(r), g.VW(g.Prim(combine, d, float(old), float(val)).R[0], 16))
			return r
		}
	case combine == op.Maximum:
		return choose(asm.CMOVG, asm.CMOVA)
	case combine == op.Minimum:
		return choose(asm.CMOVL, asm.CMOVB)
	}
	o, ok := map[op.Op]asm.Op{op.Add: asm.ADD, op.And: asm.AND, op.Or: asm.OR, op.Xor: asm.XOR}[combine]
	if !ok {
		return nil
	}
	return func(old, val lir.Reg) lir.Reg {
		z := g.CopyInt(old)
		g.RMW(o, sized(z), sized(val))
		return z
	}
}
