package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Gathers and scatters: accesses whose addresses are not affine. They are compared with the tensor's bounds in vectors,
// and elements are copied one by one between the tensor and the access's copy: of a gather block by block, of a scatter
// when all addresses are known to be inside. Where a lane is outside, Go begins again and finds the first one. An
// affine access comes here only if something is wrong with it, and is left to Go: the code would be larger than
// that of the kernel.

// Exact carries v's access out between the tensor and the copy, lane by lane. What may be a gather or a scatter has a
// dense copy.
func (g *Nests) Exact(v *ir.Value, copy, apart int, turned bool) {
	mem := v.Memory()
	x := tiles.ExactAccess{
		V: v, Copy: copy, Apart: apart, Turned: turned, Mask: -1,
		Shape: mem.Ptr.Type.Shape, D: mem.Ptr.Type.D.Elem(), Tensor: fuse.TensorOf(mem.Ptr),
	}
	if x.Tensor < 0 {
		scalar.Refuse("a pointer that may point into several tensors")
	}
	if turned || !g.Forms.Of(mem.Ptr).MayGather() {
		g.addresses(&x)
		g.CallOut(g.Helper(x.Run))
		return
	}
	inGo, done := g.NewLabel(), g.NewLabel()
	if v.Op == op.Load {
		g.gatherLanes(&x, inGo)
	} else {
		g.scatterLanes(&x, inGo)
	}
	g.Jump(asm.JMP, done)
	g.BindCold(inGo)
	g.InCold(func() {
		g.addresses(&x)
		g.CallOut(g.Helper(x.Run))
	})
	g.Bind(done)
}

// gathered is the box around a gather's mask, outside of which its copy holds anything.
func (n *values) gathered(v *ir.Value) []affine.Atom {
	if mask := v.Memory().Mask; mask != nil {
		return n.MaskLimits(mask, affine.Identity(n.Shape))
	}
	return nil
}

// addresses puts the offsets and the mask of all lanes into memory, for Go.
func (g *Nests) addresses(x *tiles.ExactAccess) {
	mem := x.V.Memory()
	x.Offsets = g.Spill(mem.Ptr).Off
	if mem.Mask != nil {
		x.Mask = g.Spill(mem.Mask).Off
	}
}

// LanePlaces is where elements of a tensor are: their numbers as int32, which are off in lanes that are masked off.
type LanePlaces struct {
	*Nest
	x          *tiles.ExactAccess
	m          affine.Axes
	numbers    *ir.Value  // int32 or int64: those inside fit int32
	off        int64      // of lanes that are masked off
	bound      lane.Lanes // how many elements the tensor has, up to 2^31: Go copies those behind
	base, cell lir.Reg    // the tensor, and a cell of the frame that is 0
	count      lir.Reg    // bound
	places     int        // in the frame
	idle       lane.Lanes // of a store: holds somewhere if a lane is masked off
}

// lanePlaces prepares them, ahead of a nest. off is the number of lanes that are masked off.
func (g *Nests) lanePlaces(x *tiles.ExactAccess, off int64) *LanePlaces {
	arg := scalar.ArgOffset(x.Tensor)
	p := &LanePlaces{Nest: g.NewNest(x.Shape), x: x, m: affine.Identity(x.Shape), off: off, base: g.Word(arg)}
	p.numbers = g.Numbers(x.V.Memory().Ptr)
	cell := g.Alloc(8)
	g.Use(asm.MOV, lir.Frame(cell).Sized(8), lir.Imm(0))
	p.cell = g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(p.cell), lir.Frame(cell))
	if off == 0 { // of an empty tensor lanes that are masked off read the cell, too
		g.Use(asm.CMP, lir.Frame(arg+scalar.ArgSpan).Sized(8), lir.Imm(0))
		g.RMW(asm.CMOVE, g.R64(p.base), g.R64(p.cell))
	}
	p.count = g.Word(arg + scalar.ArgSpan)
	most, d := g.NewInt(1<<31), dtype.Uint64
	g.Use(asm.CMP, g.R64(p.count), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(p.count), g.R64(most))
	if p.numbers.Type.D.Size() == 4 {
		d = dtype.Uint32
	}
	p.bound = g.SplatInt(d, p.count)
	return p
}

// block is the places of the block at hand, and a mask of those that are outside.
func (p *LanePlaces) block() (places, outside lane.Lanes) {
	g := p.G
	places = p.Eval(p.numbers, p.m).As(p.bound.D)
	outside = g.Compare(op.Ge, p.bound.D, places, p.bound)
	places = g.Cast(dtype.Int32, places)
	if active := p.active(); active != nil {
		nowhere := lane.Const(dtype.Int32, uint64(uint32(p.off)))
		places, outside = g.Blend(*active, places, nowhere), g.PrimBool(op.And, []lane.Lanes{outside, *active})
	}
	return places, outside
}

// active is the lanes of the block at hand that are not masked off, nil for all.
func (p *LanePlaces) active() *lane.Lanes {
	on, _ := p.LoadMask(p.x.V.Memory().Mask, p.m)
	return p.WithTail(on)
}

