package scalar

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Loops over single elements. Where the number of an element grows by the same in each round, it is between that of the
// first round and that of the last one: where both are in the tensor, all are. Rounds are written a second time without
// the checks for which that holds, and a look ahead of the loop chooses; they spend from the budget many at once.

// Rounds are those of a For that is being written.
type Rounds struct {
	loop   *ir.Value
	own    lir.Reg // registers from here on are none that others know
	checks []check
	walks  []walk
}

// A check is that of a single element's number, or of one that must fit a type: a comparison, and a jump.
type check struct {
	at   *affine.Sym
	room room
	fits dtype.DType // if that is its kind, as opposed to a room
	code [2]*lir.Inst
}

// A walk is a number that is kept in a register, and grows by another with each round.
type walk struct {
	at *affine.Sym
	r  lir.Reg
	by lir.Arg
}

// mostInRound is how many values a round may have.
const (
	mostInRound = 48
	mostStep    = 1 << 8
)

// BeginRounds is for the rounds of a loop that is to be written now. EndRounds ends it.
func BeginRounds(g *Scalars, loop *ir.Value) (outer *Rounds) {
	outer, g.rounds = g.rounds, nil
	size := max(loop.Index, -loop.Index)
	few := size > 0 && size <= mostStep && size&(size-1) == 0 && valuesIn(loop.Blocks[0]) <= mostInRound
	if few && g.cold == nil {
		g.rounds = &Rounds{loop: loop, own: g.NewReg(lir.GPR)}
	}
	return outer
}

// valuesIn is how many scalars a block has, too many if there are tiles or loops.
func valuesIn(b *ir.Block) (n int) {
	for _, v := range b.Values {
		if v.Type.IsTile() || v.Op == ir.For || v.Op == ir.Loop {
			return mostInRound + 1
		}
		n++
		for _, in := range v.Blocks {
			n += valuesIn(in)
		}
	}
	return n
}

// growth is by how much a number grows from one of a loop's indices to the next; nil if that is unknown.
func (r *Rounds) growth(g *Scalars, x *affine.Sym) *affine.Sym {
	index := r.loop.Blocks[0].Args[0]
	return g.Syms.Growth(x, func(v *ir.Value) *affine.Sym {
		switch {
		case v == index:
			return g.Syms.Constant(1)
		case g.DepthOf(v) < g.DepthOf(index):
			return g.Syms.Constant(0)
		}
		return nil
	})
}

// first is what a number is in the first round.
func (r *Rounds) first(g *Scalars, x *affine.Sym) *affine.Sym {
	i := g.Syms.IndexOf(r.loop)
	return g.Forms.With(x, i, i.From)
}

// OffsetReg is the register of an element's number: one that goes along with the rounds, if it grows by so much.
func OffsetReg(g *Scalars, x *affine.Sym) lir.Reg {
	r := g.rounds
	if r == nil || g.cold != nil || slices.ContainsFunc(r.walks, func(w walk) bool { return w.at == x }) {
		return g.SymReg(x)
	}
	by := r.growth(g, x)
	if by == nil || by.Kind == affine.Const && by.Within(-1, 1) {
		return g.SymReg(x)
	}
	start, w := r.first(g, x), walk{at: x}
	if start == nil {
		return g.SymReg(x)
	}
	g.At(g.DepthOf(r.loop.Blocks[0].Args[0])-1, func() {
		w.r = g.CopyInt(g.SymReg(start))
		w.by = g.SymArg(g.Syms.Mul(by, g.Syms.Constant(int64(r.loop.Index))))
	})
	g.symRegs.hold(x, w.r)
	r.walks = append(r.walks, w)
	return w.r
}

