package store

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// mostOfRow is how many bytes a row has at most that is copied without a look at the budget.
const mostOfRow = 1 << 17

// byRows lets the nest of a store copy whole rows as bytes, where what is stored is loaded from another tensor as it
// is, and how long rows are turns out when the code runs: such rows seldom end with a block. With AVX-512 the last
// block costs no more than others, as masks are registers.
func byRows(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes, whole bool) {
	if g.EVEX || !whole || len(n.Dims) == 0 {
		return
	}
	if val.Op != op.Load || val.Type.D != a.D || a.D == dtype.Bool || g.InMemory(val) {
		return
	}
	other := fuse.TensorOf(val.Memory().Ptr) != fuse.TensorOf(a.V.Memory().Ptr)
	if !other || g.Plan.Of(a.V).InPlace || n.Shape.D[n.Inner()]*a.D.Size() > mostOfRow {
		return
	}
	lo, hi := n.Bounds(n.Inner())
	_, low := lo.IsImm()
	if _, high := hi.IsImm(); low && high {
		return
	}
	n.Row = func() bool { return copyRow(g, n, a, val, m) }
}

// copyRow copies what the domain has of the row at hand, one element at least, if both sides lie side by side.
func copyRow(g *nest.Nests, n *nest.Nest, a *tiles.Access, val *ir.Value, m affine.Axes) bool {
	from, on := nest.RowElements(n, val, m)
	to, step := n.Address(a, m)
	size := a.D.Size()
	if from == nil || on != nil || step != (lane.Stride{N: int64(size)}) || step != from.Step {
		return false
	}
	if rows := n.Access(val, m); rows.Rows != nil && rows.Rows.Next && rows.Rows.Turns == 0 {
		next := n.RowStart(rows, m, 1)
		around := n.DependsOn(val, m) &^ (1 << n.Inner())
		n.At(n.LevelOf(around), func() { gather.PrefetchRow(g.Builder.Memory, next) })
	}
	gather.CopyRow(g.Builder.Memory, size, to, from.Arg, n.Left)
	return true
}
