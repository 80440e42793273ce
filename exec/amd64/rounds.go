package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/fuse"
)

// The inner loop of a nest: full rounds of blocks, then a partial one under masks.

// rowEnd is the end of the inner loop in the row at hand: its bound, or 0 in a row
// outside the domain.
func (n *nest) rowEnd(hi arg) arg {
	g := n.g
	var end reg
	for _, a := range n.atoms {
		if !n.rows || a.Dim == n.inner() {
			continue
		}
		if end == 0 {
			end = g.newReg(gpr)
			g.move(end, hi)
		}
		zero := g.newInt(0)
		size := g.syms.Constant(int64(n.shape.D[a.Dim]))
		if a.Hi != nil {
			g.use(asm.CMP, g.r64(n.index[a.Dim]), g.symArg(g.syms.Min(size, a.Hi)))
			g.rmw(asm.CMOVGE, g.r64(end), g.r64(zero))
		} else {
			g.use(asm.CMP, g.r64(n.index[a.Dim]), g.symArg(g.syms.Min(size, a.Lo)))
			g.rmw(asm.CMOVL, g.r64(end), g.r64(zero))
		}
	}
	if end == 0 {
		return hi
	}
	return g.r64(end)
}

// rounds is the inner loop up to a bound that is known when the code runs.
func (n *nest) rounds(hi arg, full, bypass, rest *seq, masks []lanes) {
	g, j := n.g, n.index[n.inner()]
	round := n.unroll * g.step()
	last := g.newReg(gpr) // full rounds begin at or below it
	g.move(last, hi)
	g.rmw(asm.SUB, g.r64(last), imm(int64(round)))
	partial, end := g.newLabel(), g.newLabel()
	g.use(asm.CMP, g.r64(j), g.r64(last))
	g.jump(asm.JG, partial)
	n.eitherWay(full, bypass, partial, func(body *seq) {
		n.repeat(body, round, n.shape.D[n.inner()]/round, g.r64(last))
	})
	g.bind(partial)
	count := g.newReg(gpr)
	g.move(count, hi)
	g.rmw(asm.SUB, g.r64(count), g.r64(j))
	g.jump(asm.JLE, end)
	n.partial(rest, masks, count)
	g.bind(end)
}

// repeat is a loop around a round's code, as long as rounds begin at or below last;
// there are count of them at most. If that takes long it is a loop of loops, with a look
// at the budget after each of these.
func (n *nest) repeat(body *seq, round, count int, last arg) {
	g, j := n.g, n.index[n.inner()]
	again := func(top int, last arg) {
		g.use(asm.CMP, g.r64(j), last)
		g.jump(asm.JLE, top)
	}
	once := work(body.first, laneLoop)
	some := max(1, maxUnseen/2/once) // rounds without a look
	long := count > 2*some
	here := last
	outer, l := 0, 0
	if long {
		outer = g.newLabel()
		l = g.beginLoop()
		g.bind(outer)
		r := g.newReg(gpr)
		g.def(asm.LEA, g.r64(r), mem(j, (some-1)*round))
		most := g.newReg(gpr)
		g.move(most, last)
		g.use(asm.CMP, g.r64(r), g.r64(most))
		g.rmw(asm.CMOVG, g.r64(r), g.r64(most))
		here = g.r64(r)
	}
	top := g.newLabel()
	inner := g.beginLoop()
	g.bind(top)
	g.append(body)
	g.rmw(asm.ADD, g.r64(j), imm(int64(round)))
	if count > 1 {
		again(top, here)
	}
	g.endLoop(inner)
	n.work = count * once
	if long {
		g.spend(some * once)
		g.poll()
		again(outer, last)
		g.endLoop(l)
		n.work = 0
	}
}

// eitherWay writes the loop over full rounds, and another one that bypasses the
// caches, if there is such, for when the tensor is large and the place aligned.
func (n *nest) eitherWay(full, bypass *seq, done int, loop func(body *seq)) {
	g := n.g
	if bypass == nil {
		loop(full)
		return
	}
	normal := g.newLabel()
	g.use(asm.CMP, frameAt(argOffset(fuse.TensorOf(n.stream.v.Memory().Ptr))+argStream).sized(8), imm(0))
	g.jump(asm.JE, normal)
	at, _ := n.address(n.stream, affine.Identity(n.shape))
	place := g.newReg(gpr)
	g.def(asm.LEA, g.r64(place), at)
	g.use(asm.TEST, g.r64(place), imm(int64(g.wide-1)))
	g.jump(asm.JNE, normal)
	loop(bypass)
	g.jump(asm.JMP, done)
	g.bind(normal)
	loop(full)
}

// partial is the last round, of fewer elements than a full one.
func (n *nest) partial(rest *seq, masks []lanes, count reg) {
	g := n.g
	for i, m := range masks {
		c := count
		if i > 0 {
			c = g.atLeastZero(count, i*g.step())
		}
		g.setFirstLanes(m, c)
	}
	n.work += work(rest.first, laneLoop)
	g.append(rest)
}

// staticRounds is the inner loop where its bounds are constants.
func (n *nest) staticRounds(lo, hi int, full, bypass, rest *seq, masks []lanes) {
	g := n.g
	round := n.unroll * g.step()
	count := max(0, hi-lo) / round
	if count > 0 {
		done := g.newLabel()
		n.eitherWay(full, bypass, done, func(body *seq) {
			n.repeat(body, round, count, imm(int64(lo+(count-1)*round)))
		})
		g.bind(done)
	}
	if left := hi - lo - count*round; left > 0 {
		n.partial(rest, masks, g.newInt(int64(left)))
	}
}

// emit is the code of one round of blocks; masks, if any, are their lanes.
func (n *nest) emit(sink func(), masks []lanes) *seq {
	body := n.body()
	round := &seq{}
	for i := range n.unroll {
		n.level[body], n.memo[body] = &seq{}, map[laneKey]lanes{}
		n.off = i * n.g.step()
		if masks != nil {
			n.tail = &masks[i]
		}
		n.at(body, sink)
		n.at(body, n.prefetchAhead)
		n.g.into(round, func() { n.g.append(n.level[body]) })
	}
	n.tail, n.off = nil, 0
	return round
}
