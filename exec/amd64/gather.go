package amd64

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/instance"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// gather picks elements of a tile in memory along an axis. Indices lie in memory too: where
// a block has one that is outside, Go finds the first.
func (g *operations) gather(v *ir.Value) {
	from, index, b := g.Whole(v.Args[0]), g.Whole(v.Args[1]), g.NewBuffer(v.Type)
	n, m := g.NewNest(v.Type.Shape), affine.Identity(v.Type.Shape)
	n.Run(func() {
		i := n.Read(index, m)
		g.refuseOutside(n, v, index, i)
		n.Write(b, m, n.Pick(from, v.Axis, i, m, fuse.Beside(v, n.Inner())))
	})
	g.Tiles[v] = b
}

// refuseOutside fails a gather if an index in the block at hand is outside its axis.
func (g *operations) refuseOutside(n *nest.Nest, v *ir.Value, index *tiles.Buffer, i lane.Lanes) {
	d, size := v.Args[1].Type.D, int64(v.Args[0].Type.Shape.D[v.Axis])
	none := g.NewLabel()
	i = i.RawInt() // a negative one is large then
	g.SkipUnlessAny(*n.WithTail(g.Compare(op.Ge, i.D, i, lane.Const(i.D, uint64(size)))), none)
	g.CallOut(g.Helper(func(w *instance.Instance) *ir.Failure {
		is := lane.Elements(&w.Frame, d, index.Off, index.Shape.Len())
		for k := range is.Len() {
			if p := dtype.ToInt(d, is.Bits(k)); p < 0 || p >= size {
				return w.Failure(v, k, p)
			}
		}
		return nil
	}))
	g.Bind(none)
}
