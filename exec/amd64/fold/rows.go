package fold

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/reduce"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scan"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions along an axis that is not the inner one: the partials are rows of
// memory. Scans: a row, or an element, at a time.

// rowBuffers is memory for rows of a stream, each of a length that a whole round of blocks
// may run past.
type rowBuffers struct {
	off, bytes int // of the first row; from row to row
	d          dtype.DType
}

// reduceRows reduces along an axis that other dimensions, larger than 1, follow.
func reduceRows(g *nest.Nests, r *reduce.Reduction, results []ir.Type) {
	x := r.V.Args[0].Type.Shape
	size, length := x.D[r.V.Axis], 1
	for i := r.V.Axis + 1; i < x.N; i++ {
		length *= x.D[i]
	}
	prefetchRows(g, x, g.Plan.Of(r.V).Prefetches)
	if size <= mostPinned {
		reducePinned(g, r, results)
		return
	}
	n, m := g.NewNest(x), affine.Identity(x)
	n.Unroll = blocksAtOnce(g, len(r.Types), x.D[n.Inner()])
	rows := make([]rowBuffers, len(r.Types))
	for i, d := range r.Types {
		bytes := (length*lane.CellSize(d)+63)&^63 + n.Unroll*g.Lanes*lane.CellSize(d)
		rows[i] = rowBuffers{g.Alloc(reduce.Partials * bytes), bytes, d}
	}
	end := endOf(n, r, m)
	n.Atoms, n.Only = end.atoms, wanted(g, r.V)
	level := n.LevelOf(1 << r.V.Axis) // the loop along the axis is number level-1
	n.After[level-1] = func() {
		treeRows(n, r, rows, results, length, end.fill(n, r, rows, length))
	}
	var at []lir.Reg
	n.At(level, func() { at = partialsAt(g, rows, n.Index[r.V.Axis]) })
	n.Run(func() {
		var block []lane.Lanes
		for _, v := range r.V.Args {
			block = append(block, n.Eval(v, m))
		}
		if r.Index {
			block = append(block, n.IndexLanes(r.V.Axis, level))
		}
		takeRow(n, r, rows, at, block)
	})
}

// partialsAt is where the rows of memory begin that the partials of row i are.
func partialsAt(g *nest.Nests, rows []rowBuffers, i lir.Reg) (at []lir.Reg) {
	p := g.BinInt(asm.AND, i, lir.Imm(reduce.Partials-1))
	for _, b := range rows {
		place, start := g.BinInt(asm.IMUL, p, lir.Imm(int64(b.bytes))), g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(start), lir.FrameIndex(place, 1, b.off))
		at = append(at, start)
	}
	return at
}

// prefetchRows prefetches for a tile, ahead of the pass over it, where a tensor does not stay in the caches.
func prefetchRows(g *nest.Nests, x ir.Shape, list []fuse.Prefetch) {
	if len(list) == 0 {
		return
	}
	n, large, here := g.NewNest(x), g.NewInt(0), g.NewLabel()
	for _, pf := range list {
		if a := g.Ahead(pf); pf.Turns > 0 && a != nil { // what is computed behind the jump is not there on every way
			size := scalar.ArgOffset(fuse.TensorOf(a.V.Memory().Ptr)) + scalar.ArgStream
			g.RMW(asm.OR, g.R64(large), lir.Frame(size))
			n.Ahead.Where[pf.V], n.Ahead.List = a, append(n.Ahead.List, pf)
		}
	}
	if len(n.Ahead.List) == 0 {
		return
	}
	g.Use(asm.TEST, g.R64(large), lir.Imm(scalar.Uncached))
	g.Jump(asm.JE, here)
	n.Run(func() {})
	g.Bind(here)
}

// takeRow combines the block at hand into its partial's row, or starts that.
func takeRow(n *nest.Nest, r *reduce.Reduction, rows []rowBuffers, at []lir.Reg, block []lane.Lanes) {
	g := n.G
	to, out := make([]lir.Arg, len(rows)), make([]lane.Lanes, len(block))
	for k, b := range rows {
		to[k], out[k] = inRow(n, b, r.V.Axis, at[k]), g.Variable(block[k])
	}
	start := g.NewLabel()
	g.Use(asm.CMP, g.R64(n.Index[r.V.Axis]), lir.Imm(reduce.Partials))
	g.Jump(asm.JL, start)
	acc := make([]lane.Lanes, len(rows))
	for k, b := range rows {
		acc[k] = g.Load(lane.CellType(b.d), to[k], nil).As(b.d)
	}
	for k, z := range r.Next(acc, block) {
		g.Assign(out[k], z)
	}
	g.Bind(start)
	for k, b := range rows {
		g.Store(out[k].As(lane.CellType(b.d)), to[k], n.Tail)
	}
}

