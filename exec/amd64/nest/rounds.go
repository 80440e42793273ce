package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
)

// The inner loop of a nest: full rounds of blocks, then a partial one under masks.

// RowEnd is the end of the inner loop in the row at hand: its bound, or 0 in a row
// outside the domain.
func (n *Nest) RowEnd(hi lir.Arg) lir.Arg {
	g := n.G
	var end lir.Reg
	for _, a := range n.Atoms {
		if !n.Rows || a.Dim == n.Inner() {
			continue
		}
		if end == 0 {
			end = g.NewReg(lir.GPR)
			g.Move(end, hi)
		}
		zero := g.NewInt(0)
		size := g.Syms.Constant(int64(n.Shape.D[a.Dim]))
		if a.Hi != nil {
			g.Use(asm.CMP, g.R64(n.Index[a.Dim]), g.SymArg(g.Syms.Min(size, a.Hi)))
			g.RMW(asm.CMOVGE, g.R64(end), g.R64(zero))
		} else {
			g.Use(asm.CMP, g.R64(n.Index[a.Dim]), g.SymArg(g.Syms.Min(size, a.Lo)))
			g.RMW(asm.CMOVL, g.R64(end), g.R64(zero))
		}
	}
	if end == 0 {
		return hi
	}
	return g.R64(end)
}

// rounds is the inner loop up to a bound that is known when the code runs.
func (n *Nest) rounds(hi lir.Arg, b bodies, masks []lane.Lanes) {
	g, j := n.G, n.Index[n.Inner()]
	round := n.Unroll * g.Lanes
	partial, end := g.NewLabel(), g.NewLabel()
	if most := n.Shape.D[n.Inner()] / round; most > 0 && (b.row == nil || b.bypass != nil) {
		if b.row != nil && n.Stream != nil {
			scalar.UnlessStreamed(g.Scalars, fuse.TensorOf(n.Stream.V.Memory().Ptr), partial)
		}
		last := g.NewReg(lir.GPR) // full rounds begin at or below it
		g.Move(last, hi)
		g.RMW(asm.SUB, g.R64(last), lir.Imm(int64(round)))
		g.Use(asm.CMP, g.R64(j), g.R64(last))
		g.Jump(asm.JG, partial)
		n.eitherWay(b, partial, func(body *lir.Seq) {
			n.repeat(body, round, most, g.R64(last))
		}, func() { n.inParts(b, most, g.R64(last)) })
	}
	g.Bind(partial)
	count := g.NewReg(lir.GPR)
	g.Move(count, hi)
	g.RMW(asm.SUB, g.R64(count), g.R64(j))
	g.Jump(asm.JLE, end)
	if b.single != nil {
		few := g.NewLabel()
		g.Use(asm.CMP, g.R64(count), lir.Imm(int64(g.Lanes)))
		g.Jump(asm.JL, few)
		n.one(b.single)
		g.RMW(asm.SUB, g.R64(count), lir.Imm(int64(g.Lanes)))
		g.Jump(asm.JE, end)
		g.Bind(few)
	}
	if b.row == nil {
		n.partial(b.rest, masks, count)
	} else {
		n.work += b.row.Work(lir.LaneLoop)
		g.Move64(n.Left, count)
		g.Append(b.row)
	}
	g.Bind(end)
}

// one is a round of one block, ahead of a partial one.
func (n *Nest) one(body *lir.Seq) {
	n.work += body.Work(lir.LaneLoop)
	n.G.Append(body)
	n.G.RMW(asm.ADD, n.G.R64(n.Index[n.Inner()]), lir.Imm(int64(n.G.Lanes)))
}

// ofRow is the sink's code for all that is left of a row, nil if it has none.
func (n *Nest) ofRow() (row *lir.Seq) {
	if n.Row == nil || n.start != nil || n.Late {
		return nil
	}
	unroll, left, ok := n.Unroll, n.Left, false
	n.Unroll = 1
	n.CountsLeft()
	row = n.emit(func() { ok = n.Row() }, make([]*lane.Lanes, 1))
	if n.Unroll = unroll; !ok {
		n.Left = left
		return nil
	}
	return row
}

// repeat is a loop around a round's code, as long as rounds begin at or below last;
// there are count of them at most. If that takes long it is a loop of loops, with a look
// at the budget after each of these.
func (n *Nest) repeat(body *lir.Seq, round, count int, last lir.Arg) {
	g, j := n.G, n.Index[n.Inner()]
	again := func(top int, last lir.Arg) {
		g.Use(asm.CMP, g.R64(j), last)
		g.Jump(asm.JLE, top)
	}
	once := body.Work(lir.LaneLoop)
	some := max(1, lir.MaxUnseen/2/once) // rounds without a look
	long := count > 2*some
	here := last
	outer, l := 0, 0
	if long {
		outer = g.NewLabel()
		l = g.BeginLoop()
		g.Bind(outer)
		r := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(r), lir.Mem(j, (some-1)*round))
		most := g.NewReg(lir.GPR)
		g.Move(most, last)
		g.Use(asm.CMP, g.R64(r), g.R64(most))
		g.RMW(asm.CMOVG, g.R64(r), g.R64(most))
		here = g.R64(r)
	}
	top := g.NewLabel()
	inner := g.BeginLoop()
	g.Bind(top)
	g.Append(body)
	g.RMW(asm.ADD, g.R64(j), lir.Imm(int64(round)))
	if count > 1 {
		again(top, here)
	}
	g.EndLoop(inner)
	n.work = count * once
	if long {
		g.Spend(some * once)
		g.Poll()
		again(outer, last)
		g.EndLoop(l)
		n.work = 0
	}
}