// What is done with a lane that is masked off: its place is an element's anyway, it is sent nowhere, or it is jumped
// over, which is faster only if few are or all.
const (
	stays = iota
	nowhere
	Skipped
)

// each runs f for lanes in order, with their places in registers.
func (p *LanePlaces) each(l gather.Lane, lanes int, f func(l gather.Lane, place lir.Reg)) {
	gather.Each(p.G.Builder, l, lanes, p.places, f)
}

// Element is the address of a lane's element.
func (p *LanePlaces) Element(at lir.Reg, off, next int) lir.Arg {
	g := p.G
	if p.x.V.Memory().Mask == nil {
		off = stays
	}
	z := lir.MemIndex(p.base, at, p.x.D.Size(), 0)
	switch off {
	case Skipped:
		g.Use(asm.CMP, g.R32(at), lir.Imm(p.off))
		g.Jump(asm.JE, next)
	case nowhere:
		r := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(r), z)
		g.Use(asm.CMP, g.R32(at), lir.Imm(p.off))
		g.RMW(asm.CMOVE, g.R64(r), g.R64(p.cell))
		return lir.Mem(r, 0)
	}
	return z
}

// A gathering is a nest that copies elements from a tensor.
type gathering struct {
	*LanePlaces
	near bool           // places are likely to be close together
	from *gather.Tensor // nil if elements are copied one by one
}

// gatherLanes copies elements from the tensor, and goes to another way when it comes to one outside: not before, as
// what the nest keeps on its way is there then as far as the other way needs it.
func (g *Nests) gatherLanes(x *tiles.ExactAccess, other int) {
	p, size := gathering{LanePlaces: g.lanePlaces(x, 0), near: affine.Close(x.V.Memory().Ptr)}, x.D.Size()
	p.Atoms = p.gathered(x.V)
	cells := &tiles.Buffer{Off: x.Copy, D: x.D, Shape: x.Shape, Stride: x.Shape.Dense().D, Cell: size}
	p.places = g.Alloc(4 * g.Lanes)
	if size <= 4 && g.EVEX && len(p.Dims) > 0 {
		p.from = gather.New(g.Builder, size, p.base, p.count)
	}
	var table *gather.Table
	if size <= 4 && len(p.Dims) > 0 {
		few := func(n int64) bool { return affine.Below(p.numbers, n) }
		p.At(0, func() { table = gather.NewTable(g.Builder, size, p.base, p.count, few) })
	}
	p.Run(func() {
		at, outside := p.block()
		inside := g.NewLabel()
		g.SkipUnlessAny(outside, inside)
		g.Jump(asm.JMP, other)
		g.Bind(inside)
		to, _ := p.Place(cells, p.m)
		behind := g.NewLabel()
		if active := p.active(); active != nil && p.Inner() >= 0 {
			g.Store(lane.Const(x.D, 0), to, nil)
			g.SkipUnlessAny(*active, behind)
		}
		if table != nil {
			g.Store(table.Look(at, p.active()), to, nil)
			g.Bind(behind)
			return
		}
		if p.near && len(p.Dims) > 0 {
			switch {
			case size == 4 && !g.EVEX:
				gather.Window(g.Builder, at, p.active(), p.base, p.count, to, behind)
			case p.from == nil || size < 4:
				// Lanes that are masked off have place 0, which no row goes on with.
				gather.Row(g.Builder, size, at, p.base, to, behind)
			}
		}
		if p.from == nil || p.gather(at, to, behind) {
			p.copy(at, to)
		}
		g.Bind(behind)
	})
}

// gather gathers a block in vectors. rest is whether some tensors are too short for that: code for these is to follow.
func (p gathering) gather(at lane.Lanes, to lir.Arg, behind int) (rest bool) {
	g, size, without := p.G, p.x.D.Size(), p.G.NewLabel()
	if size < 4 {
		g.Use(asm.CMP, g.R64(p.count), lir.Imm(gather.Least(size)))
		g.Jump(asm.JL, without)
	}
	elements := p.from.Elements
	if p.near {
		elements = p.from.Near
	}
	g.Store(elements(at, p.active()), to, nil)
	if size == 4 {
		return false
	}
	g.Jump(asm.JMP, behind)
	g.Bind(without)
	return true
}

// copy copies a block's elements one by one.
func (p gathering) copy(at lane.Lanes, to lir.Arg) {
	g, size := p.G, p.x.D.Size()
	if size >= 4 && len(p.Dims) > 0 {
		g.Store(gather.OneByOne(g.Builder, at, p.active(), p.base, size).As(p.x.D), to, nil)
		return
	}
	count := 1
	if len(p.Dims) > 0 {
		count = min(g.Lanes, p.x.Shape.D[p.Inner()]) // what is behind the row the next one writes over
	}
	g.Store(at, lir.Frame(p.places), nil)
	p.each(gather.Lane{}, count, func(l gather.Lane, place lir.Reg) {
		g.CopyElement(size, g.NewReg(lir.GPR), to.Plus(l.Plus*size), p.Element(place, stays, 0))
	})
	if active := p.active(); active != nil {
		off := g.PrimBool(op.Not, []lane.Lanes{*active})
		g.Store(lane.Const(p.x.D, 0), to, &off)
	}
}

