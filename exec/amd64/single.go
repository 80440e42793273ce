package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Loads and stores of single elements.

// single writes an access to one element, without a mask, whose address is that of a tensor plus a number. What access
// writes is written twice: for the element in its tensor, and for a copy of it, if it lies outside, or in a gap; Go
// fills that before, or carries it out behind.
func (g *operations) single(v *ir.Value, f *affine.Form, access func(at lir.Arg)) {
	before, bad, done := g.Here(), g.NewLabel(), g.NewLabel()
	if g.Inside {
		bad = g.Bail
	}
	g.Force(f)
	g.CheckInside(v, f, bad)
	size := v.Memory().Ptr.Type.D.Elem().Size()
	at := lir.Mem(g.Word(scalar.ArgOffset(f.Base)), 0)
	if n := f.Start.N; f.Start.Kind == affine.Const && n >= 0 && n < 1<<24 {
		at = at.Plus(int(n) * size)
	} else {
		at = lir.MemIndex(at.Base(), g.SymReg(f.Start), size, 0)
	}
	access(at)
	ns := g.WorkSince(before)
	if !g.Inside {
		g.Jump(asm.JMP, done)
		g.BindCold(bad)
		g.InCold(func() {
			copied := g.Alloc(size)
			if v.Op == op.Load {
				g.Exact(v, copied, 1, false)
			}
			access(lir.Frame(copied))
			if v.Op == op.Store {
				g.Exact(v, copied, 1, false)
			}
		})
		g.Bind(done)
	}
	g.Spent(ns)
}

// isSingle reports whether an access is one that single is for.
func (g *operations) isSingle(v *ir.Value) (f *affine.Form, ok bool) {
	mem := v.Memory()
	f = g.Forms.Of(mem.Ptr)
	return f, mem.Mask == nil && mem.Ptr.Type.Shape.Len() == 1 && f.Ok && f.Base >= 0
}

// scalarLoad is a Load of one element.
func (g *operations) scalarLoad(v *ir.Value) {
	f, ok := g.isSingle(v)
	d := v.Memory().Ptr.Type.D.Elem()
	switch {
	case ok && d.IsFloat():
		var x lane.Lanes
		g.single(v, f, func(at lir.Arg) {
			if y := g.LoadSplat(d, at); x.R[0] == 0 {
				x = g.Variable(y)
			} else {
				g.Assign(x, y)
			}
		})
		g.SetScalar(v, 0, x)
	case ok:
		g.single(v, f, func(at lir.Arg) {
			if r := g.LoadScalar(d, at); g.Ints[v] == 0 {
				g.Ints[v] = r
			} else {
				g.Move64(g.Ints[v], r)
			}
		})
	default:
		n := g.NewNest(ir.Shape{})
		n.One = true
		n.Run(func() { g.SetScalar(v, 0, n.Load(v, affine.Axes{})) })
	}
}

// storeOne is a Store of one element, without a masked store: a load from the same line would wait for that.
func (g *operations) storeOne(n *nest.Nest, v *ir.Value, m affine.Axes) {
	mem, off := v.Memory(), g.NewLabel()
	d := mem.Ptr.Type.D.Elem()
	var i lir.Reg // all values first: what is computed behind a jump is not there on every way
	var x lane.Lanes
	value := func() {
		if t := mem.Val.Type; !t.IsTile() && t.D == d && !t.D.IsFloat() {
			i = g.IntReg(mem.Val)
		} else {
			x = n.Eval(n.Rounded(mem.Val), m)
		}
	}
	put := func(at lir.Arg) {
		if i != 0 {
			g.StoreInt(d.Size(), at, i)
		} else {
			g.StoreFirst(d, x, at)
		}
	}
	if f, ok := g.isSingle(v); ok {
		n.Run(value)
		g.single(v, f, put)
		return
	}
	a := &tiles.Access{V: v, D: d, Rows: n.RowwiseOf(v, m)}
	g.Prepare(a)
	n.Run(func() {
		at, _ := n.Address(a, m)
		value()
		if mem.Mask != nil {
			on := g.FirstInt(n.Eval(mem.Mask, m))
			g.Use(asm.TEST, g.R64(on), g.R64(on))
			g.Jump(asm.JE, off)
		}
		put(at)
		g.Bind(off)
	})
	g.Finish(a)
}
