package tensor

import (
	"math"
	"reflect"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// scalar is the bit pattern of the Go value v in type d; it fails if v is no number
// or bool, or is not a value of an integer type d.
func scalar(op string, d dtype.DType, v any) uint64 {
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Bool:
		if r.Bool() {
			return dtype.FromInt(d, 1, false)
		}
		return 0
	case r.CanInt():
		if d.IsInt() && !d.FitsInt(r.Int()) {
			fail("%s: %d is not a value of %s", op, r.Int(), d)
		}
		return dtype.FromInt(d, r.Int(), false)
	case r.CanUint():
		if d.IsInt() && r.Uint() > d.MaxInt() {
			fail("%s: %d is not a value of %s", op, r.Uint(), d)
		}
		return dtype.FromInt(d, int64(r.Uint()), true)
	case r.CanFloat():
		return fromFloat(op, d, r.Float())
	}
	fail("%s: a %T is not a number or bool", op, v)
	return 0
}

// fromFloat is dtype.FromFloat, but fails where an integer type would truncate.
func fromFloat(op string, d dtype.DType, v float64) uint64 {
	if d.IsInt() && (v != math.Trunc(v) || v < float64(d.MinInt()) || v > float64(d.MaxInt()) || v == 0x1p63 && d == dtype.Int64 || v == 0x1p64) {
		fail("%s: %v is not a value of %s", op, v, d)
	}
	return dtype.FromFloat(d, v)
}

// goValue is a bit pattern as the Go value nearest to its dtype: bool, int8 … uint64,
// float64, and float32 also for the narrow floats.
func goValue(d dtype.DType, bits uint64) any {
	switch d {
	case dtype.Bool:
		return bits != 0
	case dtype.Int8:
		return int8(bits)
	case dtype.Int16:
		return int16(bits)
	case dtype.Int32:
		return int32(bits)
	case dtype.Int64:
		return int64(bits)
	case dtype.Uint8:
		return uint8(bits)
	case dtype.Uint16:
		return uint16(bits)
	case dtype.Uint32:
		return uint32(bits)
	case dtype.Uint64:
		return bits
	case dtype.Float64:
		return math.Float64frombits(bits)
	}
	return float32(dtype.ToFloat(d, bits))
}

// toFloat is the value of any bit pattern; a 64-bit integer is rounded.
func toFloat(d dtype.DType, bits uint64) float64 {
	return math.Float64frombits(dtype.Convert(dtype.Float64, d, bits, false))
}
