package cast

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// edgeBits is patterns of type d that conversions go wrong at, and random ones.
func edgeBits(r *rand.Rand, d dtype.DType) []uint64 {
	mask := uint64(math.MaxUint64) >> (64 - d.Bits())
	var out []uint64
	for _, v := range []float64{0, 0.4, 0.5, 1, 1.5, 127, 128, 255, 256, 2049, 32768, 65519, 65520, 1e6, 0x1p31, 0x1p32,
		0x1p63, 0x1p64, 1e30, math.Inf(1), math.NaN(), 1 + 0x1p-11 + 0x1p-40, 0x1p-24, 0x1p-149} {
		out = append(out, dtype.FromFloat(d, v), dtype.FromFloat(d, -v))
	}
	for len(out) < 700 { // more than one chunk
		out = append(out, r.Uint64()>>r.IntN(64)&mask)
	}
	return out
}

// TestConvert compares every pair of types with dtype.Convert.
func TestConvert(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, from := range dtype.All() {
		in := edgeBits(r, from)
		x := dtype.NewBuf(from, len(in))
		for i, b := range in {
			x.SetBits(i, b)
		}
		for _, to := range dtype.All() {
			z := dtype.NewBuf(to, len(in))
			Convert(z, x)
			for i, b := range in {
				if got, want := z.Bits(i), dtype.Convert(to, from, b, false); !dtype.SameBits(to, got, want) {
					t.Fatalf("%s to %s: %x gives %x, want %x", from, to, b, got, want)
				}
			}
		}
	}
}

// TestInPlace: types of one width convert within their memory.
func TestInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, from := range dtype.All() {
		for _, to := range dtype.All() {
			if to.Size() != from.Size() {
				continue
			}
			for _, b := range edgeBits(r, from)[:100] {
				x := dtype.NewBuf(from, 3)
				x.SetBits(1, b)
				Convert(x.As(to), x)
				if got, want := x.As(to).Bits(1), dtype.Convert(to, from, b, false); !dtype.SameBits(to, got, want) {
					t.Fatalf("%s to %s: %x gives %x, want %x", from, to, b, got, want)
				}
			}
		}
	}
}

// TestFill crosses the chunks that it works in.
func TestFill(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 1500} {
		z := dtype.NewBuf(dtype.Float16, n)
		Fill(z, dtype.Int64, func(i int) int64 { return int64(2 * i) })
		for i := range n {
			if got, want := z.Bits(i), dtype.FromInt(dtype.Float16, int64(2*i), false); got != want {
				t.Fatalf("element %d of %d is %x, want %x", i, n, got, want)
			}
		}
	}
}

// TestNarrowLoops compares the loops that convert narrow floats with dtype.Convert:
// every pattern there is, and float32 values on and beside every boundary.
func TestNarrowLoops(t *testing.T) {
	f32 := dtype.Float32
	for d := dtype.Float8E5; d <= dtype.BFloat16; d++ {
		n := 1 << d.Bits()
		narrow, wide := dtype.NewBuf(d, n), dtype.NewBuf(f32, n)
		for i := range n {
			narrow.SetBits(i, uint64(i))
		}
		Convert(wide, narrow)
		for i := range n {
			if got, want := wide.Bits(i), dtype.Convert(f32, d, uint64(i), false); !dtype.SameBits(f32, got, want) {
				t.Fatalf("%s %#x widens to %#x, want %#x", d, i, got, want)
			}
		}
		in, out := dtype.NewBuf(f32, 7*n), dtype.NewBuf(d, 7*n)
		r := rand.New(rand.NewPCG(1, uint64(d)))
		for i := range n {
			v := wide.Bits(i)
			fraction, _, _, _ := dtype.NarrowFields(d)
			half := uint64(1) << (22 - fraction)
			for k, b := range []uint64{v, v - 1, v + 1, v + half, v + half - 1, v + half + 1, uint64(r.Uint32())} {
				in.SetBits(7*i+k, b)
			}
		}
		Convert(out, in)
		for i := range in.Len() {
			if got, want := out.Bits(i), dtype.Convert(d, f32, in.Bits(i), false); !dtype.SameBits(d, got, want) {
				t.Fatalf("%#x rounds to %s %#x, want %#x", in.Bits(i), d, got, want)
			}
		}
	}
}
