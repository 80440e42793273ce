package tilelang_test

import (
	"fmt"
	"math"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// try runs f and returns the fault it stopped with, nil if it ran through. Any other
// panic goes on.
func try(f func()) (fault *tl.Fault) {
	defer func() {
		if v := recover(); v != nil {
			f, ok := v.(*tl.Fault)
			if !ok {
				panic(v)
			}
			fault = f
		}
	}()
	f()
	return nil
}

// ptr is a pointer to a tensor as a launch would pass it.
func ptr(x *tensor.Tensor) tl.Ptr { return tl.PointerTo(x, "x", nil) }

// index is the pointers to all elements of a contiguous tensor, in its shape.
func index(x *tensor.Tensor) tl.Ptr {
	n := x.Len()
	shape := x.Shape()
	if n == 0 || len(shape) == 0 {
		return ptr(x)
	}
	return ptr(x).Add(tl.Arange(0, n)).Reshape(shape...)
}

// tileOf is a tile with the elements of a contiguous tensor.
func tileOf(x *tensor.Tensor) tl.Tile { return tl.Load(index(x)) }

// bitsTile is a vector of bit patterns as elements of type d.
func bitsTile(d tl.DType, bits ...uint64) tl.Tile {
	b := dtype.NewBuf(d, len(bits))
	for i, v := range bits {
		b.SetBits(i, v)
	}
	x := tensor.Zeros(d, len(bits))
	copy(x.Buf().Bytes(), b.Bytes())
	return tileOf(x)
}

// ints and floats are vectors of values, which must fit.
func ints(d tl.DType, vs ...int) tl.Tile {
	bits := make([]uint64, len(vs))
	for i, v := range vs {
		bits[i] = dtype.FromInt(d, int64(v), false)
	}
	return bitsTile(d, bits...)
}

func floats(d tl.DType, vs ...float64) tl.Tile {
	bits := make([]uint64, len(vs))
	for i, v := range vs {
		bits[i] = dtype.FromFloat(d, v)
	}
	return bitsTile(d, bits...)
}

// same fails unless the tile has this dtype, shape and these elements as bits; all
// NaNs are the same.
func same(t testing.TB, name string, got, want tl.Tile) {
	t.Helper()
	if got.DType() != want.DType() || fmt.Sprint(got.Shape()) != fmt.Sprint(want.Shape()) {
		t.Errorf("%s: got %s%v, want %s%v", name, got.DType(), got.Shape(), want.DType(), want.Shape())
		return
	}
	g, w := got.Bits(), want.Bits()
	for i := range w {
		if g[i] != w[i] && !(isNaN(got.DType(), g[i]) && isNaN(got.DType(), w[i])) {
			t.Errorf("%s: element %d is %#x, want %#x\ngot  %v\nwant %v", name, i, g[i], w[i], got, want)
			return
		}
	}
}

func isNaN(d tl.DType, bits uint64) bool {
	return d.IsFloat() && math.IsNaN(dtype.ToFloat(d, bits))
}
