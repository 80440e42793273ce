package tiles

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Ahead is the memory that a store, or the next turn of a load, will touch, as far as it is
// known yet; nil if it is not. Nothing is checked: to prefetch an address that is not there
// does nothing.
func (g *Memory) Ahead(pf fuse.Prefetch) *Access {
	v := pf.V
	ptr := v.Memory().Ptr
	if g.IsCold() || !known(g, ptr, map[*ir.Value]bool{}) {
		return nil
	}
	f := g.Forms.Of(ptr)
	if !f.Ok || f.Base < 0 || pf.When == fuse.WhenStreamed && g.bypassed[g.Plan.Overlap.Gap] == 0 {
		return nil
	}
	start := f.Start
	if v.Op == op.Load {
		step := g.nextStep(v, start)
		if step == nil || step.IsConst(0) {
			return nil
		}
		start = g.Syms.Add(start, g.Syms.Mul(step, g.Syms.Constant(int64(pf.Turns))))
	}
	a := &Access{V: v, D: ptr.Type.D.Elem()}
	g.At(len(g.Enclosing)-1, func() {
		g.prepareAhead(a, f, start)
		switch {
		case v.Op == op.Store:
			g.keepOut(a, f.Base)
		case pf.When == fuse.WhenStreamed:
			scratch := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(scratch), lir.Frame(0))
			bypassed := g.bypassed[g.Plan.Overlap.Gap]
			g.Use(asm.TEST, g.R64(bypassed), g.R64(bypassed))
			g.RMW(asm.CMOVE, g.R64(a.Base), g.R64(scratch))
		}
	})
	return a
}

// keepOut has scratch memory prefetched in the place of a row that a store writes past the
// caches, and notes whether that is so.
func (g *Memory) keepOut(a *Access, tensor int) {
	bypassed, not := g.NewInt(0), g.NewLabel()
	g.Use(asm.CMP, lir.Frame(scalar.ArgOffset(tensor)+scalar.ArgStream).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, not)
	g.Use(asm.TEST, g.R64(a.Base), lir.Imm(int64(g.Bytes-1)))
	g.Jump(asm.JNE, not)
	g.Def(asm.LEA, g.R64(a.Base), lir.Frame(0))
	g.SetImm(bypassed, 1)
	g.Bind(not)
	g.bypassed[a.V] = bypassed
}

// prepareAhead is what prepare does, less the checks.
func (g *Memory) prepareAhead(a *Access, f *affine.Form, start *affine.Sym) {
	size := int64(a.D.Size())
	for i, c := range f.Coef {
		switch {
		case c == nil:
		case c.Kind == affine.Const:
			a.Stride[i] = lane.Stride{N: c.N * size}
		default:
			a.Stride[i].R = g.SymReg(g.Syms.Mul(c, g.Syms.Constant(size)))
		}
	}
	a.Base = g.NewReg(lir.GPR)
	g.Def(asm.MOV, g.R64(a.Base), lir.Frame(scalar.ArgOffset(f.Base)))
	g.AddScaled(a.Base, start, size)
}

// known reports whether all scalars behind an address have been computed, those aside that have been seen.
func known(g *Memory, v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true // if it is not, nothing that needs it is
	if !v.Type.IsTile() {
		if v.Op == op.Const || g.Defined(v) && int32(v.ID) != g.Tag { // not the one being made
			return true
		}
		if v.Op != ir.PtrAdd && (v.Type.D != dtype.Int64 || v.Op != op.Add && v.Op != op.Sub && v.Op != op.Mul) {
			return false // not taken apart by forms
		}
	} else if !fuse.Lazy(v) || v.Op == op.Load {
		return false
	}
	for _, a := range v.Args {
		if !known(g, a, seen) {
			return false
		}
	}
	return true
}

// nextStep is how much x, which v uses, grows until v's next turn: in the next round of the
// loop that v stands in, outside of loops in the next instance along the first axis of the
// grid. It is nil if that is not known.
func (g *Memory) nextStep(v *ir.Value, x *affine.Sym) *affine.Sym {
	loop := g.Plan.Parent[g.Plan.Of(v).Block]
	for loop != nil && loop.Op == ir.If {
		loop = g.Plan.Parent[g.Plan.Of(loop).Block]
	}
	if loop == nil {
		return g.Syms.Growth(x, g.Syms.InstanceStep)
	}
	return g.Syms.Growth(x, func(v *ir.Value) *affine.Sym { return g.roundStep(loop, v) })
}

// roundStep is how much a value grows from one round of a loop to the next.
func (g *Memory) roundStep(loop, v *ir.Value) *affine.Sym {
	body := loop.Blocks[0]
	carried := body.Args
	if loop.Op == ir.For {
		if v == carried[0] {
			return g.Syms.Constant(int64(loop.Index))
		}
		carried = carried[1:]
	}
	i := slices.Index(carried, v)
	if i < 0 {
		if g.DepthOf(v) <= g.DepthOf(loop) {
			return g.Syms.Constant(0)
		}
		return nil
	}
	last := body.Values[len(body.Values)-1]
	again := last.Op == ir.Yield || last.Op == ir.Continue && last.Index == 0
	if !again || !known(g, last.Args[i], map[*ir.Value]bool{}) {
		return nil
	}
	next, now := g.Syms.Value(last.Args[i]), g.Syms.Leaf(v)
	switch {
	case next.Kind != affine.Sum:
	case next.A == now:
		return next.B
	case next.B == now:
		return next.A
	}
	return nil
}
