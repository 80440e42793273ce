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
	short := d == dtype.BFloat16 && (o == op.Add || o == op.Sub || o == op.Mul || o == op.Div || o == op.Sqrt)
	for i, x := range in {
		if short = short && x.D == d; x.D == d {
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
	case short:
		return g.RoundBFloat16(z, true)
	}
	return g.Normalize(d, z)
}

// program writes a math function's instructions into the loop.
func (g *Builder) program(p *op.Prog, in []lane.Lanes) lane.Lanes {
	vals := make([]lane.Lanes, len(p.In)+len(p.Body))
	vanishes, nonzero := vanishingOf(p), lane.Lanes{}
	copy(vals, in)
	skipTo, skipLabel := -1, 0
	var left []leftValue
	for i := range p.Body {
		if i == skipTo {
			g.endSkip(skipLabel, left, vals)
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
				left = g.leftBy(p, i+1, skipTo)
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
		g.endSkip(skipLabel, left, vals)
	}
	return vals[p.Out]
}

// A leftValue is a value that is used behind the instructions that make it, which may be skipped: it is 0 then.
type leftValue struct {
	value int
	in    lane.Lanes
}

// leftBy is the values of instructions from to end-1 that others use, in registers that are cleared ahead of these: if
// they were not, and the instructions are skipped, each block would wait for what the one before has left there.
func (g *Builder) leftBy(p *op.Prog, from, end int) (left []leftValue) {
	used := map[int]bool{p.Out: true}
	for _, inst := range p.Body[end:] {
		for k := range inst.Op.Row().Arity {
			used[inst.Args[k]] = true
		}
	}
	for v := len(p.In) + from; v < len(p.In)+end; v++ {
		if used[v] && p.Body[v-len(p.In)].Op != op.Const {
			left = append(left, leftValue{v, g.Variable(lane.Const(p.Type(v), 0))})
		}
	}
	return left
}

// endSkip is where instructions that were skipped end.
func (g *Builder) endSkip(label int, left []leftValue, vals []lane.Lanes) {
	for _, x := range left {
		g.Assign(x.in, vals[x.value])
		vals[x.value] = x.in
	}
	g.Bind(label)
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
