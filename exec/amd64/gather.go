package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gather picks elements of a tile in memory along an axis. Indices lie in memory too: where
// a block has one that is outside, Go finds the first.
func (g *operations) gather(v *ir.Value) {
	from, index := g.whole(v.Args[0]), g.whole(v.Args[1])
	b := g.newBuffer(v.Type)
	n, m := g.newNest(v.Type.Shape), affine.Identity(v.Type.Shape)
	n.run(func() {
		i := n.read(index, m)
		g.refuseOutside(n, v, index, i)
		n.write(b, m, n.pick(from, v.Axis, i, m))
	})
	g.tiles[v] = b
}

// refuseOutside fails a gather if an index in the block at hand is outside its axis.
func (g *operations) refuseOutside(n *nest, v *ir.Value, index *buffer, i lane.Lanes) {
	d, size := v.Args[1].Type.D, int64(v.Args[0].Type.Shape.D[v.Axis])
	none := g.NewLabel()
	i = i.RawInt() // a negative one is large then
	g.SkipUnlessAny(*n.withTail(g.Compare(op.Ge, i.D, i, lane.Const(i.D, uint64(size)))), none)
	g.CallOut(g.helper(func(w *instance.Instance) *ir.Failure {
		is := lane.Elements(&w.Frame, d, index.off, index.shape.Len())
		for k := range is.Len() {
			if p := dtype.ToInt(d, is.Bits(k)); p < 0 || p >= size {
				return w.Failure(v, k, p)
			}
		}
		return nil
	}))
	g.Bind(none)
}

// pick is the elements of a tile in memory at the place of the block at hand, but with
// indices of an axis.
func (n *values) pick(b *buffer, axis int, i lane.Lanes, m affine.Axes) lane.Lanes {
	g, u := n.g, dtype.Uint32
	at := g.steps(g.Cast(u, i.RawInt()), b, axis)
	rest := m
	rest[axis] = -1
	for k := range b.shape.N {
		if k != axis && m[k] >= 0 && int(m[k]) == n.inner() {
			rest[k] = -1
			at = g.Prim(op.Add, u, at, g.steps(n.indexLanes(n.inner(), n.body()).As(u), b, k))
		}
	}
	row, _ := n.rowOf(b, rest)
	return g.GatherCells(b.d, at, lir.Mem(n.rowAt(row), 0))
}

// steps is how many elements indices of a dimension are away from its first. Those of
// lanes behind a row's end, which may be anything, are made indices of the dimension.
func (g *memory) steps(i lane.Lanes, b *buffer, dim int) lane.Lanes {
	i = g.Prim(op.Minimum, i.D, i, lane.Const(i.D, uint64(b.shape.D[dim]-1)))
	if b.stride[dim] == 1 {
		return i
	}
	return g.Prim(op.Mul, i.D, i, lane.Const(i.D, uint64(b.stride[dim])))
}
