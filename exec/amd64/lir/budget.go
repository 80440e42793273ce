package lir

import (
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/regalloc"
)

// The budget: while a call of code runs, nobody can stop its thread, and the garbage
// collector waits. So code counts down what it has left, in about a nanosecond, and
// returns to Go where it finds that to be used up. What a piece of code takes is known
// when it is written, as far as it is known at all; loops that take longer than
// MaxUnseen look at the budget on their way, others once they have ended.

// MaxUnseen is the work, in nanoseconds, that is done without looking at the budget.
const MaxUnseen = 10_000

// CostAtomic is the cost of an exchange in picoseconds: it waits for instructions before it. The other costs are of
// most instructions, of those that read or write memory outside the frame, of slow ones, and of gathers.
const (
	costPlain  = 350
	costMemory = 3_000
	costSlow   = 5_000
	costGather = 10_000
	CostAtomic = 20_000
)

// LaneLoop is how often loops go round that stand in the code of a block: over lanes.
const LaneLoop = 8

// Work is about how many nanoseconds code takes that is gone through once, and whose loops go round so often.
func (s *Seq) Work(rounds int) int { return work(s.first, rounds) }

// work is Work of code from its first instruction on.
func work(first *Inst, rounds int) int {
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

// WorkSince is the work of the code that follows an instruction, nil for all of it,
// without loops, which spend on their own.
func (l *list) WorkSince(before *Inst) int {
	if before == nil {
		return work(l.Cur.first, 0)
	}
	return work(before.next, 0)
}

func (in *Inst) cost() int {
	switch {
	case in.kind == divide:
		return costSlow
	case in.kind == exchange, in.lock:
		return CostAtomic
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

// Spend takes nanoseconds from the budget.
func (u *Unit) Spend(ns int) {
	u.Use(asm.SUB, Frame(BudgetWord).Sized(8), Imm(int64(ns)))
	u.unseen += ns
}

// Poll lets Go in if the budget is used up.
func (u *Unit) Poll() {
	more := u.NewLabel()
	u.Use(asm.CMP, Frame(BudgetWord).Sized(8), Imm(0))
	u.Jump(asm.JG, more)
	if u.flushed != 0 {
		u.Use(asm.LDMXCSR, Frame(u.flushed))
	}
	u.CallOut(ExitYield)
	if u.flushed != 0 {
		u.Use(asm.LDMXCSR, u.Constant(flushingMXCSR, 4))
	}
	u.Bind(more)
	u.unseen = 0
}

// Spent takes from the budget what code took that has just ended, and looks at it if
// that has not been done for long.
func (u *Unit) Spent(ns int) {
	if ns == 0 {
		return
	}
	u.Spend(ns)
	if u.unseen > MaxUnseen {
		u.Poll()
	}
}

// SpendRound spends for a round of a loop that goes round n times: in the loop itself, with a
// look at the budget, if that takes long altogether; then it returns 0. Else it returns
// what is to be spent behind the loop. It is called at the end of a round, ahead of the
// loop's condition.
func (u *Unit) SpendRound(ns, n int) (later int) {
	if ns*n <= MaxUnseen {
		return ns * n
	}
	u.Spend(ns)
	u.Poll()
	return 0
}

// UpTo writes a loop that goes in steps up to an end.
func (u *Unit) UpTo(end, step int, body func(j Reg)) {
	j := u.NewInt(0)
	u.rounds(j, Imm(int64(end)), step, (end+step-1)/step, body)
}

// Onward writes a loop that goes on in steps from j up to an end, in so many rounds at most. A constant end is behind j.
func (u *Unit) Onward(j Reg, end Arg, step, most int, body func(j Reg)) {
	done := u.NewLabel()
	if _, ok := end.IsImm(); !ok {
		u.Use(asm.CMP, u.R64(j), end)
		u.Jump(asm.JGE, done)
	}
	u.rounds(j, end, step, most, body)
	u.Bind(done)
}

// rounds writes a loop of a round at least.
func (u *Unit) rounds(j Reg, end Arg, step, most int, body func(j Reg)) {
	top := u.NewLabel()
	l := u.BeginLoop()
	u.Bind(top)
	before := u.Cur.last
	body(j)
	later := u.SpendRound(u.WorkSince(before), most)
	u.RMW(asm.ADD, u.R64(j), Imm(int64(step)))
	u.Use(asm.CMP, u.R64(j), end)
	u.Jump(asm.JL, top)
	u.EndLoop(l)
	u.Spent(later)
}

// Here is the last instruction so far.
func (l *list) Here() *Inst { return l.Cur.last }

// flushingMXCSR is a control word: no exceptions, rounding to nearest even, flush to
// zero, denormals are zeros.
const flushingMXCSR = 0x1f80 | 1<<15 | 1<<6

// Flushing writes code in which float32 arithmetic knows no subnormals. Nothing in it
// may leave to Go, but to look at the budget, or touch memory other than the frame.
func (u *Unit) Flushing(f func()) {
	u.flushed = u.Alloc(4)
	u.Use(asm.STMXCSR, Frame(u.flushed))
	u.Use(asm.LDMXCSR, u.Constant(flushingMXCSR, 4))
	f()
	u.Use(asm.LDMXCSR, Frame(u.flushed))
	u.flushed = 0
}

// spends reports whether an instruction takes from the budget.
func (in *Inst) spends() bool {
	a := in.args[0]
	_, isConst := in.args[1].IsImm()
	return in.kind == machine && in.op == asm.SUB && a.kind == frameArg && a.n == BudgetWord && isConst
}

// looks reports whether an instruction compares the budget with 0.
func (in *Inst) looks() bool {
	a := in.args[0]
	return in.kind == machine && in.op == asm.CMP && a.kind == frameArg && a.n == BudgetWord
}

// budgetRegister is a general register that nothing else is in, for a unit whose loops look at the budget: in the frame
// each look waits for the last one. It is none if there is no such register.
func budgetRegister(order []*block, a *regalloc.Allocation, classes []regalloc.Class, file regalloc.File) asm.Operand {
	free := file.Free
	for r, c := range classes {
		if p := a.Phys[r]; c == GPR && p >= 0 {
			free &^= 1 << p
		}
	}
	spends := func(b *block) bool { return slices.ContainsFunc(b.code, (*Inst).spends) }
	if free == 0 || !slices.ContainsFunc(order, spends) {
		return asm.None
	}
	return general(bits.Len64(uint64(free))-1, 8)
}

// mostEarlier is how many places before one are tried that may spend for it.
const mostEarlier = 8

// A spending is an instruction that takes from the budget, in a block by its place.
type spending struct {
	at int
	in *Inst
}

// spendOnce has blocks that usually run one after the other, or equally often, take what they spend from the budget
// together, in the first of them: a word of memory that is read and written again and again is waited for. A look at the
// budget uses the flags of that.
func spendOnce(order []*block) {
	usually := slices.IndexFunc(order, func(b *block) bool { return b.is&usual == 0 })
	if usually < 0 {
		usually = len(order)
	}
	for i, b := range order {
		b.at = i
	}
	from := comeFrom(order[:usually])
	var earlier []spending
	for i, b := range order {
		if i >= usually {
			earlier = nil
		}
		var before *Inst
		for _, in := range b.code {
			switch {
			case in.kind == callOut:
				earlier = nil
			case in.spends():
				if first := together(order, from, earlier, i); first != nil {
					first.args[1].n += in.args[1].n
					in.kind = dropped
					continue
				}
				earlier = append(earlier, spending{i, in})
			case before != nil && before.spends() && in.looks():
				in.kind = dropped
				continue
			}
			before = in
		}
	}
}

// together is the last of what was spent earlier that a block goes on spending for; nil if there is none.
func together(order []*block, from [][]int, earlier []spending, at int) *Inst {
	for i := len(earlier) - 1; i >= max(0, len(earlier)-mostEarlier); i-- {
		if s := earlier[i]; inLine(order, from, s.at, at) || closed(order, from, s.at, at) {
			return s.in
		}
	}
	return nil
}

// inLine reports whether nothing else usually comes to a block than one before it, once, and to that, up to a first one.
func inLine(order []*block, from [][]int, first, last int) bool {
	for i := first; i < last; i++ {
		if to := order[i].to; len(from[i+1]) != 1 || from[i+1][0] != i || to != nil && to.is&usual != 0 && to.at <= i {
			return false
		}
	}
	return true
}

// closed reports whether who usually comes to a block comes to one further on, once: nothing jumps from between them
// to elsewhere, or from elsewhere in between.
func closed(order []*block, from [][]int, first, last int) bool {
	for i := first; i <= last; i++ {
		b := order[i]
		for _, to := range []*block{b.fall, b.to} {
			if to != nil && to.is&usual != 0 && i < last && (to.at <= first || to.at > last) {
				return false
			}
		}
		for _, f := range from[i] {
			if i > first && (f < first || f >= last) {
				return false
			}
		}
	}
	return true
}
