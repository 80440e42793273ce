package kerneltest_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/kerneltest"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// TestCasts converts the numbers at which conversions go wrong, between all types, by both roundings.
func TestCasts(t *testing.T) {
	for _, from := range dtype.All() {
		in := castEdges(from)
		for _, to := range dtype.All() {
			ops := []op.Op{op.Cast}
			if from.IsFloat() && to.IsFloat() && to.Size() < from.Size() {
				ops = append(ops, op.CastRTZ)
			}
			for _, o := range ops {
				b := kerneltest.NewBuilder()
				s := ir.ShapeOf(len(in))
				x := b.Load(b.Ptr(from), s)
				b.Store(b.Ptr(to), b.Emit(o, ir.Type{D: to, Shape: s}, x))
				err := sameIR(t, b.Done(), [3]int{1, 1, 1}, func(w *kerneltest.World) {
					w.AddBits(from, len(in), func(i int) uint64 { return in[i] })
					w.Add(to, len(in))
				}, map[string]int{})
				if err != nil {
					t.Errorf("%v of %v to %v: %v", o, from, to, err)
				}
			}
		}
	}
}

// castEdges is patterns of a type: all of them if it has 8 bits, else those on and beside each number, and each middle
// between two, of every narrow float; powers of two and what is beside them; NaNs of every kind; random ones.
func castEdges(from dtype.DType) (in []uint64) {
	mask := uint64(math.MaxUint64) >> (64 - from.Bits())
	if from.Size() == 1 {
		for i := range mask + 1 {
			in = append(in, i)
		}
		return in
	}
	r := rand.New(rand.NewPCG(1, uint64(from)))
	beside := func(bits uint64) {
		for _, d := range []uint64{0, 1, mask, 1 << 7, 1 << 12, 1 << 15, 1 << 19, 1 << 32} {
			in = append(in, (bits+d)&mask)
		}
	}
	for bit := range from.Bits() { // of floats, small and large exponents and payloads of NaN
		for _, bits := range []uint64{1 << bit, 3 << bit, 1<<bit | 1, mask << bit, ^(mask << bit)} {
			beside(bits & mask)
		}
	}
	for range 300 {
		in = append(in, r.Uint64()>>r.IntN(64)&mask, -(r.Uint64()>>r.IntN(64))&mask)
	}
	for d := dtype.Float8E5; d <= dtype.BFloat16; d++ {
		for i := range uint64(1) << d.Bits() {
			if d.Size() > 1 && i%253 > 1 { // few of each binade
				continue
			}
			v, next := dtype.ToFloat(d, i), dtype.ToFloat(d, min(i+1, 1<<d.Bits()-1))
			beside(dtype.FromFloat(from, v))
			if from.IsFloat() {
				in = append(in, dtype.FromFloat(from, (v+next)/2))
			} else {
				beside(dtype.FromFloat(from, v+next) >> 1)
			}
		}
	}
	return in
}
