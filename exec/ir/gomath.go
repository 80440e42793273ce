package ir

import (
	"fmt"
	"math"
	"reflect"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A GoMath is a call of a function of Go's package math, which all engines leave to Go: no other implementation of
// most of them has the same last bit. Its Text is the function's name, and its Index which of the results it is.

// MathFunc is a function of package math.
type MathFunc struct {
	name string
	fn   any
}

// MathNamed is the function of a name, nil if none is called.
//
//go:noinline
func MathNamed(name string) *MathFunc {
	for i := range mathFuncs {
		if mathFuncs[i].name == name {
			return &mathFuncs[i]
		}
	}
	return nil
}

// mathFuncs are the functions that are called. Those that are operations of the language, bit for bit, are not.
var mathFuncs = []MathFunc{
	{"Acos", math.Acos}, {"Acosh", math.Acosh}, {"Asin", math.Asin}, {"Asinh", math.Asinh}, {"Atan", math.Atan},
	{"Atan2", math.Atan2}, {"Atanh", math.Atanh}, {"Cbrt", math.Cbrt}, {"Copysign", math.Copysign},
	{"Cos", math.Cos}, {"Cosh", math.Cosh}, {"Dim", math.Dim}, {"Erf", math.Erf}, {"Erfc", math.Erfc},
	{"Erfcinv", math.Erfcinv}, {"Erfinv", math.Erfinv}, {"Exp", math.Exp}, {"Exp2", math.Exp2},
	{"Expm1", math.Expm1}, {"Float32bits", math.Float32bits}, {"Float32frombits", math.Float32frombits},
	{"Float64bits", math.Float64bits}, {"Float64frombits", math.Float64frombits}, {"Frexp", math.Frexp},
	{"Gamma", math.Gamma}, {"Hypot", math.Hypot}, {"Ilogb", math.Ilogb}, {"J0", math.J0}, {"J1", math.J1},
	{"Jn", math.Jn}, {"Ldexp", math.Ldexp}, {"Lgamma", math.Lgamma}, {"Log", math.Log}, {"Log10", math.Log10},
	{"Log1p", math.Log1p}, {"Log2", math.Log2}, {"Logb", math.Logb}, {"Mod", math.Mod}, {"Modf", math.Modf},
	{"Nextafter", math.Nextafter}, {"Nextafter32", math.Nextafter32}, {"Pow", math.Pow}, {"Pow10", math.Pow10},
	{"Remainder", math.Remainder}, {"Signbit", math.Signbit}, {"Sin", math.Sin}, {"Sincos", math.Sincos},
	{"Sinh", math.Sinh}, {"Tan", math.Tan}, {"Tanh", math.Tanh}, {"Y0", math.Y0}, {"Y1", math.Y1}, {"Yn", math.Yn},
}

// mathType is what a type of Go is in the IR.
func mathType(t reflect.Type) Type {
	switch t.Kind() {
	case reflect.Bool:
		return boolType
	case reflect.Int:
		return int64Type
	case reflect.Uint32:
		return Scalar(dtype.Uint32)
	case reflect.Uint64:
		return Scalar(dtype.Uint64)
	case reflect.Float32:
		return Scalar(dtype.Float32)
	}
	return Scalar(dtype.Float64)
}

// Result is result i of f for one or two operands, as bits.
func (f *MathFunc) Result(i int, x, y uint64) uint64 {
	a, b := math.Float64frombits(x), math.Float64frombits(y)
	switch fn := f.fn.(type) {
	case func(float64) float64:
		a = fn(a)
	case func(float64, float64) float64:
		a = fn(a, b)
	case func(float64, int) float64:
		a = fn(a, int(y))
	case func(int, float64) float64:
		a = fn(int(x), b)
	case func(int) float64:
		a = fn(int(x))
	case func(float64) (float64, float64):
		if a, b = fn(a); i == 1 {
			a = b
		}
	case func(float64) (float64, int):
		var n int
		if a, n = fn(a); i == 1 {
			return uint64(n)
		}
	case func(float64) int:
		return uint64(fn(a))
	case func(float64) bool:
		if !fn(a) {
			return 0
		}
		return 1
	default:
		return f.bits(x, y)
	}
	return math.Float64bits(a)
}

// bits is the result of a function of bits, or of float32s.
func (f *MathFunc) bits(x, y uint64) uint64 {
	a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
	switch fn := f.fn.(type) {
	case func(float32, float32) float32:
		a = fn(a, b)
	case func(float32) uint32:
		return uint64(fn(a))
	case func(uint32) float32:
		a = fn(uint32(x))
	default: // a float64's own
		return x
	}
	return uint64(math.Float32bits(a))
}

// checkMath checks a GoMath by the type of its function.
func checkMath(v *Value) error {
	f := MathNamed(v.Text)
	if f == nil {
		return fmt.Errorf("no function %q", v.Text)
	}
	t := reflect.TypeOf(f.fn)
	ok := v.Index >= 0 && v.Index < t.NumOut() && v.Type == mathType(t.Out(v.Index)) && len(v.Args) == t.NumIn()
	for i, x := range v.Args {
		ok = ok && x.Type == mathType(t.In(i))
	}
	if !ok {
		return fmt.Errorf("it is no result of a %s", t)
	}
	return nil
}
