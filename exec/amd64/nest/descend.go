package nest

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/scan"
	"github.com/tiler-go/tiler/exec/ir"
)

// A descent is loops that go down the rows of a few blocks of lanes, then of the next ones: what a scan carries from
// row to row stays in registers.
type descent struct {
	axis   int  // of the scan: its loop is the one around the blocks
	up     bool // from the last row to the first
	blocks int
	tail   *lane.Lanes // of a block that may be partial, nil in the nest of whole ones
}

// Descend makes a nest go down the rows of a scan, if it has the scan's shape. Rows that the scan begins with are in
// its domain then, even if a mask does not let them through.
func (n *Nest) Descend(v *ir.Value) bool {
	x, up, inner := v.Args[0].Type.Shape, v.Flags&ir.Reverse != 0, n.Inner()
	if x != n.Shape || x.D[v.Axis] == 1 {
		return false
	}
	n.down = &descent{axis: v.Axis, up: up, blocks: scan.Blocks(x.D[inner]/n.G.Lanes, v.Args[0].Type.D, len(v.Args))}
	n.Dims = slices.DeleteFunc(n.Dims, func(i int) bool { return i == v.Axis || i == inner })
	n.Dims = append(n.Dims, v.Axis, inner)
	ends := func(a affine.Atom) bool { return a.Dim == v.Axis && (a.Lo == nil) == up }
	n.Atoms = slices.DeleteFunc(slices.Clone(n.Atoms), ends)
	return true
}

// Down is Run for a nest that goes down rows, if it does: that writes one nest for whole blocks, and one for others.
func (n *Nest) Down(sink func(n *Nest)) {
	if n.down == nil {
		n.Run(func() { sink(n) })
		return
	}
	g, inner, mask, rest := n.G, n.Inner(), n.G.NewMask(), n.G.NewNest(n.Shape)
	j, size, round := n.Index[inner], n.Shape.D[inner], n.down.blocks*n.G.Lanes
	rest.Dims, rest.Index[inner], rest.Atoms, rest.loads = n.Dims, j, n.Atoms, n.loads
	rest.down = &descent{n.down.axis, n.down.up, 1, &mask}
	lo, hi := n.Bounds(inner)
	from, ok := lo.IsImm()
	to, both := hi.IsImm()
	some, left := size >= round, true
	if !ok { // there may be no block at all
		hi = g.R64(g.InReg(hi))
	} else if both {
		some, left = int(to-from) >= round, int(to-from)%round > 0
	}
	if some { // bodies first: what they prepare belongs ahead of the loops
		n.write(func() { sink(n) })
	}
	if left {
		rest.write(func() { sink(rest) })
	}
	g.Move(j, lo)
	if some {
		last := lir.Imm(to - (to-from)%int64(round))
		if !ok || !both {
			r := g.NewReg(lir.GPR)
			g.Move(r, hi)
			g.RMW(asm.SUB, g.R64(r), lir.Imm(int64(round-1)))
			last = g.R64(r)
		}
		g.Onward(j, last, round, size/round, func(lir.Reg) { n.close() })
	}
	if left {
		g.Onward(j, hi, g.Lanes, size/g.Lanes+1, func(lir.Reg) {
			count := g.NewReg(lir.GPR)
			g.Move(count, hi)
			g.RMW(asm.SUB, g.R64(count), g.R64(j))
			g.SetFirstLanes(mask, count)
			rest.close()
		})
	}
}

// write writes all levels' code.
func (n *Nest) write(sink func()) {
	outer := n.G.nesting
	n.G.nesting = n
	if n.down != nil {
		n.Still, n.Unroll = true, n.down.blocks
	}
	n.loop(0, sink)
	n.G.nesting = outer
}

// close puts the code where it is to stand.
func (n *Nest) close() {
	ns := n.work + n.Levels[0].Work(0)
	n.G.Append(n.Levels[0])
	n.G.Spent(ns)
}

// descends reports whether the loops are those of a scan of which v is the results.
func descends(n *values, v *ir.Value, shape ir.Shape, m affine.Axes) bool {
	d, up := n.down, v.Flags&ir.Reverse != 0
	return d != nil && d.axis == v.Axis && d.up == up && shape == n.Shape && m == affine.Identity(shape)
}

// columns is the block at hand of a scan's results, in loops that descend, or of a scan of one row.
func columns(n *values, v *ir.Value, m affine.Axes) []lane.Lanes {
	g, x := n.G, make([]lane.Lanes, len(v.Args))
	for i, a := range v.Args {
		x[i] = n.Eval(a, m)
	}
	if size := v.Args[0].Type.Shape.D[v.Axis]; size > 1 {
		c, block, first := n.columns[v], n.Off/g.Lanes, 0
		if n.down.up {
			first = size - 1
		}
		if c == nil {
			needed, live := g.Plan.Streams(v)
			c = &scan.Columns{Builder: g.Builder, Needed: needed, Combine: scalar.Combine(g.Scalars, v, live)}
			n.columns[v] = c
		}
		n.At(len(n.Dims)-2, func() { c.Begin(block, x) })
		x = c.Row(block, x, n.Index[v.Axis], first)
	}
	return results(n, v, m, x)
}
