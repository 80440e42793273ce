package amd64

import (
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

// What OffAlone says of who may exchange elements without the processor's locks: it is alone until
// the code returns, or until the code has said that it need not stay so any more.
const (
	alone   = 1
	staying = 2
)

// Atomics of tiles whose elements are one apart along the last axis, for who exchanges elements alone: a row's lanes
// are all different elements, so that a block of them is loaded, changed and stored; rows, which may be the same ones,
// follow each other as they do in the language.

// An exchange is such an atomic.
type exchange struct {
	*nest
	m    affine.Axes
	a    *access
	used bool // what was in memory is looked at
	form *affine.Form
}

// exchangedRows is nil if v is of another kind.
func (g *operations) exchangedRows(v *ir.Value) *exchange {
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	if v.Op == op.AtomicCAS || shape.N == 0 || shape.D[shape.N-1] == 1 || fuse.TensorOf(mem.Ptr) < 0 {
		return nil
	}
	for _, u := range g.plan.Of(mem.Ptr).Users { // it may be read in the same loop, when a row before has changed it
		if u != v {
			return nil
		}
	}
	e := &exchange{nest: g.newNest(shape), m: affine.Identity(shape), used: len(g.plan.Of(v).Users) > 0, form: g.Forms.Of(mem.Ptr)}
	e.a = &access{v: v, d: mem.Ptr.Type.D.Elem()}
	f := e.form
	if !f.Ok || f.Base < 0 {
		if e.a.rows = e.rowwiseOf(v, e.m); e.a.rows == nil {
			return nil
		}
		g.SymReg(e.a.rows.limit)
		return e
	}
	if c := f.Coef[shape.N-1]; c == nil || !c.IsConst(1) {
		return nil
	}
	g.Force(f)
	return e
}

// write writes it; a row that may lie outside is a jump to another way, before anything has happened.
func (e *exchange) write(out []*buffer, other int) {
	g, a, mem := e.g, e.a, e.a.v.Memory()
	boxed := false
	if mem.Mask != nil && !e.used {
		if atoms, ok := e.maskAtoms(mem.Mask, e.m); ok {
			e.atoms, boxed = atoms, true
		}
	}
	e.point(other)
	whileAlone(g.Builder, func() {
		e.run(func() {
			mask := lane.Const(dtype.Bool, 1)
			if mem.Mask != nil && !boxed {
				mask = e.eval(mem.Mask, e.m)
			}
			val := e.eval(mem.Val, e.m)
			at, _ := e.address(a, e.m)
			on := e.withTail(mask)
			old := g.Load(a.d, at, on)
			z := val
			if o := a.v.Op.Row().Combine; o != op.None {
				z = g.Elementwise(o, a.d, old, val)
			}
			g.Store(z.As(a.d), at, on)
			if e.used {
				e.nest.write(out[0], e.m, old)
			}
		})
	})
}

// point makes a's loop go to the tensor.
func (e *exchange) point(other int) {
	g, a := e.g, e.a
	shape := a.v.Memory().Ptr.Type.Shape
	size := int64(a.d.Size())
	a.base = g.NewReg(lir.GPR)
	if a.rows != nil {
		a.stride[a.rows.axis] = lane.Stride{N: size}
		inside, tensor := g.NewLabel(), fuse.TensorOf(a.v.Memory().Ptr)
		outside := g.startRows(a.v, a.rows)
		g.SkipUnlessAny(outside, inside)
		g.Jump(asm.JMP, other)
		g.Bind(inside)
		g.RunsOf(tensor, other).Rows(a.rows.starts.off, a.rows.starts.shape.Len(), a.rows.limit)
		g.Def(asm.MOV, g.R64(a.base), lir.Frame(scalar.ArgOffset(tensor)))
		return
	}
	for i, c := range e.form.Coef[:shape.N] {
		if c == nil || shape.D[i] == 1 {
			continue
		}
		if c.IsConst(1) {
			a.stride[i].N = size
			continue
		}
		a.stride[i].R = g.NewReg(lir.GPR)
		g.Move(a.stride[i].R, g.SymArg(g.Syms.Mul(c, g.Syms.Constant(size))))
	}
	g.checkAccess(a.v, e.form, other)
	g.toTensor(a, e.form)
}
