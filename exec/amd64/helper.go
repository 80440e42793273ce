package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scatter"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// store translates a Store: a loop over the lanes that its mask lets through.
func (g *operations) store(v *ir.Value) {
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	n, m := g.NewNest(shape), affine.Identity(shape)
	turned := scalar.ByColumns(g.Scalars, mem.Ptr, mem.Mask)
	if turned { // by columns, which are rows in memory
		n, m = g.NewNest(ir.ShapeOf(shape.D[1], shape.D[0])), affine.Axes{1, 0}
	} else {
		n.Ahead.List = g.Plan.Of(v).Prefetches
	}
	boxed := false
	if mem.Mask != nil {
		if atoms, ok := n.MaskAtoms(mem.Mask, m); ok {
			n.Atoms, boxed = atoms, true
		}
	}
	if n.One = len(n.Dims) == 0 && !boxed; n.One {
		g.single.Store(n, v, m)
		return
	}
	a := &tiles.Access{V: v, D: mem.Ptr.Type.D.Elem(), Turned: turned, Rows: n.RowwiseOf(v, m)}
	if !turned && a.Rows == nil && scatter.Store(g.Nests, v) {
		return
	}
	g.Prepare(a)
	val := n.Rounded(mem.Val)
	if boxed || mem.Mask == nil {
		n.Streams(a, m, val)
	}
	g.byElements(n, a, val, boxed)
	copies := g.copies(n, a, val, m, boxed || mem.Mask == nil)
	n.Run(func() {
		if copies && g.copied(n, a, val, m) {
			return
		}
		x := n.Eval(val, m)
		if x.D == dtype.Invalid { // a scan has stored it
			return
		}
		at, step := n.Address(a, m)
		mask := lane.Const(dtype.Bool, 1)
		if mem.Mask != nil && !boxed {
			mask = n.Eval(mem.Mask, m)
		}
		if step.R == 0 && step.N == int64(a.D.Size()) || len(n.Dims) == 0 {
			if n.Streaming {
				g.StreamAs(a.D, x, at)
				return
			}
			g.StoreAs(a.D, x, at, n.WithTail(mask))
			return
		}
		if step.N == -int64(a.D.Size()) {
			g.StoreBackwards(g.Cast(a.D, x), n.BlockStart(at, step), n.WithTail(mask))
			return
		}
		if by := int(step.N) / a.D.Size(); step.R == 0 && gather.MayMaskApart(g.Builder, a.D.Size(), by) {
			gather.StoreApart(g.Builder, g.Cast(a.D, x), n.BlockStart(at, step), by, n.WithTail(mask))
			return
		}
		g.StoreOneByOne(g.Cast(a.D, x), n.BlockStart(at, step), step, n.WithTail(mask))
	})
	g.Finish(a)
}

// copies reports whether a store, whose nest goes through what is stored and nothing else, may copy bytes or words as
// they lie in another tensor. The nest then does as many blocks at a time as a register holds.
func (g *operations) copies(n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes, whole bool) bool {
	if a.D.Size() > 2 || val.Op != op.Load || val.Type.D != a.D || a.D == dtype.Bool || !whole || len(n.Dims) == 0 {
		return false
	}
	f := g.Forms.Of(val.Memory().Ptr)
	if side := f.Ok && f.Coef[n.Inner()] != nil && f.Coef[n.Inner()].IsConst(1); !side && n.RowwiseOf(val, m) == nil {
		return false
	}
	if blocks := g.Bytes / (g.Lanes * a.D.Size()); n.Shape.D[n.Inner()] >= blocks*g.Lanes {
		n.Unroll = blocks
	}
	return true
}

