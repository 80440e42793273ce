package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Looking at tiles from outside: for tests, tools and the prompt. A compiled kernel
// has none of these.

// At is one element, as int, float64 or bool; of a pointer tile, the element offset
// from the tensor's start. It is for looking at tiles from outside: in a compiled
// kernel there is no such operation.
func (x Tile) At(index ...int) any {
	t := x.node("Tile.At")
	if len(index) != t.shape.N {
		fault("Tile.At", "%d indices for %s", len(index), t).Fix("pass one per dimension").raise()
	}
	t = t.real()
	at := 0
	for i, k := range index {
		if k < 0 || k >= t.shape.D[i] {
			fault("Tile.At", "index %s is outside %s", shape.Index(index), t).Fix("count from 0").raise()
		}
		at += k * t.strides.D[i]
	}
	return goValue(t.dt, t.buf.Bits(at))
}

// goValue is a bit pattern as int, uint64 where an int cannot hold it, float64 or
// bool.
func goValue(d dtype.DType, bits uint64) any {
	switch {
	case d == Bool:
		return bits != 0
	case d.IsFloat():
		return dtype.ToFloat(d, bits)
	case d == Uint64 && bits>>63 == 1:
		return bits
	case d.IsPointer():
		return int(bits)
	}
	return int(dtype.ToInt(d, bits))
}

// Bits is the elements' bit patterns in row-major order, each zero-extended: for
// tests and tools that compare exactly.
func (x Tile) Bits() []uint64 {
	b := x.node("Tile.Bits").elems()
	out := make([]uint64, b.Len())
	for i := range out {
		out[i] = b.Bits(i)
	}
	return out
}

// Values is the elements in row-major order, as At gives them.
func (x Tile) Values() []any {
	t := x.node("Tile.Values")
	b := t.elems()
	out := make([]any, b.Len())
	for i := range out {
		out[i] = goValue(t.dt, b.Bits(i))
	}
	return out
}
