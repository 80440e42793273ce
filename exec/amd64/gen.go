package amd64

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gen translates one Func. Tiles are not computed where they are defined: index tiles and masks turn into address
// arithmetic and loop bounds; elementwise tiles are computed inside the loop of what uses them (a store, a reduction,
// an operand that must lie in memory); only what several loops need, and is not cheap, is kept in scratch memory.
type gen struct {
	*scalars
	f      *ir.Func
	o      Options
	plan   *fuse.Schedule
	inside bool // accesses are known to lie inside their tensors: one that does not gives the instance up

	tiles map[*ir.Value]*buffer // tiles that lie in memory

	transposes map[*ir.Value]*buffer // operands of Dots that were transposed
	filling    map[*ir.Value]bool    // tiles whose memory is being filled
	pending    map[*ir.Value]*buffer // tiles that an open nest fills on its way
	results    map[resultKey]*buffer
	bypassed   map[*ir.Value]lir.Reg // of stores: 1 if the row at hand is stored non-temporally
	controls   []*controlFrame       // open loops and branches, innermost last
	nesting    *nest                 // the innermost nest whose loops are being written

	helpers   []helperFunc
	current   *ir.Value // whose code is being written
	costs     costs
	exchanges bool      // there are atomics
	inst      int       // label: the next instance
	headEnd   *lir.Inst // the last one of the head, if instances overlap
	gapAt     *lir.Inst // and the one behind which the next head is done
}

func newGen(f *ir.Func, p *fuse.Schedule, o Options) *gen {
	g := &gen{
		scalars: newScalars(newScopes(lane.New(tierOf(o.Tier)), f), f), f: f, plan: p, o: o,
		tiles: map[*ir.Value]*buffer{}, transposes: map[*ir.Value]*buffer{},
		filling: map[*ir.Value]bool{}, pending: map[*ir.Value]*buffer{}, results: map[resultKey]*buffer{},
		bypassed: map[*ir.Value]lir.Reg{},
	}
	g.Keep, g.Aside = g.hoisted, g.besides
	g.FrameSize = argOffset(len(f.Params))
	return g
}

// errUnsupported is what the engine cannot translate; the caller falls back.
type errUnsupported struct{ what string }

func (e errUnsupported) Error() string { return "amd64: " + e.what }

func unsupported(format string, args ...any) { panic(errUnsupported{fmt.Sprintf(format, args...)}) }

// tierOf is what code for a tier depends on.
func tierOf(t cpu.Tier) *lir.Tier {
	if t == cpu.AVX512 {
		return lir.AVX512
	}
	return lir.AVX2
}

// function writes the whole unit: a loop over the instances of the call around the
// Func's body.
func (g *gen) function() {
	top := &lir.Seq{}
	g.enclosing = []*lir.Seq{top}
	g.Cur = top
	for _, p := range g.f.Params {
		g.define(p)
		g.param(p)
	}
	g.inst, g.bail = g.NewLabel(), g.NewLabel()
	body := g.open()
	g.entry = &lir.Seq{}
	g.block(g.f.Body)
	g.close()

	loop, done := g.NewLabel(), g.NewLabel()
	h := g.head(body)
	n := g.BeginLoop()
	g.Bind(loop)
	g.startInstance(done)
	if h != nil {
		g.overlapped(h)
	} else {
		g.Append(g.entry)
		g.Append(body)
	}
	g.Bind(g.inst)
	g.nextInstance(loop)
	g.EndLoop(n)
	g.Bind(g.bail)
	g.Return(exitBail)
	g.Bind(done)
	g.Return(exitDone)
}

// startInstance leaves if no instance is left, and lets Go in if the budget is used
// up.
func (g *gen) startInstance(done int) {
	next := g.NewReg(lir.GPR)
	g.Def(asm.MOV, g.R64(next), lir.Frame(offNext))
	g.Use(asm.CMP, g.R64(next), lir.Frame(offEnd))
	g.Jump(asm.JGE, done)
	g.Poll()
}

// instanceCost is what an instance costs beside its tiles.
const instanceCost = 16

// nextInstance counts the instance number and the program ids up.
func (g *gen) nextInstance(loop int) {
	g.Spend(instanceCost)
	g.Use(asm.ADD, lir.Frame(offNext).Sized(8), lir.Imm(1))
	for axis := range 3 {
		id := g.NewReg(lir.GPR)
		g.Def(asm.MOV, g.R64(id), lir.Frame(offID+8*axis))
		g.RMW(asm.ADD, g.R64(id), lir.Imm(1))
		g.Use(asm.MOV, lir.Frame(offID+8*axis), g.R64(id))
		if axis == 2 {
			break
		}
		g.Use(asm.CMP, g.R64(id), lir.Frame(offNum+8*axis))
		g.Jump(asm.JL, loop)
		g.Use(asm.MOV, lir.Frame(offID+8*axis).Sized(8), lir.Imm(0))
	}
	g.Jump(asm.JMP, loop)
}

// param loads a scalar parameter into a register for good.
func (g *scopes) param(p *ir.Value) {
	switch {
	case p.Type.D.IsPointer():
	case p.Type.D.IsFloat():
		g.floats[p] = g.LoadSplat(p.Type.D, lir.Frame(argOffset(p.Index)))
	default:
		r := g.NewReg(lir.GPR)
		g.Def(asm.MOV, g.R64(r), lir.Frame(argOffset(p.Index)))
		g.ints[p] = r
	}
}

// block translates a block's values in order.
func (g *gen) block(b *ir.Block) {
	for _, v := range b.Values {
		g.Tag, g.current = int32(v.ID), v
		g.define(v)
		if v == g.plan.Overlap.Gap {
			g.gapAt = g.Here()
		}
		g.value(v)
		if v == g.plan.Overlap.Last {
			g.headEnd = g.Here()
		}
	}
}

// value translates a value where it stands: effects, scalars and what must lie in
// memory. Other tiles wait for their users.
func (g *gen) value(v *ir.Value) {
	switch {
	case v.Op == ir.Result: // made with what it is a result of
	case v.IsControl():
		g.control(v)
	case v.IsTerm():
		g.terminator(v)
	case v.Op == op.Store:
		g.store(v)
		g.effects = true
	case ir.Family(v.Op) == op.Effect && v.Op < op.NumOps:
		g.effect(v)
	case !v.Type.IsTile() && len(v.Results) == 0:
		g.scalar(v)
	default:
		g.tile(v)
	}
}

// scalar translates a value without a shape.
func (g *gen) scalar(v *ir.Value) {
	d := v.Type.D
	switch {
	case v.Op == op.Const:
		return // constants are made where they are used
	case d.IsPointer() || v.Op == ir.Result:
		return
	case v.Op == op.Load || ir.Family(v.Op) == op.Atomic:
		g.tile(v)
	case v.Op == ir.Fits:
		g.fits(v)
	case ir.Family(v.Op) == op.Reducing || v.Op == op.Reshape || ir.Family(v.Op) == op.Shape:
		g.tile(v)
	case d.IsFloat():
		g.floats[v] = g.scalarLanes(v)
	default:
		g.ints[v] = g.scalarInt(v)
	}
}
