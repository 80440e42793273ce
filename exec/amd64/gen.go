package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/bylane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scatter"
	"github.com/tiler-go/tiler/exec/amd64/single"
	"github.com/tiler-go/tiler/exec/amd64/store"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gen translates one Func. Tiles are not computed where they are defined: index tiles and masks turn into address
// arithmetic and loop bounds; elementwise tiles are computed inside the loop of what uses them (a store, a reduction,
// an operand that must lie in memory); only what several loops need, and is not cheap, is kept in scratch memory.
//
// It is the uppermost of layers of which each embeds the one below, and knows none above: tiles.Memory, nest.Nests,
// operations and gen, which is the order of values, control flow, and instances.
type gen struct {
	operations
	instances
	at *ir.Block // whose code is being written
}

// operations is what operations on tiles become.
type operations struct {
	*nest.Nests
	o         Options
	controls  []*controlFrame // open loops and branches, innermost last
	exchanges bool            // there are atomics
	single    *single.Elements
}

// instances is how one follows another.
type instances struct {
	inst    int       // label: the next one
	headEnd *lir.Inst // the last instruction of the head, if instances overlap
	gapAt   *lir.Inst // and the one behind which the next head is done
}

func newGen(f *ir.Func, p *fuse.Schedule, o Options) *gen {
	n := nest.NewNests(f, p, tierOf(o.Tier))
	g := &gen{operations: operations{Nests: n, o: o, single: single.New(n)}}
	g.Unchecked = o.Unchecked
	loads := bylane.Loads{}
	g.Gather = func(x *tiles.ExactAccess, other int) { loads.Load(g.Nests, x, other) }
	g.Scatter = func(x *tiles.ExactAccess, other int) { scatter.Copied(g.Nests, x, other) }
	return g
}

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
	g.Enclosing = []*lir.Seq{top}
	g.Cur = top
	for _, p := range g.F.Params {
		g.Define(p)
		g.Param(p)
	}
	g.inst, g.Bail = g.NewLabel(), g.NewLabel()
	body := g.Open()
	g.Once, g.Entry = &lir.Seq{}, &lir.Seq{}
	g.block(g.F.Body)
	g.Close()

	done := g.NewLabel()
	h := g.head(body)
	if !g.Once.Empty() {
		g.untilEnd(done)
		g.Append(g.Once)
	}
	if h != nil {
		g.overlapping(h, done)
	} else {
		g.rowsOfInstances(body, done)
	}
	g.Bind(g.Bail)
	g.Return(scalar.ExitBail)
	g.Bind(done)
	g.Return(scalar.ExitDone)
}

// rowsOfInstances writes the loop over instances: those that follow each other along the grid's first axis go on up to
// where the row, or the call, ends. Their numbers are in the frame: registers are for what instances do.
func (g *gen) rowsOfInstances(body *lir.Seq, done int) {
	row, again := g.NewLabel(), g.NewLabel()
	l := g.BeginLoop()
	g.Bind(row)
	g.untilEnd(done)
	end := g.Word(scalar.OffEnd)
	g.RMW(asm.SUB, g.R64(end), lir.Frame(scalar.OffRow))
	most := g.Word(scalar.OffNum)
	g.Use(asm.CMP, g.R64(end), g.R64(most))
	g.RMW(asm.CMOVG, g.R64(end), g.R64(most))
	g.Use(asm.MOV, lir.Frame(scalar.OffRowEnd), g.R64(end))
	g.Bind(again)
	g.Poll()
	g.Append(g.Entry)
	g.Append(body)
	g.Bind(g.inst)
	id := g.nextInstance()
	g.Use(asm.CMP, g.R64(id), lir.Frame(scalar.OffRowEnd))
	g.Jump(asm.JL, again)
	g.nextRow(id, row)
	g.EndLoop(l)
}

// nextInstance counts the first program id up.
func (g *gen) nextInstance() (id lir.Reg) {
	g.Spend(instanceCost)
	id = g.Word(scalar.OffID)
	g.RMW(asm.ADD, g.R64(id), lir.Imm(1))
	g.Use(asm.MOV, lir.Frame(scalar.OffID), g.R64(id))
	return id
}

// overlapping is the loop over instances of which each does the head of the next.
func (g *gen) overlapping(h *head, done int) {
	loop := g.NewLabel()
	l := g.BeginLoop()
	g.Bind(loop)
	g.untilEnd(done)
	g.Poll()
	g.overlapped(h)
	g.Bind(g.inst)
	id := g.nextInstance()
	g.nextRow(id, loop)
	g.EndLoop(l)
}

// untilEnd leaves if no instance is left.
func (g *gen) untilEnd(done int) {
	next := g.Word(scalar.OffRow)
	g.RMW(asm.ADD, g.R64(next), lir.Frame(scalar.OffID))
	g.Use(asm.CMP, g.R64(next), lir.Frame(scalar.OffEnd))
	g.Jump(asm.JGE, done)
}

// instanceCost is what an instance costs beside its tiles.
const instanceCost = 16

// nextRow goes back to the loop over instances, with the other program ids counted up if the first one's axis has ended.
func (g *gen) nextRow(id lir.Reg, loop int) {
	for axis := range 2 {
		g.Use(asm.CMP, g.R64(id), lir.Frame(scalar.OffNum+8*axis))
		g.Jump(asm.JL, loop)
		if axis == 0 {
			g.Use(asm.ADD, lir.Frame(scalar.OffRow).Sized(8), g.R64(id))
		}
		g.Use(asm.MOV, lir.Frame(scalar.OffID+8*axis).Sized(8), lir.Imm(0))
		id = g.Word(scalar.OffID + 8*(axis+1))
		g.RMW(asm.ADD, g.R64(id), lir.Imm(1))
		g.Use(asm.MOV, lir.Frame(scalar.OffID+8*(axis+1)), g.R64(id))
	}
	g.Jump(asm.JMP, loop)
}

// block translates a block's values in order.
func (g *gen) block(b *ir.Block) {
	around := g.at
	g.at = b
	defer func() { g.at = around }()
	for _, v := range b.Values {
		g.Tag, g.Current = int32(v.ID), v
		g.Define(v)
		if v == g.Plan.Overlap.Gap {
			g.gapAt = g.Here()
		}
		g.value(v)
		if v == g.Plan.Overlap.Last {
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
		store.Tile(g.Nests, g.single, v)
		g.Effects = true
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
	case d.IsPointer() || v.Op == ir.Result || g.decides(v) || g.single.Delays(v):
		return
	case v.Op == op.Load || ir.Family(v.Op) == op.Atomic:
		g.tile(v)
	case v.Op == ir.GoMath:
		g.math(v)
	case v.Op == ir.Fits:
		g.Fits(v)
	case ir.Family(v.Op) == op.Reducing || v.Op == op.Reshape || ir.Family(v.Op) == op.Shape:
		g.tile(v)
	case d.IsFloat():
		g.Floats[v] = g.ScalarLanes(v)
	default:
		g.Ints[v] = g.ScalarInt(v)
		scalar.HoldSym(g.Scalars, v)
	}
}
