package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Memory works while code computes, if it is asked early. The loops over a tile's
// elements that a block makes, its passes, ask for what will be needed: the lines that
// a later store of this instance writes, and what the next instance, or the next round of
// a loop, loads. Each is asked for by a pass that computes long enough for the answer to come, and few by one pass.

// A pass is a reduction or a store, with what is computed in its loops.
type pass struct {
	v     *ir.Value
	time  int // half cycles for a block of lanes, about, less what waiting for memory takes
	loads []*ir.Value
	// waits says that it is a sum in which each addition waits for the one before, with little
	// else to do, in an instance that overlaps with the next: there it runs beside other passes,
	// and is slower by far if it asks for memory.
	waits bool
}

// An ask is a store, or a load so many turns on, that memory is asked for. A store that no
// pass is ahead of asks for itself, further along its row.
type ask struct {
	v     *ir.Value
	turns int
	when  askWhen
	busy  bool // of a store that asks for itself: it may ask for a line more than once
}

// askWhen limits an ask to launches of which the store at the end of an overlapped
// instance does not bypass the caches, or does.
type askWhen uint8

const (
	always askWhen = iota
	whenCached
	whenBypassed
)

// lineTime is how long a line of memory takes to come, one after the other.
const lineTime = 16

// addTime is how long the addition of a block takes that the next one waits for.
const addTime = 10

// furtherOn is how many bytes ahead a store asks for itself.
const furtherOn = 1024

// planAhead says which loads and stores a pass asks for memory for.
func (p *planner) planAhead() {
	p.f.Walk(func(b *ir.Block) {
		passes := p.passes(b)
		for i, at := range passes {
			if at.v.Op == op.Store {
				before := slices.Clone(passes[:i])
				slices.Reverse(before)
				if !p.ask(at.v, before) {
					p.give(at.v, ask{v: at.v, busy: at.time >= lineTime/2})
				}
			}
		}
		asked := map[*ir.Value]bool{}
		for i, first := range passes {
			for _, load := range first.loads {
				switch {
				case asked[load]:
				case p.inHead(load):
					p.askForHead(load, passes)
				case !p.ask(load, passes[i:]):
					p.give(first.v, ask{v: load, turns: 1})
				}
				asked[load] = true
			}
		}
	})
}

// askForHead gives a head's load to the pass that stores or, if that bypasses the caches
// and memory is busy, to the one ahead of it that has most time.
func (p *planner) askForHead(load *ir.Value, passes []*pass) {
	var best *pass
	for _, q := range passes {
		if q.v == p.overlap.gap {
			break
		}
		if !q.waits && (best == nil || q.time > best.time) && q.v.Args[0].Type.Shape == load.Type.Shape {
			best = q
		}
	}
	if best == nil {
		p.give(p.overlap.gap, ask{v: load, turns: headsAhead})
		return
	}
	p.give(p.overlap.gap, ask{v: load, turns: headsAhead, when: whenCached})
	p.give(best.v, ask{v: load, turns: headsAhead, when: whenBypassed})
}

// give has the pass that ends with v ask.
func (p *planner) give(v *ir.Value, a ask) {
	at := p.of(v)
	at.asks = append(at.asks, a)
}

// ask gives v to the first pass over tiles of its shape that has time for it, or to the
// one that has most; false if there is none.
func (p *planner) ask(v *ir.Value, passes []*pass) bool {
	var best *pass
	for _, q := range passes {
		if q.waits || q.v.Args[0].Type.Shape != v.Args[0].Type.Shape {
			continue
		}
		if best == nil || q.time > best.time {
			best = q
		}
		if q.time >= lineTime/2 {
			break
		}
	}
	if best != nil {
		best.time -= lineTime
		p.give(best.v, ask{v: v, turns: 1})
	}
	return best != nil
}

