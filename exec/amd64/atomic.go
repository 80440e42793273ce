package amd64

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Atomics are one lane after the other, in order. Code first looks whether all lanes that are to be
// exchanged lie inside the tensor; if not, or if the tensor has gaps, Go does the whole of it, up
// to the lane that fails.

// atomic translates a read-modify-write of a tile, or of a scalar.
func (g *gen) atomic(v *ir.Value) {
	g.effects = true
	c := g.callOf(v)
	change := g.exchangeOf(v)
	if change == nil {
		g.leaveTo(c)
		return
	}
	a := atomics{gen: g, call: c, n: v.Args[0].Type.Shape.Len(), size: v.Type.D.Size(), change: change}
	aside, done := g.NewLabel(), g.NewLabel()
	a.look(aside)
	a.exchange()
	g.Jump(asm.JMP, done)
	g.Bind(aside)
	g.CallOut(g.helper(c.helper))
	g.Bind(done)
	g.scalarsOf(c)
}

// atomics is the code of one atomic.
type atomics struct {
	*gen
	*call
	n, size int
	change  func(old, val lir.Reg) lir.Reg
}

// operand is where lane j of an operand lies, nil if there is none.
func (a *atomics) operand(x *ir.Value, j lir.Reg) lir.Arg {
	b := a.in[slices.Index(a.v.Args, x)]
	return lir.FrameIndex(j, b.cell, b.off)
}

// eachLane runs first for all lanes, and body for those that the mask lets through.
func (a *atomics) eachLane(first, body func(j lir.Reg)) {
	mask := a.v.Memory().Mask
	a.UpTo(a.n, 1, func(j lir.Reg) {
		next := a.NewLabel()
		first(j)
		if mask != nil {
			a.Use(asm.CMP, a.operand(mask, j).Sized(1), lir.Imm(0))
			a.Jump(asm.JE, next)
		}
		body(j)
		a.Bind(next)
	})
}

// look jumps aside if a lane that counts lies outside, or may.
func (a *atomics) look(aside int) {
	arg := argOffset(a.tensor)
	a.Use(asm.CMP, lir.Frame(arg+argGaps).Sized(8), lir.Imm(0))
	a.Jump(asm.JNE, aside)
	span := a.Word(arg + argSpan)
	a.eachLane(func(lir.Reg) {}, func(j lir.Reg) {
		a.Use(asm.CMP, a.R64(span), a.operand(a.v.Args[0], j)) // a negative offset is a large one
		a.Jump(asm.JBE, aside)
	})
}

// exchange changes memory, and keeps what was there.
func (a *atomics) exchange() {
	m, out := a.v.Memory(), a.out[0]
	base := a.Word(argOffset(a.tensor))
	result := func(j lir.Reg) lir.Arg { return lir.FrameIndex(j, out.cell, out.off) }
	clear := func(j lir.Reg) { a.Use(asm.MOV, result(j).Sized(a.size), lir.Imm(0)) }
	a.eachLane(clear, func(j lir.Reg) {
		at, val := a.NewReg(lir.GPR), a.lane(m.Val, j)
		a.Def(asm.LEA, a.R64(at), lir.MemIndex(base, a.LoadInt(a.operand(m.Ptr, j)), a.size, 0))
		keep := func(old lir.Reg) { a.Use(asm.MOV, result(j), a.sizedReg(old)) }
		switch {
		case m.Cmp != nil && a.v.Type.D.IsFloat():
			a.swapFloat(at, a.lane(m.Cmp, j), val, keep)
		case m.Cmp != nil:
			keep(a.compareExchange(at, a.lane(m.Cmp, j), val))
		case a.v.Op == op.AtomicAdd && a.v.Type.D.IsInt():
			a.ExchangeAdd(lir.Mem(at, 0), a.sizedReg(val))
			keep(val)
		default:
			old := a.NewReg(lir.GPR)
			a.Def(asm.MOV, a.sizedReg(old), lir.Mem(at, 0))
			again := a.NewLabel()
			l := a.BeginLoop()
			a.Bind(again)
			seen := a.compareExchange(at, old, a.change(old, val))
			keep(seen)
			a.Use(asm.CMP, a.sizedReg(seen), a.sizedReg(old))
			a.Move64(old, seen)
			a.Jump(asm.JNE, again)
			a.EndLoop(l)
			a.Spend(lir.CostAtomic / 1000)
		}
	})
}

// swapFloat puts val where want is found, or where both are NaN: then it asks for the very NaN that it has seen.
func (a *atomics) swapFloat(at, want, val lir.Reg, keep func(lir.Reg)) {
	again, done := a.NewLabel(), a.NewLabel()
	l := a.BeginLoop()
	a.Bind(again)
	seen := a.compareExchange(at, want, val)
	keep(seen)
	a.Use(asm.CMP, a.sizedReg(seen), a.sizedReg(want))
	a.Jump(asm.JE, done)
	a.unlessNaN(seen, done)
	a.unlessNaN(want, done)
	a.Move64(want, seen)
	a.Jump(asm.JMP, again)
	a.EndLoop(l)
	a.Bind(done)
	a.Spend(lir.CostAtomic / 1000)
}

// unlessNaN jumps to label if a float's bits are no NaN's: without their sign not above infinity's.
func (a *atomics) unlessNaN(x lir.Reg, label int) {
	infinity := dtype.FromFloat(a.v.Type.D, math.Inf(1))
	twice := a.CopyInt(x)
	a.RMW(asm.ADD, a.sizedReg(twice), a.sizedReg(twice))
	a.Use(asm.CMP, a.sizedReg(twice), a.sizedReg(a.NewInt(int64(2*infinity))))
	a.Jump(asm.JBE, label)
}

// lane is the bits of lane j of an operand.
func (a *atomics) lane(x *ir.Value, j lir.Reg) lir.Reg {
	r := a.NewReg(lir.GPR)
	a.Def(asm.MOV, a.sizedReg(r), a.operand(x, j))
	return r
}

// sizedReg is as much of a register as an element has.
func (a *atomics) sizedReg(r lir.Reg) lir.Arg { return a.VW(r, a.size) }

// compareExchange puts new where old is found, at an address, and gives what was found.
func (a *atomics) compareExchange(at, old, new lir.Reg) lir.Reg {
	found := a.NewReg(lir.GPR)
	a.Unit.CompareExchange(found, at, old, new, a.size)
	return found
}

// exchangeOf is what comes of what is in memory, and a lane's value; nil if code has no
// way for it.
func (g *gen) exchangeOf(v *ir.Value) func(old, val lir.Reg) lir.Reg {
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
	case combine == op.Add && d.IsFloat():
		move, add := asm.VMOVD, asm.VADDSS
		if d == dtype.Float64 {
			move, add = asm.VMOVQ, asm.VADDSD
		}
		return func(old, val lir.Reg) lir.Reg {
			x, y, z, r := g.NewVec(), g.NewVec(), g.NewVec(), g.NewReg(lir.GPR)
			g.Def(move, g.VW(x, 16), sized(old))
			g.Def(move, g.VW(y, 16), sized(val))
			g.Def(add, g.VW(z, 16), g.VW(x, 16), g.VW(y, 16))
			g.Def(move, sized(r), g.VW(z, 16))
			return r
		}
	case d.IsFloat():
		return nil
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
