package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/fold"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// tile translates a tile where it stands, if it does not wait for its users.
func (g *operations) tile(v *ir.Value) {
	switch f := ir.Family(v.Op); {
	case fuse.Lazy(v):
		switch {
		case g.Plan.Of(v).Early:
			g.Materialize(v)
		case v.Op == op.Load && !g.Plan.Of(v).Sure:
			mustFail(g.Nests, v)
		}
	case v.Op == op.Load: // a scalar
		g.single.Load(v)
	case f == op.Reducing:
		fold.Reduce(g.Nests, v)
	case f == op.Scanning:
		fold.Scan(g.Nests, v)
	case f == op.Shape:
		g.rearrange(v)
	case f == op.Ordering:
		g.ordering(v)
	case f == op.DotProduct:
		g.dot(v)
	case f == op.Atomic:
		g.atomic(v)
	case v.CanFail():
		g.dividing(v)
	case v.Op == ir.Result:
	default:
		scalar.Refuse("%s", ir.OpName(v.Op))
	}
}

// mustFail makes a load fail where it stands if it is to fail at all: for one whose
// lanes may never be needed.
func mustFail(g *nest.Nests, v *ir.Value) {
	if f := g.Forms.Of(v.Memory().Ptr); !f.Ok || f.Base < 0 {
		g.Materialize(v)
		return
	}
	g.Prepare(&tiles.Access{V: v, D: v.Type.D})
}
