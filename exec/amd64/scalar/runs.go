package scalar

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
)

// Stores into a view with gaps: rows of a wider matrix, a part of each head. What lies in the tensor's span may lie
// between its elements, so remainders of what a store reaches are compared, too (lattice.Set says how). This is code
// that other tensors jump over.

// noRuns are those of a tensor whose elements are in none: each is to be asked for.
var noRuns = []int{1, 0, 0}

// ArgRuns is what ArgGaps is the address of; nil for a tensor without gaps.
func ArgRuns(a *ir.Arg) []int {
	switch {
	case a.Only == nil:
		return nil
	case a.Mem.Len() > 1<<40: // sums may wrap
		return noRuns
	}
	return a.Only.Runs()
}

// runs are those of a tensor that is stored to.
type runs struct {
	g           *Scalars
	tensor, bad int
}

// RunsOf is for code that goes to a label, bad, where the gaps of a tensor would be written to.
func (g *Scalars) RunsOf(tensor, bad int) runs { return runs{g, tensor, bad} }

// ifAny writes code that a tensor without gaps jumps over.
func (r runs) ifAny(f func()) {
	g := r.g
	none := g.NewLabel()
	g.Use(asm.CMP, lir.Frame(ArgOffset(r.tensor)+ArgGaps).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, none)
	g.BindCold(g.NewLabel())
	f()
	g.Bind(none)
}

// A spread is a dimension of an access: indices up to the last times a step. One of step 1 has no registers.
type spread struct {
	step, wide lir.Reg // wide is the step times the last
	last       lir.Arg
}

// check is for an affine store whose lowest element is known and in the tensor's span, as is its highest.
func (r runs) check(f *affine.Form, shape ir.Shape, reach *extent, low lir.Reg) {
	g := r.g
	r.ifAny(func() {
		g.WhereCold(func() {
			var dims []spread
			for i, c := range f.Coef {
				if c == nil || shape.D[i] == 1 {
					continue
				}
				d := spread{last: reach.last(g, i, shape.D[i])}
				if !c.IsConst(1) {
					d.step = r.distance(g.SymReg(c))
					d.wide = g.CopyInt(d.step)
					g.RMW(asm.IMUL, g.R64(d.wide), g.R64(g.InReg(d.last)))
				}
				dims = append(dims, d)
			}
			r.contain(g.CopyInt(low), dims)
		})
	})
}

// distance is the absolute value of a step.
func (r runs) distance(step lir.Reg) lir.Reg {
	g := r.g
	z, back := g.CopyInt(step), g.CopyInt(step)
	g.RMW(asm.NEG, g.R64(back))
	g.RMW(asm.CMOVNS, g.R64(z), g.R64(back))
	return z
}

// last is how far the last index that a mask lets through is from the first.
func (e *extent) last(g *Scalars, i, size int) lir.Arg {
	if e == nil || e.from[i] == 0 && e.end[i] == 0 {
		return lir.Imm(int64(size - 1))
	}
	n := g.NewInt(int64(size - 1))
	if e.end[i] != 0 {
		g.Def(asm.LEA, g.R64(n), lir.Mem(e.end[i], -1))
	}
	if e.from[i] != 0 {
		g.RMW(asm.SUB, g.R64(n), g.R64(e.from[i]))
	}
	return g.R64(n)
}

// contain goes to bad unless all that is spread from the lowest element on is the tensor's. The registers of the lowest
// and of what the dimensions add up to are changed.
func (r runs) contain(low lir.Reg, dims []spread) {
	g := r.g
	run, zero := g.Word(ArgOffset(r.tensor)+ArgGaps), g.NewInt(0)
	top, done, l := g.NewLabel(), g.NewLabel(), g.BeginLoop()
	g.Bind(top)
	period := g.LoadInt(lir.Mem(run, 0))
	g.Use(asm.TEST, g.R64(period), g.R64(period))
	g.Jump(asm.JE, done)
	rest := g.NewReg(lir.GPR)
	g.Divide64(rest, low, period, 1)
	g.Move64(low, rest)
	end := g.CopyInt(low)
	for _, d := range dims {
		if d.step == 0 {
			g.RMW(asm.ADD, g.R64(end), d.last)
			continue
		}
		g.Divide64(rest, d.step, period, 1)
		g.Use(asm.TEST, g.R64(rest), g.R64(rest))
		g.RMW(asm.CMOVE, g.R64(d.wide), g.R64(zero)) // steps of whole periods change no remainder
		g.RMW(asm.ADD, g.R64(end), g.R64(d.wide))
	}
	g.Use(asm.CMP, g.R64(end), lir.Mem(run, 8).Sized(8))
	g.Jump(asm.JGE, r.bad)
	g.AddConst(run, 16)
	g.Jump(asm.JMP, top)
	g.EndLoop(l)
	g.Bind(done)
}

// Rows checks rows of so many elements each. Where they begin is in words of the frame.
func (r runs) Rows(begin, rows int, count *affine.Sym) {
	g := r.g
	g.SymReg(count) // what is computed between jumps is not there on every way
	r.ifAny(func() {
		last := g.BinInt(asm.SUB, g.SymReg(count), lir.Imm(1))
		g.UpTo(rows, 1, func(j lir.Reg) {
			r.contain(g.LoadInt(lir.FrameIndex(j, 8, begin)), []spread{{last: g.R64(last)}})
		})
	})
}

// Lanes checks elements one by one, as many as count, most at most, all of which lie in the tensor's span. Their
// numbers are int32 in the frame, none in lanes that go nowhere.
func (r runs) Lanes(numbers int, count lir.Arg, most int, none int64) {
	g := r.g
	r.ifAny(func() {
		g.Onward(g.NewInt(0), count, 1, most, func(j lir.Reg) {
			next, at := g.NewLabel(), g.NewReg(lir.GPR)
			g.Def(asm.MOVSXD, g.R64(at), lir.FrameIndex(j, 4, numbers).Sized(4))
			g.Use(asm.CMP, g.R64(at), lir.Imm(none))
			g.Jump(asm.JE, next)
			r.contain(at, nil)
			g.Bind(next)
		})
	})
}

// Steps checks elements a step apart from the lowest on, which are in the tensor's span: last is how many come after
// it.
func (r runs) Steps(low, last lir.Reg, step int64) {
	g := r.g
	r.ifAny(func() {
		d := spread{last: g.R64(last)}
		if step > 1 {
			d.step = g.NewInt(step)
			d.wide = g.BinInt(asm.IMUL, last, lir.Imm(step))
		}
		r.contain(g.CopyInt(low), []spread{d})
	})
}
