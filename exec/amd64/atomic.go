package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/tiles"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/bylane"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/swap"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Atomics are one lane after the other, in order. While nobody else exchanges elements (see dtype.BeginAlone) they
// need no locks, and where lanes lie one element apart in rows they are loads and stores of vectors. Code first looks whether all lanes that are to be
// exchanged lie inside the tensor; if not, or if the tensor has gaps, Go does the whole of it, up
// to the lane that fails.

// atomic translates a read-modify-write of a tile, or of a scalar.
func (g *operations) atomic(v *ir.Value) {
	g.exchanges = true
	rows := g.exchangedRows(v)
	out := g.resultBuffers(v)
	if rows == nil {
		g.Effects = true
		if g.single.Atomic(v, func(old lir.Arg) {
			g.CallOut(g.Helper(g.callInto(v, out).helper))
			g.Def(asm.MOV, old, lir.Frame(out[0].Off))
		}) {
			return
		}
		g.oneByOne(v, out)
	} else {
		locked, done := g.NewLabel(), g.NewLabel()
		g.Use(asm.CMP, lir.Frame(scalar.OffAlone).Sized(8), lir.Imm(0))
		g.Jump(asm.JE, locked)
		g.InCold(func() { rows.write(out, locked) })
		g.Effects = true
		g.Jump(asm.JMP, done)
		g.Bind(locked)
		g.InCold(func() { g.oneByOne(v, out) })
		g.Bind(done)
	}
	g.scalarsOf(&call{v: v, out: out})
}

// oneByOne is an atomic lane by lane.
func (g *operations) oneByOne(v *ir.Value, out []*tiles.Buffer) {
	change := swap.Of(g.Builder, v)
	if change == nil {
		c := g.callInto(v, out)
		g.Leave(c.what(), c.helper)
		return
	}
	a := atomics{Element: swap.Element{Builder: g.Builder, D: v.Type.D}, v: v, out: out[0], change: change}
	a.used, a.operands = len(g.Plan.Of(v).Users) > 0, map[*ir.Value]*tiles.Buffer{}
	m := v.Memory()
	a.at = tiles.ExactAccess{V: v, Mask: -1, Shape: m.Ptr.Type.Shape, D: v.Type.D, Tensor: fuse.TensorOf(m.Ptr)}
	if a.at.Tensor < 0 {
		scalar.Refuse("a pointer that may point into several tensors")
	}
	var outside lane.Lanes
	a.places, outside = bylane.PlaceLanes(g.Nests, &a.at, g.Alloc(4*a.at.Shape.Len()), false, (*bylane.LanePlaces).Put)
	for _, x := range []*ir.Value{m.Val, m.Cmp} {
		if x != nil && affine.RepeatedConst(x) == nil {
			a.operands[x] = kept(g.Nests, x)
		}
	}
	inside, aside, locked, done := g.NewLabel(), g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(outside, inside)
	g.Jump(asm.JMP, aside)
	g.Bind(inside)
	a.places.InRuns(aside)
	g.Use(asm.CMP, lir.Frame(scalar.OffAlone).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, locked)
	whileAlone(g.Builder, a.replace)
	g.Jump(asm.JMP, done)
	g.Bind(locked)
	a.exchange()
	g.Costs.Note(v, cost.ByLane, "atomics are done in the order of their lanes")
	g.Jump(asm.JMP, done)
	g.Bind(aside)
	g.InCold(func() { g.CallOut(g.Helper(g.callInto(v, out).helper)) })
	g.Bind(done)
}

// whileAlone writes code that needs nobody else to exchange elements, even if it leaves to Go on its way.
func whileAlone(g *elementwise.Builder, f func()) {
	g.Use(asm.MOV, lir.Frame(scalar.OffAlone).Sized(8), lir.Imm(staying))
	f()
	g.Use(asm.MOV, lir.Frame(scalar.OffAlone).Sized(8), lir.Imm(alone))
}

// atomics is the code of one atomic.
type atomics struct {
	swap.Element
	v        *ir.Value
	used     bool // what was in memory is looked at
	at       tiles.ExactAccess
	places   *bylane.LanePlaces
	operands map[*ir.Value]*tiles.Buffer
	out      *tiles.Buffer
	change   func(old, val lir.Reg) lir.Reg
}

// active runs first for all lanes, and body, with the element's address, for those that the mask lets through.
func (a *atomics) active(first func(l gather.Lane), body func(l gather.Lane, at lir.Reg)) {
	a.places.EachLane(a.at.Shape.Len(), func(l gather.Lane, place lir.Reg) {
		next := a.Builder.NewLabel()
		first(l)
		at := a.Builder.NewReg(lir.GPR)
		a.Builder.Def(asm.LEA, a.Builder.R64(at), a.places.Element(place, bylane.Skipped, next))
		body(l, at)
		a.Builder.Bind(next)
	})
}

