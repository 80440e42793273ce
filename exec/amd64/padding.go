package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// rowPads is the padding of a row, which is computed only in rows that have any.
func (n *nest) rowPads(vs []*ir.Value, m affine.Axes, size int) (pads []lanes) {
	g := n.g
	for _, v := range vs {
		n.padLeaves(v, m)
	}
	full := g.newLabel()
	_, hi := n.bounds(n.inner())
	g.use(asm.CMP, g.r64(g.inReg(n.rowEnd(hi))), imm(int64(size)))
	g.jump(asm.JGE, full)
	for _, v := range vs {
		x := n.pad(v, m)
		if !x.known {
			x = g.variable(x)
		}
		pads = append(pads, x)
	}
	g.bind(full)
	return pads
}

// inReg is an integer operand in a register.
func (g *gen) inReg(a arg) reg {
	if a.kind == regArg {
		return a.r
	}
	r := g.newReg(gpr)
	g.move(r, a)
	return r
}

// existing is the mask of the block's lanes below size, nil if all are.
func (n *nest) existing(size int) *lanes {
	g := n.g
	if size%(n.unroll*g.step()) == 0 {
		return nil
	}
	z := g.compare(op.Lt, dtype.Int32, n.indexLanes(n.inner(), n.body()), g.constLanes(dtype.Int32, uint64(size)))
	return &z
}

// reductionDomain is what a reduction's loops can be restricted to: boxes that begin
// at 0, because the partial of an element is its index's. Index streams go everywhere.
func (n *nest) reductionDomain(r *reducer, m affine.Axes) (atoms []affine.Atom) {
	if r.index {
		return nil
	}
	atoms, _ = n.commonLimits(r.in, m)
	var z []affine.Atom
	for _, a := range atoms {
		if a.Hi != nil {
			z = append(z, a)
		}
	}
	return z
}

// padding combines the blocks behind the domain, all of them padding.
func (n *nest) padding(r *reducer, accs []*accumulator, pads []lanes, size int) {
	g := n.g
	round := n.unroll * g.step()
	whole := size / round * round
	end, top, rest := g.newLabel(), g.newLabel(), g.newLabel()
	// next is where the domain ends in this row, rounded up to whole rounds.
	_, hi := n.bounds(n.inner())
	bound, next := g.newReg(gpr), g.newReg(gpr)
	g.move(bound, n.rowEnd(hi))
	zero := g.newInt(0)
	g.use(asm.CMP, g.r64(bound), imm(0))
	g.rmw(asm.CMOVL, g.r64(bound), g.r64(zero))
	g.def(asm.LEA, g.r64(next), mem(bound, round-1))
	g.rmw(asm.AND, g.r64(next), imm(int64(-round)))
	limit := g.newInt(int64(whole))
	if r.once {
		g.limitTo(next, limit, round)
	} else if r.v.Op == op.Sum || r.v.Op == op.XorSum {
		g.onceIfZero(pads[0], next, limit, round)
	}
	g.use(asm.CMP, g.r64(next), g.r64(limit))
	g.jump(asm.JGE, rest)
	l := g.beginLoop()
	g.bind(top)
	before := g.cur.last
	for _, a := range accs {
		g.take(r, a, append([]lanes(nil), pads...), nil)
	}
	later := g.spendRound(g.workSince(before), whole/round)
	g.rmw(asm.ADD, g.r64(next), imm(int64(round)))
	g.use(asm.CMP, g.r64(next), g.r64(limit))
	g.jump(asm.JL, top)
	g.endLoop(l)
	g.spent(later)
	g.bind(rest)
	if left := size - whole; left > 0 {
		g.use(asm.CMP, g.r64(bound), imm(int64(whole)))
		g.jump(asm.JG, end)
		for i, a := range accs {
			if c := left - i*g.step(); c > 0 {
				mask := g.newMask()
				g.setFirstLanes(mask, g.newInt(int64(c)))
				g.take(r, a, append([]lanes(nil), pads...), &mask)
			}
		}
	}
	g.bind(end)
}

// limitTo lowers limit so that at most one round follows next.
func (g *gen) limitTo(next, limit reg, round int) {
	t := g.newReg(gpr)
	g.def(asm.LEA, g.r64(t), mem(next, round))
	g.use(asm.CMP, g.r64(t), g.r64(limit))
	g.rmw(asm.CMOVL, g.r64(limit), g.r64(t))
}

// onceIfZero does so if the padding is a zero, of either sign.
func (g *gen) onceIfZero(pad lanes, next, limit reg, round int) {
	skip := g.newLabel()
	bits := g.firstInt(pad.rawInt())
	if pad.d.IsFloat() {
		if wide(pad.d) {
			g.rmw(asm.ADD, g.r64(bits), g.r64(bits))
		} else {
			g.rmw(asm.ADD, g.r32(bits), g.r32(bits))
		}
	}
	g.use(asm.TEST, g.r64(bits), g.r64(bits))
	g.jump(asm.JNE, skip)
	g.limitTo(next, limit, round)
	g.bind(skip)
}

// rawInt is lanes' bits as unsigned integers.
func (x lanes) rawInt() lanes {
	if wide(x.d) {
		x.d = dtype.Uint64
	} else {
		x.d = dtype.Uint32
	}
	return x
}