// eitherWay writes the loop over full rounds, and another one, if there is such: of non-temporal stores, for when the
// tensor is large and the place aligned, or without masks, for when these hold everywhere.
func (n *Nest) eitherWay(b bodies, done int, loop func(body *lir.Seq), parts func()) {
	g := n.G
	usual := func() {
		switch {
		case b.row != nil:
		case b.parts != nil:
			parts()
		default:
			loop(b.full)
		}
	}
	if b.bypass == nil {
		usual()
		return
	}
	normal := g.NewLabel()
	if n.Stream != nil {
		n.unlessStreamed(normal)
	} else {
		g.Use(asm.CMP, g.R64(g.SymReg(n.Beyond)), lir.Imm(0))
		g.Jump(asm.JL, normal)
	}
	loop(b.bypass)
	g.Jump(asm.JMP, done)
	g.Bind(normal)
	usual()
}

// unlessStreamed jumps if the nest's store is of few elements, or begins inside a vector.
func (n *Nest) unlessStreamed(normal int) {
	g := n.G
	scalar.UnlessStreamed(g.Scalars, fuse.TensorOf(n.Stream.V.Memory().Ptr), normal)
	at, _ := n.Address(n.Stream, affine.Identity(n.Shape))
	place := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(place), at)
	g.Use(asm.TEST, g.R64(place), lir.Imm(int64(g.Bytes-1)))
	g.Jump(asm.JNE, normal)
}

// CountsLeft has Left there for the sink.
func (n *Nest) CountsLeft() { n.Left = n.G.NewReg(lir.GPR) }

// partial is the last round, of fewer elements than a full one.
func (n *Nest) partial(rest *lir.Seq, masks []lane.Lanes, count lir.Reg) {
	g := n.G
	if c := masks[0].Count; c != 0 {
		g.Move64(c, count)
	}
	if n.Left != 0 {
		g.Move64(n.Left, count)
	}
	for i, m := range masks {
		c := count
		if m.Surely {
			c = g.NewInt(int64(m.First))
		} else if i > 0 {
			c = g.AtLeastZero(count, i*g.Lanes)
		}
		g.SetFirstLanes(m, c)
	}
	n.work += rest.Work(lir.LaneLoop)
	g.Append(rest)
}

// staticRounds is the inner loop where its bounds are constants.
func (n *Nest) staticRounds(lo, hi int, b bodies, masks []lane.Lanes) {
	g := n.G
	round := n.Unroll * g.Lanes
	count := max(0, hi-lo) / round
	if count > 0 {
		done := g.NewLabel()
		last := lir.Imm(int64(lo + (count-1)*round))
		n.eitherWay(b, done, func(body *lir.Seq) {
			n.repeat(body, round, count, last)
		}, func() { n.inParts(b, count, last) })
		g.Bind(done)
	}
	left := hi - lo - count*round
	if b.single != nil && left >= g.Lanes {
		n.one(b.single)
		left -= g.Lanes
	}
	if left > 0 {
		n.partial(b.rest, masks, g.NewInt(int64(left)))
	}
}

// emit is the code of one round of blocks; tails are the masks of those that are partial.
func (n *Nest) emit(sink func(), tails []*lane.Lanes) *lir.Seq {
	body := n.Body()
	round := &lir.Seq{}
	n.Tails = tails
	calls := len(tails)
	if n.Late {
		calls = 1
		n.forget()
	}
	for i := range calls {
		n.Levels[body], n.memo[body] = &lir.Seq{}, map[cursor.Key]lane.Lanes{}
		clear(n.atomMasks)
		clear(n.masks)
		n.GoTo(i)
		if len(n.sure) > 0 {
			n.At(body, func() { n.keepUp(i, len(tails)/calls) })
		}
		n.At(body, sink)
		n.At(body, n.prefetchAhead)
		n.G.Into(round, func() { n.G.Append(n.Levels[body]) })
	}
	n.Tail, n.Off = nil, 0
	return round
}

// forget drops what may have been computed in a body.
func (n *values) forget() {
	clear(n.Starts)
	clear(n.pads)
	clear(n.divisors.reciprocals)
	clear(n.divisors.inverses)
}
