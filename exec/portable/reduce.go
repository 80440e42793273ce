package portable

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// slabs is tiles arranged for work along one axis: outer blocks of n rows of inner
// elements, in buffers.
type slabs struct {
	outer, n, inner int
	bufs            []int
}

// slabs plans v's operands in row-major order.
func (c *compiler) slabs(v *ir.Value) slabs {
	shape := v.Args[0].Type.Shape
	s := slabs{outer: 1, n: shape.D[v.Axis], inner: 1}
	for i, d := range shape.D[:shape.N] {
		if i < v.Axis {
			s.outer *= d
		} else if i > v.Axis {
			s.inner *= d
		}
	}
	for _, a := range v.Args {
		s.bufs = append(s.bufs, c.rowMajor(v, a))
	}
	return s
}

// rows is rows lo to hi of block o of buffer b.
func (s *slabs) rows(b dtype.Buf, o, lo, hi int) dtype.Buf {
	return b.Slice((o*s.n+lo)*s.inner, (o*s.n+hi)*s.inner)
}

// temp is a buffer that only the step being made uses.
func (c *compiler) temp(v *ir.Value, d dtype.DType, n int) int {
	b := c.buffer(v, d, ir.ShapeOf(n))
	c.store.Write(b, 0)
	return b
}

// outputs is buffers for v's results, one of which the step being made writes for
// each operand; scalars go to registers by finish, which the step calls at its end.
func (c *compiler) outputs(v *ir.Value, types []ir.Type) (bufs []int, finish func(w *Worker)) {
	var places []*place
	var regs, from []int
	for _, t := range types {
		p := &place{t: t, reg: -1, buf: c.buffer(v, t.D, t.Shape), stride: t.Shape.Dense()}
		p.root = p
		c.store.Write(p.buf, 0)
		bufs = append(bufs, p.buf)
		if !t.IsTile() {
			from = append(from, p.buf)
			p.reg, p.buf = c.reg(), -1
			regs = append(regs, p.reg)
		}
		places = append(places, p)
	}
	if len(v.Results) > 0 {
		c.results[v.ID] = places
	} else {
		c.places[v.ID] = places[0]
	}
	return bufs, func(w *Worker) {
		for i, r := range regs {
			w.regs[r] = w.bufs[from[i]].Bits(0)
		}
	}
}

// A combiner combines lanes of several streams: inputs x..., y..., outputs the
// combinations.
type combiner struct {
	lanes *lanes.Line
	feeds []*feed // of inputs after the streams: scalars of the kernel
	k     int     // streams
}

// run makes z[i] of x[i] and y[i], which all are n lanes from the given element on.
func (f *combiner) run(w *Worker, z, x, y []dtype.Buf) {
	for _, s := range f.feeds {
		s.open(w)
	}
	for lo, n := 0, z[0].Len(); lo < n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, n)
		for i := range f.k {
			w.lanes.Bound[i] = x[i].Slice(lo, hi)
			w.lanes.Bound[f.k+i] = y[i].Slice(lo, hi)
			w.lanes.Bound[f.lanes.Inputs+i] = z[i].Slice(lo, hi)
		}
		for i, s := range f.feeds {
			w.lanes.Bound[2*f.k+i] = s.next(w, 0, hi-lo)
		}
		f.lanes.Run(&w.lanes, hi-lo)
	}
}

// combinerOf is what combines two elements of v, a reduction or scan.
func (c *compiler) combinerOf(v *ir.Value) *combiner {
	d := v.Args[0].Type.D
	if len(v.Blocks) > 0 {
		return c.laneFunction(v)
	}
	b := lanes.NewBuilder(&c.p.lanes)
	f := &combiner{k: 1}
	switch v.Op {
	case op.ArgMax, op.MaxIndex:
		f.k = 2
		b.Pairs(op.Gt, d)
	case op.ArgMin, op.MinIndex:
		f.k = 2
		b.Pairs(op.Lt, d)
	default:
		x, y := b.Input(d), b.Input(d)
		b.OutputsLast([]lanes.Lane{b.Apply(v.Op.Row().Combine, d, x, y)})
	}
	f.lanes = b.Finish(0)
	return f
}

