// Package bylane carries out accesses whose addresses are not affine: a nest compares them with the tensor's bounds,
// block by block, and copies the elements of loads into the frame.
package bylane

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A gathering is a nest that copies elements from a tensor.
type gathering struct {
	*LanePlaces
	near bool           // places are likely to be close together
	from *gather.Tensor // nil if elements are copied one by one
}

// Loads are a Func's: what those in loops need of tensors is there from the start.
type Loads map[loaded]*tensor

// A loaded is a tensor whose elements' numbers are compared as integers of a type.
type loaded struct {
	tensor int
	d      dtype.DType
}

// inLoop is how many scopes are open in a loop's body.
const inLoop = 3

// places are a load's, ahead of a nest. window asks for a window of the tensor.
func (l Loads) places(g *nest.Nests, x *tiles.ExactAccess) (p *LanePlaces, window func() *gather.Window) {
	p = newPlaces(g, x, 0)
	t, ahead := &tensor{}, func(f func()) { f() }
	likely := !g.IsCold() || g.Forms.Of(x.V.Memory().Ptr).MayGather()
	if p.by == nil && len(g.Enclosing) >= inLoop && likely {
		key := loaded{x.Tensor, p.d()}
		if ahead = func(f func()) { g.At(0, f) }; l[key] == nil {
			l[key] = t
		}
		t = l[key]
	}
	if t.Base == 0 {
		ahead(p.prepare)
		*t = p.tensor
	}
	p.tensor = *t
	return p, func() *gather.Window {
		if t.window == nil {
			ahead(func() { t.window = gather.NewWindow(g.Builder, x.D.Size(), t.Base, t.Count) })
		}
		return t.window
	}
}

// Load copies elements from the tensor, and goes to another way when it comes to one outside: not before, as
// what the nest keeps on its way is there then as far as the other way needs it.
func (l Loads) Load(g *nest.Nests, x *tiles.ExactAccess, other int) {
	places, near := l.places(g, x)
	r := inRuns(places)
	if r == nil {
		placesLoad(places, near, other)
		return
	}
	plain, done := g.NewLabel(), g.NewLabel()
	r.load(plain)
	g.Costs.Forget(x.V)
	g.Jump(asm.JMP, done)
	g.BindCold(plain)
	g.InCold(func() { placesLoad(places, near, other) })
	g.Bind(done)
}

// placesLoad does it lane by lane.
func placesLoad(places *LanePlaces, near func() *gather.Window, other int) {
	g, x := places.Nest.G, places.X
	p, size := gathering{LanePlaces: places, near: affine.Close(x.V.Memory().Ptr)}, x.D.Size()
	p.Nest.Atoms = p.Nest.Gathered(x.V)
	cells := &tiles.Buffer{Off: x.Copy, D: x.D, Shape: x.Shape, Stride: x.Shape.Dense().D, Cell: size}
	p.Places = g.Alloc(4 * g.Lanes)
	if size <= 4 && g.EVEX && len(p.Nest.Dims) > 0 {
		p.from = gather.New(g.Builder, size, p.Base, p.Count)
	}
	var table *gather.Table
	if size <= 4 && len(p.Nest.Dims) > 0 {
		few := func(n int64) bool { return p.plain() && affine.Below(p.Numbers, n) }
		p.Nest.At(0, func() { table = gather.NewTable(g.Builder, size, p.Base, p.Count, few) })
	}
	var window *gather.Window
	if p.near && table == nil && len(p.Nest.Dims) > 0 && size <= 4 {
		window = near()
	}
	var late lir.Arg // not 0 once a place was outside, see move
	if p.by != nil {
		late = lir.Frame(g.Alloc(8)).Sized(8)
		g.Use(asm.MOV, late, lir.Imm(0))
	}
	single := !p.near && size >= 4 && len(p.Nest.Dims) > 0 && (!g.EVEX || gather.Slow())
	p.Nest.Run(func() {
		to, _ := p.Nest.Place(cells, p.M)
		if numbers, ok := p.inMemory(single && table == nil); ok {
			g.Store(gather.FromMemory(g.Builder, numbers, p.Base, p.Count, size, other).As(x.D), to, nil)
			return
		}
		numbers := p.sum()
		behind := g.NewLabel()
		check := func() {
			if p.by == nil {
				p.refuseOutside(numbers, other)
				return
			}
			inside := g.NewLabel()
			g.SkipUnlessAny(p.outside(numbers), inside)
			g.Use(asm.MOV, late, lir.Imm(1))
			g.Jump(asm.JMP, behind)
			g.Bind(inside)
		}
		inWindow := window != nil && numbers.D == dtype.Uint32
		if !inWindow {
			check()
		}
		at := p.Settled(g.Cast(dtype.Int32, numbers))
		if active := p.Active(); active != nil && p.Nest.Inner() >= 0 {
			g.Store(lane.Const(x.D, 0), to, nil)
			g.SkipUnlessAny(*active, behind)
		}
		switch {
		case table != nil:
			g.Store(table.Look(at, p.Active()), to, nil)
		case window != nil:
			g.Store(window.Elements(at, p.Active(), affine.Swaps(x.V.Memory().Ptr), func() lane.Lanes {
				if inWindow {
					check()
				}
				return p.apart(at)
			}), to, nil)
		default:
			p.elements(at, to, behind)
		}
		g.Bind(behind)
	})
	if p.by != nil { // the other way may find elements where move leaves none: all that the nest keeps is there
		g.Use(asm.CMP, late, lir.Imm(0))
		g.Jump(asm.JNE, other)
	}
}

