package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
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
	x := tiles.Exact(v, copy)
	x.Apart, x.Turned = apart, turned
	if turned || !g.Forms.Of(v.Memory().Ptr).MayGather() && (apart != 1 || tiles.Boxed(&g.Memory, v.Memory().Mask)) {
		g.inGo(&x)
		return
	}
	carry := g.Scatter
	if v.Op == op.Load {
		carry = g.gatherLanes
	}
	g.OrInGo(&x, func(other int) { carry(&x, other) }, func() {})
}

// OrInGo writes code that carries an access out, or goes to a label: there Go does all of it, behind what first does.
func (g *Nests) OrInGo(x *tiles.ExactAccess, carry func(other int), first func()) {
	other, done := g.NewLabel(), g.NewLabel()
	carry(other)
	g.Jump(asm.JMP, done)
	g.BindCold(other)
	g.InCold(func() {
		first()
		g.inGo(x)
	})
	g.Bind(done)
}

// inGo puts the offsets and the mask of all lanes into memory, and leaves the access to Go.
func (g *Nests) inGo(x *tiles.ExactAccess) {
	mem := x.V.Memory()
	x.Offsets = g.Spill(mem.Ptr).Off
	if mem.Mask != nil {
		x.Mask = g.Spill(mem.Mask).Off
	}
	g.CallOut(g.Helper(x.Run))
}

// gathered is the box around a gather's mask, outside of which its copy holds anything.
func (n *values) gathered(v *ir.Value) []affine.Atom {
	if mask := v.Memory().Mask; mask != nil {
		return n.MaskLimits(mask, affine.Identity(n.Shape))
	}
	return nil
}

// LanePlaces is where elements of a tensor are: their numbers as int32, which are off in lanes that are masked off.
type LanePlaces struct {
	*Nest
	x          *tiles.ExactAccess
	m          affine.Axes
	numbers    *ir.Value  // integers: those inside fit int32
	off        int64      // of lanes that are masked off
	bound      lane.Lanes // how many elements the tensor has, up to 2^31: Go copies those behind
	Base, cell lir.Reg    // the tensor, and a cell of the frame that is 0
	count      lir.Reg    // bound
	Places     int        // in the frame
}

// lanePlaces prepares them, ahead of a nest. off is the number of lanes that are masked off.
func (g *Nests) lanePlaces(x *tiles.ExactAccess, off int64) *LanePlaces {
	arg := scalar.ArgOffset(x.Tensor)
	p := &LanePlaces{Nest: g.NewNest(x.Shape), x: x, m: affine.Identity(x.Shape), off: off, Base: g.Word(arg)}
	p.numbers = g.Numbers(x.V.Memory().Ptr)
	cell := g.Alloc(8)
	g.Use(asm.MOV, lir.Frame(cell).Sized(8), lir.Imm(0))
	p.cell = g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(p.cell), lir.Frame(cell))
	if off == 0 { // of an empty tensor lanes that are masked off read the cell, too
		g.Use(asm.CMP, lir.Frame(arg+scalar.ArgSpan).Sized(8), lir.Imm(0))
		g.RMW(asm.CMOVE, g.R64(p.Base), g.R64(p.cell))
	}
	p.count = g.Word(arg + scalar.ArgSpan)
	most, d := g.NewInt(1<<31), dtype.Uint64
	g.Use(asm.CMP, g.R64(p.count), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(p.count), g.R64(most))
	if p.numbers.Type.D.Size() <= 4 {
		d = dtype.Uint32
	}
	p.bound = g.SplatInt(d, p.count)
	return p
}

// block is the places of the block at hand, anything in lanes that are masked off, and a mask of those outside.
func (p *LanePlaces) block() (places, outside lane.Lanes) {
	g, active := p.G, p.Active()
	places = p.Eval(p.numbers, p.m).As(p.bound.D)
	outside = g.Compare(op.Ge, p.bound.D, places, p.bound)
	if active != nil {
		outside = g.PrimBool(op.And, []lane.Lanes{outside, *active})
	}
	return g.Cast(dtype.Int32, places), outside
}

// settled is places that are off in lanes that are masked off.
func (p *LanePlaces) settled(places lane.Lanes) lane.Lanes {
	active := p.Active()
	if active == nil {
		return places
	}
	return p.G.Blend(*active, places, lane.Const(dtype.Int32, uint64(uint32(p.off))))
}

// Active is the lanes of the block at hand that are not masked off, nil for all.
func (p *LanePlaces) Active() *lane.Lanes {
	on, _ := p.LoadMask(p.x.V.Memory().Mask, p.m)
	return p.WithTail(on)
}

// Idle is the lanes of the block at hand that are masked off.
func (p *LanePlaces) Idle() lane.Lanes {
	off := p.G.PrimBool(op.Not, []lane.Lanes{p.Eval(p.x.V.Memory().Mask, p.m)})
	if some := p.WithTail(off); some != nil {
		return *some
	}
	return off
}

// What is done with a lane that is masked off: its place is an element's anyway, it is sent nowhere, or it is jumped
// over, which is faster only if few are or all.
const (
	Stays = iota
	Nowhere
	Skipped
)