// inRow is where the lanes at hand, of the dimensions behind an axis, lie in a row.
func inRow(n *nest.Nest, b rowBuffers, axis int, at lir.Reg) lir.Arg {
	cell := lane.CellSize(b.d)
	st := n.Shape.Dense().D
	for _, d := range n.Dims {
		if d > axis && d != n.Inner() {
			at = n.G.PlusStride(at, n.Index[d], lane.Stride{N: int64(st[d] * cell)})
		}
	}
	return lir.MemIndex(at, n.Index[n.Inner()], cell, n.Off*cell)
}

// treeRows combines the partials' rows pairwise, and then with what else there is, if anything, and puts the results
// behind those of the outer loops' indices before.
func treeRows(n *nest.Nest, r *reduce.Reduction, rows []rowBuffers, results []ir.Type, length int, more []lane.Lanes) {
	g, m := n.G, dropped(n, r.V.Axis)
	to := make([]lir.Arg, len(results))
	for i, t := range results {
		if i > 0 || !picksIndex(r.V) {
			out := g.ResultBuffer(r.V, i, t)
			for k := r.V.Axis; k < out.Shape.N; k++ {
				m[k] = -1 // the row itself
			}
			to[i] = cellOf(n, out, m)
		}
	}
	g.UpTo(length, g.Lanes, func(j lir.Reg) {
		z := r.Pairwise(reduce.Partials, func(i int) (x []lane.Lanes) {
			for _, b := range rows {
				cell := lir.FrameIndex(j, lane.CellSize(b.d), b.off+i*b.bytes)
				x = append(x, g.Load(lane.CellType(b.d), cell, nil).As(b.d))
			}
			return x
		})
		if more != nil {
			z = r.Combine(z, more)
		}
		for i, b := range rows {
			if i > 0 || !picksIndex(r.V) {
				g.Store(z[i].As(lane.CellType(b.d)), lir.MemIndex(to[i].Base(), j, lane.CellSize(b.d), 0), nil)
			}
		}
	})
}

// Scan translates a scan, unless the loop of a store does: its operands lie in memory, and so does its result.
func Scan(g *nest.Nests, v *ir.Value) {
	free, _, _ := fuse.AnyOrder(v)
	inNest := fuse.ColumnScan(v) || free && fuse.RowScan(v)
	switch {
	case g.Plan.Of(v).Within && (inNest || !scan.AddsAlone(g.Builder, v.Combining(), v.Args[0].Type.D)):
		return
	case inNest:
		g.Scan(v)
		return
	}
	x := v.Args[0].Type.Shape
	s := scan.Scan{Builder: g.Builder, Combine: scalar.Combine(g.Scalars, v, nil), Size: x.D[v.Axis]}
	s.Reverse = v.Flags&ir.Reverse != 0
	for i, a := range v.Args {
		in, out := g.Whole(a), g.ResultBuffer(v, i, a.Type)
		s.In, s.Out = append(s.In, scan.Tile{D: in.D, Off: in.Off}), append(s.Out, scan.Tile{D: out.D, Off: out.Off})
	}
	s.Rows = x.Len() / s.Size
	if us := g.Plan.Of(v).Users; len(us) == 1 && us[0].Op == op.Store && us[0].Memory().Val == v {
		s.End = storedUpTo(g.Scalars, us[0], v.Axis)
	}
	s.Write()
}

// storedUpTo is how many indices of an axis a store's mask lets through at most, 0 if that is not known here: masks may
// be computed after the scan.
func storedUpTo(g *scalar.Scalars, store *ir.Value, axis int) lir.Reg {
	mask := store.Memory().Mask
	if mask == nil || !g.Defined(mask) {
		return 0
	}
	b := g.Boxes.Around(mask)
	for _, a := range b.Atoms {
		if a.Dim == axis && a.Hi != nil && g.Require(b.Conds) {
			return g.SymReg(g.Syms.Min(g.Syms.Constant(int64(mask.Type.Shape.D[axis])), a.Hi))
		}
	}
	return 0
}
