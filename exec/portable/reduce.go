package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/exec/portable/run"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// slabsOf plans v's operands in row-major order.
func slabsOf(c *compiler, v *ir.Value) run.Slabs {
	shape := v.Args[0].Type.Shape
	s := run.Slabs{Outer: 1, N: shape.D[v.Axis], Inner: 1}
	for i, d := range shape.D[:shape.N] {
		if i < v.Axis {
			s.Outer *= d
		} else if i > v.Axis {
			s.Inner *= d
		}
	}
	for _, a := range v.Args {
		s.Bufs = append(s.Bufs, c.rowMajor(v, a))
	}
	return s
}

// temp is a buffer that only the step being made uses.
func (c *compiler) temp(v *ir.Value, d dtype.DType, n int) int {
	b := c.buffer(v, d, ir.ShapeOf(n))
	c.Store.Write(b, 0)
	return b
}

// outputs is buffers for v's results, one of which the step being made writes for
// each operand; scalars go to registers by finish, which the step calls at its end.
func (c *compiler) outputs(v *ir.Value, types []ir.Type) (bufs []int, finish func(w *run.Worker)) {
	var places []*place
	var regs, from []int
	for _, t := range types {
		p := c.inBuffer(v, t)
		c.Store.Write(p.Buf, 0)
		bufs = append(bufs, p.Buf)
		if !t.IsTile() {
			from = append(from, p.Buf)
			p.Reg, p.Buf = c.Reg(), -1
			regs = append(regs, p.Reg)
		}
		places = append(places, p)
	}
	if len(v.Results) > 0 {
		c.results[v.ID] = places
	} else {
		c.places[v.ID] = places[0]
	}
	return bufs, func(w *run.Worker) {
		for i, r := range regs {
			w.Regs[r] = w.Bufs[from[i]].Bits(0)
		}
	}
}

// combinerOf is what combines two elements of v, a reduction or scan.
func combinerOf(c *compiler, v *ir.Value) *run.Combiner {
	d := v.Args[0].Type.D
	if len(v.Blocks) > 0 {
		return laneFunction(c, v)
	}
	b := lanes.NewBuilder(&c.Lanes)
	f := &run.Combiner{Streams: 1}
	switch v.Op {
	case op.ArgMax, op.MaxIndex:
		f.Streams = 2
		b.Pairs(op.Gt, d)
	case op.ArgMin, op.MinIndex:
		f.Streams = 2
		b.Pairs(op.Lt, d)
	default:
		x, y := b.Input(d), b.Input(d)
		b.OutputsLast([]lanes.Lane{b.Apply(v.Op.Row().Combine, d, x, y)})
	}
	f.Lanes = b.Finish(0)
	return f
}

// lowerReduce lowers a reduction along an axis.
func lowerReduce(c *compiler, v *ir.Value) {
	r := &run.Reduction{Slabs: slabsOf(c, v), Index: -1, Combine: combinerOf(c, v)}
	types := v.Results
	if len(types) == 0 {
		types = []ir.Type{v.Type}
	}
	switch v.Op {
	case op.MaxIndex, op.MinIndex, op.ArgMax, op.ArgMin:
		r.Index = c.temp(v, dtype.Int32, r.N*r.Inner)
		types = []ir.Type{v.Type.As(v.Args[0].Type.D), v.Type.As(dtype.Int32)}
		if len(v.Results) > 0 {
			types = v.Results
		}
	case op.Sum, op.Max, op.Min:
		if r.Inner == 1 {
			r.Row = rows.ReducerOf(v.Op, types[0].D)
		}
	}
	for _, t := range types {
		r.Acc = append(r.Acc, c.temp(v, t.D, min(rows.Partials, r.N)*r.Inner))
	}
	if v.Op == op.ArgMax || v.Op == op.ArgMin {
		value := c.temp(v, types[0].D, types[0].Shape.Len())
		r.Z, r.Finish = c.outputs(v, types[1:])
		r.Z = []int{value, r.Z[0]}
	} else {
		r.Z, r.Finish = c.outputs(v, types)
	}
	c.Streams = max(c.Streams, len(types))
	c.Emit(r.Run)
}