// Element is the address of a lane's element.
func (p *LanePlaces) Element(at lir.Reg, off, next int) lir.Arg {
	g := p.G
	if p.x.V.Memory().Mask == nil {
		off = Stays
	}
	z := lir.MemIndex(p.Base, at, p.x.D.Size(), 0)
	switch off {
	case Skipped:
		g.Use(asm.CMP, g.R32(at), lir.Imm(p.off))
		g.Jump(asm.JE, next)
	case Nowhere:
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
	p.Places = g.Alloc(4 * g.Lanes)
	if size <= 4 && g.EVEX && len(p.Dims) > 0 {
		p.from = gather.New(g.Builder, size, p.Base, p.count)
	}
	var table *gather.Table
	if size <= 4 && len(p.Dims) > 0 {
		few := func(n int64) bool { return affine.Below(p.numbers, n) }
		p.At(0, func() { table = gather.NewTable(g.Builder, size, p.Base, p.count, few) })
	}
	single := !p.near && size >= 4 && len(p.Dims) > 0 && (!g.EVEX || gather.Slow())
	p.Run(func() {
		to, _ := p.Place(cells, p.m)
		if numbers, ok := p.inMemory(single && table == nil); ok {
			g.Store(gather.FromMemory(g.Builder, numbers, p.Base, p.count, size, other).As(x.D), to, nil)
			return
		}
		at, outside := p.block()
		at = p.settled(at)
		inside := g.NewLabel()
		g.SkipUnlessAny(outside, inside)
		g.Jump(asm.JMP, other)
		g.Bind(inside)
		behind := g.NewLabel()
		if active := p.Active(); active != nil && p.Inner() >= 0 {
			g.Store(lane.Const(x.D, 0), to, nil)
			g.SkipUnlessAny(*active, behind)
		}
		if table != nil {
			g.Store(table.Look(at, p.Active()), to, nil)
			g.Bind(behind)
			return
		}
		if p.near && len(p.Dims) > 0 {
			switch {
			case size == 4 && !g.EVEX:
				gather.Window(g.Builder, at, p.Active(), p.Base, p.count, to, behind)
			case p.from == nil || size < 4:
				// Lanes that are masked off have place 0, which no row goes on with.
				gather.Row(g.Builder, size, at, p.Base, to, behind)
			}
		}
		if p.from == nil || p.gather(at, to, behind) {
			p.copy(at, to)
		}
		g.Bind(behind)
	})
}

// inMemory is where the places of the block at hand lie side by side, none of which is masked off, if they do and may.
func (p gathering) inMemory(may bool) (at lir.Arg, ok bool) {
	g, v := p.G, p.numbers
	if !may || p.Active() != nil || v.Type.D != dtype.Int32 {
		return at, false
	}
	if b := g.Tiles[v]; b != nil {
		at, step := p.Place(b, p.m)
		return at, step.N == 4 && affine.Subset(b.Atoms, p.Atoms)
	}
	if v.Op != op.Load || g.Keeps(v) || !p.varies(v, p.m) {
		return at, false
	}
	f := g.Forms.Of(v.Memory().Ptr)
	if _, partial := p.LoadMask(v.Memory().Mask, p.m); partial || !f.Ok || f.Base < 0 {
		return at, false
	}
	a := p.access(v, p.m)
	at, step := p.Address(a, p.m)
	return at, a.Rows == nil && step == lane.Stride{N: 4}
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
	g.Store(elements(at, p.Active()), to, nil)
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
	switch {
	case len(p.Dims) == 0:
	case size >= 4:
		g.Store(gather.OneByOne(g.Builder, at, p.Active(), p.Base, size).As(p.x.D), to, nil)
		return
	case !g.EVEX:
		gather.CopyNarrow(g.Builder, at, p.Active(), p.Base, size, to)
		return
	}
	count := 1
	if len(p.Dims) > 0 {
		count = min(g.Lanes, p.x.Shape.D[p.Inner()]) // what is behind the row the next one writes over
	}
	g.Store(at, lir.Frame(p.Places), nil)
	gather.Each(g.Builder, gather.Lane{}, count, p.Places, func(l gather.Lane, place lir.Reg) {
		g.CopyElement(size, g.NewReg(lir.GPR), to.Plus(l.Plus*size), p.Element(place, Stays, 0))
	})
	if active := p.Active(); active != nil {
		off := g.PrimBool(op.Not, []lane.Lanes{*active})
		g.Store(lane.Const(p.x.D, 0), to, &off)
	}
}

// PlaceLanes computes the places of all lanes, or of those in a box around its mask, which block asks for and puts into
// memory. The mask that it gives holds somewhere if one is outside.
func (g *Nests) PlaceLanes(
	x *tiles.ExactAccess, places int, boxed bool, block func(p *LanePlaces, at func() lane.Lanes),
) (p *LanePlaces, outside lane.Lanes) {
	p = g.lanePlaces(x, -1)
	if p.Places = places; boxed {
		p.Atoms = p.gathered(x.V)
	}
	outside = g.Variable(lane.Const(dtype.Bool, 0))
	p.Run(func() {
		block(p, func() lane.Lanes {
			at, out := p.block()
			g.Assign(outside, g.PrimBool(op.Or, []lane.Lanes{outside, out}))
			return at
		})
	})
	return p, outside
}

// Put puts the places of all lanes where EachLane and InRuns find them, for PlaceLanes.
func (p *LanePlaces) Put(at func() lane.Lanes) {
	b := tiles.Buffer{Off: p.Places, D: dtype.Int32, Shape: p.x.Shape, Stride: p.x.Shape.Dense().D, Cell: 4}
	p.Write(&b, p.m, p.settled(at()))
}

// InRuns goes another way where a place in a view with gaps is not the tensor's.
func (p *LanePlaces) InRuns(other int) {
	p.G.RunsOf(p.x.Tensor, other).Lanes(p.Places, lir.Imm(int64(p.x.Shape.Len())), p.x.Shape.Len(), p.off)
}

// EachLane writes a loop over n lanes and their places.
func (p *LanePlaces) EachLane(n int, body func(l gather.Lane, place lir.Reg)) {
	gather.Rounds(p.G.Builder, n, func(first gather.Lane, lanes int) {
		gather.Each(p.G.Builder, first, lanes, p.Places, body)
	})
}
