package op

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// nanPatterns is every NaN of an 8- or 16-bit float, and of others those at the ends of each kind: quiet
// and signaling, of both signs.
func nanPatterns(d dtype.DType) (list []uint64) {
	for bits := range uint64(1) << min(16, d.Bits()) {
		if d.Bits() > 16 { // the same in the upper bits, and some payload below
			bits = bits<<(d.Bits()-16) | bits&1
		}
		if dtype.IsNaN(d, bits) {
			list = append(list, bits)
		}
	}
	return list
}

// TestNaN: NaNs of every kind lose against numbers, win if that is asked for, and show one pattern.
func TestNaN(t *testing.T) {
	for d, shown := range map[dtype.DType]uint64{
		dtype.Float8E5: 0x7f, dtype.Float8E4NV: 0x7f, dtype.Float16: 0x7e00, dtype.BFloat16: 0x7fc0,
		dtype.Float32: 0x7fc00000, dtype.Float64: 0x7ff8 << 48,
	} {
		one := dtype.FromFloat(d, 1)
		as := map[int]dtype.DType{8: dtype.Uint8, 16: dtype.Int16, 32: dtype.Uint32, 64: dtype.Int64}[d.Bits()]
		patterns := nanPatterns(d)
		if len(patterns) < 2 {
			t.Fatalf("%s: %d NaNs", d, len(patterns))
		}
		x, z := dtype.NewBuf(d, len(patterns)), dtype.NewBuf(as, len(patterns))
		for i, nan := range patterns {
			x.SetBits(i, nan)
			for _, in := range [][2]uint64{{nan, one}, {one, nan}} {
				for _, o := range []Op{Maximum, Minimum} {
					if got := Scalar(o, d, in[0], in[1]); got != one {
						t.Errorf("%s: %s of %#x and %#x is %#x", d, o, in[0], in[1], got)
					}
				}
				for _, o := range []Op{MaximumNaN, MinimumNaN, Add, Mul} {
					if got := Scalar(o, d, in[0], in[1]); !dtype.IsNaN(d, got) {
						t.Errorf("%s: %s of %#x and %#x is %#x", d, o, in[0], in[1], got)
					}
				}
			}
			if got := dtype.Bitcast(as, d, nan); got != shown {
				t.Errorf("%s: %#x shows as %#x, want %#x", d, nan, got, shown)
			}
			if got := dtype.Bitcast(d, d, nan); got != nan {
				t.Errorf("%s: %#x becomes %#x in its own type", d, nan, got)
			}
			if !dtype.SameBits(d, nan, shown) || dtype.SameBits(d, nan, one) || dtype.SameBits(as, nan, shown) != (nan == shown) {
				t.Errorf("%s: %#x is the same as what it is not", d, nan)
			}
		}
		BitcastLoop(as, d)(z, x, dtype.Buf{}, dtype.Buf{})
		for i := range z.Len() {
			if got := z.Bits(i); got != shown {
				t.Fatalf("%s: the loop shows %#x as %#x, want %#x", d, patterns[i], got, shown)
			}
		}
		inf := dtype.FromFloat(d, math.Inf(1))
		if got := dtype.Bitcast(as, d, inf); got != inf {
			t.Errorf("%s: infinity shows as %#x", d, got)
		}
	}
}
