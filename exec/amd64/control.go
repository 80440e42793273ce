package amd64

import (
	"maps"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass/runs"
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
	buf *tiles.Buffer
	arg *ir.Value // of a loop, that goes round it here
	in  *ir.Value // a mask without which nobody reads the tile's elements, if any
}

func (g *gen) newHome(t ir.Type) *home {
	h := &home{t: t}
	switch {
	case t.IsTile():
		if t.D.IsPointer() {
			scalar.Refuse("a pointer tile that goes through control flow")
		}
		h.buf = g.NewBuffer(t)
	case t.D.IsPointer():
		scalar.Refuse("a pointer that goes through control flow")
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
	g.Define(v)
	switch {
	case h.buf != nil:
		g.Tiles[v] = h.buf
	case h.int != 0:
		g.Ints[v] = h.int
	default:
		g.Floats[v] = h.flt
	}
}

// pass brings values to homes, as if all at once: what is to be copied is put where it stays as it is, then tiles are
// computed in their homes, then come the copies.
func (g *gen) pass(vs []*ir.Value, homes []*home) {
	var copies []func()
	fills := g.inPlace(vs, homes)
	for i, v := range vs {
		h := homes[i]
		switch {
		case fills[i], g.Tiles[v] != nil && g.Tiles[v] == h.buf:
		case h.buf != nil:
			copies = append(copies, g.passTile(v, h, homes))
		case h.int != 0:
			r := g.IntReg(v)
			if r != h.int && slices.ContainsFunc(homes, func(o *home) bool { return o.int == r }) {
				r = g.CopyInt(r)
			}
			copies = append(copies, func() { g.moveTo(h.int, r) })
		default:
			x := g.FloatLanes(v)
			if x.Known || slices.ContainsFunc(homes, func(o *home) bool { return o.flt.R[0] == x.R[0] && o != h }) {
				x = g.Variable(x)
			}
			copies = append(copies, func() {
				if x.R[0] != h.flt.R[0] {
					g.MoveVec(h.flt.R[0], x.R[0])
				}
			})
		}
	}
	for i, v := range vs {
		switch b := g.Tiles[v]; {
		case fills[i] && b != nil: // computed on the way, for another
			copies = append(copies, g.passTile(v, homes[i], homes))
		case fills[i]:
			g.FillNest(v, homes[i].buf, homes[i].in)
			delete(g.Tiles, v) // the home goes on to be another value's
		}
	}
	for _, c := range copies {
		c()
	}
}

// moveTo copies a general register to another.
func (g *gen) moveTo(dst, src lir.Reg) {
	if dst != src {
		g.Move64(dst, src)
	}
}

// passTile gives the copying of a tile to its home, which is left to do when all others are in reach. A tile that lies
// in another's home is saved first.
func (g *gen) passTile(v *ir.Value, h *home, homes []*home) func() {
	b := g.Whole(v)
	for _, other := range homes {
		if other.buf != nil && other.buf.Holds(b) {
			saved := g.NewBuffer(v.Type)
			g.copyBuffer(saved, b)
			b = saved
		}
	}
	return func() { g.copyBuffer(h.buf, b) }
}

// inPlace says which of the values are tiles that may be computed in their homes: they have not been computed yet, read
// of their own home only the lanes that are being computed, and nothing of another such home.
func (g *gen) inPlace(vs []*ir.Value, homes []*home) []bool {
	is := make([]bool, len(vs))
	for i, v := range vs {
		is[i] = homes[i].buf != nil && g.Tiles[v] == nil && fuse.Lazy(v) && !g.Gathers(v) &&
			g.Innermost(v) && !slices.Contains(vs[:i], v) && !reads(g, v, homes[i].buf, true)
	}
	for i, v := range vs {
		for j, h := range homes {
			is[i] = is[i] && (i == j || !is[j] || !reads(g, v, h.buf, false))
		}
	}
	return is
}

// reads reports whether computing v reads a home: if lanes, other elements of it than the ones at hand.
func reads(g *gen, v *ir.Value, home *tiles.Buffer, lanes bool) (any bool) {
	fuse.Walk(v, func(r fuse.Read, atHand bool) bool {
		b := g.Tiles[r.V]
		atHand = lanes && atHand && b == home && r.M == affine.Identity(r.V.Type.Shape)
		any = any || b != nil && home.Holds(b) && !atHand
		return b == nil && !any
	})
	return any
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
	g.Around = append(g.Around, affine.Around{V: v, Depth: len(g.Enclosing) - 1, Clean: !g.Effects})
	defer func() { g.Around = g.Around[:len(g.Around)-1] }()
	if v.Op != ir.If && fuse.HasEffects(v) { // the next round comes after this one's effects
		g.Effects = true
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
		for _, u := range g.ResultValues(v, i) {
			g.Define(u)
			g.bindHome(u, c.results[i])
		}
	}
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
	s := g.Open()
	g.controls = append(g.controls, c)
	if before != nil {
		before()
	}
	g.block(b)
	g.controls = g.controls[:len(g.controls)-1]
	g.Close()
	return s
}

// forLoop counts from lo to hi. Its carried values' homes are also its results'.
func (g *gen) forLoop(v *ir.Value, c *controlFrame) {
	b := v.Blocks[0]
	c.carried = g.homes(v.Results)
	c.results = c.carried
	for k, h := range c.carried {
		if h.buf != nil {
			h.in = g.readIn(append(g.ResultValues(v, k), b.Args[1+k]))
		}
	}
	g.pass(v.Args[2:], c.carried)
	i := g.CopyInt(g.IntReg(v.Args[0]))
	hi := g.IntReg(v.Args[1])
	g.Syms.Bound(v)
	outer := scalar.BeginRounds(g.Scalars, v)
	body := g.nested(b, c, func() {
		g.Define(b.Args[0])
		g.Ints[b.Args[0]] = i
		for k, a := range b.Args[1:] {
			g.bindHome(a, c.carried[k])
			c.carried[k].arg = a
		}
		g.Spend(1)
		g.Poll()
	})
	exit := asm.JGE
	if v.Index < 0 {
		exit = asm.JLE
	}
	r := scalar.EndRounds(g.Scalars, outer, body, i, hi, c.end)
	top := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.Use(asm.CMP, g.R64(i), g.R64(hi))
	g.Jump(exit, c.end)
	g.Append(body)
	r.Next(g.Scalars)
	g.AddConst(i, int64(v.Index))
	g.Jump(asm.JMP, top)
	g.EndLoop(l)
	g.Bind(c.end)
}

// readIn is a mask, known ahead of the control flow that is being written, without which nobody reads the elements of
// tiles: all their users are a Where of it, and of something else where it does not hold. It is nil if there is none.
func (g *gen) readIn(tiles []*ir.Value) (mask *ir.Value) {
	for _, t := range tiles {
		for _, u := range g.Plan.Of(t).Users {
			if u.Op != op.Where || u.Args[0] == t || u.Args[2] == t || mask != nil && u.Args[0] != mask {
				return nil
			}
			if mask = u.Args[0]; !g.Defined(mask) {
				return nil
			}
		}
	}
	return mask
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
			c.carried[k].arg = a
		}
		if v.Text == runs.By {
			runs.Ends(v, g.Syms)
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

// dividing is an integer division of tiles: the divisor is looked at as a whole
// first, because a zero anywhere in it fails.
func (g *operations) dividing(v *ir.Value) {
	if g.Tiles[v] != nil { // with its twin
		return
	}
	y := v.Args[1]
	if s := affine.Repeated(y); s != nil {
		if s.Op != op.Const || s.Bits == 0 {
			g.RefuseZero(v, g.IntReg(s))
		}
	} else {
		g.refuseZeros(v, y)
	}
	if fuse.OnDemand(g.Plan, v) {
		return
	}
	quotient, rest := v, g.Plan.Twin(v)
	if rest != nil && v.Op == op.Mod {
		quotient, rest = rest, v
	}
	made, x, also := []*ir.Value{quotient}, v.Args[0], false
	if rest != nil {
		made = append(made, rest)
	}
	if x.Op == op.FloorDiv && fuse.Lazy(x) && !g.Keeps(x) && g.Plan.Twin(x) != nil && g.Innermost(x) && !g.IsCold() {
		made, also = append(made, x), true // a remainder is to be made of it
	}
	n, m := g.NewNest(v.Type.Shape), affine.Identity(v.Type.Shape)
	atoms, to := n.Limit(made...), map[*ir.Value]*tiles.Buffer{}
	for _, z := range made {
		to[z] = g.NewBuffer(z.Type)
		to[z].Atoms = atoms
	}
	n.Run(func() {
		if also {
			n.Write(to[x], m, n.Eval(x, m))
		}
		q := n.ComputeFresh(quotient, m, n.Body())
		n.Write(to[quotient], m, q)
		if rest != nil {
			n.Write(to[rest], m, g.RestOf(v.Type.D, n.Eval(x, m), n.Eval(y, m), q))
		}
	})
	maps.Copy(g.Tiles, to)
}

// refuseZeros fails v if a lane of its divisor is 0; Go finds out which.
func (g *operations) refuseZeros(v, y *ir.Value) {
	b := g.Whole(y)
	n := g.NewNest(y.Type.Shape)
	m := affine.Identity(y.Type.Shape)
	n.Run(func() {
		d, none := y.Type.D, g.NewLabel()
		zero := n.WithTail(g.Elementwise(op.Eq, d, n.Eval(y, m), lane.Const(d, 0)))
		g.SkipUnlessAny(*zero, none)
		g.CallOut(g.Helper(func(w *instance.Instance) *ir.Failure {
			if at := op.ZeroDivisor(w.Region(lane.CellType(b.D), b.Off, b.Shape.Len())); at >= 0 {
				return w.Failure(v, at, 0)
			}
			return nil
		}))
		g.Bind(none)
	})
}

// copyBuffer copies a dense tile in scratch memory.
func (g *gen) copyBuffer(to, from *tiles.Buffer) {
	g.UpTo(to.Cell*to.Shape.Len(), g.Bytes, func(j lir.Reg) {
		r := g.NewVec()
		g.Def(asm.VMOVUPS, g.V(r), lir.FrameIndex(j, 1, from.Off))
		g.Use(asm.VMOVUPS, lir.FrameIndex(j, 1, to.Off), g.V(r))
	})
}
