// Package goint finds out what Go here converts a float to that an integer type does not hold.
//
// The processor and the compiler decide that. Interpreted kernels are compiled Go, which shows
// it to nobody; so compiled kernels must give the same numbers. What they are is found by
// converting.
package goint

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A Rule is what Go makes of a float: between Lo and Hi it loses its fraction and the integer
// wraps; the rest is three constants, and a fourth if the sign of NaN matters.
type Rule struct {
	Lo, Hi       float64 // exclusive
	Below, Above uint64
	NaN          [2]uint64 // of positive sign, of negative sign
}

// For is the rule of an integer type here; ok is false if no rule explains what the
// conversion does.
func For(d dtype.DType) (r Rule, ok bool) {
	r, ok = rules()[d]
	return r, ok
}

const two63, two64 = 1 << 63, 1 << 64

// infinity and notANumber are variables so that this processor converts them, and not the Go compiler.
var infinity, notANumber = math.Inf(1), math.NaN()

// ranges are the ranges that processors convert in, wide ones first.
var ranges = [][2]float64{
	{math.Nextafter(-two63, -two64), two64}, {math.Nextafter(-two63, -two64), two63},
	{-1, two64}, {-1<<31 - 1, 1 << 32}, {-1<<31 - 1, 1 << 31}, {-1, 1 << 32},
	{-1<<15 - 1, 1 << 15}, {-1, 1 << 16}, {-1<<7 - 1, 1 << 7}, {-1, 1 << 8},
}

var integers = []dtype.DType{
	dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64,
}

// rules are found once.
var rules = sync.OnceValue(func() map[dtype.DType]Rule {
	found := map[dtype.DType]Rule{}
	for _, d := range integers {
		for _, r := range ranges {
			rule := Rule{Lo: r[0], Hi: r[1], Below: Convert(d, -infinity), Above: Convert(d, infinity)}
			for i, sign := range []float64{1, -1} {
				rule.NaN[i] = Convert(d, math.Copysign(notANumber, sign))
			}
			if _, done := found[d]; !done && rule.explains(d) {
				found[d] = rule
			}
		}
	}
	return found
})

// explains reports whether the rule gives what Go does, for floats around every bound.
func (r Rule) explains(d dtype.DType) bool {
	for _, bound := range []float64{0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 40, two63, two64, 1e30, math.MaxFloat64 / 2} {
		for _, x := range []float64{bound, math.Nextafter(bound, 0), math.Nextafter(bound, infinity), bound + 0.5, bound + 1, bound - 1, bound * 1.3} {
			if r.of(d, x) != Convert(d, x) || r.of(d, -x) != Convert(d, -x) {
				return false
			}
		}
	}
	return true
}

// of is what the rule says of a float.
func (r Rule) of(d dtype.DType, x float64) uint64 {
	switch {
	case x != x && math.Signbit(x):
		return r.NaN[1]
	case x != x:
		return r.NaN[0]
	case x <= r.Lo:
		return r.Below
	case x >= r.Hi:
		return r.Above
	case x >= two63:
		return dtype.Convert(d, dtype.Uint64, dtype.Convert(dtype.Uint64, dtype.Float64, math.Float64bits(x), false), false)
	}
	return dtype.Convert(d, dtype.Int64, dtype.Convert(dtype.Int64, dtype.Float64, math.Float64bits(x), false), false)
}

// Convert is what Go converts a float to in the Go type of an integer dtype, as bits.
func Convert(d dtype.DType, x float64) uint64 {
	var n int64
	switch d {
	case dtype.Int8:
		n = int64(int8(x))
	case dtype.Int16:
		n = int64(int16(x))
	case dtype.Int32:
		n = int64(int32(x))
	case dtype.Int64:
		n = int64(x)
	case dtype.Uint8:
		n = int64(uint8(x))
	case dtype.Uint16:
		n = int64(uint16(x))
	case dtype.Uint32:
		n = int64(uint32(x))
	default:
		return uint64(x)
	}
	return dtype.FromInt(d, n, false)
}