// EndRounds ends rounds, whose index is in a register, and has another for its end. It writes those without checks,
// where these are worth it.
func EndRounds(g *Scalars, outer *Rounds, body *lir.Seq, i, hi lir.Reg, end int) (r *Rounds) {
	r, g.rounds = g.rounds, outer
	if r == nil {
		return nil
	}
	without := map[*lir.Inst]bool{}
	var ranges []*numbers
	for _, c := range r.checks {
		if n := r.numbersOf(g, &ranges, c); n != nil {
			without[c.code[0]], without[c.code[1]] = true, true
		}
	}
	own := g.Renamed(body)
	maps.DeleteFunc(own, func(from, _ lir.Reg) bool { return from < r.own })
	if !slices.ContainsFunc(ranges, func(n *numbers) bool { return len(n.rooms) > 0 }) { // it is not worth it
		return r
	}
	if body, ns := g.WriteWithout(body, own, without); body != nil {
		u := unchecked{g, r, i, hi, max(r.loop.Index, -r.loop.Index), g.NewLabel()}
		u.choose(ranges, end)
		u.write(body, ns, end)
		g.Bind(u.checked)
	}
	return r
}

// Next goes on to the next round.
func (r *Rounds) Next(g *Scalars) {
	if r != nil {
		for _, w := range r.walks {
			g.RMW(asm.ADD, g.R64(w.r), w.by)
		}
	}
}

const (
	fewRounds  = 6       // have no code of their own
	mostRounds = 1 << 31 // steps of an index; as many times mostGrowth does not wrap
	mostGrowth = 1 << 31 // of a number, from one round to the next
)

// numbers are those, of elements for one, that a loop goes through: the first, and how much they grow with the index.
type numbers struct {
	at, by *affine.Sym
	first  lir.Reg
	rooms  []room
	fit    []dtype.DType
}

// numbersOf is the numbers of a check, with those that there are; nil if it is to stay in the rounds.
func (r *Rounds) numbersOf(g *Scalars, all *[]*numbers, c check) *numbers {
	most := int64(mostGrowth) / int64(max(r.loop.Index, -r.loop.Index))
	by, first := r.growth(g, c.at), r.first(g, c.at)
	if by == nil || first == nil || by.Kind == affine.Const && !by.Within(-most, most) {
		return nil
	}
	k := slices.IndexFunc(*all, func(n *numbers) bool { return n.at == c.at })
	if k < 0 {
		k = len(*all)
		*all = append(*all, &numbers{at: c.at, by: by, first: g.SymReg(first)})
		g.SymReg(by) // what is computed between jumps is not there on every way
	}
	n := (*all)[k]
	if c.fits != dtype.Invalid {
		if !slices.Contains(n.fit, c.fits) {
			n.fit = append(n.fit, c.fits)
		}
	} else if !slices.Contains(n.rooms, c.room) {
		n.rooms = append(n.rooms, c.room)
	}
	return n
}

// unchecked is rounds without checks.
type unchecked struct {
	g       *Scalars
	r       *Rounds
	i, hi   lir.Reg
	step    int // without its sign
	checked int // label: those with checks
}

// left is how far the index is from its end, in the direction in which it goes.
func (u *unchecked) left() lir.Reg {
	g := u.g
	if u.r.loop.Index < 0 {
		return g.BinInt(asm.SUB, u.i, g.R64(u.hi))
	}
	return g.BinInt(asm.SUB, u.hi, g.R64(u.i))
}

