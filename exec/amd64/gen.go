package amd64

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gen translates one Func. Scalars become general registers (integers, bools) or
// vectors of equal lanes (floats). Tiles are not computed where they are defined:
// index tiles and masks turn into address arithmetic and loop bounds; elementwise
// tiles are computed inside the loop of what uses them (a store, a reduction, an
// operand that must lie in memory); only what several loops need, and is not cheap,
// is kept in scratch memory.
type gen struct {
	*lane.Builder
	syms    *affine.Syms
	forms   *affine.Forms
	f       *ir.Func
	o       Options
	plan    *fuse.Schedule
	inside  bool // accesses are known to lie inside their tensors: one that does not gives the instance up
	boxes   *affine.Boxes
	symRegs symRegs

	scopes []*lir.Seq            // code of the enclosing blocks, outermost first
	depths []int                 // scope in which a value is defined, by ID: 1 is the outermost, 0 none yet
	ints   map[*ir.Value]lir.Reg // integer and bool scalars
	floats map[*ir.Value]lane.Lanes
	tiles  map[*ir.Value]*buffer // tiles that lie in memory

	transposes map[*ir.Value]*buffer // operands of Dots that were transposed
	filling    map[*ir.Value]bool    // tiles whose memory is being filled
	pending    map[*ir.Value]*buffer // tiles that an open nest fills on its way
	results    map[resultKey]*buffer
	bypassed   map[*ir.Value]lir.Reg // of stores: 1 if the row at hand is stored non-temporally
	controls   []*controlFrame       // open loops and branches, innermost last
	nesting    *nest                 // the innermost nest whose loops are being written
	cold       *coldCode             // not nil in code that may be jumped over

	helpers   []helperFunc
	left      []string // to Go
	entry     *lir.Seq // code that runs first in each instance: conditions of boxes
	entryRegs symRegs  // in entry
	required  map[affine.CondKey]bool
	effects   bool      // the instance may have done what must not be done twice
	bail      int       // label: this instance goes to the portable engine
	inst      int       // label: the next instance
	headEnd   *lir.Inst // the last one of the head, if instances overlap
	gapAt     *lir.Inst // and the one behind which the next head is done
}

func newGen(f *ir.Func, p *fuse.Schedule, o Options) *gen {
	g := &gen{
		Builder: lane.New(tierOf(o.Tier)), f: f, plan: p, o: o,
		depths: make([]int, f.NumIDs()), ints: map[*ir.Value]lir.Reg{},
		floats: map[*ir.Value]lane.Lanes{}, tiles: map[*ir.Value]*buffer{},
		transposes: map[*ir.Value]*buffer{},
		filling:    map[*ir.Value]bool{}, pending: map[*ir.Value]*buffer{}, results: map[resultKey]*buffer{},
		bypassed: map[*ir.Value]lir.Reg{}, required: map[affine.CondKey]bool{},
	}
	g.Keep, g.Aside = g.hoisted, g.besides
	g.syms = affine.NewSyms(g.depthOf)
	g.forms = affine.NewForms(g.syms, f)
	g.boxes = affine.NewBoxes(g.forms, func(c affine.Cond) bool { return g.effects && !c.Entry() })
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

// A buffer is scratch memory for a tile.
type buffer struct {
	off    int // of the first element, in the frame
	d      dtype.DType
	shape  ir.Shape
	stride [ir.MaxRank]int // in elements; it is dense, row-major, or a view of one that is
	cell   int             // bytes per element
	atoms  []affine.Atom   // it holds the elements inside these limits; the others are padding
}

// dense reports whether the elements lie in row-major order.
func (b *buffer) dense() bool {
	for i, n := range denseStrides(b.shape) {
		if b.shape.D[i] > 1 && b.stride[i] != n {
			return false
		}
	}
	return true
}

// holds reports whether a dense buffer's memory is that of x, which may be a view of part of it.
func (b *buffer) holds(x *buffer) bool {
	return b.off <= x.off && x.off < b.off+b.cell*b.shape.Len()
}

func (g *gen) newBuffer(t ir.Type) *buffer {
	cell := lane.CellSize(t.D)
	return &buffer{off: g.Alloc(cell * t.Shape.Len()), d: t.D, shape: t.Shape, stride: denseStrides(t.Shape), cell: cell}
}

// at writes code into the scope of the given depth.
func (g *gen) at(depth int, f func()) {
	if depth >= len(g.scopes) {
		f()
		return
	}
	g.Into(g.scopes[depth], f)
}

// open starts a scope for a nested block's code; close returns it.
func (g *gen) open() *lir.Seq {
	s := &lir.Seq{}
	g.scopes = append(g.scopes, s)
	g.Cur = s
	return s
}

func (g *gen) close() {
	g.scopes = g.scopes[:len(g.scopes)-1]
	g.Cur = g.scopes[len(g.scopes)-1]
}

// define records that v is defined in the scope that is open.
func (g *gen) define(v *ir.Value) { g.depths[v.ID] = len(g.scopes) }

func (g *gen) defined(v *ir.Value) bool { return g.depths[v.ID] > 0 }

func (g *gen) depthOf(v *ir.Value) int { return max(0, g.depths[v.ID]-1) }

// function writes the whole unit: a loop over the instances of the call around the
// Func's body.
func (g *gen) function() {
	top := &lir.Seq{}
	g.scopes = []*lir.Seq{top}
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
func (g *gen) param(p *ir.Value) {
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
		g.Tag = int32(v.ID)
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
