package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// Software pipelining of instances (fuse/overlap.go says of which) as code.

// A head is the code of an instance's head, written twice.
type head struct {
	own, next   *seq // for the instance itself, and for the one that follows
	early, late *seq // what comes after it, ahead of the gap and behind it
	abandoned   int  // label at the end of next
	ready       reg  // 1 if next has been done
	// given are the registers that the rest of the instance reads, and from those that
	// next has them in.
	given, from []reg
}

// head takes an instance's code apart, nil if it is not overlapped with the next one's.
// What it writes belongs ahead of the loop over instances.
func (g *gen) head(body *seq) *head {
	if g.plan.Overlap.Last == nil {
		return nil
	}
	h := &head{own: &seq{}, abandoned: g.newLabel()}
	h.late = body.cutBehind(g.gapAt)
	h.early = body.cutBehind(g.headEnd)
	g.into(h.own, func() { g.append(g.entry); g.append(body) })
	other := g.renamed(h.own)
	h.next = g.writeAgain(h.own, other, h.abandoned)
	read := map[reg]bool{}
	for _, s := range []*seq{h.early, h.late} {
		for _, in := range s.all() {
			in.reads(func(r reg) { read[r] = true })
		}
	}
	for _, in := range h.own.all() {
		in.writes(func(r reg) {
			if read[r] {
				read[r] = false
				h.given, h.from = append(h.given, r), append(h.from, other[r])
			}
		})
	}
	h.ready = g.newInt(0)
	for _, r := range h.from {
		g.clear(r)
	}
	return h
}

// cutBehind takes off what follows an instruction.
func (s *seq) cutBehind(at *inst) *seq {
	rest := &seq{at.next, s.last}
	if at.next == nil {
		rest.last = nil
	}
	at.next, s.last = nil, at
	return rest
}

// renamed gives another register for each that code writes.
func (g *gen) renamed(code *seq) map[reg]reg {
	other := map[reg]reg{}
	for _, in := range code.all() {
		in.writes(func(r reg) {
			if other[r] == 0 {
				other[r] = g.newReg(g.classes[r])
			}
		})
	}
	return other
}

// writeAgain is a copy of code, with other registers, which jumps to a label instead of
// leaving or writing to memory.
func (g *gen) writeAgain(code *seq, other map[reg]reg, abandoned int) *seq {
	labels, loops := map[int]int{}, map[int]int{}
	for _, in := range code.all() {
		if in.kind == labelMark {
			labels[in.n] = g.newLabel()
		}
	}
	z, dead := &seq{}, false // dead says that the code at hand is never reached
	tag := g.tag
	g.into(z, func() {
		for _, in := range code.all() {
			g.tag = in.tag
			switch {
			case in.kind == loopBegin:
				loops[in.n] = g.beginLoop()
			case in.kind == loopEnd:
				g.endLoop(loops[in.n])
			case in.kind == labelMark:
				g.bind(labels[in.n])
				dead = false
			case dead:
			case in.kind == helper, in.kind == leave, in.writesMemory():
				g.jump(asm.JMP, abandoned)
				dead = true
			case in.kind == jump:
				to, inside := labels[in.n]
				if !inside {
					to = abandoned
				}
				g.jump(in.op, to)
			default:
				g.add(in.rename(other))
			}
		}
	})
	g.tag = tag
	return z
}

// writesMemory reports whether an instruction does, other than to count the budget down.
func (in *inst) writesMemory() bool {
	a := in.args[0]
	if in.kind == exchange {
		return true
	}
	if in.kind != machine || a.kind != memArg && a.kind != frameArg {
		return false
	}
	switch in.op {
	case asm.CMP, asm.TEST, asm.PREFETCHT0, asm.PREFETCHT1, asm.PREFETCHW:
		return false
	}
	return a.kind != frameArg || a.n != offBudget || in.op != asm.SUB
}

// rename is a copy of an instruction with other registers.
func (in *inst) rename(other map[reg]reg) inst {
	z := *in
	z.next = nil
	name := func(r *reg) {
		if to := other[*r]; to != 0 {
			*r = to
		}
	}
	for i := range z.args {
		name(&z.args[i].r)
		name(&z.args[i].index)
	}
	name(&z.mask)
	return z
}

// overlapped writes an instance, and on its way the head of the next one, if that is the
// next along the first axis of the grid and is run by the same call.
func (g *gen) overlapped(h *head) {
	do, done, skip := g.newLabel(), g.newLabel(), g.newLabel()
	g.use(asm.TEST, g.r64(h.ready), g.r64(h.ready))
	g.jump(asm.JE, do)
	for i, r := range h.given {
		g.copyReg(r, h.from[i])
	}
	g.setImm(h.ready, 0)
	g.jump(asm.JMP, done)
	g.bind(do)
	g.append(h.own)
	g.bind(done)
	g.append(h.early)
	for _, w := range [][2]int{{offNext, offEnd}, {offID, offNum}} {
		x := g.loadInt(frameAt(w[0]))
		g.rmw(asm.ADD, g.r64(x), imm(1))
		g.use(asm.CMP, g.r64(x), frameAt(w[1]))
		g.jump(asm.JGE, skip)
	}
	g.use(asm.ADD, frameAt(offID).sized(8), imm(1))
	g.append(h.next)
	g.setImm(h.ready, 1)
	g.bind(h.abandoned)
	g.use(asm.SUB, frameAt(offID).sized(8), imm(1))
	g.bind(skip)
	g.append(h.late)
}

// copyReg copies a register to another of its class.
func (g *gen) copyReg(dst, src reg) {
	switch g.classes[dst] {
	case gpr:
		g.move64(dst, src)
	case vec:
		g.moveVec(dst, src)
	case kmask:
		g.def(asm.KMOVW, g.k(dst), g.k(src))
	}
}

// clear makes a register 0.
func (g *gen) clear(r reg) {
	switch g.classes[r] {
	case gpr:
		g.setImm(r, 0)
	case vec:
		g.zeroVec(r)
	case kmask:
		g.def(asm.KXORW, g.k(r), g.k(r), g.k(r)).use = 0
	}
}