// passes is a block's passes in order.
func (p *planner) passes(b *ir.Block) (list []*pass) {
	filled := map[*ir.Value]bool{}
	for _, v := range b.Values {
		switch {
		case v.Op == op.Store && v.Args[0].Type.IsTile():
			q := &pass{v: v}
			q.add(p, v.Memory().Val, filled)
			list = append(list, q)
		case ir.Family(v.Op) == op.Reducing:
			q := &pass{v: v}
			for _, a := range v.Args {
				q.add(p, a, filled)
			}
			if v.Op == op.Sum && v.Type.D.IsFloat() {
				q.waits = p.overlap.last != nil && q.time < addTime
				q.time += addTime
			}
			list = append(list, q)
		}
	}
	return list
}

// add counts what v takes in the pass, which fills tiles that are kept on its way.
func (q *pass) add(p *planner, v *ir.Value, filled map[*ir.Value]bool) {
	at := p.of(v)
	if !lazy(v) || at.early || filled[v] || at.pass == q {
		return
	}
	at.pass = q
	if v.Op == op.Load {
		q.loads = append(q.loads, v)
		q.time += loadCost
		return
	}
	if at.keep {
		filled[v] = true
	}
	q.time += ownCost(v)
	for _, a := range v.Args {
		q.add(p, a, filled)
	}
}

// askAhead writes, into the block at hand, what asks for memory. A loop with a twin that
// bypasses the caches works inside them, and does not ask for what it loads itself.
func (n *nest) askAhead() {
	g := n.g
	for _, ask := range n.asks {
		v, o := ask.v, asm.PREFETCHW
		if ask.when == whenCached && n.streaming {
			continue
		}
		if ask.turns == 0 {
			n.askFurtherOn(ask.busy)
			continue
		}
		if v.Op == op.Load {
			o = asm.PREFETCHT1
			if n.stream != nil && !n.streaming && n.loads[laneKey{v, affine.Identity(n.shape)}] != nil {
				continue
			}
		}
		a, ok := n.ahead[v]
		if !ok {
			a = g.ahead(ask)
			n.ahead[v] = a
		}
		if a == nil || n.off*a.d.Size()%64 != 0 {
			continue
		}
		if at, step := n.address(a, affine.Identity(n.shape)); step.r == 0 && step.n == int64(a.d.Size()) {
			g.use(o, at.sized(1))
		}
	}
}

// askFurtherOn asks for memory that the nest's own store comes to a little later: a store
// that misses holds up those behind it. A line that is asked for by several blocks costs more
// than it gains, unless the loop is busy, and so do short rows, whose ends ask for what is not stored.
func (n *nest) askFurtherOn(busy bool) {
	g, a := n.g, n.stream
	if a == nil || n.streaming || n.tail != nil || g.wide < 64 && !busy || n.shape.D[n.inner()]*a.d.Size() < 2*furtherOn {
		return
	}
	at, _ := n.address(a, affine.Identity(n.shape))
	for line := 0; line < g.step()*a.d.Size(); line += 64 {
		g.use(asm.PREFETCHW, at.plus(furtherOn+line).sized(1))
	}
}

// ahead is the memory that a store, or the next turn of a load, will touch, as far as it is
// known yet; nil if it is not. Nothing is checked: to ask for an address that is not there
// does nothing.
func (g *gen) ahead(ask ask) *access {
	v := ask.v
	ptr := v.Memory().Ptr
	if g.cold != nil || !g.known(ptr) {
		return nil
	}
	f := g.forms.Of(ptr)
	if !f.Ok || f.Base < 0 || ask.when == whenBypassed && g.bypassed[g.plan.overlap.gap] == 0 {
		return nil
	}
	start := f.Start
	if v.Op == op.Load {
		step := g.nextStep(v, start)
		if step == nil || step.IsConst(0) {
			return nil
		}
		start = g.syms.Add(start, g.syms.Mul(step, g.syms.Constant(int64(ask.turns))))
	}
	a := &access{v: v, d: ptr.Type.D.Elem()}
	g.at(len(g.scopes)-1, func() {
		g.prepareAhead(a, f, start)
		switch {
		case v.Op == op.Store:
			g.keepOut(a, f.Base)
		case ask.when == whenBypassed:
			scratch := g.newReg(gpr)
			g.def(asm.LEA, g.r64(scratch), frameAt(0))
			bypassed := g.bypassed[g.plan.overlap.gap]
			g.use(asm.TEST, g.r64(bypassed), g.r64(bypassed))
			g.rmw(asm.CMOVE, g.r64(a.base), g.r64(scratch))
		}
	})
	return a
}

