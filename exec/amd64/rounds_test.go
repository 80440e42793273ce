package amd64

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestLargeResults adds vectors so large that the sum bypasses the caches, at places
// that are aligned and at others.
func TestLargeResults(t *testing.T) {
	const n = scalar.StreamBytes/4 + 3000
	all := addCall(n)
	for _, tier := range runnable(t) {
		code := compile(t, kernel(t, all.kernel), tier)
		for _, from := range []int{0, 5} {
			c := all
			c.args = append(c.args[:0:0], all.args...)
			c.args[2].Mem = all.args[2].Mem.Slice(from, n)
			c.args[3].Bits = n - 5
			c.run(t, code, 1, false)
			x, y, z := dtype.View[float32](c.args[0].Mem), dtype.View[float32](c.args[1].Mem), dtype.View[float32](c.args[2].Mem)
			for i := range z[:n-5] {
				if z[i] != x[i]+y[i] {
					t.Fatalf("%v from %d: element %d is %v, want %v", tier, from, i, z[i], x[i]+y[i])
				}
			}
		}
	}
}

// TestLargeRoundedResults rounds every kind of float32 to 16 bits as it is stored, where the stores bypass the caches
// and where they do not.
func TestLargeRoundedResults(t *testing.T) {
	const n = scalar.StreamBytes/2 + 3000
	x := ir.Arg{Mem: dtype.NewBuf(dtype.Float32, n)}
	bits := dtype.View[uint32](x.Mem)
	for i := range bits {
		bits[i] = uint32(i) * 2654435761 // all exponents, with few and many bits behind them
		if i%3 == 0 {
			bits[i] &= 0xffffc000
		}
	}
	for _, d := range []dtype.DType{dtype.BFloat16, dtype.Float16} {
		z := ir.Arg{Mem: dtype.NewBuf(d, n)}
		for _, tier := range runnable(t) {
			code := compile(t, kernel(t, "round_"+d.Short()), tier)
			for _, from := range []int{0, 5} {
				to := ir.Arg{Mem: z.Mem.Slice(from, n)}
				c := problem{args: append([]ir.Arg{x, to}, ints(n-5, 1024)...), grid: [3]int{cdiv(n-5, 1024), 1, 1}}
				c.run(t, code, 1, false)
				got := dtype.View[uint16](to.Mem)
				for i := 0; i < n-5; i += 17 { // all lanes in turn
					want := uint16(dtype.Convert(d, dtype.Float32, uint64(bits[i]), false))
					if nan := bits[i]&(1<<31-1) > 0xff<<23; nan && math.IsNaN(dtype.ToFloat(d, uint64(got[i]))) {
						continue // whichever it is
					}
					if got[i] != want {
						t.Fatalf("%v of %v from %d: %#x becomes %#x, want %#x", tier, d, from, bits[i], got[i], want)
					}
				}
			}
		}
	}
}