// A reduction reduces each block of its streams to one row.
type reduction struct {
	slabs
	z, acc []int // buffers
	index  int   // buffer of the indices, which are the second stream; or -1
	f      *combiner
	row    rows.Reducer // where rows are single elements of a common type; or nil
	finish func(w *Worker)
}

// reduce lowers a reduction along an axis.
func (c *compiler) reduce(v *ir.Value) {
	r := &reduction{slabs: c.slabs(v), index: -1, f: c.combinerOf(v)}
	types := v.Results
	if len(types) == 0 {
		types = []ir.Type{v.Type}
	}
	switch v.Op {
	case op.MaxIndex, op.MinIndex, op.ArgMax, op.ArgMin:
		r.index = c.temp(v, dtype.Int32, r.n*r.inner)
		types = []ir.Type{v.Type.As(v.Args[0].Type.D), v.Type.As(dtype.Int32)}
		if len(v.Results) > 0 {
			types = v.Results
		}
	case op.Sum, op.Max, op.Min:
		if r.inner == 1 {
			r.row = rows.ReducerOf(v.Op, types[0].D)
		}
	}
	for _, t := range types {
		r.acc = append(r.acc, c.temp(v, t.D, min(rows.Partials, r.n)*r.inner))
	}
	if v.Op == op.ArgMax || v.Op == op.ArgMin {
		value := c.temp(v, types[0].D, types[0].Shape.Len())
		r.z, r.finish = c.outputs(v, types[1:])
		r.z = []int{value, r.z[0]}
	} else {
		r.z, r.finish = c.outputs(v, types)
	}
	c.p.streams = max(c.p.streams, len(types))
	c.emit(r.run)
}

func (r *reduction) run(w *Worker) bool {
	if r.row != nil {
		r.row(w.bufs[r.z[0]], w.bufs[r.bufs[0]], r.n)
		r.finish(w)
		return true
	}
	if r.index >= 0 {
		ids := dtype.View[int32](w.bufs[r.index])
		for i := range ids {
			ids[i] = int32(i / r.inner)
		}
	}
	for o := range r.outer {
		held := min(rows.Partials, r.n)
		for k := range r.acc {
			copy(w.bufs[r.acc[k]].Bytes(), r.stream(w, k, o, 0, held).Bytes())
		}
		for lo := rows.Partials; lo < r.n; lo += rows.Partials {
			hi := min(lo+rows.Partials, r.n)
			for k := range r.acc {
				w.y[k] = r.stream(w, k, o, lo, hi)
			}
			r.fold(w, hi-lo)
		}
		for d := rows.Partials / 2; d > 0; d /= 2 {
			if held > d {
				for k := range r.acc {
					w.y[k] = w.bufs[r.acc[k]].Slice(d*r.inner, held*r.inner)
				}
				r.fold(w, held-d)
				held = d
			}
		}
		for k, z := range r.z {
			copy(w.bufs[z].Slice(o*r.inner, (o+1)*r.inner).Bytes(), w.bufs[r.acc[k]].Slice(0, r.inner).Bytes())
		}
	}
	r.finish(w)
	return true
}

// stream is rows lo to hi of block o of the k-th stream.
func (r *reduction) stream(w *Worker, k, o, lo, hi int) dtype.Buf {
	if k < len(r.bufs) {
		return r.rows(w.bufs[r.bufs[k]], o, lo, hi)
	}
	return w.bufs[r.index].Slice(lo*r.inner, hi*r.inner)
}

// fold combines the first n rows of the partial results with w.y.
func (r *reduction) fold(w *Worker, n int) {
	for k, b := range r.acc {
		w.x[k] = w.bufs[b].Slice(0, n*r.inner)
	}
	s := len(r.acc)
	r.f.run(w, w.x[:s], w.x[:s], w.y[:s])
}
