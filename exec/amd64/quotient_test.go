package amd64

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

const quotients = `func k(v1 *f32 "x", v2 *f32 "out", v3 f64 "by") "k.go" {
  v4 i32[1024] = arange
  v5 i64[1024] = cast v4
  v6 *f32[1024] = broadcast v1
  v7 *f32[1024] = ptradd v6 v5
  v8 f32[1024] = load v7
  v10 f32 = cast v3
  v11 f32[1024] = broadcast v10
  v12 f32[1024] = div v8 v11
  v13 *f32[1024] = broadcast v2
  v14 *f32[1024] = ptradd v13 v5
  store v14 v12
  return
}
`

// TestQuotients divides by numbers near and beyond the ends of what multiplication by
// a reciprocal is good for, and numbers whose quotient is next to the middle between two.
func TestQuotients(t *testing.T) {
	f := ir.MustParse(quotients)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	special := []float64{0, 1, 3, 0x1p-60, 0x1p-61, 0x1p60, 0x1p61, 0x1p-62, 0x1p-64, 0x1p64, 0x1p66, 0x1p-149, 0x1p-126, 0x1.fffffep127, math.Inf(1), math.NaN(), 0x1.fffffep0, 0x1.000002p0}
	x := numbers(1024, 5)
	for i := range x {
		x[i] *= float32(math.Ldexp(1, i%140-100))
	}
	for i, s := range special {
		x[33*i], x[33*i+16] = float32(s), -float32(s)
	}
	x[48] = float32(math.Copysign(0, -1))
	w := compile(t, f, widest(t)).NewWorker()
	out := make([]float32, 1024)
	divide := func(x []float32, by float64) {
		t.Helper()
		w.Begin(&Launch{Grid: [3]int{1, 1, 1}, Args: []ir.Arg{
			{Mem: dtype.BufOf(dtype.Float32, x)}, {Mem: dtype.BufOf(dtype.Float32, out)}, {Bits: math.Float64bits(by)},
		}})
		if f := w.Run(0, 1); f != nil {
			t.Fatal(f)
		}
		for i := range x {
			want := x[i] / float32(by)
			if got := out[i]; math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				t.Fatalf("%x / %x = %x, want %x", x[i], by, got, want)
			}
		}
	}
	for _, by := range append(special, 7, 0.1, -3, -0x1p-60, -0x1p61, 1023.5, 0x1.8p-59, 0x1.8p59) {
		divide(x, by)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		by := 1<<23 + random.IntN(1<<23)
		divide(nearMiddle(by, 1024), math.Ldexp(float64(by), random.IntN(40)-40))
	}
}

// nearMiddle is n numbers of 24 bits, some repeated, whose quotient by a number of 24 bits
// is next to the middle between two such numbers: x·2^k = m·by + r with an odd m of 25
// bits and a small r.
func nearMiddle(by, n int) (x []float32) {
	shift := bits.TrailingZeros(uint(by))
	inverse := 1 // of by without its trailing zeros, modulo a power of two
	for range 6 {
		inverse *= 2 - inverse*(by>>shift)
	}
	for r := -64; r <= 64; r++ {
		if r == 0 || r&(1<<shift-1) != 0 {
			continue
		}
		for k := 24; k <= 25; k++ {
			step := 1 << max(0, k-shift)
			for m := -(r >> shift) * inverse & (step - 1); m < 1<<25; m += step {
				if v := (m*by + r) >> k; m >= 1<<24 && m&1 == 1 && v >= 1<<23 && v < 1<<24 {
					x = append(x, float32(v))
				}
			}
		}
	}
	for len(x) < n {
		x = append(x, append(x, 1)...)
	}
	return x[:n]
}
