package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
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
	*nest.Nest
	m    affine.Axes
	a    *tiles.Access
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
	for _, u := range g.Plan.Of(mem.Ptr).Users { // it may be read in the same loop, when a row before has changed it
		if u != v {
			return nil
		}
	}
	e := &exchange{Nest: g.NewNest(shape), m: affine.Identity(shape), form: g.Forms.Of(mem.Ptr)}
	e.used = len(g.Plan.Of(v).Users) > 0
	e.a = &tiles.Access{V: v, D: mem.Ptr.Type.D.Elem()}
	f := e.form
	if !f.Ok || f.Base < 0 {
		if e.a.Rows = e.RowwiseOf(v, e.m); e.a.Rows == nil {
			return nil
		}
		g.SymReg(e.a.Rows.Limit)
		return e
	}
	if c := f.Coef[shape.N-1]; c == nil || !c.IsConst(1) {
		return nil
	}
	g.Force(f)
	return e
}

// write writes it; a row that may lie outside is a jump to another way, before anything has happened.
func (e *exchange) write(out []*tiles.Buffer, other int) {
	g, a, mem := e.G, e.a, e.a.V.Memory()
	boxed := false
	if mem.Mask != nil && !e.used {
		if atoms, ok := e.MaskAtoms(mem.Mask, e.m); ok {
			e.Atoms, boxed = atoms, true
		}
	}
	e.point(other)
	whileAlone(g.Builder, func() {
		e.Run(func() {
			mask := lane.Const(dtype.Bool, 1)
			if mem.Mask != nil && !boxed {
				mask = e.Eval(mem.Mask, e.m)
			}
			val := e.Eval(mem.Val, e.m)
			at, _ := e.Address(a, e.m)
			on := e.WithTail(mask)
			old := g.Load(a.D, at, on)
			z := val
			if o := a.V.Op.Row().Combine; o != op.None {
				z = g.Elementwise(o, a.D, old, val)
			}
			g.Store(z.As(a.D), at, on)
			if e.used {
				e.Nest.Write(out[0], e.m, old)
			}
		})
	})
}

// point makes a's loop go to the tensor.
func (e *exchange) point(other int) {
	g, a := e.G, e.a
	shape := a.V.Memory().Ptr.Type.Shape
	size := int64(a.D.Size())
	a.Base = g.NewReg(lir.GPR)
	if a.Rows != nil {
		a.Stride[a.Rows.Axis] = lane.Stride{N: size}
		inside, tensor := g.NewLabel(), fuse.TensorOf(a.V.Memory().Ptr)
		outside := g.StartRows(a.V, a.Rows)
		g.SkipUnlessAny(outside, inside)
		g.Jump(asm.JMP, other)
		g.Bind(inside)
		g.RunsOf(tensor, other).Rows(a.Rows.Starts.Off, a.Rows.Starts.Shape.Len(), a.Rows.Limit)
		g.Def(asm.MOV, g.R64(a.Base), lir.Frame(scalar.ArgOffset(tensor)))
		return
	}
	for i, c := range e.form.Coef[:shape.N] {
		if c == nil || shape.D[i] == 1 {
			continue
		}
		if c.IsConst(1) {
			a.Stride[i].N = size
			continue
		}
		a.Stride[i].R = g.NewReg(lir.GPR)
		g.Move(a.Stride[i].R, g.SymArg(g.Syms.Mul(c, g.Syms.Constant(size))))
	}
	g.CheckInside(a.V, e.form, other)
	g.ToTensor(a, e.form)
}
