package amd64

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
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
	*unit
	syms      *affine.Syms
	forms     *affine.Forms
	f         *ir.Func
	runner    func(f *ir.Func) (Runner, error)
	plan      *fuse.Schedule
	avx512    bool
	unchecked bool // no access is checked: see Options
	pairs     pairWay
	inside    bool // accesses are known to lie inside their tensors: one that does not gives the instance up
	boxes     *affine.Boxes
	symRegs   map[*affine.Sym]reg // where syms are held

	scopes []*seq            // code of the enclosing blocks, outermost first
	depths []int             // scope in which a value is defined, by ID: 1 is the outermost, 0 none yet
	ints   map[*ir.Value]reg // integer and bool scalars
	floats map[*ir.Value]lanes
	tiles  map[*ir.Value]*buffer // tiles that lie in memory

	turnings map[*ir.Value]*buffer // operands of Dots that were turned
	filling  map[*ir.Value]bool    // tiles whose memory is being filled
	pending  map[*ir.Value]*buffer // tiles that an open nest fills on its way
	results  map[resultKey]*buffer
	bypassed map[*ir.Value]reg // of stores: 1 if the row at hand bypasses the caches
	controls []*controlFrame   // open loops and branches, innermost last
	nesting  *nest             // the innermost nest whose loops are being written
	cold     *coldCode         // not nil in code that may be jumped over
	data     []frameData       // constant tables

	frame     int // bytes of the frame so far
	helpers   []helperFunc
	left      []string // to Go
	rarely    bool     // what is left at hand is left where something is out of the ordinary
	entry     *seq     // code that runs first in each instance: conditions of boxes
	entryRegs map[*affine.Sym]reg
	required  map[affine.CondKey]bool
	effects   bool  // the instance may have done what must not be done twice
	bail      int   // label: this instance goes to the portable engine
	inst      int   // label: the next instance
	flushed   int   // where the control word is that flushing replaced; 0: it did not
	headEnd   *inst // the last one of the head, if instances overlap
	gapAt     *inst // and the one behind which the next head is done
	unseen    int   // nanoseconds of work in the code so far since it looked at the budget
}

func newGen(f *ir.Func, p *fuse.Schedule, o Options) *gen {
	wide := 32
	if o.AVX512 {
		wide = 64
	}
	g := &gen{
		unit: newUnit(wide), f: f, plan: p, avx512: o.AVX512, runner: o.Runner, unchecked: o.Unchecked, pairs: o.pairs,
		depths: make([]int, f.NumIDs()), ints: map[*ir.Value]reg{},
		floats: map[*ir.Value]lanes{}, tiles: map[*ir.Value]*buffer{},
		turnings: map[*ir.Value]*buffer{},
		filling:  map[*ir.Value]bool{}, pending: map[*ir.Value]*buffer{}, results: map[resultKey]*buffer{},
		bypassed: map[*ir.Value]reg{}, entryRegs: map[*affine.Sym]reg{}, required: map[affine.CondKey]bool{},
	}
	g.symRegs = map[*affine.Sym]reg{}
	g.syms = affine.NewSyms(g.depthOf)
	g.forms = affine.NewForms(g.syms, f)
	g.boxes = affine.NewBoxes(g.forms, func(c affine.Cond) bool { return g.effects && !c.Entry() })
	g.frame = argOffset(len(f.Params))
	return g
}

// errUnsupported is what the engine cannot translate; the caller falls back.
type errUnsupported struct{ what string }

func (e errUnsupported) Error() string { return "amd64: " + e.what }

func unsupported(format string, args ...any) { panic(errUnsupported{fmt.Sprintf(format, args...)}) }

// step is how many lanes a block has.
func (g *gen) step() int {
	if g.avx512 {
		return 16
	}
	return 8
}

// wide reports whether elements of type d take 64-bit lanes.
func wide(d dtype.DType) bool { return d.Size() == 8 }