// choose goes to the rounds with checks unless there are enough, and all numbers are in their rooms.
func (u *unchecked) choose(ranges []*numbers, end int) {
	g := u.g
	exit := asm.JGE
	if u.r.loop.Index < 0 {
		exit = asm.JLE
	}
	g.Use(asm.CMP, g.R64(u.i), g.R64(u.hi))
	g.Jump(exit, end)
	left, more, few := u.left(), g.NewReg(lir.GPR), fewRounds*u.step
	g.Def(asm.LEA, g.R64(more), lir.Mem(left, -few))
	g.Use(asm.CMP, g.R64(more), lir.Imm(int64(mostRounds-1-few))) // what is negative is above
	g.Jump(asm.JA, u.checked)
	if u.step > 1 { // the index that ends the loop must not wrap, as one that does goes on
		past, wrapped, d := g.NewReg(lir.GPR), asm.JL, u.step-1
		if u.r.loop.Index < 0 {
			wrapped, d = asm.JG, -d
		}
		g.Def(asm.LEA, g.R64(past), lir.Mem(u.hi, d))
		g.Use(asm.CMP, g.R64(past), g.R64(u.hi))
		g.Jump(wrapped, u.checked)
	}
	last := g.NewReg(lir.GPR) // how far the last index is from the first
	g.Def(asm.LEA, g.R64(last), lir.Mem(left, -1))
	if u.step > 1 {
		g.RMW(asm.AND, g.R64(last), lir.Imm(int64(-u.step)))
	}
	if u.r.loop.Index < 0 {
		g.RMW(asm.NEG, g.R64(last))
	}
	for _, n := range ranges {
		u.inRooms(n, last)
	}
}

// inRooms goes to the rounds with checks unless the first and the last number are in their rooms, and fit. As their
// distance does not wrap, so are those in between.
func (u *unchecked) inRooms(n *numbers, last lir.Reg) {
	g := u.g
	ends := []lir.Reg{n.first}
	if !n.by.IsConst(0) {
		far := last
		if !n.by.IsConst(1) {
			by, most := g.SymReg(n.by), int64(mostGrowth/u.step)
			if !n.by.Within(-most, most-1) {
				g.bounded(by, most, u.checked)
			}
			far = g.BinInt(asm.IMUL, last, g.R64(by))
		}
		end := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(end), lir.MemIndex(n.first, far, 1, 0))
		ends = append(ends, end)
	}
	for _, r := range n.rooms {
		for _, at := range ends {
			g.Use(asm.CMP, g.R64(at), lir.Frame(roomFor(g, r)).Sized(8))
			g.Jump(asm.JAE, u.checked)
		}
	}
	for _, d := range n.fit {
		for _, at := range ends {
			g.Use(asm.CMP, g.R64(held(g, d, at)), g.R64(at))
			g.Jump(asm.JNE, u.checked)
		}
	}
}

// write writes the rounds, whose body takes so many nanoseconds, as many at once as the budget may be left alone.
func (u *unchecked) write(body *lir.Seq, ns, end int) {
	g := u.g
	ns = max(ns, 1)
	many := u.step << bits.Len(uint(lir.MaxUnseen/2/ns))
	some, next := g.NewLabel(), g.NewLabel()
	outer := g.BeginLoop()
	g.Bind(some)
	part, left, cost := g.NewInt(int64(many)), u.left(), g.NewReg(lir.GPR)
	g.Use(asm.CMP, g.R64(left), g.R64(part))
	g.RMW(asm.CMOVL, g.R64(part), g.R64(left))
	g.Def(asm.IMUL, g.R64(cost), g.R64(part), lir.Imm(int64(max(1, ns/u.step))))
	g.Use(asm.SUB, lir.Frame(lir.BudgetWord).Sized(8), g.R64(cost))
	g.Poll()
	on, again := asm.ADD, asm.JL
	if u.r.loop.Index < 0 {
		on, again = asm.SUB, asm.JG
	}
	until := g.BinInt(on, u.i, g.R64(part))
	inner := g.BeginLoop()
	g.Bind(next)
	g.Append(body)
	u.r.Next(g)
	g.AddConst(u.i, int64(u.r.loop.Index))
	g.Use(asm.CMP, g.R64(u.i), g.R64(until))
	g.Jump(again, next)
	g.EndLoop(inner)
	g.Use(asm.CMP, g.R64(u.i), g.R64(u.hi))
	g.Jump(again, some)
	g.EndLoop(outer)
	g.Jump(asm.JMP, end)
}
