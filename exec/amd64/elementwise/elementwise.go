package elementwise

import (
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elementwise is an op on lanes of element type d, narrow floats included.
func (g *Builder) Elementwise(o op.Op, d dtype.DType, in ...lane.Lanes) lane.Lanes {
	row := o.Row()
	switch {
	case d.IsPointer():
		return g.Elementwise(o, dtype.Int64, in...)
	case row.Progs[d] != nil:
		return g.program(row.Progs[d], in)
	case d.IsNarrow():
		return g.narrow(o, d, in)
	}
	return g.Prim(o, d, in...)
}

// narrow is an op on narrow floats: on their float32 values, and back unless the
// result is one of the operands, or one's opposite.
func (g *Builder) narrow(o op.Op, d dtype.DType, in []lane.Lanes) lane.Lanes {
	if o == op.FMA {
		return g.fmaNarrow(d, in)
	}
	f := dtype.Float32
	wideIn := make([]lane.Lanes, len(in))
	for i, x := range in {
		if x.D == d {
			x.D = f
		}
		wideIn[i] = x
	}
	z := g.Elementwise(o, f, wideIn...)
	switch {
	case o.IsCompare():
		return z
	case o == op.Neg || o == op.Abs || o == op.Where || o >= op.Maximum && o <= op.MinimumNaN:
		return z.As(d)
	}
	return g.Normalize(d, z)
}

// program writes a math function's instructions into the loop.
func (g *Builder) program(p *op.Prog, in []lane.Lanes) lane.Lanes {
	vals := make([]lane.Lanes, len(p.In)+len(p.Body))
	vanishes, nonzero := vanishingOf(p), lane.Lanes{}
	copy(vals, in)
	skipTo, skipLabel := -1, 0
	for i := range p.Body {
		if i == skipTo {
			g.Bind(skipLabel)
			skipTo = -1
		}
		inst := &p.Body[i]
		z := &vals[len(p.In)+i]
		arg := func(k int) lane.Lanes { return vals[inst.Args[k]] }
		switch {
		case i == vanishes.clamp:
			*z, nonzero = arg(0), g.CompareFloat(lane.NotLe, inst.D, arg(0), arg(1))
			continue
		case i == vanishes.scale:
			*z = g.scaleWhere(inst.D, nonzero, arg(0), arg(1))
			continue
		}
		switch inst.Op {
		case op.Const:
			*z = lane.Const(inst.Type, inst.Bits)
		case op.SkipUnless:
			if inst.Bits > 0 && skipTo < 0 {
				skipTo, skipLabel = i+1+int(inst.Bits), g.NewLabel()
				g.SkipUnlessAny(arg(0), skipLabel)
			}
		case op.Lookup:
			*z = g.lookup(inst, arg(0))
		case op.Cast:
			*z = g.Cast(inst.Type, arg(0))
		case op.Bitcast:
			*z = g.Bitcast(inst.Type, arg(0))
		default:
			a := make([]lane.Lanes, inst.Op.Row().Arity)
			for k := range a {
				a[k] = arg(k)
			}
			*z = g.Prim(inst.Op, inst.D, a...)
		}
	}
	if skipTo == len(p.Body) {
		g.Bind(skipLabel)
	}
	return vals[p.Out]
}

// Prim is a primitive op on lanes of type d: bool, integers of any width, float32 or
// float64.
func (g *Primitives) Prim(o op.Op, d dtype.DType, in ...lane.Lanes) lane.Lanes {
	switch {
	case o == op.Where:
		return g.Blend(in[0], in[1], in[2])
	case o.IsCompare():
		return g.Compare(o, d, in[0], in[1])
	case d == dtype.Bool:
		return g.PrimBool(o, in)
	case d.IsFloat():
		return g.primFloat(o, d, in)
	}
	return g.primInt(o, d, in)
}