// PlaceLanes puts the places of all lanes into memory. The mask that it gives holds somewhere if one is outside.
func (g *Nests) PlaceLanes(x *tiles.ExactAccess) (p *LanePlaces, outside lane.Lanes) {
	p = g.lanePlaces(x, -1)
	b := g.NewBuffer(ir.Type{D: dtype.Int32, Shape: x.Shape})
	p.places = b.Off
	outside = g.Variable(lane.Const(dtype.Bool, 0))
	idle := x.V.Op == op.Store && x.V.Memory().Mask != nil
	if idle {
		p.idle = g.Variable(lane.Const(dtype.Bool, 0))
	}
	p.Run(func() {
		at, out := p.block()
		p.Write(b, p.m, at)
		if idle {
			off := g.PrimBool(op.Not, []lane.Lanes{p.Eval(x.V.Memory().Mask, p.m)})
			if some := p.WithTail(off); some != nil {
				off = *some
			}
			g.Assign(p.idle, g.PrimBool(op.Or, []lane.Lanes{p.idle, off}))
		}
		g.Assign(outside, g.PrimBool(op.Or, []lane.Lanes{outside, out}))
	})
	return p, outside
}

// InRuns goes another way where a place in a view with gaps is not the tensor's.
func (p *LanePlaces) InRuns(other int) {
	p.G.RunsOf(p.x.Tensor, other).Lanes(p.places, p.x.Shape.Len(), p.off)
}

// scatterLanes copies elements to the tensor, in order, if all are inside.
func (g *Nests) scatterLanes(x *tiles.ExactAccess, other int) {
	inside := g.NewLabel()
	p, outside := g.PlaceLanes(x)
	g.SkipUnlessAny(outside, inside)
	g.Jump(asm.JMP, other)
	g.Bind(inside)
	p.InRuns(other)
	n, done := x.Shape.Len(), g.NewLabel()
	if x.V.Memory().Mask != nil {
		all := g.NewLabel()
		g.SkipUnlessAny(p.idle, all)
		p.EachLane(n, func(l gather.Lane, at lir.Reg) { p.scatter(l, at, nowhere) })
		g.Jump(asm.JMP, done)
		g.Bind(all)
	}
	near := n%g.Lanes == 0 && affine.Close(x.V.Memory().Ptr)
	if n >= 2*scatterAhead && !near {
		cached := g.NewLabel()
		g.Use(asm.CMP, lir.Frame(scalar.ArgOffset(x.Tensor)+scalar.ArgSpan).Sized(8), lir.Imm(int64(smallOutput/x.D.Size())))
		g.Jump(asm.JLE, cached)
		p.scatterPrefetched(n)
		g.Jump(asm.JMP, done)
		g.Bind(cached)
	}
	one := func(l gather.Lane, at lir.Reg) { p.scatter(l, at, stays) }
	if near {
		gather.ToRows(g.Builder, n, x.D.Size(), p.places, p.base, x.Copy, one)
	} else {
		p.EachLane(n, one)
	}
	g.Bind(done)
}

// A scatter into a tensor of more bytes than smallOutput prefetches for elements that it comes to so many lanes later.
const (
	scatterAhead = 64
	smallOutput  = 32 << 10
)

// scatter copies an element to the tensor, at a place.
func (p *LanePlaces) scatter(l gather.Lane, at lir.Reg, off int) {
	size := p.x.D.Size()
	p.G.CopyElement(size, p.G.NewReg(lir.GPR), p.Element(at, off, 0), l.In(size, p.x.Copy))
}

// scatterPrefetched copies n elements, none of which is masked off. Stores happen in order: without a prefetch each
// one that misses the cache holds up those behind it.
func (p *LanePlaces) scatterPrefetched(n int) {
	ahead := func(_ gather.Lane, at lir.Reg) { p.G.Use(asm.PREFETCHW, p.Element(at, stays, 0).Sized(1)) }
	scatter := func(l gather.Lane, at lir.Reg) { p.scatter(l, at, stays) }
	p.EachLane(scatterAhead, ahead)
	gather.Rounds(p.G.Builder, n-scatterAhead, func(l gather.Lane, lanes int) {
		p.each(l.Behind(scatterAhead), lanes, ahead)
		p.each(l, lanes, scatter)
	})
	gather.Rounds(p.G.Builder, scatterAhead, func(l gather.Lane, lanes int) { p.each(l.Behind(n-scatterAhead), lanes, scatter) })
}

// EachLane writes a loop over n lanes and their places.
func (p *LanePlaces) EachLane(n int, body func(l gather.Lane, place lir.Reg)) {
	gather.Rounds(p.G.Builder, n, func(first gather.Lane, lanes int) { p.each(first, lanes, body) })
}
