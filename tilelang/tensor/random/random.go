// Package random fills memory with seeded random numbers. They are a function of the seed and the element's number:
// the same on every machine and in every release. Element i of seed s is drawn from
//
//	draw(s, i) = mix(mix(s) + (i+1)·0x9e3779b97f4a7c15)
//
// where mix is SplitMix64's output function, so more elements start with those of fewer.
// Everything after that is integer arithmetic or float64 addition, multiplication,
// division and square root, each rounded by itself.
package random

import (
	"math/bits"

	"github.com/tiler-go/tiler/tilelang/cast"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A source is mix(s) of a seed s.
type source uint64

func seeded(seed int) source { return source(mix(uint64(int64(seed)))) }

// draw is 64 random bits for element i.
func (s source) draw(i int) uint64 { return mix(uint64(s) + uint64(i+1)*0x9e3779b97f4a7c15) }

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// digits is the significant bits of each float type.
var digits = [dtype.Count]int{
	dtype.Float8E5: 3, dtype.Float8E4NV: 4, dtype.Float16: 11, dtype.BFloat16: 8, dtype.Float32: 24, dtype.Float64: 53,
}

// Uniform fills z, of a float dtype, with numbers of at least 0 and less than 1: multiples
// of 2^-p where it has p significant bits, so that none is rounded up to 1.
func Uniform(z dtype.Buf, seed int) {
	s, p := seeded(seed), digits[z.DType()]
	unit := 1 / float64(uint64(1)<<p)
	cast.Fill(z, dtype.Float64, func(i int) float64 { return float64(s.draw(i)>>(64-p)) * unit })
}

// Normal fills z, of a float dtype, with standard normal numbers: the inverse of the normal
// distribution function at (k + ½)·2^-53, k being the upper 53 bits of the draw, rounded.
func Normal(z dtype.Buf, seed int) {
	s := seeded(seed)
	cast.Fill(z, dtype.Float64, func(i int) float64 {
		return quantile(int64(s.draw(i)>>11) - 1<<52) // counted from the middle: symmetric, and exact
	})
}

// Ints fills z with whole numbers of at least lo and less than hi, which are values of its
// dtype; a float dtype rounds them. A draw u gives lo + ⌊u·(hi−lo)/2^64⌋.
func Ints(z dtype.Buf, seed, lo, hi int) {
	s, width := seeded(seed), uint64(hi)-uint64(lo)
	cast.Fill(z, dtype.Int64, func(i int) int64 {
		v, _ := bits.Mul64(s.draw(i), width)
		return int64(uint64(lo) + v)
	})
}
