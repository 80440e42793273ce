package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// Branches. A comparison that is for a branch alone is written with it, and its flags are used; where both sides are
// two or three instructions, both are computed and the results chosen.

// branch translates an If.
func (g *gen) branch(v *ir.Value, c *controlFrame) {
	for i := range v.Results {
		c.results = append(c.results, g.resultHome(v, i))
	}
	if fuse.Chosen(v) && !fuse.Recurs(g.Plan, v) {
		g.choose(v, c)
		return
	}
	cond := v.Args[0]
	if !g.decides(cond) {
		g.IntReg(cond)
	}
	yes := g.nested(v.Blocks[0], c, nil)
	no := g.nested(v.Blocks[1], c, nil)
	unless, other := conditions[g.flags(cond)].unless, g.NewLabel()
	if n := len(g.controls); n > 0 && fuse.LastRound(g.controls[n-1].v, v) {
		g.Jump(unless, g.controls[n-1].end)
		g.Append(yes)
	} else {
		g.Jump(unless, other)
		g.Append(yes)
		g.Jump(asm.JMP, c.end)
		g.Bind(other)
		g.Append(no)
	}
	g.Bind(c.end)
}

// resultHome is the home of an If's result: that which the block's end passes it on to, if it goes nowhere else and
// nothing that comes until then needs what is there. A value that goes round a loop then stays in its register.
func (g *gen) resultHome(v *ir.Value, i int) *home {
	end, j, ok := g.Plan.PassedOn(g.at, v, i)
	if !ok || v.Results[i].IsTile() || len(g.controls) == 0 {
		return g.newHome(v.Results[i])
	}
	var to []*home
	switch c := g.controls[len(g.controls)-1]; {
	case end.Op == ir.Yield:
		to = c.results
	case end.Index == 0 && c.v.Op == ir.Loop:
		to = c.carried
	}
	if j >= len(to) || to[j].arg != nil && !g.Plan.Over(g.at, v, to[j].arg) {
		return g.newHome(v.Results[i])
	}
	return to[j]
}

// A condition is the jumps and moves that flags decide.
type condition struct{ unless, move, moveUnless asm.Op }

// conditions are by the instruction that makes a bool of the flags.
var conditions = map[asm.Op]condition{
	asm.SETL:  {asm.JGE, asm.CMOVL, asm.CMOVGE},
	asm.SETGE: {asm.JL, asm.CMOVGE, asm.CMOVL},
	asm.SETLE: {asm.JG, asm.CMOVLE, asm.CMOVG},
	asm.SETG:  {asm.JLE, asm.CMOVG, asm.CMOVLE},
	asm.SETB:  {asm.JAE, asm.CMOVB, asm.CMOVAE},
	asm.SETAE: {asm.JB, asm.CMOVAE, asm.CMOVB},
	asm.SETBE: {asm.JA, asm.CMOVBE, asm.CMOVA},
	asm.SETA:  {asm.JBE, asm.CMOVA, asm.CMOVBE},
	asm.SETE:  {asm.JNE, asm.CMOVE, asm.CMOVNE},
	asm.SETNE: {asm.JE, asm.CMOVNE, asm.CMOVE},
}

// decides reports whether a value is a comparison of integers, or a bool's complement, that is for one branch alone, in
// the same block: it is written there.
func (g *gen) decides(v *ir.Value) bool {
	users := g.Plan.Of(v).Users
	return (v.Op.IsCompare() || fuse.Complement(v)) && v.Args[0].Type.D.IsInt() && !v.Type.IsTile() &&
		len(users) == 1 && users[0].Op == ir.If && g.Plan.Of(users[0]).Block == g.Plan.Of(v).Block
}

// flags sets the flags by a bool: which ones, the instruction says that would make a bool of them.
func (g *gen) flags(cond *ir.Value) asm.Op {
	switch {
	case g.decides(cond) && fuse.Complement(cond):
		r := g.IntReg(cond.Args[0])
		g.Use(asm.TEST, g.R64(r), g.R64(r))
		return asm.SETE
	case g.decides(cond):
		g.Use(asm.CMP, g.R64(g.IntReg(cond.Args[0])), g.IntArg(cond.Args[1]))
		return scalar.Condition(cond)
	}
	r := g.IntReg(cond)
	g.Use(asm.TEST, g.R64(r), g.R64(r))
	return asm.SETNE
}

// choose computes both sides of an If.
func (g *gen) choose(v *ir.Value, c *controlFrame) {
	var from [2][]lir.Reg
	for side, b := range v.Blocks {
		for _, u := range b.Values[:len(b.Values)-1] {
			g.Define(u)
			g.scalar(u)
		}
		for _, a := range b.Values[len(b.Values)-1].Args {
			from[side] = append(from[side], g.IntReg(a))
		}
	}
	cond := conditions[g.flags(v.Args[0])]
	var copies []func()
	for i, h := range c.results {
		yes, no, to := from[0][i], from[1][i], h.int
		others := slices.Concat(from[0][i+1:], from[1][i+1:])
		if slices.Contains(others, to) { // what is there is needed yet
			to = g.NewReg(lir.GPR)
			copies = append(copies, func() { g.Move64(h.int, to) })
		}
		switch {
		case yes == no:
			g.moveTo(to, yes)
		case yes == to:
			g.RMW(cond.moveUnless, g.R64(to), g.R64(no))
		default:
			g.moveTo(to, no)
			g.RMW(cond.move, g.R64(to), g.R64(yes))
		}
	}
	for _, c := range copies {
		c()
	}
	g.Bind(c.end)
}
