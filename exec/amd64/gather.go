package amd64

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gather picks elements of a tile in memory along an axis. Indices lie in memory too: where
// a block has one that is outside, Go finds the first.
func (g *gen) gather(v *ir.Value) {
	from, index := g.whole(v.Args[0]), g.whole(v.Args[1])
	b := g.newBuffer(v.Type)
	n, m := g.newNest(v.Type.Shape), affine.Identity(v.Type.Shape)
	n.run(func() {
		i := n.read(index, m)
		n.refuseOutside(v, index, i)
		n.write(b, m, n.pick(from, v.Axis, i, m))
	})
	g.tiles[v] = b
}

// refuseOutside fails a gather if an index in the block at hand is outside its axis.
func (n *nest) refuseOutside(v *ir.Value, index *buffer, i lanes) {
	g, d, size := n.g, v.Args[1].Type.D, int64(v.Args[0].Type.Shape.D[v.Axis])
	none := g.NewLabel()
	i = i.rawInt() // a negative one is large then
	g.skipUnlessAny(*n.withTail(g.compare(op.Ge, i.d, i, g.constLanes(i.d, uint64(size)))), none)
	g.CallOut(g.helper(func(w *Worker) *ir.Failure {
		is := w.elements(d, index.off, index.shape.Len())
		for k := range is.Len() {
			if p := dtype.ToInt(d, is.Bits(k)); p < 0 || p >= size {
				return w.failure(v, k, p)
			}
		}
		return nil
	}))
	g.Bind(none)
}

// pick is the elements of a tile in memory at the place of the block at hand, but with
// indices of an axis.
func (n *nest) pick(b *buffer, axis int, i lanes, m affine.Axes) lanes {
	g, u := n.g, dtype.Uint32
	at := g.steps(g.cast(u, i.rawInt()), b, axis)
	rest := m
	rest[axis] = -1
	for k := range b.shape.N {
		if k != axis && m[k] >= 0 && int(m[k]) == n.inner() {
			rest[k] = -1
			at = g.prim(op.Add, u, at, g.steps(n.indexLanes(n.inner(), n.body()).as(u), b, k))
		}
	}
	row, _ := n.place(b, rest)
	return g.gatherCells(b.d, at, row)
}

// gatherCells is elements of a tile in memory that lie so many cells behind a place.
func (g *gen) gatherCells(d dtype.DType, index lanes, at lir.Arg) lanes {
	if d != dtype.Bool {
		return g.gatherFrom(cellType(d), index, at).as(d)
	}
	u := dtype.Uint32
	bytes := g.gatherFrom(d, index, at).as(u)
	return g.cast(d, g.prim(op.And, u, bytes, g.constLanes(u, 0xff)))
}

// multiples is 0, by, 2·by, ... as int32 lanes.
func (g *gen) multiples(by int) lanes {
	b := make([]byte, g.Bytes)
	for i := range g.Lanes {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(i*by))
	}
	r := g.NewVec()
	g.loadReg(r, g.BytesConst(b), 4, 0)
	return lanes{d: dtype.Int32, r: [2]lir.Reg{r, r}}
}

// steps is how many elements indices of a dimension are away from its first. Those of
// lanes behind a row's end, which may be anything, are made indices of the dimension.
func (g *gen) steps(i lanes, b *buffer, dim int) lanes {
	i = g.prim(op.Minimum, i.d, i, g.constLanes(i.d, uint64(b.shape.D[dim]-1)))
	if b.stride[dim] == 1 {
		return i
	}
	return g.prim(op.Mul, i.d, i, g.constLanes(i.d, uint64(b.stride[dim])))
}
