package frontend

import (
	"go/token"
	"go/types"
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What Go converts a float to that an integer type does not hold, the processor and the
// compiler decide. Interpreted kernels are compiled Go, which shows it to nobody; so
// compiled kernels must give the same numbers. The compiler finds out what they are by
// converting: between lo and hi a float loses its fraction and the integer wraps; the
// rest is three constants, and a fourth if the sign of NaN matters.
type goRule struct {
	lo, hi       float64 // exclusive
	below, above uint64
	nan          [2]uint64 // of positive sign, of negative sign
}

const two63, two64 = 1 << 63, 1 << 64

// goRanges are the ranges that processors convert in, wide ones first.
var goRanges = [][2]float64{
	{math.Nextafter(-two63, -two64), two64}, {math.Nextafter(-two63, -two64), two63},
	{-1, two64}, {-1<<31 - 1, 1 << 32}, {-1<<31 - 1, 1 << 31}, {-1, 1 << 32},
	{-1<<15 - 1, 1 << 15}, {-1, 1 << 16}, {-1<<7 - 1, 1 << 7}, {-1, 1 << 8},
}

// goRules are the rules of the integer types here. A type is missing if no rule explains
// what the conversion does.
var goRules = sync.OnceValue(func() map[dtype.DType]goRule {
	rules := map[dtype.DType]goRule{}
	for _, d := range goTypes {
		for _, r := range goRanges {
			rule := goRule{lo: r[0], hi: r[1], below: converted(d, -infinity), above: converted(d, infinity)}
			for i, sign := range []float64{1, -1} {
				rule.nan[i] = converted(d, math.Copysign(notANumber, sign))
			}
			if _, done := rules[d]; !done && d.IsInt() && d != dtype.Bool && rule.explains(d) {
				rules[d] = rule
			}
		}
	}
	return rules
})

// explains reports whether the rule gives what Go does, for floats around every bound.
func (r goRule) explains(d dtype.DType) bool {
	for _, bound := range []float64{0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 40, two63, two64, 1e30, math.MaxFloat64 / 2} {
		for _, x := range []float64{bound, math.Nextafter(bound, 0), math.Nextafter(bound, infinity), bound + 0.5, bound + 1, bound - 1, bound * 1.3} {
			if r.of(d, x) != converted(d, x) || r.of(d, -x) != converted(d, -x) {
				return false
			}
		}
	}
	return true
}

// of is what the rule says of a float.
func (r goRule) of(d dtype.DType, x float64) uint64 {
	switch {
	case x != x && math.Signbit(x):
		return r.nan[1]
	case x != x:
		return r.nan[0]
	case x <= r.lo:
		return r.below
	case x >= r.hi:
		return r.above
	case x >= two63:
		return dtype.Convert(d, dtype.Uint64, dtype.Convert(dtype.Uint64, dtype.Float64, math.Float64bits(x), false), false)
	}
	return dtype.Convert(d, dtype.Int64, dtype.Convert(dtype.Int64, dtype.Float64, math.Float64bits(x), false), false)
}

// converted is what Go converts a float to in the Go type of an integer dtype, as bits.
func converted(d dtype.DType, x float64) uint64 {
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

// goInt is the Go conversion of a float to an integer type.
func (l *lowering) goInt(x value, to types.BasicKind, p token.Pos) value {
	d := goTypes[to]
	x = l.cast(x, types.Float64)
	constant := func(bits uint64) value { return value{kind: scalarKind, basic: to, known: true, bits: bits} }
	if x.known {
		return constant(converted(d, x.float()))
	}
	r, ok := goRules()[d]
	if !ok {
		l.error(p, "the compiler does not know how this processor converts a float to %s", d).Fix("convert a tile: tl.Full(tl.Float64, x).To(tl.Int64).Int()")
		return bad
	}
	compare := func(o op.Op, bound float64) value { return l.apply(o, types.Bool, x, floatValue(bound)) }
	z := l.cast(l.cast(x, types.Int64), to)
	if r.hi > two63 {
		z = l.choose(compare(op.Lt, two63), z, l.cast(l.cast(x, types.Uint64), to))
	}
	nan := constant(r.nan[0])
	if r.nan[0] != r.nan[1] {
		sign := l.Emit(op.Bitcast, ir.Scalar(dtype.Int64), x.v)
		nan = l.choose(l.apply(op.Lt, types.Bool, runtime(types.Int, sign), intValue(0)), constant(r.nan[1]), nan)
	}
	other := l.choose(compare(op.Le, r.lo), constant(r.below), l.choose(compare(op.Ge, r.hi), constant(r.above), nan))
	return l.choose(l.apply(op.And, types.Bool, compare(op.Gt, r.lo), compare(op.Lt, r.hi)), z, other)
}

// choose is x if a condition holds and y if not; both are computed.
func (l *lowering) choose(cond, x, y value) value {
	if x.known && y.known && x.bits == y.bits {
		return x
	}
	return runtime(x.basic, l.Emit(op.Where, ir.Scalar(x.dtype()), cond.v, l.scalarValue(x), l.scalarValue(y)))
}
