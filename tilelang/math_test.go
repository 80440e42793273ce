package tilelang_test

import (
	"math"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestMathNames holds every math function against Go's, loosely: package op tests how
// accurate they are, this that each name means its function, in every float type.
func TestMathNames(t *testing.T) {
	one := func(f func(float64) float64) func(x, y float64) float64 {
		return func(x, _ float64) float64 { return f(x) }
	}
	unary := func(f func(tl.Tile) tl.Tile) func(x, y tl.Tile) tl.Tile {
		return func(x, _ tl.Tile) tl.Tile { return f(x) }
	}
	for name, f := range map[string]struct {
		tile func(x, y tl.Tile) tl.Tile
		ref  func(x, y float64) float64
	}{
		"exp":     {unary(tl.Exp), one(math.Exp)},
		"exp2":    {unary(tl.Exp2), one(math.Exp2)},
		"expm1":   {unary(tl.Expm1), one(math.Expm1)},
		"log":     {unary(tl.Log), one(math.Log)},
		"log2":    {unary(tl.Log2), one(math.Log2)},
		"log1p":   {unary(tl.Log1p), one(math.Log1p)},
		"sin":     {unary(tl.Sin), one(math.Sin)},
		"cos":     {unary(tl.Cos), one(math.Cos)},
		"tan":     {unary(tl.Tan), one(math.Tan)},
		"asin":    {unary(tl.Asin), one(math.Asin)},
		"acos":    {unary(tl.Acos), one(math.Acos)},
		"atan":    {unary(tl.Atan), one(math.Atan)},
		"tanh":    {unary(tl.Tanh), one(math.Tanh)},
		"erf":     {unary(tl.Erf), one(math.Erf)},
		"sqrt":    {unary(tl.Sqrt), one(math.Sqrt)},
		"rsqrt":   {unary(tl.Rsqrt), one(func(x float64) float64 { return 1 / math.Sqrt(x) })},
		"sigmoid": {unary(tl.Sigmoid), one(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) })},
		"rint":    {unary(tl.Rint), one(math.RoundToEven)},
		"trunc":   {unary(tl.Trunc), one(math.Trunc)},
		"round":   {unary(tl.Round), one(math.Round)},
		"pow":     {func(x, y tl.Tile) tl.Tile { return tl.Pow(x, y) }, math.Pow},
		"atan2":   {func(x, y tl.Tile) tl.Tile { return tl.Atan2(x, y) }, math.Atan2},
	} {
		for d, tolerance := range map[tl.DType]float64{tl.Float64: 1e-15, tl.Float32: 3e-7, tl.Float16: 1e-3, tl.BFloat16: 8e-3, tl.Float8E5: 0.2} {
			x, y := floats(d, 0.75, 0.25, 1), floats(d, 0.5, 3, -2)
			z := f.tile(x, y)
			if z.DType() != d {
				t.Errorf("%s of %s is %s", name, d, z.DType())
			}
			for i, b := range z.Bits() {
				got, want := dtype.ToFloat(d, b), f.ref(dtype.ToFloat(d, x.Bits()[i]), dtype.ToFloat(d, y.Bits()[i]))
				if math.Abs(got-want) > tolerance*math.Abs(want) {
					t.Errorf("%s of %s: %v, want %v", name, d, got, want)
				}
			}
		}
	}
}

func TestRandn(t *testing.T) {
	const n = 1 << 14
	x := tl.Randn(7, tl.Arange(0, n))
	mean := tl.Sum(x).Float() / n
	variance := tl.Sum(x.Mul(x)).Float()/n - mean*mean
	if math.Abs(mean) > 0.03 || math.Abs(variance-1) > 0.03 {
		t.Errorf("mean %v, variance %v", mean, variance)
	}
}
