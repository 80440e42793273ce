package amd64

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
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
	aside, done := g.newLabel(), g.newLabel()
	a.look(aside)
	a.exchange()
	g.jump(asm.JMP, done)
	g.bind(aside)
	g.exit(g.helper(c.helper))
	g.bind(done)
	g.scalarsOf(c)
}

// atomics is the code of one atomic.
type atomics struct {
	*gen
	*call
	n, size int
	change  func(old, val reg) reg
}

// operand is where lane j of an operand lies, nil if there is none.
func (a *atomics) operand(x *ir.Value, j reg) arg {
	b := a.in[slices.Index(a.v.Args, x)]
	return frameIndex(j, b.cell, b.off)
}

// eachLane runs first for all lanes, and body for those that the mask lets through.
func (a *atomics) eachLane(first, body func(j reg)) {
	mask := a.v.Memory().Mask
	a.upTo(a.n, 1, func(j reg) {
		next := a.newLabel()
		first(j)
		if mask != nil {
			a.use(asm.CMP, a.operand(mask, j).sized(1), imm(0))
			a.jump(asm.JE, next)
		}
		body(j)
		a.bind(next)
	})
}

// look jumps aside if a lane that counts lies outside, or may.
func (a *atomics) look(aside int) {
	arg := argOffset(a.tensor)
	a.use(asm.CMP, frameAt(arg+argGaps).sized(8), imm(0))
	a.jump(asm.JNE, aside)
	span := a.word(arg + argSpan)
	a.eachLane(func(reg) {}, func(j reg) {
		a.use(asm.CMP, a.r64(span), a.operand(a.v.Args[0], j)) // a negative offset is a large one
		a.jump(asm.JBE, aside)
	})
}

// exchange changes memory, and keeps what was there.
func (a *atomics) exchange() {
	m, out := a.v.Memory(), a.out[0]
	base := a.word(argOffset(a.tensor))
	result := func(j reg) arg { return frameIndex(j, out.cell, out.off) }
	clear := func(j reg) { a.use(asm.MOV, result(j).sized(a.size), imm(0)) }
	a.eachLane(clear, func(j reg) {
		at, val := a.newReg(gpr), a.lane(m.Val, j)
		a.def(asm.LEA, a.r64(at), memIndex(base, a.loadInt(a.operand(m.Ptr, j)), a.size, 0))
		keep := func(old reg) { a.use(asm.MOV, result(j), a.sizedReg(old)) }
		switch {
		case m.Cmp != nil && a.v.Type.D.IsFloat():
			a.swapFloat(at, a.lane(m.Cmp, j), val, keep)
		case m.Cmp != nil:
			keep(a.compareExchange(at, a.lane(m.Cmp, j), val))
		case a.v.Op == op.AtomicAdd && a.v.Type.D.IsInt():
			a.add(inst{op: asm.XADD, lock: true, def: 2, use: 3, args: [4]arg{mem(at, 0), a.sizedReg(val)}})
			keep(val)
		default:
			old := a.newReg(gpr)
			a.def(asm.MOV, a.sizedReg(old), mem(at, 0))
			again := a.newLabel()
			l := a.beginLoop()
			a.bind(again)
			seen := a.compareExchange(at, old, a.change(old, val))
			keep(seen)
			a.use(asm.CMP, a.sizedReg(seen), a.sizedReg(old))
			a.move64(old, seen)
			a.jump(asm.JNE, again)
			a.endLoop(l)
			a.spend(costAtomic / 1000)
		}
	})
}

// swapFloat puts val where want is found, or where both are NaN: then it asks for the very NaN that it has seen.
func (a *atomics) swapFloat(at, want, val reg, keep func(reg)) {
	again, done := a.newLabel(), a.newLabel()
	l := a.beginLoop()
	a.bind(again)
	seen := a.compareExchange(at, want, val)
	keep(seen)
	a.use(asm.CMP, a.sizedReg(seen), a.sizedReg(want))
	a.jump(asm.JE, done)
	a.unlessNaN(seen, done)
	a.unlessNaN(want, done)
	a.move64(want, seen)
	a.jump(asm.JMP, again)
	a.endLoop(l)
	a.bind(done)
	a.spend(costAtomic / 1000)
}

// unlessNaN jumps to label if a float's bits are no NaN's: without their sign not above infinity's.
func (a *atomics) unlessNaN(x reg, label int) {
	infinity := dtype.FromFloat(a.v.Type.D, math.Inf(1))
	twice := a.copyInt(x)
	a.rmw(asm.ADD, a.sizedReg(twice), a.sizedReg(twice))
	a.use(asm.CMP, a.sizedReg(twice), a.sizedReg(a.newInt(int64(2*infinity))))
	a.jump(asm.JBE, label)
}

// lane is the bits of lane j of an operand.
func (a *atomics) lane(x *ir.Value, j reg) reg {
	r := a.newReg(gpr)
	a.def(asm.MOV, a.sizedReg(r), a.operand(x, j))
	return r
}

// sizedReg is as much of a register as an element has.
func (a *atomics) sizedReg(r reg) arg { return arg{kind: regArg, width: uint8(a.size), r: r} }

// compareExchange puts new where old is found, at an address, and gives what was found.
func (a *atomics) compareExchange(at, old, new reg) reg {
	found := a.newReg(gpr)
	a.add(inst{kind: exchange, def: 1, use: 14, n: a.size, args: [4]arg{a.r64(found), a.r64(at), a.r64(old), a.r64(new)}})
	return found
}

// exchangeOf is what comes of what is in memory, and a lane's value; nil if code has no
// way for it.
func (g *gen) exchangeOf(v *ir.Value) func(old, val reg) reg {
	d := v.Type.D
	size := d.Size()
	if size < 4 {
		return nil
	}
	sized := func(r reg) arg { return arg{kind: regArg, width: uint8(size), r: r} }
	choose := func(signed, unsigned asm.Op) func(old, val reg) reg {
		o := unsigned
		if d.IsSigned() {
			o = signed
		}
		return func(old, val reg) reg {
			z := g.copyInt(old)
			g.use(asm.CMP, sized(val), sized(old))
			g.rmw(o, sized(z), sized(val))
			return z
		}
	}
	combine := v.Op.Row().Combine
	switch {
	case combine == op.None:
		return func(_, val reg) reg { return val }
	case combine == op.Add && d.IsFloat():
		move, add := asm.VMOVD, asm.VADDSS
		if d == dtype.Float64 {
			move, add = asm.VMOVQ, asm.VADDSD
		}
		return func(old, val reg) reg {
			x, y, z, r := g.newVec(), g.newVec(), g.newVec(), g.newReg(gpr)
			g.def(move, g.vw(x, 16), sized(old))
			g.def(move, g.vw(y, 16), sized(val))
			g.def(add, g.vw(z, 16), g.vw(x, 16), g.vw(y, 16))
			g.def(move, sized(r), g.vw(z, 16))
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
	return func(old, val reg) reg {
		z := g.copyInt(old)
		g.rmw(o, sized(z), sized(val))
		return z
	}
}
