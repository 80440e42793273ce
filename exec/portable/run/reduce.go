package run

import (
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/exec/portable/rows"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Slabs is tiles arranged for work along one axis: outer blocks of n rows of inner
// elements, in buffers.
type Slabs struct {
	Outer, N, Inner int
	Bufs            []int
}

// rows is rows lo to hi of block o of buffer b.
func (s *Slabs) rows(b dtype.Buf, o, lo, hi int) dtype.Buf {
	return b.Slice((o*s.N+lo)*s.Inner, (o*s.N+hi)*s.Inner)
}

// A Combiner combines lanes of several streams: inputs x..., y..., outputs the
// combinations.
type Combiner struct {
	Lanes   *lanes.Line
	Feeds   []*Feed // of inputs after the streams: scalars of the kernel
	Streams int
}

// run makes z[i] of x[i] and y[i], which all are n lanes from the given element on.
func (f *Combiner) run(w *Worker, z, x, y []dtype.Buf) {
	for _, s := range f.Feeds {
		s.Open(w)
	}
	for lo, n := 0, z[0].Len(); lo < n; lo += lanes.Chunk {
		hi := min(lo+lanes.Chunk, n)
		for i := range f.Streams {
			w.lanes.Bound[i] = x[i].Slice(lo, hi)
			w.lanes.Bound[f.Streams+i] = y[i].Slice(lo, hi)
			w.lanes.Bound[f.Lanes.Inputs+i] = z[i].Slice(lo, hi)
		}
		for i, s := range f.Feeds {
			w.lanes.Bound[2*f.Streams+i] = s.Next(w, 0, hi-lo)
		}
		f.Lanes.Run(&w.lanes, hi-lo)
	}
}

// A Reduction reduces each block of its streams to one row.
type Reduction struct {
	Slabs
	Z, Acc  []int // buffers
	Index   int   // buffer of the indices, which are the second stream; or -1
	Combine *Combiner
	Row     rows.Reducer // where rows are single elements of a common type; or nil
	Finish  func(w *Worker)
}

// Run is the step.
func (r *Reduction) Run(w *Worker) bool {
	if r.Row != nil {
		r.Row(w.Bufs[r.Z[0]], w.Bufs[r.Bufs[0]], r.N)
		r.Finish(w)
		return true
	}
	if r.Index >= 0 {
		ids := dtype.View[int32](w.Bufs[r.Index])
		for i := range ids {
			ids[i] = int32(i / r.Inner)
		}
	}
	for o := range r.Outer {
		held := min(rows.Partials, r.N)
		for k := range r.Acc {
			copy(w.Bufs[r.Acc[k]].Bytes(), r.stream(w, k, o, 0, held).Bytes())
		}
		for lo := rows.Partials; lo < r.N; lo += rows.Partials {
			hi := min(lo+rows.Partials, r.N)
			for k := range r.Acc {
				w.y[k] = r.stream(w, k, o, lo, hi)
			}
			r.fold(w, hi-lo)
		}
		for d := rows.Partials / 2; d > 0; d /= 2 {
			if held > d {
				for k := range r.Acc {
					w.y[k] = w.Bufs[r.Acc[k]].Slice(d*r.Inner, held*r.Inner)
				}
				r.fold(w, held-d)
				held = d
			}
		}
		for k, z := range r.Z {
			copy(w.Bufs[z].Slice(o*r.Inner, (o+1)*r.Inner).Bytes(), w.Bufs[r.Acc[k]].Slice(0, r.Inner).Bytes())
		}
	}
	r.Finish(w)
	return true
}

// stream is rows lo to hi of block o of the k-th stream.
func (r *Reduction) stream(w *Worker, k, o, lo, hi int) dtype.Buf {
	if k < len(r.Bufs) {
		return r.rows(w.Bufs[r.Bufs[k]], o, lo, hi)
	}
	return w.Bufs[r.Index].Slice(lo*r.Inner, hi*r.Inner)
}

// fold combines the first n rows of the partial results with w.y.
func (r *Reduction) fold(w *Worker, n int) {
	for k, b := range r.Acc {
		w.x[k] = w.Bufs[b].Slice(0, n*r.Inner)
	}
	s := len(r.Acc)
	r.Combine.run(w, w.x[:s], w.x[:s], w.y[:s])
}

// A Scan runs along its blocks: out[0] = x[0], out[i] = f(out[i-1], x[i]), from the
// far end if reversed.
type Scan struct {
	Slabs
	Z       []int // buffers
	Combine *Combiner
	Reverse bool
	Row     rows.Scan // where rows are single elements of a common type; or nil
}

// Run is the step.
func (s *Scan) Run(w *Worker) bool {
	if s.Row != nil {
		s.Row(w.Bufs[s.Z[0]], w.Bufs[s.Bufs[0]], s.N, s.Reverse)
		return true
	}
	for k, z := range s.Z {
		copy(w.Bufs[z].Bytes(), w.Bufs[s.Bufs[k]].Bytes())
	}
	m := len(s.Z)
	for o := range s.Outer {
		for i := 1; i < s.N; i++ {
			at, before := i, i-1
			if s.Reverse {
				at, before = s.N-1-i, s.N-i
			}
			for k, z := range s.Z {
				w.x[k], w.y[k] = s.rows(w.Bufs[z], o, before, before+1), s.rows(w.Bufs[z], o, at, at+1)
			}
			s.Combine.run(w, w.y[:m], w.x[:m], w.y[:m])
		}
	}
	return true
}
