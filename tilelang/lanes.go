package tilelang

import (
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// chunk is how many lanes an operation works on at a time where its operands are
// not simply there: few enough for the first-level cache, many enough to make calls
// cheap.
const chunk = 512

// A feeder hands out a tile's lanes in row-major order of a shape it broadcasts to,
// converted to one element type, a chunk at a time.
type feeder struct {
	t       *node
	d       dtype.DType
	strides shape.Shape // of t, stretched to the shape
	shape   shape.Shape // of the result
	inPlace bool        // lanes are dense in t: no copy
	direct  bool        // and of type d: no conversion either
	splat   bool        // all lanes are equal; wide holds chunk of them
	raw     dtype.Buf   // scratch for lanes as t has them
	wide    dtype.Buf   // scratch for converted lanes
	convert op.Loop     // nil if t has type d already
}

// scratch is the memory that feeders of one operation use.
type scratch struct {
	buf   [8]dtype.Buf
	fence dtype.Fence // the mode it was made in
}

var scratchPool sync.Pool

// newScratch is scratch memory, which scratchPool.Put gives back: against a fence if that is the mode now.
func newScratch() *scratch {
	if s, ok := scratchPool.Get().(*scratch); ok && s.fence == dtype.Fenced() {
		return s
	}
	s := &scratch{fence: dtype.Fenced()}
	for i := range s.buf {
		s.buf[i] = dtype.Alloc("lanes of the interpreter", Uint64, chunk)
	}
	return s
}

// lanesOf is buffer i of s as chunk lanes of type d.
func (s *scratch) lanesOf(i int, d dtype.DType) dtype.Buf {
	return dtype.RawBuf(d, s.buf[i].Pointer(), chunk)
}

// init prepares f to feed t as type d in the given shape; it uses buffers 2i and
// 2i+1 of s.
func (f *feeder) init(t *node, d dtype.DType, shape shape.Shape, s *scratch, i int) {
	if !t.affine {
		t = t.real()
	}
	f.t, f.d, f.shape = t, d, shape
	f.strides = t.shape.Stretch(t.strides, shape)
	if t.dt != d {
		f.convert = op.CastLoop(d, t.dt)
	}
	f.splat = f.strides.D == [MaxRank]int{}
	f.inPlace = !f.splat && !t.affine && shape.IsDense(f.strides)
	f.direct = f.inPlace && f.convert == nil
	f.raw, f.wide = s.lanesOf(2*i, t.dt), s.lanesOf(2*i+1, d)
	if f.splat {
		bits := t.first()
		if f.convert != nil {
			bits = dtype.Convert(d, t.dt, bits, false)
		}
		f.wide.Slice(0, min(chunk, shape.Len())).Fill(bits)
	}
}

// next is lanes lo to hi, at most chunk of them. The result is read-only and valid
// until the next call.
func (f *feeder) next(lo, hi int) dtype.Buf {
	switch {
	case f.direct:
		return f.t.buf.Slice(lo, hi)
	case f.splat:
		return f.wide.Slice(0, hi-lo)
	}
	raw := f.raw.Slice(0, hi-lo)
	switch {
	case f.inPlace:
		raw = f.t.buf.Slice(lo, hi)
	case f.t.affine:
		ramp(raw, f.t.start, f.shape, f.strides, lo)
	default:
		gather(raw, f.t.buf, f.shape, f.strides, lo)
	}
	if f.convert == nil {
		return raw
	}
	wide := f.wide.Slice(0, hi-lo)
	f.convert(wide, raw, dtype.Buf{}, dtype.Buf{})
	return wide
}

// copyLanes fills b with t's lanes from lo on.
func (t *node) copyLanes(b dtype.Buf, lo int) { gather(b, t.buf, t.shape, t.strides, lo) }

// gather fills z with the lanes of x from lo on, in row-major order of shape, read
// through strides.
func gather(z, x dtype.Buf, shape, strides shape.Shape, lo int) {
	switch x.DType().Size() {
	case 1:
		gatherAs(dtype.View[uint8](z), dtype.View[uint8](x), shape, strides, lo)
	case 2:
		gatherAs(dtype.View[uint16](z), dtype.View[uint16](x), shape, strides, lo)
	case 4:
		gatherAs(dtype.View[uint32](z), dtype.View[uint32](x), shape, strides, lo)
	default:
		gatherAs(dtype.View[uint64](z), dtype.View[uint64](x), shape, strides, lo)
	}
}

func gatherAs[T dtype.Elem](z, x []T, shape, strides shape.Shape, lo int) {
	eachRun(len(z), shape, strides, lo, func(at, n, pos, step int) { dtype.CopyRun(z[at:at+n], x, pos, step) })
}

// eachRun visits n lanes from lane lo on, in row-major order of s, in runs: lanes
// at to at+n of those asked for lie at pos, pos+step, ...
func eachRun(n int, s, strides shape.Shape, lo int, visit func(at, n, pos, step int)) {
	eachRun2(n, s, strides, shape.Shape{N: s.N}, lo, func(at, n, pos, step, _, _ int) { visit(at, n, pos, step) })
}

// eachRun2 is eachRun with a second place for every lane: other, other+otherStep, ...
func eachRun2(n int, shape, strides, strides2 shape.Shape, lo int, visit func(at, n, pos, step, other, otherStep int)) {
	shape, strides, strides2 = merged(shape, strides, strides2)
	last := shape.N - 1
	if last < 0 {
		visit(0, 1, 0, 0, 0, 0)
		return
	}
	var index [MaxRank]int // of the next lane
	pos, other := 0, 0
	for k, rest := last, lo; k >= 0; k-- {
		index[k] = rest % shape.D[k]
		rest /= shape.D[k]
		pos += index[k] * strides.D[k]
		other += index[k] * strides2.D[k]
	}
	for at := 0; at < n; {
		m := min(n-at, shape.D[last]-index[last])
		visit(at, m, pos, strides.D[last], other, strides2.D[last])
		at += m
		pos -= index[last] * strides.D[last]
		other -= index[last] * strides2.D[last]
		index[last] = 0
		for k := last - 1; k >= 0; k-- {
			index[k]++
			pos += strides.D[k]
			other += strides2.D[k]
			if index[k] < shape.D[k] {
				break
			}
			pos -= shape.D[k] * strides.D[k]
			other -= shape.D[k] * strides2.D[k]
			index[k] = 0
		}
	}
}

// merged is the same lanes in the same order with fewer dimensions: neighbouring ones
// that both strides run through evenly become one, and so do those of size 1.
func merged(shape, strides, strides2 shape.Shape) (s, st, st2 shape.Shape) {
	for k := shape.N - 1; k >= 0; k-- {
		n, a, b := shape.D[k], strides.D[k], strides2.D[k]
		switch i := s.N - 1; {
		case n == 1 && (k > 0 || s.N > 0):
		case s.N > 0 && a == st.D[i]*s.D[i] && b == st2.D[i]*s.D[i]:
			s.D[i] *= n
		default:
			s.D[s.N], st.D[s.N], st2.D[s.N] = n, a, b
			s.N++
		}
	}
	for i, j := 0, s.N-1; i < j; i, j = i+1, j-1 {
		s.D[i], s.D[j] = s.D[j], s.D[i]
		st.D[i], st.D[j] = st.D[j], st.D[i]
		st2.D[i], st2.D[j] = st2.D[j], st2.D[i]
	}
	st.N, st2.N = s.N, s.N
	return s, st, st2
}

// elementwise carries out o on operands that are fed as type d and broadcast to
// shape; Where's condition is Bool.
func elementwise(name string, o op.Op, d dtype.DType, shape shape.Shape, operands ...*node) *node {
	z := lanewise(name, o, d, shape, operands)
	if watching.Load() > 0 {
		watchLanes(name, o, d, shape, z, operands)
	}
	return z
}

func lanewise(name string, o op.Op, d dtype.DType, to shape.Shape, operands []*node) *node {
	if len(operands) == 2 {
		if z := indexResult(name, o, d, to, operands[0], operands[1]); z != nil {
			return z
		}
	}
	if to.N > 0 && allUniform(operands) {
		checkSize(name, o.Result(d), to)
		var one [3]*node
		var scalar shape.Shape
		for i, x := range operands {
			one[i] = x.view(scalar, scalar)
		}
		return lanewise(name, o, d, scalar, one[:len(operands)]).broadcastTo(to)
	}
	z := newNode(name, o.Result(d), to)
	n := to.Len()
	s := newScratch()
	var feeders [4]feeder
	direct := true
	for i, x := range operands {
		t := d
		if o == op.Where && i == 0 {
			t = Bool
		}
		feeders[i].init(x, t, to, s, i)
		direct = direct && feeders[i].direct
	}
	step := chunk
	if direct {
		step = n
	}
	var in [4]dtype.Buf
	for lo := 0; lo < n; lo += step {
		hi := min(lo+step, n)
		for i := range operands {
			in[i] = feeders[i].next(lo, hi)
		}
		op.Apply(o, d, z.buf.Slice(lo, hi), in[:len(operands)]...)
	}
	scratchPool.Put(s)
	return z
}

// allUniform reports whether every operand has equal elements, so that one lane tells
// all.
func allUniform(operands []*node) bool {
	for _, x := range operands {
		if x.dot != nil || x.strides.D != [MaxRank]int{} {
			return false
		}
	}
	return true
}

// converted is t with elements of type d.
func (t *node) converted(d dtype.DType) *node {
	if t.dt == d {
		return t
	}
	if t.affine && t.dt == Int32 && d == Int64 {
		z := newAffine(d, t.shape, t.start, t.strides, nil)
		z.marks = t.marks
		return z
	}
	z := newNode("tl", d, t.shape)
	t.writeTo(z.buf)
	z.marks = t.watched()
	return z
}

// mapped applies a one-operand loop to every lane.
func (t *node) mapped(d dtype.DType, loop op.Loop) *node {
	z := newNode("tl", d, t.shape)
	lanes, m := t.borrow(t.dt)
	loop(z.buf, lanes, dtype.Buf{}, dtype.Buf{})
	m.free()
	z.marks = t.watched()
	return z
}
