package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
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
		b := g.whole(v.Args[0])
		g.setScalar(v, 0, g.LoadCell(v.Type.D, lir.Frame(b.off+v.Index*b.cell)))
	default:
		g.tiles[v] = g.view(v)
	}
}

// view is the memory of v's operand, read as v.
func (g *operations) view(v *ir.Value) *buffer {
	b := g.held(v.Args[0])
	if v.Op == op.Reshape && !b.dense() {
		b = *g.whole(v.Args[0])
	}
	b.shape = v.Type.Shape
	switch v.Op {
	case op.Reshape:
		b.stride = b.shape.Dense().D
	case op.Split:
		b.off += v.Index * b.stride[b.shape.N] * b.cell
	case op.Flip:
		b.off += (b.shape.D[v.Axis] - 1) * b.stride[v.Axis] * b.cell
		b.stride[v.Axis] *= -1
	}
	return &b
}

// held is the memory of all of v: of what is in memory anyway, if v is that in another order of dimensions.
func (g *operations) held(v *ir.Value) buffer {
	switch {
	case g.tiles[v] != nil && len(g.tiles[v].atoms) == 0 && !fuse.Lazy(v):
		return *g.tiles[v]
	case v.Op != op.Permute || g.tiles[v] != nil || fuse.Lazy(v.Args[0]) && v.Args[0].Op != op.Permute:
		return *g.whole(v)
	}
	b := g.held(v.Args[0])
	z := b
	z.shape = v.Type.Shape
	for i, a := range v.Axes {
		z.stride[i] = b.stride[a]
	}
	return z
}

// part is the memory of the elements of b that begin at an index of an axis, as a tile
// of some shape, which may have fewer dimensions.
func (b *buffer) part(axis, at int, shape ir.Shape) *buffer {
	z := *b
	z.off += at * b.stride[axis] * b.cell
	z.shape = shape
	return &z
}

// cat writes its operands one after the other into their parts of the result.
func (g *operations) cat(v *ir.Value) {
	oneTensor(v)
	b, at := g.newBuffer(v.Type), 0
	for _, x := range v.Args {
		g.spillInto(b.part(v.Axis, at, x.Type.Shape), x)
		at += x.Type.Shape.D[v.Axis]
	}
	g.tiles[v] = b
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
	b := g.newBuffer(v.Type)
	n, m := g.newNest(x.Type.Shape), affine.Identity(x.Type.Shape)
	if b.stride = g.plan.JoinedStrides(v); b.stride[x.Type.Shape.N] != 1 {
		first, second := b.part(x.Type.Shape.N, 0, x.Type.Shape), b.part(x.Type.Shape.N, 1, x.Type.Shape)
		n.run(func() {
			n.write(first, m, n.eval(x, m))
			n.write(second, m, n.eval(y, m))
		})
		g.tiles[v] = b
		return
	}
	g.FrameSize += g.Lanes * b.cell
	pairs := b.part(0, 0, x.Type.Shape)
	n.run(func() {
		at, step := n.place(pairs, m)
		if step.N != 0 {
			at = n.blockStart(at, step)
		}
		low, high := g.Interleaved(n.eval(x, m).As(lane.CellType(b.d)), n.eval(y, m).As(lane.CellType(b.d)))
		g.Store(low, at, nil)
		g.Store(high, at.Plus(g.Lanes*b.cell), nil)
	})
	g.tiles[v] = b
}
