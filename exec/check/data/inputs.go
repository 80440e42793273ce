// Package data makes data for launches that a check derives from the caller's: other elements of the same shape,
// elements for another shape, indices that stay in range. It knows nothing of kernels.
package data

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Others is what is made of each element.
var Others = []Inputs{
	{Label: "negative inputs", ints: true, of: func(v float64) float64 { return -math.Abs(v) - 65.0/64 }},
	{Label: "inputs far below zero", Far: -1},
	{Label: "inputs far above zero", Far: 1},
	{Label: "inputs above 1", of: func(v float64) float64 { return math.Abs(v) + 65.0/64 }},
	{Label: "inputs of zeros", of: func(float64) float64 { return 0 }},
	{Label: "elements in another order", turn: true},
	{Label: "inputs 64 times as large", of: func(v float64) float64 { return 64 * v }, Says: Strays},
	{Label: "inputs near the smallest number", Tiny: true, Says: Strays},
	{Label: "NaN among the inputs", Put: []float64{math.NaN(), math.NaN()}, Says: Loses},
	{Label: "infinities among the inputs", Put: []float64{math.Inf(1), math.Inf(-1)}, Says: Strays},
}

// An Inputs is other data: what each element becomes, and whether they change places, in
// each tensor in its own way.
type Inputs struct {
	Label string
	of    func(v float64) float64 // nil: the element
	turn  bool
	ints  bool      // integers, too
	Far   float64   // of this sign, and so large that only what chooses among its inputs is asked
	Tiny  bool      // scaled, so that the largest is near the smallest number that is not subnormal
	Put   []float64 // in place of a few elements
	Says  Says
}

// A Says is what a difference from the reference says.
type Says uint8

const (
	Differs Says = iota // that the kernel is wrong
	Strays              // nothing, because rounding may be worse; but numbers are to stay numbers
	Loses               // likewise, and what is no number is to stay none
)

// number is an element, and setNumber makes one of a number.
func number(b dtype.Buf, k int) float64 {
	if b.DType().IsInt() {
		return float64(dtype.ToInt(b.DType(), b.Bits(k)))
	}
	return dtype.ToFloat(b.DType(), b.Bits(k))
}

func setNumber(b dtype.Buf, k int, v float64) {
	if b.DType().IsInt() {
		b.SetBits(k, dtype.FromInt(b.DType(), int64(max(v, -math.Ldexp(1, b.DType().Bits()-1))), false))
		return
	}
	b.SetBits(k, dtype.FromFloat(b.DType(), v))
}

// Change changes the elements of argument arg.
func (o Inputs) Change(b dtype.Buf, arg int) {
	was := make([]float64, b.Len())
	for k := range was {
		was[k] = number(b, k)
	}
	for k, v := range o.made(was, b.DType(), arg) {
		setNumber(b, k, v)
	}
}

// Takes reports whether elements of a dtype are changed.
func (o Inputs) Takes(d dtype.DType) bool { return d.IsFloat() || o.ints && d.IsInt() && d.IsSigned() }

// made is what becomes of the elements of argument arg.
func (o Inputs) made(was []float64, d dtype.DType, arg int) []float64 {
	of, shift := o.of, 0
	if of == nil {
		of = func(v float64) float64 { return v }
	}
	if o.Far != 0 {
		of = func(v float64) float64 { return o.Far * (math.Abs(v) + 1) * large(d) }
	}
	if o.turn {
		shift = 7*arg + 3
	}
	scale := 1.0
	if o.Tiny {
		most := 0.0
		for _, v := range was {
			if Finite(v) {
				most = max(most, math.Abs(v))
			}
		}
		_, up := math.Frexp(most)
		scale = math.Ldexp(smallest(d), 1-up)
	}
	is := make([]float64, len(was))
	for k := range is {
		is[k] = scale * of(was[(k+shift)%len(was)])
	}
	for n, v := range o.Put { // not where other arguments have it
		is[(len(is)*(n+1)/3+5*arg)%len(is)] = v
	}
	return is
}

// smallest is the smallest number of a dtype that is not subnormal.
func smallest(d dtype.DType) float64 {
	switch d {
	case dtype.Float64:
		return 0x1p-1022
	case dtype.Float32, dtype.BFloat16:
		return 0x1p-126
	case dtype.Float16, dtype.Float8E5:
		return 0x1p-14
	}
	return 0x1p-6
}

// large is a number that no kernel takes for an end of its own, and that leaves room.
func large(d dtype.DType) float64 {
	switch d {
	case dtype.Float64, dtype.Float32, dtype.BFloat16:
		return 0x1p40
	case dtype.Float16:
		return 0x1p12
	}
	return 1
}

// Finite reports whether a number is neither NaN nor an infinity.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
