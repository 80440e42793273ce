package scalar

import (
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Apply is an elementwise op or type change of the IR on lanes.
func (g *Scalars) Apply(v *ir.Value, in []lane.Lanes) lane.Lanes {
	switch v.Op {
	case op.Cast:
		return g.Cast(v.Type.D, in[0])
	case op.CastRTZ:
		return g.CastRTZ(v.Type.D, in[0])
	case op.Bitcast:
		return g.BitcastNaN(v.Type.D, in[0])
	case ir.PtrAdd:
		return g.Prim(op.Add, dtype.Int64, in[0].As(dtype.Int64), in[1])
	}
	return g.Elementwise(v.Op, in[len(in)-1].D, in...)
}
