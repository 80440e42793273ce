package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Helpers are what code leaves to Go: operations that are rare or long, exact
// accesses, printing. Code puts operands into the frame, leaves with the helper's
// number and is called again when it is done.

// helper registers one and gives its exit code.
func (g *memory) helper(f instance.Helper) int {
	g.helpers = append(g.helpers, f)
	return scalar.HelperBase + len(g.helpers) - 1
}

// leave lets a helper do what the code leaves to Go whenever it comes here.
func (g *memory) leave(what string, f instance.Helper) {
	g.costs.Goes(g.current, what)
	g.CallOut(g.helper(f))
}

// besides has Go work on the frame.
func (g *memory) besides(what string, rarely bool, f func(*frame.Frame)) {
	run := func(w *instance.Instance) *ir.Failure {
		f(&w.Frame)
		return nil
	}
	if rarely {
		g.CallOut(g.helper(run))
		return
	}
	g.leave(what, run)
}

// exactAccess is a load or store by exact addresses, lane by lane.
type exactAccess struct {
	v       *ir.Value
	d       dtype.DType
	shape   ir.Shape
	tensor  int
	offsets int  // frame offset of int64 element offsets
	mask    int  // of bytes, -1 for none
	copy    int  // of the elements
	apart   int  // elements from one of the copy to the next, -1 if it is kept backwards
	turned  bool // the copy is column after column
}

// run carries it out; the failure is that of the lowest lane outside.
func (x exactAccess) run(w *instance.Instance) *ir.Failure {
	n := x.shape.Len()
	e := scalar.Exact{Offsets: dtype.View[int64](w.Region(dtype.Int64, x.offsets, n)), Size: x.d.Size(), Cell: x.cell}
	if x.mask >= 0 {
		e.Mask = dtype.View[uint8](w.Region(dtype.Uint8, x.mask, n))
	}
	cells := w.Region(x.d, x.copy, n*max(x.apart, -x.apart)).Bytes()
	if i := e.Copy(&w.Launch.Args[x.tensor], cells, x.v.Op == op.Store); i >= 0 {
		return w.Failure(x.v, i, e.Offsets[i])
	}
	return nil
}

// cell is the number of a lane's cell in the copy.
func (x exactAccess) cell(i int) int {
	switch {
	case x.turned:
		return i%x.shape.D[1]*x.shape.D[0] + i/x.shape.D[1]
	case x.apart < 0:
		return i*x.apart + x.shape.Len() - 1
	}
	return i * x.apart
}

// store translates a Store: a loop over the lanes that its mask lets through.
func (g *operations) store(v *ir.Value) {
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	n, m := g.newNest(shape), affine.Identity(shape)
	turned := scalar.ByColumns(g.Scalars, mem.Ptr, mem.Mask)
	if turned { // by columns, which are rows in memory
		n, m = g.newNest(ir.ShapeOf(shape.D[1], shape.D[0])), affine.Axes{1, 0}
	} else {
		n.ahead.list = g.plan.Of(v).Prefetches
	}
	boxed := false
	if mem.Mask != nil {
		if atoms, ok := n.maskAtoms(mem.Mask, m); ok {
			n.atoms, boxed = atoms, true
		}
	}
	a := &access{v: v, d: mem.Ptr.Type.D.Elem(), turned: turned, rows: n.rowwiseOf(v, m)}
	g.prepare(a)
	val := n.rounded(mem.Val)
	if boxed || mem.Mask == nil {
		n.streams(a, m, val)
	}
	n.run(func() {
		x := n.eval(val, m)
		at, step := n.address(a, m)
		mask := lane.Const(dtype.Bool, 1)
		if mem.Mask != nil && !boxed {
			mask = n.eval(mem.Mask, m)
		}
		if step.R == 0 && step.N == int64(a.d.Size()) || len(n.dims) == 0 {
			if n.streaming {
				g.StreamAs(a.d, x, at)
				return
			}
			g.StoreAs(a.d, x, at, n.withTail(mask))
			return
		}
		if step.N == -int64(a.d.Size()) {
			g.StoreBackwards(g.Cast(a.d, x), n.blockStart(at, step), n.withTail(mask))
			return
		}
		if by := int(step.N) / a.d.Size(); step.R == 0 && gather.MayMaskApart(g.Builder, a.d.Size(), by) {
			gather.StoreApart(g.Builder, g.Cast(a.d, x), n.blockStart(at, step), by, n.withTail(mask))
			return
		}
		g.StoreOneByOne(g.Cast(a.d, x), n.blockStart(at, step), step, n.withTail(mask))
	})
	g.finish(a)
}

// rounded is what of a value is computed before it is stored: a store rounds it.
func (n *values) rounded(v *ir.Value) *ir.Value {
	wide := ir.Type{D: dtype.Float32, Shape: v.Type.Shape}
	if v.Op != op.Cast || !lane.RoundsStored(v.Type.D) || v.Args[0].Type != wide || n.g.keeps(v) {
		return v
	}
	return v.Args[0]
}

// streams lets the nest have a loop of non-temporal stores, if the store fills whole vectors of memory.
func (n *nest) streams(a *access, m affine.Axes, val *ir.Value) {
	const least = 256 // elements in a row that make it worth the code
	if len(n.dims) == 0 || n.shape.D[n.inner()] < least || a.copied == 0 && !a.direct || val.Type.D.Size() < 4 {
		return
	}
	for i, s := range a.stride[:n.shape.N] {
		if int(m[i]) == n.inner() && s.R == 0 && s.N == int64(a.d.Size()) {
			n.stream = a
			n.g.Streaming = true
		}
	}
}

// effect translates program ids, asserts and prints.
func (g *gen) effect(v *ir.Value) {
	switch v.Op {
	case op.ProgramID, op.NumPrograms:
		g.Ints[v] = g.ScalarInt(v)
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
	b := g.spill(c)
	g.leave("assertions of tiles", func(w *instance.Instance) *ir.Failure {
		for i, on := range dtype.View[uint8](w.Region(dtype.Uint8, b.off, b.shape.Len())) {
			if on == 0 {
				return w.Failure(v, i, 0)
			}
		}
		return nil
	})
}

func (g *operations) print(v *ir.Value) {
	bufs := make([]*buffer, len(v.Args))
	for i, a := range v.Args {
		bufs[i] = g.spill(a)
	}
	g.leave("prints", func(w *instance.Instance) *ir.Failure {
		if w.Launch.Print == nil {
			return nil
		}
		out := make([]ir.Printed, len(bufs))
		for i, b := range bufs {
			t := v.Args[i].Type
			out[i] = ir.Printed{Type: t, Elems: lane.Elements(&w.Frame, b.d, b.off, b.shape.Len()), GoScalar: i < len(v.Axes) && v.Axes[i] == 1}
		}
		w.Launch.Print(w.Current(), v, out)
		return nil
	})
}
