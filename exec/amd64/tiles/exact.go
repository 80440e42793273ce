package tiles

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/cost"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An ExactAccess is a load or store by exact addresses, lane by lane.
type ExactAccess struct {
	V       *ir.Value
	D       dtype.DType
	Shape   ir.Shape
	Tensor  int
	Offsets int  // frame offset of int64 element offsets
	Mask    int  // of bytes, -1 for none
	Copy    int  // of the elements
	Apart   int  // elements from one of the copy to the next, -1 if it is kept backwards
	Turned  bool // the copy is column after column
}

// Exact is an access by exact addresses with a dense copy.
func Exact(v *ir.Value, copy int) ExactAccess {
	mem := v.Memory()
	t := fuse.TensorOf(mem.Ptr)
	if t < 0 {
		scalar.Refuse("a pointer that may point into several tensors")
	}
	x := ExactAccess{V: v, Copy: copy, Apart: 1, Mask: -1, Tensor: t}
	x.Shape, x.D = mem.Ptr.Type.Shape, mem.Ptr.Type.D.Elem()
	return x
}

// Run carries it out; the failure is that of the lowest lane outside.
func (x ExactAccess) Run(w *instance.Instance) *ir.Failure {
	n := x.Shape.Len()
	e := scalar.Exact{Offsets: dtype.View[int64](w.Region(dtype.Int64, x.Offsets, n)), Size: x.D.Size(), Cells: x.cells()}
	if x.Mask >= 0 {
		e.Mask = dtype.View[uint8](w.Region(dtype.Uint8, x.Mask, n))
	}
	cells := w.Region(x.D, x.Copy, n*max(x.Apart, -x.Apart)).Bytes()
	if i := e.Copy(&w.Launch.Args[x.Tensor], cells, x.V.Op == op.Store); i >= 0 {
		return w.Failure(x.V, i, e.Offsets[i])
	}
	return nil
}

// cells is where lanes have their cells in the copy.
func (x ExactAccess) cells() scalar.Cells {
	n, s := x.Shape.Len(), x.Shape.D
	switch {
	case x.Turned:
		return scalar.Cells{Columns: s[1], Step: s[0], Row: 1}
	case x.Apart < 0:
		return scalar.Cells{First: n - 1, Columns: n, Step: x.Apart}
	}
	return scalar.Cells{Columns: n, Step: x.Apart}
}

// NoteLanes notes an access that no form of its address makes one of vectors.
func (g *Memory) NoteLanes(a *Access) {
	ptr := a.V.Memory().Ptr
	if f := g.Forms.Of(ptr); a.Rows == nil && (!f.Ok || f.Base < 0) {
		g.Costs.Note(a.V, cost.ByLane, affine.WhyNot(ptr))
	}
}