// result is where what was in memory is kept.
func (a *atomics) result(l gather.Lane) lir.Arg { return l.In(a.out.Cell, a.out.Off) }

// clear makes a lane's result 0.
func (a *atomics) clear(l gather.Lane) {
	a.Builder.Use(asm.MOV, a.result(l).Sized(a.D.Size()), lir.Imm(0))
}

// exchange changes memory, and keeps what was there.
func (a *atomics) exchange() {
	g, m := a.Builder, a.v.Memory()
	a.active(a.clear, func(l gather.Lane, at lir.Reg) {
		val := a.lane(m.Val, l)
		keep := func(old lir.Reg) { g.Use(asm.MOV, a.result(l), a.Sized(old)) }
		switch {
		case m.Cmp != nil && a.v.Type.D.IsFloat():
			a.SwapFloat(at, a.lane(m.Cmp, l), val, keep)
		case m.Cmp != nil:
			keep(a.CompareExchange(at, a.lane(m.Cmp, l), val))
		case a.v.Op == op.AtomicAdd && a.v.Type.D.IsInt():
			g.ExchangeAdd(lir.Mem(at, 0), a.Sized(val))
			keep(val)
		default:
			old := g.NewReg(lir.GPR)
			g.Def(asm.MOV, a.Sized(old), lir.Mem(at, 0))
			again := g.NewLabel()
			loop := g.BeginLoop()
			g.Bind(again)
			seen := a.CompareExchange(at, old, a.change(old, val))
			keep(seen)
			g.Use(asm.CMP, a.Sized(seen), a.Sized(old))
			g.Move64(old, seen)
			g.Jump(asm.JNE, again)
			g.EndLoop(loop)
			g.Spend(lir.CostAtomic / 1000)
		}
	})
}

// replace is exchange where nobody else exchanges elements.
func (a *atomics) replace() {
	g, m := a.Builder, a.v.Memory()
	keep, first := func(gather.Lane, lir.Reg) {}, func(gather.Lane) {}
	if a.used {
		keep, first = func(l gather.Lane, old lir.Reg) { g.Use(asm.MOV, a.result(l), a.Sized(old)) }, a.clear
	}
	if by := a.v.Op.Row().Combine; !a.used && (by == op.Add || by != op.None && a.v.Type.D.IsFloat()) {
		a.places.EachLane(a.at.Shape.Len(), func(l gather.Lane, place lir.Reg) {
			next := g.NewLabel()
			a.combineInto(a.places.Element(place, bylane.Skipped, next), l, by)
			g.Bind(next)
		})
		return
	}
	a.active(first, func(l gather.Lane, at lir.Reg) {
		old := g.NewReg(lir.GPR)
		g.Def(asm.MOV, a.Sized(old), lir.Mem(at, 0))
		keep(l, old)
		if val := a.lane(m.Val, l); m.Cmp == nil {
			g.Use(asm.MOV, lir.Mem(at, 0), a.Sized(a.change(old, val)))
		} else {
			a.ReplaceEqual(at, old, a.lane(m.Cmp, l), val)
		}
	})
}

// combineInto combines an element with a lane's value: of two NaNs the element's stays.
func (a *atomics) combineInto(element lir.Arg, l gather.Lane, by op.Op) {
	g, d, val := a.Builder, a.v.Type.D, a.v.Memory().Val
	if d.IsInt() {
		g.Use(asm.ADD, element, a.Sized(a.lane(val, l)))
		return
	}
	move := lane.ByWidth(d, asm.VMOVSS, asm.VMOVSD)
	load := func(from lir.Arg) lane.Lanes {
		r := g.NewVec()
		g.Def(move, g.VW(r, 16), from)
		return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
	}
	x, b, z := load(element), a.operands[val], lir.Reg(0)
	switch {
	case b == nil:
		z = g.Reg(g.Prim(by, d, x, lane.Const(d, affine.RepeatedConst(val).Bits)), 0)
	case by == op.Add:
		z = g.NewVec()
		g.Def(lane.ByWidth(d, asm.VADDSS, asm.VADDSD), g.VW(z, 16), g.VW(x.R[0], 16), l.In(b.Cell, b.Off))
	default:
		z = g.Prim(by, d, x, load(l.In(b.Cell, b.Off))).R[0]
	}
	g.Use(move, element, g.VW(z, 16))
}

// lane is the bits of an operand's lane.
func (a *atomics) lane(x *ir.Value, l gather.Lane) lir.Reg {
	if c := affine.RepeatedConst(x); c != nil {
		return a.Builder.NewInt(int64(c.Bits))
	}
	r, b := a.Builder.NewReg(lir.GPR), a.operands[x]
	a.Builder.Def(asm.MOV, a.Sized(r), l.In(b.Cell, b.Off))
	return r
}
