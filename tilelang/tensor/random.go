package tensor

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor/random"
)

// floats is a new tensor that fill fills.
func floats(op string, seed int, d dtype.DType, shape []int, fill func(z dtype.Buf, seed int)) *Tensor {
	if !d.IsFloat() {
		fail("%s: %s is not a float type: use RandInt", op, d)
	}
	x := alloc(op, d, shape)
	fill(x.st.buf, seed)
	return x
}

// Rand is uniform random numbers, at least 0 and less than 1: multiples of 2^-p for
// a float dtype with p significant bits, so that none is rounded up to 1.
func Rand(seed int, d dtype.DType, shape ...int) *Tensor {
	return floats("Rand", seed, d, shape, random.Uniform)
}

// Randn is standard normal random numbers: the inverse of the normal distribution
// function at (k + ½)·2^-53, k being the upper 53 bits of the draw, rounded to d.
func Randn(seed int, d dtype.DType, shape ...int) *Tensor {
	return floats("Randn", seed, d, shape, random.Normal)
}

// RandInt is random whole numbers, at least lo and less than hi, which must be
// values of d; a float dtype rounds them. A draw u gives lo + ⌊u·(hi−lo)/2^64⌋.
func RandInt(seed int, d dtype.DType, lo, hi int, shape ...int) *Tensor {
	if hi <= lo {
		fail("RandInt: no numbers from %d to %d", lo, hi)
	}
	x := alloc("RandInt", d, shape)
	checkFits("RandInt", d, lo, hi-1)
	random.Ints(x.st.buf, seed, lo, hi)
	return x
}

// ranges is the upper ends of Generate's whole numbers.
var ranges = [dtype.Count]int{
	dtype.Bool: 2, dtype.Int8: 127, dtype.Int16: 2000, dtype.Int32: 2000, dtype.Int64: 2000,
	dtype.Uint8: 255, dtype.Uint16: 2000, dtype.Uint32: 2000, dtype.Uint64: 2000,
}

// Generate is test data in the range usual for a dtype: Randn for the floats (for
// the 8-bit ones too), 0 or 1 for Bool, and RandInt from 0 up to 127 for Int8, 255
// for Uint8 and 2000 for the wider integers.
func Generate(seed int, d dtype.DType, shape ...int) *Tensor {
	checkShape("Generate", d, shape)
	if d.IsFloat() {
		return Randn(seed, d, shape...)
	}
	return RandInt(seed, d, 0, ranges[d], shape...)
}
