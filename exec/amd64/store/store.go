// Package store writes stores of tiles: the nest that computes what is stored, and how its blocks come to memory. It
// knows scatters, which are stores of another kind, and no other operation.
package store

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scatter"
	"github.com/tiler-go/tiler/exec/amd64/single"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Tile translates a Store: a loop over the lanes that its mask lets through. Single elements are e's.
func Tile(g *nest.Nests, e *single.Elements, v *ir.Value) {
	mem := v.Memory()
	n, m, turned := through(g, v)
	boxed := false
	if mem.Mask != nil {
		if atoms, ok := n.MaskAtoms(mem.Mask, m); ok {
			n.Atoms, boxed = atoms, true
		}
	}
	if n.One = len(n.Dims) == 0 && !boxed; n.One {
		e.Store(n, v, m)
		return
	}
	if g.Plan.Of(v).InPlace && !fuse.Distinct(g.Boxes, v, g.Require) {
		scalar.Refuse("a tile that is stored over itself")
	}
	a := &tiles.Access{V: v, D: mem.Ptr.Type.D.Elem(), Turned: turned, Rows: n.RowwiseOf(v, m)}
	if !turned && a.Rows == nil && scatter.Store(g, v) {
		return
	}
	g.Prepare(a)
	b := &blocks{g: g, a: a, val: tiles.Rounded(&n.G.Memory, mem.Val), m: m}
	descends, whole := descend(g, n, v, m), boxed || mem.Mask == nil
	if !descends && whole {
		streams(n, a, m, b.val)
	}
	byElements(g, n, a, b.val, boxed)
	b.copies = mayCopy(g, n, a, b.val, m, whole)
	byRows(g, n, a, b.val, m, whole)
	b.pairs = !b.copies && !descends && whole && pairs(g, n, a, b.val)
	n.Down(b.store)
	g.Finish(a)
}

// through is the nest that goes through the tile of a store, by which axes of the tile, and whether columns of the tile
// are rows in memory.
func through(g *nest.Nests, v *ir.Value) (n *nest.Nest, m affine.Axes, turned bool) {
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	if turned = scalar.ByColumns(g.Scalars, mem.Ptr, mem.Mask); turned || meets(g, v) { // by columns
		return g.NewNest(ir.ShapeOf(shape.D[1], shape.D[0])), affine.Axes{1, 0}, turned
	}
	if first := mergesFrom(g, v); first >= 0 {
		n, m = merging(g, shape, first)
	} else {
		n, m = g.NewNest(shape), affine.Identity(shape)
	}
	n.Ahead.List = g.Plan.Of(v).Prefetches
	return n, m, false
}

// blocks store what a nest computes, a block of lanes at a time.
type blocks struct {
	g      *nest.Nests
	a      *tiles.Access
	val    *ir.Value
	m      affine.Axes
	copies bool       // bytes or words as they lie in another tensor
	pairs  bool       // two blocks of a round at once
	first  lane.Lanes // of the pair at hand
}

func (b *blocks) store(n *nest.Nest) {
	g := b.g
	if b.copies && copied(g, n, b.a, b.val, b.m) {
		return
	}
	x := n.Eval(b.val, b.m)
	if x.D == dtype.Invalid { // a scan has stored it
		return
	}
	at, step := n.Address(b.a, b.m)
	mask, _ := n.LoadMask(b.a.V.Memory().Mask, b.m)
	size := b.a.D.Size()
	two := b.pairs && n.Tail == nil && n.Unroll == 2 && !n.Still
	switch side := step.R == 0 && step.N == int64(size) || len(n.Dims) == 0; {
	case !side:
		gather.StoreStrided(g.Builder, g.Cast(b.a.D, x), n.BlockStart(at, step), step, n.WithTail(mask))
	case two && n.Off == 0:
		b.first = x
	case two:
		storePair(g, b.first, x, at.Plus(-g.Lanes*size), n.Streaming)
	case n.Streaming:
		g.StreamAs(b.a.D, x, at)
	default:
		g.StoreAs(b.a.D, x, at, n.WithTail(mask))
	}
}

// mayCopy reports whether a store, whose nest goes through what is stored and nothing else, may copy bytes or words as
// they lie in another tensor. The nest then does as many blocks at a time as a register holds.
func mayCopy(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes, whole bool) bool {
	if a.D.Size() > 2 || val.Op != op.Load || val.Type.D != a.D || a.D == dtype.Bool || !whole || len(n.Dims) == 0 {
		return false
	}
	f := g.Forms.Of(val.Memory().Ptr)
	if side := f.Ok && f.Coef[n.Inner()] != nil && f.Coef[n.Inner()].IsConst(1); !side && n.RowwiseOf(val, m) == nil {
		return false
	}
	n.CountsLeft()
	for most := n.Shape.D[n.Inner()] / g.Lanes; 2*n.Unroll <= min(most, g.Bytes/(g.Lanes*a.D.Size())); {
		n.Unroll *= 2
	}
	return true
}

