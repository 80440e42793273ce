package amd64

import (
	"math"
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
  v9 f32[1024] = abs v8
  v10 f32 = cast v3
  v11 f32[1024] = broadcast v10
  v12 f32[1024] = div v9 v11
  v13 *f32[1024] = broadcast v2
  v14 *f32[1024] = ptradd v13 v5
  store v14 v12
  return
}
`

// TestQuotients divides by numbers near and beyond the ends of what multiplication by
// a reciprocal is good for.
func TestQuotients(t *testing.T) {
	f := ir.MustParse(quotients)
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	special := []float64{0, 1, 3, 0x1p-60, 0x1p-61, 0x1p60, 0x1p61, 0x1p-149, 0x1p-126, 0x1.fffffep127, math.Inf(1), math.NaN(), 0x1.fffffep0, 0x1.000002p0}
	x := numbers(1024, 5)
	for i := range x {
		x[i] *= float32(math.Ldexp(1, i%140-100))
	}
	for i, s := range special {
		x[67*i] = float32(s)
	}
	w := compile(t, f, true).NewWorker()
	out := make([]float32, 1024)
	for _, by := range append(special, 7, 0.1, -3, 1023.5, 0x1.8p-59, 0x1.8p59) {
		w.Begin(&Launch{Grid: [3]int{1, 1, 1}, Args: []ir.Arg{
			{Mem: dtype.BufOf(dtype.Float32, x)}, {Mem: dtype.BufOf(dtype.Float32, out)}, {Bits: math.Float64bits(by)},
		}})
		if f := w.Run(0, 1); f != nil {
			t.Fatal(f)
		}
		for i := range x {
			want := float32(math.Abs(float64(x[i]))) / float32(by)
			if got := out[i]; math.Float32bits(got) != math.Float32bits(want) && (got == got || want == want) {
				t.Fatalf("%x / %x = %x, want %x", x[i], by, got, want)
			}
		}
	}
}
