package fold

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Results of reductions, put where users look for them.

// storeReduced puts results where users look for them: a scalar into registers, a
// tile into memory, one cell per row.
func storeReduced(g *nest.Nests, n *nest.Nest, r *reduce.Reduction, z []lane.Lanes, results []ir.Type) {
	for i, t := range results {
		if i == 0 && picksIndex(r.V) {
			continue
		}
		x := g.BroadcastFirst(z[i])
		if !t.IsTile() {
			g.SetScalar(r.V, i, x)
			continue
		}
		g.StoreCell(x, cellOf(n, g.ResultBuffer(r.V, i, t), dropped(n, r.V.Axis)))
	}
}

// reduceNothing is a reduction along an axis of one element: the element itself, with
// index 0.
func reduceNothing(g *nest.Nests, r *reduce.Reduction, results []ir.Type) {
	x := r.V.Args[0].Type.Shape
	n, m := g.NewNest(x), affine.Identity(x)
	n.Run(func() {
		var z []lane.Lanes
		for _, v := range r.V.Args {
			z = append(z, n.Eval(v, m))
		}
		if r.Index {
			z = append(z, lane.Const(dtype.Int32, 0))
		}
		if len(n.Dims) == 0 {
			storeReduced(g, n, r, z, results)
			return
		}
		writeReduced(n, r, z, results)
	})
}

// writeReduced writes a block of each result to its memory.
func writeReduced(n *nest.Nest, r *reduce.Reduction, z []lane.Lanes, results []ir.Type) {
	for i, t := range results {
		if i > 0 || !picksIndex(r.V) {
			n.Write(n.G.ResultBuffer(r.V, i, t), dropped(n, r.V.Axis), z[i])
		}
	}
}

// picksIndex reports whether of a reduction's streams only the index is a result.
func picksIndex(v *ir.Value) bool { return v.Op == op.ArgMax || v.Op == op.ArgMin }

// dropped maps the dimensions of a reduction's result to the nest's.
func dropped(n *nest.Nest, axis int) (m affine.Axes) {
	j := 0
	for i := range n.Shape.N {
		if i == axis {
			continue
		}
		m[j] = int8(i)
		if n.Shape.D[i] == 1 {
			m[j] = -1
		}
		j++
	}
	return m
}

// cellOf is the memory of the cell at the outer loops' indices.
func cellOf(n *nest.Nest, b *tiles.Buffer, m affine.Axes) lir.Arg {
	g := n.G
	st := b.Shape.Dense().D
	row := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(row), lir.Frame(b.Off))
	for i := range b.Shape.N {
		if m[i] >= 0 {
			row = g.PlusStride(row, n.Index[m[i]], lane.Stride{N: int64(st[i] * b.Cell)})
		}
	}
	return lir.Mem(row, 0)
}

// wanted is limits of the rows of a reduction outside of which nobody looks at the result.
func wanted(g *nest.Nests, v *ir.Value) []affine.Atom {
	if len(v.Results) > 0 {
		return nil
	}
	atoms, _ := affine.Mapped(g.Wanted(v), dropped(g.NewNest(v.Args[0].Type.Shape), v.Axis))
	return atoms
}
