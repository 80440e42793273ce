package bylane

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// LanePlaces is where elements of a tensor are: their numbers as int32, which are off in lanes that are masked off.
type LanePlaces struct {
	Nest *nest.Nest
	tensor
	X       *tiles.ExactAccess
	M       affine.Axes
	Numbers *ir.Value   // integers: those inside fit int32
	plus    *ir.Value   // added to them if not nil, modulo 2^32
	by      *affine.Sym // or this, which is from in all lanes
	from    lane.Lanes
	off     int64 // of lanes that are masked off
	Places  int   // in the frame
}

// A tensor is what elements are of.
type tensor struct {
	bound      lane.Lanes // how many it has, up to 2^31: Go copies those behind
	Base, cell lir.Reg    // where it is, and a cell of the frame that is 0
	Count      lir.Reg    // bound
	window     *gather.Window
}

// NewLanePlaces prepares them, ahead of a nest. off is the number of lanes that are masked off.
func NewLanePlaces(g *nest.Nests, x *tiles.ExactAccess, off int64) *LanePlaces {
	p := newPlaces(g, x, off)
	p.prepare()
	return p
}

func newPlaces(g *nest.Nests, x *tiles.ExactAccess, off int64) *LanePlaces {
	p := &LanePlaces{Nest: g.NewNest(x.Shape), X: x, M: affine.Identity(x.Shape), off: off}
	parts, by := g.Numbers(x.V.Memory().Ptr)
	if p.Numbers, p.by = parts[0], by; len(parts) == 2 {
		p.plus = parts[1]
	}
	return p
}

// prepare finds the tensor.
func (p *LanePlaces) prepare() {
	g, arg := p.Nest.G, scalar.ArgOffset(p.X.Tensor)
	p.Base = g.Word(arg)
	cell := g.Alloc(8)
	g.Use(asm.MOV, lir.Frame(cell).Sized(8), lir.Imm(0))
	p.cell = g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(p.cell), lir.Frame(cell))
	if p.off == 0 { // of an empty tensor lanes that are masked off read the cell, too
		g.Use(asm.CMP, lir.Frame(arg+scalar.ArgSpan).Sized(8), lir.Imm(0))
		g.RMW(asm.CMOVE, g.R64(p.Base), g.R64(p.cell))
	}
	p.Count = g.Word(arg + scalar.ArgSpan)
	most := g.NewInt(1 << 31)
	g.Use(asm.CMP, g.R64(p.Count), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(p.Count), g.R64(most))
	if p.by != nil {
		p.move(g.SymReg(p.by), most)
	}
	p.bound = g.SplatInt(p.d(), p.Count)
}

// d is what numbers are compared as.
func (p *LanePlaces) d() dtype.DType {
	if p.Numbers.Type.D.Size() <= 4 {
		return dtype.Uint32
	}
	return dtype.Uint64
}

// move adds a scalar to all numbers. Sums that are below the bound modulo 2^32 are to be below it: that of the smallest
// number, -2^31, is not less than 0 by more than 2^31. Where the scalar itself has more than 32 bits nothing is inside.
func (p *LanePlaces) move(by, most lir.Reg) {
	g := p.Nest.G
	p.from = g.SplatInt(dtype.Uint32, by)
	room, low, none := g.CopyInt(by), g.NewReg(lir.GPR), g.NewInt(0)
	g.RMW(asm.ADD, g.R64(room), g.R64(most))
	g.Use(asm.CMP, g.R64(p.Count), g.R64(room))
	g.RMW(asm.CMOVG, g.R64(p.Count), g.R64(room))
	g.Def(asm.MOVSXD, g.R64(low), g.R32(by))
	g.Use(asm.CMP, g.R64(low), g.R64(by))
	g.RMW(asm.CMOVNE, g.R64(p.Count), g.R64(none))
}

// plain reports whether Numbers are the places, with nothing added.
func (p *LanePlaces) plain() bool { return p.by == nil && p.plus == nil }

// sum is the numbers of the elements of the block at hand, unsigned: anything in lanes that are masked off. The sum of
// two negative numbers stays beyond any bound, though it wraps.
func (p *LanePlaces) sum() lane.Lanes {
	g, d := p.Nest.G, p.bound.D
	z := p.Nest.Eval(p.Numbers, p.M).As(d)
	switch {
	case p.by != nil:
		return g.Prim(op.Add, d, z, p.from)
	case p.plus != nil:
		y := p.Nest.Eval(p.plus, p.M).As(d)
		sign := g.Prim(op.And, d, g.Prim(op.And, d, z, y), lane.Const(d, 1<<31))
		return g.Prim(op.Or, d, g.Prim(op.Add, d, z, y), sign)
	}
	return z
}

