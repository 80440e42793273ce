package op

import (
	"fmt"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Apply carries out an elementwise op on lanes of type d: z[i] = o(in[0][i], ...).
// All operands have type d, except that Where's first is Bool; z has type
// o.Result(d). A narrow float without arithmetic of its own is widened to float32,
// operated on and rounded back, lane by lane.
func Apply(o Op, d dtype.DType, z dtype.Buf, in ...dtype.Buf) {
	row := &Table[o]
	switch {
	case row.Loops[d] != nil:
		var a [3]dtype.Buf
		copy(a[:], in)
		row.Loops[d](z, a[0], a[1], a[2])
	case row.Progs[d] != nil:
		row.Progs[d].Run(z, in...)
	case d.IsNarrow() && row.Has(dtype.Float32):
		applyWidened(o, d, z, in)
	default:
		panic(fmt.Sprintf("op: %s has no meaning for %s", o, d))
	}
}

// Has reports whether the row has a meaning for lanes of type d by itself, without
// widening.
func (r *Row) Has(d dtype.DType) bool { return r.Loops[d] != nil || r.Progs[d] != nil }

// widened is how many lanes of a narrow float are operated on at a time.
const widened = 128

func applyWidened(o Op, d dtype.DType, z dtype.Buf, in []dtype.Buf) {
	var mem [4][widened]float32 // operands; the first is also the result
	var wide [4]dtype.Buf
	for lo := 0; lo < z.Len(); lo += widened {
		n := min(widened, z.Len()-lo)
		for i, x := range in {
			wide[i] = dtype.BufOf(dtype.Float32, mem[i][:n])
			cast.Convert(wide[i], x.Slice(lo, lo+n))
		}
		zs := z.Slice(lo, lo+n)
		if o.IsCompare() {
			Apply(o, dtype.Float32, zs, wide[:len(in)]...)
			continue
		}
		Apply(o, dtype.Float32, wide[0], wide[:len(in)]...)
		cast.Convert(zs, wide[0])
	}
}

// Scalar is the meaning of an elementwise op on single values, given and returned
// as bit patterns: what constant folding uses.
func Scalar(o Op, d dtype.DType, in ...uint64) uint64 {
	var bufs [4]dtype.Buf
	for i, bits := range in {
		t := d
		if o == Where && i == 0 {
			t = dtype.Bool
		}
		bufs[i] = dtype.NewBuf(t, 1)
		bufs[i].SetBits(0, bits)
	}
	z := dtype.NewBuf(o.Result(d), 1)
	Apply(o, d, z, bufs[:len(in)]...)
	return z.Bits(0)
}

// ZeroDivisor is the index of the first zero in y, or -1: what an integer division
// or remainder must find before it runs.
func ZeroDivisor(y dtype.Buf) int {
	switch y.DType().Size() {
	case 1:
		return firstZero[uint8](y)
	case 2:
		return firstZero[uint16](y)
	case 4:
		return firstZero[uint32](y)
	}
	return firstZero[uint64](y)
}

func firstZero[T uint8 | uint16 | uint32 | uint64](y dtype.Buf) int {
	for i, v := range dtype.View[T](y) {
		if v == 0 {
			return i
		}
	}
	return -1
}
