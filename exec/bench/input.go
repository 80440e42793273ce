package bench

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Inputs are made by formula, the same here and in every peer (peers/peer.py,
// peers/loop.h).

// mix is the random bits of element i of stream seed.
func mix(i, seed uint32) uint32 {
	h := i*2654435761 + seed*0x9e3779b9
	h ^= h >> 16
	h *= 0x45d9f3b
	return h ^ h>>16
}

// fine is n values in [-0.5, 0.5) times scale, 24 bits each.
func fine(n int, seed uint32, scale float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = (float32(float32(mix(uint32(i), seed)>>8)*0x1p-24) - 0.5) * scale
	}
	return v
}

// coarse is n values in [-0.5, 0.5), 8 bits each: exact in every float type.
func coarse(n int, seed uint32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = (float32(mix(uint32(i), seed)>>24) - 128) / 256
	}
	return v
}

// whole8 is n values of int8, and the same as floats.
func whole8(n int, seed uint32) ([]int8, []float32) {
	v, f := make([]int8, n), make([]float32, n)
	for i := range v {
		v[i] = int8(mix(uint32(i), seed) >> 24)
		f[i] = float32(v[i])
	}
	return v, f
}

// elementsOf reads a contiguous tensor of one of the result types of the suites.
func elementsOf(x *tensor.Tensor) elements {
	switch b := x.Buf(); b.DType() {
	case dtype.Float32:
		v := dtype.View[float32](b)
		return func(i int) float64 { return float64(v[i]) }
	case dtype.Int32:
		v := dtype.View[int32](b)
		return func(i int) float64 { return float64(v[i]) }
	default:
		return func(i int) float64 { return dtype.ToFloat(b.DType(), b.Bits(i)) }
	}
}
