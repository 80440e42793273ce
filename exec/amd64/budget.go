package amd64

import "github.com/tiler-go/tiler/exec/amd64/asm"

// The budget: while a call of code runs, nobody can stop its thread, and the garbage
// collector waits. So code counts down what it has left, in about a nanosecond, and
// returns to Go where it finds that to be used up. What a piece of code takes is known
// when it is written, as far as it is known at all; loops that take longer than
// maxUnseen look at the budget on their way, others once they have ended.

// callBudget bounds a call of code, in nanoseconds.
const callBudget = 100_000

// maxUnseen is the work, in nanoseconds, that is done without looking at the budget.
const maxUnseen = 10_000

// instanceCost is what an instance costs beside its tiles.
const instanceCost = 16

// Costs of instructions in picoseconds: of most, of those that read or write memory
// outside the frame, of the slow ones, and of exchanges, which wait for those before them.
const (
	costPlain  = 350
	costMemory = 3_000
	costSlow   = 5_000
	costGather = 10_000
	costAtomic = 20_000
)

// laneLoop is how often loops go round that stand in the code of a block: over lanes.
const laneLoop = 8

// work is about how many nanoseconds code takes that is gone through once, from its first
// instruction on, and whose loops go round so often.
func work(first *inst, rounds int) int {
	picos := 0
	times, loops := 1, []int(nil)
	for in := first; in != nil; in = in.next {
		switch in.kind {
		case loopBegin:
			loops = append(loops, times)
			times *= rounds
		case loopEnd:
			times, loops = loops[len(loops)-1], loops[:len(loops)-1]
		case machine, divide, exchange:
			picos += times * in.cost()
		}
	}
	return picos/1000 + 1
}

// workSince is the work of the code that follows an instruction, nil for all of it,
// without loops, which spend on their own.
func (g *gen) workSince(before *inst) int {
	if before == nil {
		return work(g.cur.first, 0)
	}
	return work(before.next, 0)
}

func (in *inst) cost() int {
	switch {
	case in.kind == divide:
		return costSlow
	case in.kind == exchange, in.lock:
		return costAtomic
	}
	switch in.op {
	case asm.VDIVPS, asm.VDIVPD, asm.VSQRTPS, asm.VSQRTPD:
		return costSlow
	case asm.VPGATHERDD, asm.VPGATHERQQ:
		return costGather
	case asm.PREFETCHT0, asm.PREFETCHT1, asm.PREFETCHT2, asm.PREFETCHNTA, asm.PREFETCHW:
		return costPlain
	}
	for _, a := range in.args {
		if a.kind == memArg {
			return costMemory
		}
	}
	return costPlain
}

// spend takes nanoseconds from the budget.
func (g *gen) spend(ns int) {
	g.use(asm.SUB, frameAt(offBudget).sized(8), imm(int64(ns)))
	g.unseen += ns
}

// poll lets Go in if the budget is used up.
func (g *gen) poll() {
	more := g.newLabel()
	g.use(asm.CMP, frameAt(offBudget).sized(8), imm(0))
	g.jump(asm.JG, more)
	if g.flushed != 0 {
		g.use(asm.LDMXCSR, frameAt(g.flushed))
	}
	g.exit(exitYield)
	if g.flushed != 0 {
		g.use(asm.LDMXCSR, g.constant(flushingMXCSR, 4))
	}
	g.bind(more)
	g.unseen = 0
}

// spent takes from the budget what code took that has just ended, and looks at it if
// that has not been done for long.
func (g *gen) spent(ns int) {
	if ns == 0 {
		return
	}
	g.spend(ns)
	if g.unseen > maxUnseen {
		g.poll()
	}
}

// spendRound spends for a round of a loop that goes round n times: in the loop itself, with a
// look at the budget, if that takes long altogether; then it returns 0. Else it returns
// what is to be spent behind the loop. It is called at the end of a round, ahead of the
// loop's condition.
func (g *gen) spendRound(ns, n int) (later int) {
	if ns*n <= maxUnseen {
		return ns * n
	}
	g.spend(ns)
	g.poll()
	return 0
}

// upTo writes a loop that goes in steps up to an end.
func (g *gen) upTo(end, step int, body func(j reg)) {
	j := g.newInt(0)
	top := g.newLabel()
	l := g.beginLoop()
	g.bind(top)
	before := g.cur.last
	body(j)
	later := g.spendRound(g.workSince(before), (end+step-1)/step)
	g.rmw(asm.ADD, g.r64(j), imm(int64(step)))
	g.use(asm.CMP, g.r64(j), imm(int64(end)))
	g.jump(asm.JL, top)
	g.endLoop(l)
	g.spent(later)
}
