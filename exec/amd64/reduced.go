package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Results of reductions, put where users look for them.

// storeReduced puts results where users look for them: a scalar into registers, a
// tile into memory, one cell per row.
func (g *operations) storeReduced(n *nest, r *reduce.Reduction, z []lane.Lanes, results []ir.Type) {
	for i, t := range results {
		if i == 0 && picksIndex(r.V) {
			continue
		}
		x := g.BroadcastFirst(z[i])
		if !t.IsTile() {
			g.setScalar(r.V, i, x)
			continue
		}
		g.StoreCell(x, n.cellOf(g.resultBuffer(r.V, i, t), n.dropped(r.V.Axis)))
	}
}

// setScalar makes lanes the value of v, or of its result i.
func (g *memory) setScalar(v *ir.Value, i int, x lane.Lanes) {
	for _, t := range g.resultValues(v, i) {
		if x.D.IsFloat() {
			g.Floats[t] = x
		} else {
			if g.Ints[t] == 0 {
				g.Ints[t] = g.NewReg(lir.GPR)
			}
			g.Move64(g.Ints[t], g.FirstInt(x))
		}
	}
}

// resultValues is the values that stand for v's result i: v itself, or Results of it.
func (g *memory) resultValues(v *ir.Value, i int) (vs []*ir.Value) {
	if len(v.Results) == 0 {
		return []*ir.Value{v}
	}
	for _, u := range g.plan.Of(v).Users {
		if u.Op == ir.Result && u.Index == i {
			vs = append(vs, u)
		}
	}
	return vs
}

// resultBuffer is the memory of v's result i.
func (g *memory) resultBuffer(v *ir.Value, i int, t ir.Type) *buffer {
	key := resultKey{v, i}
	b := g.results[key]
	if b == nil {
		b = g.newBuffer(t)
		g.results[key] = b
	}
	for _, u := range g.resultValues(v, i) {
		g.tiles[u] = b
	}
	return b
}

type resultKey struct {
	v *ir.Value
	i int
}

// dropped maps the dimensions of a reduction's result to the nest's.
func (n *cursor) dropped(axis int) (m affine.Axes) {
	j := 0
	for i := range n.shape.N {
		if i == axis {
			continue
		}
		m[j] = int8(i)
		if n.shape.D[i] == 1 {
			m[j] = -1
		}
		j++
	}
	return m
}

// cellOf is the memory of the cell at the outer loops' indices.
func (n *cursor) cellOf(b *buffer, m affine.Axes) lir.Arg {
	g := n.g
	st := b.shape.Dense().D
	row := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(row), lir.Frame(b.off))
	for i := range b.shape.N {
		if m[i] >= 0 {
			row = g.PlusStride(row, n.index[m[i]], lane.Stride{N: int64(st[i] * b.cell)})
		}
	}
	return lir.Mem(row, 0)
}

// reduceNothing is a reduction along an axis of one element: the element itself, with
// index 0.
func (g *operations) reduceNothing(r *reduce.Reduction, results []ir.Type) {
	x := r.V.Args[0].Type.Shape
	n, m := g.newNest(x), affine.Identity(x)
	n.run(func() {
		var z []lane.Lanes
		for _, v := range r.V.Args {
			z = append(z, n.eval(v, m))
		}
		if r.Index {
			z = append(z, lane.Const(dtype.Int32, 0))
		}
		if len(n.dims) == 0 {
			g.storeReduced(n, r, z, results)
			return
		}
		writeReduced(n, r, z, results)
	})
}

// writeReduced writes a block of each result to its memory.
func writeReduced(n *nest, r *reduce.Reduction, z []lane.Lanes, results []ir.Type) {
	for i, t := range results {
		if i > 0 || !picksIndex(r.V) {
			n.write(n.g.resultBuffer(r.V, i, t), n.dropped(r.V.Axis), z[i])
		}
	}
}

// picksIndex reports whether of a reduction's streams only the index is a result.
func picksIndex(v *ir.Value) bool { return v.Op == op.ArgMax || v.Op == op.ArgMin }
