package tilelang

import (
	"math/bits"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A temp is memory that an operation uses while it works and then hands back, so that
// what an operation allocates is its result.
type temp struct {
	mem   dtype.Buf // of bytes
	class int       // 1<<class of them
}

var temps [48]sync.Pool // of *temp, by class

// newTemp is n elements of type d, whatever they hold. Against a fence they are just so many.
func newTemp(d dtype.DType, n int) (dtype.Buf, *temp) {
	if dtype.Fenced() != dtype.NoFence {
		return dtype.Alloc("a temporary of the interpreter", d, n), nil
	}
	class := bits.Len(uint(max(64, n*d.Size()) - 1))
	m, _ := temps[class].Get().(*temp)
	if m == nil {
		m = &temp{dtype.NewBuf(Uint8, 1<<class), class}
	}
	return dtype.RawBuf(d, m.mem.Pointer(), n), m // kept alive by pointing into it
}

// free hands m's memory back; nothing may use it any more. A nil m is none.
func (m *temp) free() {
	if m != nil {
		temps[m.class].Put(m)
	}
}

// borrow is t's elements as type d, dense and in row-major order, to be read only and
// until the temp, which may be nil, is freed.
func (t *node) borrow(d dtype.DType) (dtype.Buf, *temp) {
	if !t.affine {
		t = t.real()
	}
	if t.dense && !t.affine && t.dt == d {
		return t.buf, nil
	}
	b, m := newTemp(d, t.shape.Len())
	t.writeTo(b)
	return b, m
}

// writeTo converts t's elements into b.
func (t *node) writeTo(b dtype.Buf) {
	if !t.affine {
		t = t.real()
	}
	switch d := b.DType(); {
	case t.dense && !t.affine:
		op.CastLoop(d, t.dt)(b, t.buf, dtype.Buf{}, dtype.Buf{})
	case t.dt == d && t.affine:
		ramp(b, t.start, t.shape, t.strides, 0)
	case t.dt == d:
		t.copyLanes(b, 0)
	default:
		t.convertTo(b)
	}
}

// convertTo converts lanes that are not in place, a chunk at a time.
func (t *node) convertTo(b dtype.Buf) {
	s := newScratch()
	var f feeder
	f.init(t, b.DType(), t.shape, s, 0)
	for lo := 0; lo < b.Len(); lo += chunk {
		hi := min(lo+chunk, b.Len())
		copy(b.Slice(lo, hi).Bytes(), f.next(lo, hi).Bytes())
	}
	scratchPool.Put(s)
}
