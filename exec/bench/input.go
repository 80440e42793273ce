package bench

import (
	"github.com/tiler-go/tiler/exec/bench/real"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Inputs are made by formula, as package real says.

func mix(i, seed uint32) uint32                         { return real.Mix(i, seed) }
func fine(n int, seed uint32, scale float32) []float32  { return real.Fine(n, seed, scale) }
func coarse(n int, seed uint32) []float32               { return real.Coarse(n, seed) }
func whole8(n int, seed uint32) (v []int8, f []float32) { return real.Whole8(n, seed) }

// elementsOf reads a contiguous tensor of one of the result types of the suites.
func elementsOf(x *tensor.Tensor) elements {
	switch b := x.Buf(); b.DType() {
	case dtype.Float32:
		v := dtype.View[float32](b)
		return func(i int) float64 { return float64(v[i]) }
	case dtype.Int32:
		v := dtype.View[int32](b)
		return func(i int) float64 { return float64(v[i]) }
	case dtype.Uint8:
		return func(i int) float64 { return float64(b.Bits(i)) }
	default:
		return func(i int) float64 { return dtype.ToFloat(b.DType(), b.Bits(i)) }
	}
}