// keepOut has scratch memory asked for in the place of a row that a store writes past the
// caches, and notes whether that is so.
func (g *gen) keepOut(a *access, tensor int) {
	bypassed, not := g.newInt(0), g.newLabel()
	g.use(asm.CMP, frameAt(argOffset(tensor)+argStream).sized(8), imm(0))
	g.jump(asm.JE, not)
	g.use(asm.TEST, g.r64(a.base), imm(int64(g.wide-1)))
	g.jump(asm.JNE, not)
	g.def(asm.LEA, g.r64(a.base), frameAt(0))
	g.setImm(bypassed, 1)
	g.bind(not)
	g.bypassed[a.v] = bypassed
}

// prepareAhead is what prepare does, less the checks.
func (g *gen) prepareAhead(a *access, f *affine.Form, start *affine.Sym) {
	size := int64(a.d.Size())
	for i, c := range f.Coef {
		switch {
		case c == nil:
		case c.Kind == affine.Const:
			a.stride[i] = stride{n: c.N * size}
		default:
			a.stride[i].r = g.symReg(g.syms.Mul(c, g.syms.Constant(size)))
		}
	}
	a.base = g.newReg(gpr)
	g.def(asm.MOV, g.r64(a.base), frameAt(argOffset(f.Base)))
	g.addScaled(a.base, start, size)
}

// known reports whether all scalars behind an address have been computed.
func (g *gen) known(v *ir.Value) bool { return g.knownBehind(v, map[*ir.Value]bool{}) }

func (g *gen) knownBehind(v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true // if it is not, nothing that needs it is
	if !v.Type.IsTile() {
		if v.Op == op.Const || g.defined(v) && int32(v.ID) != g.tag { // not the one being made
			return true
		}
		if v.Op != ir.PtrAdd && (v.Type.D != dtype.Int64 || v.Op != op.Add && v.Op != op.Sub && v.Op != op.Mul) {
			return false // not taken apart by forms
		}
	} else if !lazy(v) || v.Op == op.Load {
		return false
	}
	for _, a := range v.Args {
		if !g.knownBehind(a, seen) {
			return false
		}
	}
	return true
}

// nextStep is how much x, which v uses, grows until v's next turn: in the next round of the
// loop that v stands in, outside of loops in the next instance along the first axis of the
// grid. It is nil if that is not known.
func (g *gen) nextStep(v *ir.Value, x *affine.Sym) *affine.Sym {
	loop := g.plan.parent[g.plan.of(v).block]
	for loop != nil && loop.Op == ir.If {
		loop = g.plan.parent[g.plan.of(loop).block]
	}
	if loop == nil {
		return g.syms.Growth(x, g.syms.InstanceStep)
	}
	return g.syms.Growth(x, func(v *ir.Value) *affine.Sym { return g.roundStep(loop, v) })
}

// roundStep is how much a value grows from one round of a loop to the next.
func (g *gen) roundStep(loop, v *ir.Value) *affine.Sym {
	body := loop.Blocks[0]
	carried := body.Args
	if loop.Op == ir.For {
		if v == carried[0] {
			return g.syms.Constant(int64(loop.Index))
		}
		carried = carried[1:]
	}
	i := slices.Index(carried, v)
	if i < 0 {
		if g.depthOf(v) <= g.depthOf(loop) {
			return g.syms.Constant(0)
		}
		return nil
	}
	last := body.Values[len(body.Values)-1]
	if last.Op != ir.Yield && (last.Op != ir.Continue || last.Index != 0) || !g.known(last.Args[i]) {
		return nil
	}
	next, now := g.syms.Value(last.Args[i]), g.syms.Leaf(v)
	switch {
	case next.Kind != affine.Sum:
	case next.A == now:
		return next.B
	case next.B == now:
		return next.A
	}
	return nil
}