// copied stores the block at hand, or all of a round, as it lies in another tensor, if it does.
func copied(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes) bool {
	if n.Tail != nil && n.Still && !g.EVEX {
		return false
	}
	size, lanes := a.D.Size(), g.Builder.Memory
	from, on := nest.RowElements(n, val, m)
	if other := val.Memory().Other; on != nil && other != nil && !affine.IsZeros(other) {
		return false
	}
	to, step := n.Address(a, m)
	switch {
	case from == nil || step != (lane.Stride{N: int64(size)}) || step != from.Step:
		return false
	case n.Tail != nil && n.Still:
		g.CopyBlock(size, g.Lanes, to, lane.OrZeros(lanes, from.Arg, on), n.Tail)
	case n.Off > 0: // all is copied at the first block
	case n.Tail != nil:
		lane.CopyFirst(lanes, size, n.Unroll*g.Lanes, to, lane.OrZeros(lanes, from.Arg, on), n.Left)
	default:
		g.CopyBlock(size, n.Unroll*g.Lanes, to, lane.OrZeros(lanes, from.Arg, on), nil)
	}
	return true
}

// byElements lets a scan store the last elements of a row by itself, if nothing else is to be done with them.
func byElements(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value, boxed bool) {
	scan := fuse.ScanOf(val)
	if scan == nil || fuse.ColumnScan(scan) || !g.Plan.Of(val).Within || g.InMemory(val) {
		return
	}
	if !boxed && a.V.Memory().Mask != nil {
		return
	}
	free, _, _ := fuse.AnyOrder(scan)
	apart := a.Stride[n.Inner()] != lane.Stride{}
	if !free && a.Rows == nil && !a.Turned && a.D == val.Type.D && a.D.Size() >= 4 && apart {
		n.ByElement = a
	}
}

// descend makes the nest go down the rows of a scan that is stored, if there is one, and no element is stored twice:
// the last lane would not be the last one then. Where a tile is stored over itself no row of it may be needed that is
// not stored: conditions that tell lanes apart are of those that are.
func descend(g *nest.Nests, n *nest.Nest, v *ir.Value, m affine.Axes) bool {
	mem := v.Memory()
	scan := fuse.Descent(g.Plan, mem.Val)
	if scan == nil || m != affine.Identity(n.Shape) || g.InMemory(scan) {
		return false
	}
	if scan.Flags&ir.Reverse != 0 && mem.Mask != nil && g.Plan.Of(v).InPlace {
		return false
	}
	check := g.Require
	if len(n.Dims) > 2 || !tiles.Boxed(&g.Memory, mem.Mask) { // what does not hold would go to the portable engine
		check = func(conds []affine.Cond) bool { return len(conds) == 0 }
	}
	if !fuse.Distinct(g.Boxes, v, check) || !n.Descend(scan) {
		return false
	}
	n.Ahead.List = nil
	return true
}

// streams lets the nest have a loop of non-temporal stores, if the store fills whole vectors of memory.
func streams(n *nest.Nest, a *tiles.Access, m affine.Axes, val *ir.Value) {
	const least = 256 // elements in a row that make it worth the code
	if len(n.Dims) == 0 || n.Shape.D[n.Inner()] < least || a.Copied == 0 && !a.Direct || val.Type.D.Size() < 4 {
		return
	}
	for i, s := range a.Stride[:n.Shape.N] {
		if int(m[i]) == n.Inner() && s.R == 0 && s.N == int64(a.D.Size()) {
			n.Stream = a
			n.G.Streaming = true
		}
	}
}

// meets reports whether what is stored to short rows, none within another, is loaded from what lies along columns:
// planes become elements of several parts. The loop then goes along the planes, and stores parts a row apart.
func meets(g *nest.Nests, v *ir.Value) bool {
	const longest = 4 // of rows whose columns are merged
	ptr := v.Memory().Ptr
	f, s := g.Forms.Of(ptr), ptr.Type.Shape
	if s.N != 2 || s.D[1] < 2 || s.D[1] > longest || s.D[0] < longest*g.Lanes || !f.Ok || f.Base < 0 {
		return false
	}
	if f.Coef[0] == nil || !isConst(f.Coef[1], 1) {
		return false
	}
	if along, ok := loadsAlong(g, v.Memory().Val); !along || !ok {
		return false
	}
	return isConst(f.Coef[0], s.D[1]) || scalar.Apart(g.Scalars, ptr, v.Memory().Mask, 1)
}

func isConst(y *affine.Sym, n int) bool { return y != nil && y.IsConst(int64(n)) }

// loadsAlong reports whether a matrix is made of loads that are contiguous along its columns, and of nothing but what
// may be computed by columns.
func loadsAlong(g *nest.Nests, v *ir.Value) (along, ok bool) {
	switch {
	case g.Plan.Of(v).Within:
		return false, false
	case v.Op == op.Load && v.Type.Shape.N == 2:
		f := g.Forms.Of(v.Memory().Ptr)
		return f.Ok && isConst(f.Coef[0], 1), true
	case v.Op == op.Permute && v.Args[0].Op == op.Load && v.Type.Shape.N == 2:
		f := g.Forms.Of(v.Args[0].Memory().Ptr)
		return f.Ok && isConst(f.Coef[1], 1), true
	case ir.Family(v.Op) == op.Shape || !fuse.Lazy(v):
		return false, true
	}
	ok = true
	for _, a := range v.Args {
		x, may := loadsAlong(g, a)
		along, ok = along || x, ok && may
	}
	return along, ok
}
