package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Control flow becomes labels and jumps. Values that meet after a branch or go round
// a loop have a home: registers for a scalar, memory for a tile; who passes one on
// copies it there.

// A home is where a block argument or a result of control flow lives.
type home struct {
	t   ir.Type
	int lir.Reg
	flt lane.Lanes
	buf *buffer
}

func (g *gen) newHome(t ir.Type) *home {
	h := &home{t: t}
	switch {
	case t.IsTile():
		if t.D.IsPointer() {
			unsupported("a pointer tile that goes through control flow")
		}
		h.buf = g.newBuffer(t)
	case t.D.IsPointer():
		unsupported("a pointer that goes through control flow")
	case t.D.IsFloat():
		h.flt = lane.Lanes{D: t.D}
		r := g.NewVec()
		h.flt.R = [2]lir.Reg{r, r}
	default:
		h.int = g.NewReg(lir.GPR)
	}
	return h
}

// bindHome makes v's value what its home holds.
func (g *gen) bindHome(v *ir.Value, h *home) {
	g.define(v)
	switch {
	case h.buf != nil:
		g.tiles[v] = h.buf
	case h.int != 0:
		g.ints[v] = h.int
	default:
		g.floats[v] = h.flt
	}
}

// pass copies values to homes, as if all at once.
func (g *gen) pass(vs []*ir.Value, homes []*home) {
	var copies []func()
	for i, v := range vs {
		h := homes[i]
		switch {
		case h.buf != nil:
			if c := g.passTile(v, h, homes); c != nil {
				copies = append(copies, c)
			}
		case h.int != 0:
			r := g.CopyInt(g.intReg(v))
			copies = append(copies, func() { g.Move64(h.int, r) })
		default:
			x := g.Variable(g.floatLanes(v))
			copies = append(copies, func() { g.MoveVec(h.flt.R[0], x.R[0]) })
		}
	}
	for _, c := range copies {
		c()
	}
}

// passTile brings a tile to its home, or gives the copying that is left to do when
// all others are in reach. A tile that lies in another's home is saved first.
func (g *gen) passTile(v *ir.Value, h *home, homes []*home) func() {
	if g.tiles[v] == h.buf {
		return nil
	}
	b := g.whole(v)
	for _, other := range homes {
		if other.buf != nil && other.buf.holds(b) {
			saved := g.newBuffer(v.Type)
			g.copyBuffer(saved, b)
			b = saved
		}
	}
	return func() { g.copyBuffer(h.buf, b) }
}

// copyBuffer copies a dense tile in scratch memory.
func (g *gen) copyBuffer(to, from *buffer) {
	g.UpTo(to.cell*to.shape.Len(), g.Bytes, func(j lir.Reg) {
		r := g.NewVec()
		g.Def(asm.VMOVUPS, g.V(r), lir.FrameIndex(j, 1, from.off))
		g.Use(asm.VMOVUPS, lir.FrameIndex(j, 1, to.off), g.V(r))
	})
}

// A frame of control is an open loop or branch that terminators refer to.
type controlFrame struct {
	v       *ir.Value
	results []*home
	carried []*home // of a Loop, For
	again   int     // label of the next round
	end     int     // label behind
}

// control translates If, For and Loop.
func (g *gen) control(v *ir.Value) {
	if v.Op != ir.If && hasEffects(v) { // the next round comes after this one's effects
		g.effects = true
	}
	c := &controlFrame{v: v, again: g.NewLabel(), end: g.NewLabel()}
	switch v.Op {
	case ir.If:
		g.branch(v, c)
	case ir.For:
		g.forLoop(v, c)
	default:
		g.loop(v, c)
	}
	for i := range v.Results {
		for _, u := range g.resultValues(v, i) {
			g.define(u)
			g.bindHome(u, c.results[i])
		}
	}
}

// hasEffects reports whether control flow contains what must not be done twice.
func hasEffects(v *ir.Value) bool {
	for _, b := range v.Blocks {
		for _, w := range b.Values {
			if w.Writes() || w.Op == op.Print || w.IsControl() && hasEffects(w) {
				return true
			}
		}
	}
	return false
}

func (g *gen) homes(types []ir.Type) []*home {
	hs := make([]*home, len(types))
	for i, t := range types {
		hs[i] = g.newHome(t)
	}
	return hs
}

// nested writes a block into a scope of its own.
func (g *gen) nested(b *ir.Block, c *controlFrame, before func()) *lir.Seq {
	s := g.open()
	g.controls = append(g.controls, c)
	if before != nil {
		before()
	}
	g.block(b)
	g.controls = g.controls[:len(g.controls)-1]
	g.close()
	return s
}

func (g *gen) branch(v *ir.Value, c *controlFrame) {
	c.results = g.homes(v.Results)
	cond := g.intReg(v.Args[0])
	yes := g.nested(v.Blocks[0], c, nil)
	no := g.nested(v.Blocks[1], c, nil)
	other := g.NewLabel()
	g.Use(asm.TEST, g.R64(cond), g.R64(cond))
	g.Jump(asm.JE, other)
	g.Append(yes)
	g.Jump(asm.JMP, c.end)
	g.Bind(other)
	g.Append(no)
	g.Bind(c.end)
}