// cellSize is the bytes that an element takes in scratch memory: that of its lane,
// except that a bool takes one byte.
func cellSize(d dtype.DType) int {
	switch {
	case d == dtype.Bool:
		return 1
	case wide(d):
		return 8
	}
	return 4
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

// alloc reserves frame memory.
func (g *gen) alloc(bytes int) int {
	g.frame = (g.frame + frameAlign - 1) &^ (frameAlign - 1)
	off := g.frame
	// A block of lanes may reach past the end of a tile's last row.
	g.frame += bytes + 2*frameAlign
	return off
}

func (g *gen) newBuffer(t ir.Type) *buffer {
	cell := cellSize(t.D)
	return &buffer{off: g.alloc(cell * t.Shape.Len()), d: t.D, shape: t.Shape, stride: denseStrides(t.Shape), cell: cell}
}

// at writes code into the scope of the given depth.
func (g *gen) at(depth int, f func()) {
	if depth >= len(g.scopes) {
		f()
		return
	}
	g.into(g.scopes[depth], f)
}

// open starts a scope for a nested block's code; close returns it.
func (g *gen) open() *seq {
	s := &seq{}
	g.scopes = append(g.scopes, s)
	g.cur = s
	return s
}

func (g *gen) close() {
	g.scopes = g.scopes[:len(g.scopes)-1]
	g.cur = g.scopes[len(g.scopes)-1]
}

// define records that v is defined in the scope that is open.
func (g *gen) define(v *ir.Value) { g.depths[v.ID] = len(g.scopes) }

func (g *gen) defined(v *ir.Value) bool { return g.depths[v.ID] > 0 }

func (g *gen) depthOf(v *ir.Value) int { return max(0, g.depths[v.ID]-1) }

// function writes the whole unit: a loop over the instances of the call around the
// Func's body.
func (g *gen) function() {
	top := &seq{}
	g.scopes = []*seq{top}
	g.cur = top
	for _, p := range g.f.Params {
		g.define(p)
		g.param(p)
	}
	g.inst, g.bail = g.newLabel(), g.newLabel()
	body := g.open()
	g.entry = &seq{}
	g.block(g.f.Body)
	g.close()

	loop, done := g.newLabel(), g.newLabel()
	h := g.head(body)
	n := g.beginLoop()
	g.bind(loop)
	g.startInstance(done)
	if h != nil {
		g.overlapped(h)
	} else {
		g.append(g.entry)
		g.append(body)
	}
	g.bind(g.inst)
	g.nextInstance(loop)
	g.endLoop(n)
	g.bind(g.bail)
	g.add(inst{kind: leave, n: exitBail})
	g.bind(done)
	g.add(inst{kind: leave, n: exitDone})
}

// startInstance leaves if no instance is left, and lets Go in if the budget is used
// up.
func (g *gen) startInstance(done int) {
	next := g.newReg(gpr)
	g.def(asm.MOV, g.r64(next), frameAt(offNext))
	g.use(asm.CMP, g.r64(next), frameAt(offEnd))
	g.jump(asm.JGE, done)
	g.poll()
}

// nextInstance counts the instance number and the program ids up.
func (g *gen) nextInstance(loop int) {
	g.spend(instanceCost)
	g.use(asm.ADD, frameAt(offNext).sized(8), imm(1))
	for axis := range 3 {
		id := g.newReg(gpr)
		g.def(asm.MOV, g.r64(id), frameAt(offID+8*axis))
		g.rmw(asm.ADD, g.r64(id), imm(1))
		g.use(asm.MOV, frameAt(offID+8*axis), g.r64(id))
		if axis == 2 {
			break
		}
		g.use(asm.CMP, g.r64(id), frameAt(offNum+8*axis))
		g.jump(asm.JL, loop)
		g.use(asm.MOV, frameAt(offID+8*axis).sized(8), imm(0))
	}
	g.jump(asm.JMP, loop)
}

// param loads a scalar parameter into a register for good.
func (g *gen) param(p *ir.Value) {
	switch {
	case p.Type.D.IsPointer():
	case p.Type.D.IsFloat():
		g.floats[p] = g.loadSplat(p.Type.D, frameAt(argOffset(p.Index)))
	default:
		r := g.newReg(gpr)
		g.def(asm.MOV, g.r64(r), frameAt(argOffset(p.Index)))
		g.ints[p] = r
	}
}

// block translates a block's values in order.
func (g *gen) block(b *ir.Block) {
	for _, v := range b.Values {
		g.tag = int32(v.ID)
		g.define(v)
		if v == g.plan.Overlap.Gap {
			g.gapAt = g.cur.last
		}
		g.value(v)
		if v == g.plan.Overlap.Last {
			g.headEnd = g.cur.last
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
