package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Shape ops that are more than dimensions in another order. Those of one operand put it
// into memory and are that memory, read in another way; those of several put all of them
// into the same memory.

// rearrange translates one.
func (g *operations) rearrange(v *ir.Value) {
	switch {
	case v.Op == op.Join:
		g.join(v)
	case v.Op == op.Cat:
		g.cat(v)
	case !v.Type.IsTile():
		b := g.Whole(v.Args[0])
		g.SetScalar(v, 0, g.LoadCell(v.Type.D, lir.Frame(b.Off+v.Index*b.Cell)))
	default:
		g.Tiles[v] = g.view(v)
	}
}

// view is the memory of v's operand, read as v.
func (g *operations) view(v *ir.Value) *tiles.Buffer {
	b := g.held(v.Args[0])
	if v.Op == op.Reshape && !b.Dense() {
		b = *g.Whole(v.Args[0])
	}
	b.Shape = v.Type.Shape
	switch v.Op {
	case op.Reshape:
		b.Stride = b.Shape.Dense().D
	case op.Split:
		b.Off += v.Index * b.Stride[b.Shape.N] * b.Cell
	case op.Flip:
		b.Off += (b.Shape.D[v.Axis] - 1) * b.Stride[v.Axis] * b.Cell
		b.Stride[v.Axis] *= -1
	}
	return &b
}

// held is the memory of all of v: of what is in memory anyway, if v is that in another order of dimensions.
func (g *operations) held(v *ir.Value) tiles.Buffer {
	switch {
	case g.Tiles[v] != nil && len(g.Tiles[v].Atoms) == 0 && !fuse.Lazy(v):
		return *g.Tiles[v]
	case v.Op != op.Permute || g.Tiles[v] != nil || fuse.Lazy(v.Args[0]) && v.Args[0].Op != op.Permute:
		return *g.Whole(v)
	}
	b := g.held(v.Args[0])
	z := b
	z.Shape = v.Type.Shape
	for i, a := range v.Axes {
		z.Stride[i] = b.Stride[a]
	}
	return z
}

// cat writes its operands one after the other into their parts of the result.
func (g *operations) cat(v *ir.Value) {
	oneTensor(v)
	b, at := g.NewBuffer(v.Type), 0
	for _, x := range v.Args {
		g.SpillInto(b.Part(v.Axis, at, x.Type.Shape), x)
		at += x.Type.Shape.D[v.Axis]
	}
	g.Tiles[v] = b
}

// oneTensor refuses pointers into different tensors.
func oneTensor(v *ir.Value) {
	for _, x := range v.Args[1:] {
		if v.Type.D.IsPointer() && fuse.TensorOf(x) != fuse.TensorOf(v.Args[0]) {
			scalar.Refuse("%s of pointers into different tensors", ir.OpName(v.Op))
		}
	}
}

// join interleaves its operands' lanes. They are stored in full blocks, in the order in
// which they lie: what is too much at the end of a row the next one overwrites, and after
// the last row there is room for it.
func (g *operations) join(v *ir.Value) {
	oneTensor(v)
	x, y := v.Args[0], v.Args[1]
	b := g.NewBuffer(v.Type)
	n, m := g.NewNest(x.Type.Shape), affine.Identity(x.Type.Shape)
	if b.Stride = g.Plan.JoinedStrides(v); b.Stride[x.Type.Shape.N] != 1 {
		first, second := b.Part(x.Type.Shape.N, 0, x.Type.Shape), b.Part(x.Type.Shape.N, 1, x.Type.Shape)
		n.Run(func() {
			n.Write(first, m, n.Eval(x, m))
			n.Write(second, m, n.Eval(y, m))
		})
		g.Tiles[v] = b
		return
	}
	g.FrameSize += g.Lanes * b.Cell
	pairs := b.Part(0, 0, x.Type.Shape)
	n.Run(func() {
		at, step := n.Place(pairs, m)
		if step.N != 0 {
			at = n.BlockStart(at, step)
		}
		low, high := g.Interleaved(n.Eval(x, m).As(lane.CellType(b.D)), n.Eval(y, m).As(lane.CellType(b.D)))
		g.Store(low, at, nil)
		g.Store(high, at.Plus(g.Lanes*b.Cell), nil)
	})
	g.Tiles[v] = b
}