// elements copies a block's elements, or jumps behind what does when it has done so.
func (p gathering) elements(at lane.Lanes, to lir.Arg, behind int) {
	if p.near && len(p.Nest.Dims) > 0 { // lanes that are masked off have place 0, which no row goes on with
		gather.Row(p.Nest.G.Builder, p.X.D.Size(), at, p.Base, to, behind)
	}
	if p.from == nil || p.gather(at, to, behind) {
		p.copy(at, to)
	}
}

// apart is a block's elements, wherever they lie in a tensor that is wider than a window.
func (p gathering) apart(at lane.Lanes) lane.Lanes {
	if p.from != nil {
		return p.from.Elements(at, p.Active())
	}
	if size := p.X.D.Size(); size < 4 {
		return gather.Narrow(p.Nest.G.Builder, at, p.Active(), p.Base, size)
	}
	return gather.OneByOne(p.Nest.G.Builder, at, p.Active(), p.Base, p.X.D.Size())
}

// inMemory is where the places of the block at hand lie side by side, none of which is masked off, if they do and may.
func (p gathering) inMemory(may bool) (at lir.Arg, ok bool) {
	g, v := p.Nest.G, p.Numbers
	if !may || !p.plain() || p.Active() != nil || v.Type.D != dtype.Int32 {
		return at, false
	}
	if b := g.Tiles[v]; b != nil {
		at, step := p.Nest.Place(b, p.M)
		return at, step.N == 4 && affine.Subset(b.Atoms, p.Nest.Atoms)
	}
	if v.Op != op.Load || g.Keeps(v) || !p.Nest.Varies(v, p.M) {
		return at, false
	}
	f := g.Forms.Of(v.Memory().Ptr)
	if _, partial := p.Nest.LoadMask(v.Memory().Mask, p.M); partial || !f.Ok || f.Base < 0 {
		return at, false
	}
	a := p.Nest.Access(v, p.M)
	at, step := p.Nest.Address(a, p.M)
	return at, a.Rows == nil && step == lane.Stride{N: 4}
}

// gather gathers a block in vectors. rest is whether some tensors are too short for that: code for these is to follow.
func (p gathering) gather(at lane.Lanes, to lir.Arg, behind int) (rest bool) {
	g, size, without := p.Nest.G, p.X.D.Size(), p.Nest.G.NewLabel()
	if size < 4 {
		g.Use(asm.CMP, g.R64(p.Count), lir.Imm(gather.Least(size)))
		g.Jump(asm.JL, without)
	}
	g.Store(p.from.Elements(at, p.Active()), to, nil)
	if size == 4 {
		return false
	}
	g.Jump(asm.JMP, behind)
	g.Bind(without)
	return true
}

// copy copies a block's elements one by one.
func (p gathering) copy(at lane.Lanes, to lir.Arg) {
	g, size := p.Nest.G, p.X.D.Size()
	switch {
	case len(p.Nest.Dims) == 0:
	case size >= 4:
		g.Store(gather.OneByOne(g.Builder, at, p.Active(), p.Base, size).As(p.X.D), to, nil)
		return
	case !g.EVEX:
		g.Store(gather.Narrow(g.Builder, at, p.Active(), p.Base, size), to, nil)
		return
	}
	count := 1
	if len(p.Nest.Dims) > 0 {
		count = min(g.Lanes, p.X.Shape.D[p.Nest.Inner()]) // what is behind the row the next one writes over
	}
	g.Store(at, lir.Frame(p.Places), nil)
	gather.Each(g.Builder, gather.Lane{}, count, p.Places, func(l gather.Lane, place lir.Reg) {
		g.CopyElement(size, g.NewReg(lir.GPR), to.Plus(l.Plus*size), p.Element(place, Stays, 0))
	})
	if active := p.Active(); active != nil {
		off := g.PrimBool(op.Not, []lane.Lanes{*active})
		g.Store(lane.Const(p.X.D, 0), to, &off)
	}
}
