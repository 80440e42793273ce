package nest

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
)

// A Swizzle's pairs lie within a block of lanes if blocks begin at multiples of their length, and no lane of a pair is
// left out: in a loop over the whole tile. In any other the tile is put into memory first.

// swizzled is the lanes of a Swizzle.
func swizzled(n *values, v *ir.Value, m affine.Axes) lane.Lanes {
	if n.DependsOn(v, m) != 0 && !wholeRow(n, v, m) {
		if n.G.Tiles[v] == nil {
			n.G.Materialize(v)
		}
		return n.Read(n.G.Tiles[v], m)
	}
	x := n.Eval(v.Args[0], m)
	if x.Known || !n.Varies(v, m) {
		return x
	}
	return gather.Swizzle(n.G.Vectors, x, v.Index, v.Axis)
}

// wholeRow reports whether the inner loop goes through all elements of a tile of one dimension.
func wholeRow(n *values, v *ir.Value, m affine.Axes) bool {
	size := v.Type.Shape.D[0]
	if len(n.Dims) == 0 || int(m[0]) != n.Inner() || n.Shape.D[n.Inner()] != size || n.start != nil || n.down != nil {
		return false
	}
	lo, hi := n.Bounds(n.Inner())
	from, known := lo.IsImm()
	to, both := hi.IsImm()
	return known && both && from == 0 && int(to) == size
}