// copied stores the block at hand, or all of a round, as it lies in another tensor, if it does.
func (g *operations) copied(n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes) bool {
	if n.Tail != nil && !g.EVEX {
		return false
	}
	size := a.D.Size()
	from := n.Elements(val, m)
	to, step := n.Address(a, m)
	switch {
	case from == nil || step != (lane.Stride{N: int64(size)}):
		return false
	case n.Tail != nil:
		g.CopyBlock(size, g.Lanes, to, *from, n.Tail)
	case n.Off == 0:
		g.CopyBlock(size, n.Unroll*g.Lanes, to, *from, nil)
	}
	return true
}

// byElements lets a scan store the last elements of a row by itself, if nothing else is to be done with them.
func (g *operations) byElements(n *nest.Nest, a *tiles.Access, val *ir.Value, boxed bool) {
	scan := fuse.ScanOf(val)
	if scan == nil || !g.Plan.Of(val).Within || g.InMemory(val) || !boxed && a.V.Memory().Mask != nil {
		return
	}
	free, _ := fuse.AnyOrder(scan)
	step := a.Stride[n.Inner()]
	if !free && a.Rows == nil && !a.Turned && a.D == val.Type.D && a.D.Size() >= 4 && step == (lane.Stride{N: int64(a.D.Size())}) {
		n.ByElement = a
	}
}

// effect translates program ids, asserts and prints.
func (g *gen) effect(v *ir.Value) {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		if g.Ints[v] = g.id; v.Op == op.NumPrograms || v.Index > 0 || g.id == 0 {
			g.Ints[v] = g.ScalarInt(v)
		}
	case op.Assert:
		g.assert(v)
	case op.Print:
		g.print(v)
		g.Effects = true
	default:
		scalar.Refuse("%s", ir.OpName(v.Op))
	}
}

// assert fails the instance where a condition does not hold. A tile is looked at in Go, which finds the lane.
func (g *operations) assert(v *ir.Value) {
	c := v.Args[0]
	if !c.Type.IsTile() {
		if c.Op == op.Const && c.Bits != 0 {
			return
		}
		good := g.NewLabel()
		g.Use(asm.TEST, g.R64(g.IntReg(c)), g.R64(g.IntReg(c)))
		g.Jump(asm.JNE, good)
		g.Fail(v)
		g.Bind(good)
		return
	}
	b := g.Spill(c)
	g.Leave("assertions of tiles", func(w *instance.Instance) *ir.Failure {
		for i, on := range dtype.View[uint8](w.Region(dtype.Uint8, b.Off, b.Shape.Len())) {
			if on == 0 {
				return w.Failure(v, i, 0)
			}
		}
		return nil
	})
}

func (g *operations) print(v *ir.Value) {
	bufs := make([]*tiles.Buffer, len(v.Args))
	for i, a := range v.Args {
		bufs[i] = g.Spill(a)
	}
	g.Leave("prints", func(w *instance.Instance) *ir.Failure {
		if w.Launch.Print == nil {
			return nil
		}
		out := make([]ir.Printed, len(bufs))
		for i, b := range bufs {
			t := v.Args[i].Type
			out[i] = ir.Printed{Type: t, Elems: lane.Elements(&w.Frame, b.D, b.Off, b.Shape.Len()), GoScalar: i < len(v.Axes) && v.Axes[i] == 1}
		}
		w.Launch.Print(w.Current(), v, out)
		return nil
	})
}

// math leaves a function of Go's package math to Go, on numbers in the frame.
func (g *operations) math(v *ir.Value) {
	f, x, z := ir.MathNamed(v.Text), g.Spill(v.Args[0]), g.NewBuffer(v.Type)
	y := x
	if len(v.Args) > 1 {
		y = g.Spill(v.Args[1])
	}
	g.Leave("math."+v.Text, func(w *instance.Instance) *ir.Failure {
		at := func(b *tiles.Buffer) dtype.Buf { return w.Region(b.D, b.Off, 1) }
		at(z).SetBits(0, f.Result(v.Index, at(x).Bits(0), at(y).Bits(0)))
		return nil
	})
	g.SetScalar(v, 0, g.LoadCell(v.Type.D, lir.Frame(z.Off)))
	g.Spend(1)
}