// outside is a mask of those that the tensor does not have.
func (p *LanePlaces) outside(numbers lane.Lanes) lane.Lanes {
	z := p.Nest.G.Compare(op.Ge, p.bound.D, numbers, p.bound)
	if active := p.Active(); active != nil {
		z = p.Nest.G.PrimBool(op.And, []lane.Lanes{z, *active})
	}
	return z
}

// refuseOutside goes to other if there are such.
func (p *LanePlaces) refuseOutside(numbers lane.Lanes, other int) {
	g := p.Nest
	inside := g.G.NewLabel()
	g.G.SkipUnlessAny(p.outside(numbers), inside)
	g.G.Jump(asm.JMP, other)
	g.G.Bind(inside)
}

// Block is the places of the block at hand, anything in lanes that are masked off, and a mask of those outside.
func (p *LanePlaces) Block() (places, outside lane.Lanes) {
	numbers := p.sum()
	outside = p.outside(numbers)
	return p.Nest.G.Cast(dtype.Int32, numbers), outside
}

// Settled is places that are off in lanes that are masked off.
func (p *LanePlaces) Settled(places lane.Lanes) lane.Lanes {
	active := p.Active()
	if active == nil {
		return places
	}
	return p.Nest.G.Blend(*active, places, lane.Const(dtype.Int32, uint64(uint32(p.off))))
}

// Active is the lanes of the block at hand that are not masked off, nil for all.
func (p *LanePlaces) Active() *lane.Lanes {
	on, _ := p.Nest.LoadMask(p.X.V.Memory().Mask, p.M)
	return p.Nest.WithTail(on)
}

// Idle is the lanes of the block at hand that are masked off.
func (p *LanePlaces) Idle() lane.Lanes {
	g := p.Nest
	off := g.G.PrimBool(op.Not, []lane.Lanes{g.Eval(p.X.V.Memory().Mask, p.M)})
	if some := g.WithTail(off); some != nil {
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
	g := p.Nest.G
	if p.X.V.Memory().Mask == nil {
		off = Stays
	}
	z := lir.MemIndex(p.Base, at, p.X.D.Size(), 0)
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

// PlaceLanes computes the places of all lanes, or of those in a box around its mask, which block asks for and puts into
// memory. The mask that it gives holds somewhere if one is outside.
func PlaceLanes(
	g *nest.Nests, x *tiles.ExactAccess, places int, boxed bool, block func(p *LanePlaces, at func() lane.Lanes),
) (p *LanePlaces, outside lane.Lanes) {
	p = NewLanePlaces(g, x, -1)
	if p.Places = places; boxed {
		p.Nest.Atoms = p.Nest.Gathered(x.V)
	}
	outside = g.Variable(lane.Const(dtype.Bool, 0))
	p.Nest.Run(func() {
		block(p, func() lane.Lanes {
			at, out := p.Block()
			g.Assign(outside, g.PrimBool(op.Or, []lane.Lanes{outside, out}))
			return at
		})
	})
	return p, outside
}

// Put puts the places of all lanes where EachLane and InRuns find them, for PlaceLanes.
func (p *LanePlaces) Put(at func() lane.Lanes) {
	b := tiles.Buffer{Off: p.Places, D: dtype.Int32, Shape: p.X.Shape, Stride: p.X.Shape.Dense().D, Cell: 4}
	p.Nest.Write(&b, p.M, p.Settled(at()))
}

// InRuns goes another way where a place in a view with gaps is not the tensor's.
func (p *LanePlaces) InRuns(other int) {
	p.Nest.G.RunsOf(p.X.Tensor, other).Lanes(p.Places, lir.Imm(int64(p.X.Shape.Len())), p.X.Shape.Len(), p.off)
}

// EachLane writes a loop over n lanes and their places.
func (p *LanePlaces) EachLane(n int, body func(l gather.Lane, place lir.Reg)) {
	gather.Rounds(p.Nest.G.Builder, n, func(first gather.Lane, lanes int) {
		gather.Each(p.Nest.G.Builder, first, lanes, p.Places, body)
	})
}