// forLoop counts from lo to hi. Its carried values' homes are also its results'.
func (g *gen) forLoop(v *ir.Value, c *controlFrame) {
	b := v.Blocks[0]
	c.carried = g.homes(v.Results)
	c.results = c.carried
	g.pass(v.Args[2:], c.carried)
	i := g.CopyInt(g.intReg(v.Args[0]))
	hi := g.intReg(v.Args[1])
	body := g.nested(b, c, func() {
		g.define(b.Args[0])
		g.ints[b.Args[0]] = i
		for k, a := range b.Args[1:] {
			g.bindHome(a, c.carried[k])
		}
		g.Spend(1)
		g.Poll()
	})
	exit := asm.JGE
	if v.Index < 0 {
		exit = asm.JLE
	}
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.Use(asm.CMP, g.R64(i), g.R64(hi))
	g.Jump(exit, c.end)
	g.Append(body)
	g.AddConst(i, int64(v.Index))
	g.Jump(asm.JMP, top)
	g.EndLoop(l)
	g.Bind(c.end)
}

func (g *gen) loop(v *ir.Value, c *controlFrame) {
	b := v.Blocks[0]
	c.results = g.homes(v.Results)
	types := make([]ir.Type, len(b.Args))
	for i, a := range b.Args {
		types[i] = a.Type
	}
	c.carried = g.homes(types)
	g.pass(v.Args, c.carried)
	body := g.nested(b, c, func() {
		for k, a := range b.Args {
			g.bindHome(a, c.carried[k])
		}
		g.Spend(1)
		g.Poll()
	})
	l := g.BeginLoop()
	g.Bind(c.again)
	g.Append(body)
	g.EndLoop(l)
	g.Bind(c.end)
}

// terminator translates the end of a block.
func (g *gen) terminator(v *ir.Value) {
	switch v.Op {
	case ir.Return:
		if len(g.controls) > 0 {
			g.Jump(asm.JMP, g.inst)
		}
	case ir.Yield:
		c := g.controls[len(g.controls)-1]
		g.pass(v.Args, c.results)
	case ir.Break:
		c := g.loopFrame(v.Index)
		g.pass(v.Args, c.results)
		g.Jump(asm.JMP, c.end)
	case ir.Continue:
		c := g.loopFrame(v.Index)
		g.pass(v.Args, c.carried)
		g.Jump(asm.JMP, c.again)
	}
}

// loopFrame is the n-th Loop outwards.
func (g *gen) loopFrame(n int) *controlFrame {
	for i := len(g.controls) - 1; i >= 0; i-- {
		if c := g.controls[i]; c.v.Op == ir.Loop {
			if n == 0 {
				return c
			}
			n--
		}
	}
	panic("amd64: no such Loop; Verify lets none pass")
}

// scalarLoad is a Load of one element.
func (g *gen) scalarLoad(v *ir.Value) {
	n := g.newNest(ir.Shape{})
	n.run(func() {
		n.tail = nil
		g.setScalar(v, 0, n.load(v, affine.Axes{}))
	})
}

// dividing is an integer division of tiles: the divisor is looked at as a whole
// first, because a zero anywhere in it fails.
func (g *gen) dividing(v *ir.Value) {
	if g.tiles[v] != nil { // with its twin
		return
	}
	y := v.Args[1]
	if s := affine.Repeated(y); s != nil {
		if s.Op != op.Const || s.Bits == 0 {
			g.refuseZero(v, g.intReg(s))
		}
	} else {
		g.refuseZeros(v, y)
	}
	quotient, rest := v, twin(g, v)
	if rest != nil && v.Op == op.Mod {
		quotient, rest = rest, v
	}
	b, left := g.newBuffer(v.Type), (*buffer)(nil)
	if rest != nil {
		left = g.newBuffer(v.Type)
	}
	n := g.newNest(v.Type.Shape)
	m := affine.Identity(v.Type.Shape)
	n.run(func() {
		q := n.computeFresh(quotient, m, n.body())
		n.write(b, m, q)
		if d := v.Type.D; rest != nil {
			n.write(left, m, g.Elementwise(op.Sub, d, n.eval(v.Args[0], m), g.Elementwise(op.Mul, d, q, n.eval(y, m))))
		}
	})
	if g.tiles[quotient] = b; rest != nil {
		g.tiles[rest] = left
	}
}

// twin is the remainder beside a quotient, or the quotient beside a remainder, of the same operands: they are computed
// together. It is nil if there is none.
func twin(g *gen, v *ir.Value) *ir.Value {
	if d := v.Type.D; !d.IsInt() || d == dtype.Bool || lane.Wide(d) {
		return nil
	}
	for _, u := range g.plan.Of(v.Args[0]).Users {
		divides := (u.Op == op.FloorDiv || u.Op == op.Mod) && u.Op != v.Op
		if divides && u.Type == v.Type && slices.Equal(u.Args, v.Args) && g.plan.Of(u).Block == g.plan.Of(v).Block {
			return u
		}
	}
	return nil
}

// refuseZeros fails v if a lane of its divisor is 0; Go finds out which.
func (g *gen) refuseZeros(v, y *ir.Value) {
	b := g.whole(y)
	n := g.newNest(y.Type.Shape)
	m := affine.Identity(y.Type.Shape)
	n.run(func() {
		d, none := y.Type.D, g.NewLabel()
		zero := n.withTail(g.Elementwise(op.Eq, d, n.eval(y, m), lane.Const(d, 0)))
		g.SkipUnlessAny(*zero, none)
		g.CallOut(g.helper(func(w *Worker) *ir.Failure {
			if at := op.ZeroDivisor(w.Region(lane.CellType(b.d), b.off, b.shape.Len())); at >= 0 {
				return w.failure(v, at, 0)
			}
			return nil
		}))
		g.Bind(none)
	})
}
