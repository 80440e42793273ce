package random

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Reductions, scans and sorts.

// reductions are what reduction makes.
var reductions = []op.Op{
	op.Sum, op.Sum, op.Max, op.Min, op.ArgMin, op.ArgMax, op.OrSum, op.XorSum,
	op.CumSum, op.CumSum, op.CumProd, op.Sort, op.ArgSort, op.TopK,
}

func (g *generator) reduction(x *ir.Value) {
	axis := g.r.IntN(x.Type.Shape.N)
	o := reductions[g.r.IntN(len(reductions))]
	t := x.Type
	if !o.Row().In.Has(t.D) {
		return
	}
	switch o {
	case op.ArgMin, op.ArgMax:
		t.D = dtype.Int32
		fallthrough
	case op.Sum, op.Max, op.Min, op.OrSum, op.XorSum:
		t.Shape = t.Shape.Drop(axis)
	case op.Sort, op.ArgSort, op.TopK:
		g.order(o, x)
		return
	}
	v := g.Emit(o, t, x)
	v.Axis = axis
	g.keep(v)
}

// order sorts rows, or finds their greatest elements.
func (g *generator) order(o op.Op, x *ir.Value) {
	flags, last := ir.Flags(0), x.Type.Shape.N-1
	if o != op.TopK && g.r.IntN(2) == 0 {
		flags = ir.Descending
	}
	if o == op.Sort {
		v := g.Emit(o, x.Type, x)
		v.Flags = flags
		g.keep(v)
		return
	}
	z, keep := x.Type, x.Type.Shape.D[last]
	if o == op.TopK {
		keep = 1 + g.r.IntN(min(keep, 12))
		z.Shape = z.Shape.With(last, keep)
	}
	set := func(v *ir.Value) {
		if v.Flags = flags; o == op.TopK {
			v.Index = keep
		}
	}
	g.scope = append(g.scope, g.Many(o, []ir.Type{z, z.As(dtype.Int32)}, set, x)...)
}
