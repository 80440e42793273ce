// Package number computes with the numbers that Python knows before a kernel runs, as Python does.
//
// A number is a bool, an int64, a *big.Int where int64 does not hold it, or a float64. What
// is asked of any other value says that it is none.
package number

import (
	"math"
	"math/big"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Is reports whether a value is a number.
func Is(v any) bool {
	switch v.(type) {
	case bool, int64, *big.Int, float64:
		return true
	}
	return false
}

// Whole is a whole number: an int64 if that holds it.
func Whole(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

// Big is a bool or whole number; ok is false of others.
func Big(v any) (n *big.Int, ok bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	case int64:
		return big.NewInt(v), true
	case *big.Int:
		return v, true
	}
	return nil, false
}

// Float is a number as a float64; ok is false of what is none.
func Float(v any) (x float64, ok bool) {
	if x, ok := v.(float64); ok {
		return x, true
	}
	n, ok := Big(v)
	if !ok {
		return 0, false
	}
	x, _ = new(big.Float).SetInt(n).Float64()
	return x, true
}

// Kind is what kind of number a literal is.
func Kind(v any) dtype.Kind {
	switch v.(type) {
	case bool:
		return dtype.KindBool
	case float64:
		return dtype.KindFloat
	}
	return dtype.KindInt
}

// Type is the type of a number that stands alone: the first of int32, uint32, int64
// and uint64 that holds it; float32 unless only float64 does. ok is false if nothing holds it.
func Type(v any) (d dtype.DType, ok bool) {
	switch v := v.(type) {
	case bool:
		return dtype.Bool, true
	case float64:
		if a := math.Abs(v); a != a || a == 0 || math.IsInf(a, 0) || a >= 0x1p-126 && a <= math.MaxFloat32 {
			return dtype.Float32, true
		}
		return dtype.Float64, true
	}
	n, _ := Big(v)
	for _, d := range []dtype.DType{dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Uint64} {
		if Fits(n, d) {
			return d, true
		}
	}
	return 0, false
}

// Fits reports whether an integer is a value of type d.
func Fits(n *big.Int, d dtype.DType) bool {
	if d == dtype.Bool {
		return n.Sign() == 0 || n.IsInt64() && n.Int64() == 1
	}
	if d.IsSigned() {
		return n.IsInt64() && n.Int64() >= d.MinInt() && (n.Int64() < 0 || uint64(n.Int64()) <= uint64(d.MaxInt()))
	}
	return n.IsUint64() && (d.Bits() == 64 || n.Uint64()>>d.Bits() == 0)
}

// Bits is a number as an element of type d, wrapped or rounded.
func Bits(v any, d dtype.DType) uint64 {
	if x, ok := v.(float64); ok {
		return dtype.FromFloat(d, x)
	}
	n, _ := Big(v)
	if d.IsFloat() {
		x, _ := new(big.Float).SetInt(n).Float64()
		return dtype.FromFloat(d, x)
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	if d == dtype.Bool {
		if n.Sign() == 0 {
			return 0
		}
		return 1
	}
	return dtype.FromInt(d, int64(low), false)
}
