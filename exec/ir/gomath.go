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
type MathFunc struct{ fn any }

// MathNamed is the function of a name.
func MathNamed(name string) (f MathFunc, ok bool) {
	f.fn, ok = mathFuncs[name]
	return f, ok
}

// mathFuncs are the functions that are called. Those that are operations of the language, bit for bit, are not.
var mathFuncs = map[string]any{
	"Acos": math.Acos, "Acosh": math.Acosh, "Asin": math.Asin, "Asinh": math.Asinh, "Atan": math.Atan, "Atan2": math.Atan2,
	"Atanh": math.Atanh, "Cbrt": math.Cbrt, "Copysign": math.Copysign, "Cos": math.Cos, "Cosh": math.Cosh, "Dim": math.Dim,
	"Erf": math.Erf, "Erfc": math.Erfc, "Erfcinv": math.Erfcinv, "Erfinv": math.Erfinv, "Exp": math.Exp, "Exp2": math.Exp2,
	"Expm1": math.Expm1, "Float32bits": math.Float32bits, "Float32frombits": math.Float32frombits,
	"Float64bits": math.Float64bits, "Float64frombits": math.Float64frombits, "Frexp": math.Frexp, "Gamma": math.Gamma,
	"Hypot": math.Hypot, "Ilogb": math.Ilogb, "J0": math.J0, "J1": math.J1, "Jn": math.Jn, "Ldexp": math.Ldexp,
	"Lgamma": math.Lgamma, "Log": math.Log, "Log10": math.Log10, "Log1p": math.Log1p, "Log2": math.Log2, "Logb": math.Logb,
	"Mod": math.Mod, "Modf": math.Modf, "Nextafter": math.Nextafter, "Nextafter32": math.Nextafter32, "Pow": math.Pow,
	"Pow10": math.Pow10, "Remainder": math.Remainder, "Signbit": math.Signbit, "Sin": math.Sin, "Sincos": math.Sincos,
	"Sinh": math.Sinh, "Tan": math.Tan, "Tanh": math.Tanh, "Y0": math.Y0, "Y1": math.Y1, "Yn": math.Yn,
}

// mathTypes are what Go's types are in the IR.
var mathTypes = map[reflect.Kind]dtype.DType{
	reflect.Bool: dtype.Bool, reflect.Int: dtype.Int64, reflect.Uint32: dtype.Uint32, reflect.Uint64: dtype.Uint64,
	reflect.Float32: dtype.Float32, reflect.Float64: dtype.Float64,
}

// Result is result i of f for operands, as bits.
func (f MathFunc) Result(i int, in [2]uint64) uint64 {
	x, y := math.Float64frombits(in[0]), math.Float64frombits(in[1])
	switch fn := f.fn.(type) {
	case func(float64) float64:
		return math.Float64bits(fn(x))
	case func(float64, float64) float64:
		return math.Float64bits(fn(x, y))
	case func(float64) (float64, float64):
		a, b := fn(x)
		return math.Float64bits([2]float64{a, b}[i])
	case func(float64) (float64, int):
		a, b := fn(x)
		return [2]uint64{math.Float64bits(a), uint64(b)}[i]
	case func(float64, int) float64:
		return math.Float64bits(fn(x, int(in[1])))
	case func(int, float64) float64:
		return math.Float64bits(fn(int(in[0]), y))
	case func(int) float64:
		return math.Float64bits(fn(int(in[0])))
	case func(float64) int:
		return uint64(fn(x))
	case func(float64) bool:
		if !fn(x) {
			return 0
		}
		return 1
	}
	return f.bits(in)
}

// bits is the result of a function of bits, or of float32s.
func (f MathFunc) bits(in [2]uint64) uint64 {
	x, y := math.Float32frombits(uint32(in[0])), math.Float32frombits(uint32(in[1]))
	switch fn := f.fn.(type) {
	case func(float32, float32) float32:
		return uint64(math.Float32bits(fn(x, y)))
	case func(float32) uint32:
		return uint64(fn(x))
	case func(uint32) float32:
		return uint64(math.Float32bits(fn(uint32(in[0]))))
	}
	return in[0] // those of a float64
}

// checkMath checks a GoMath by the type of its function.
func checkMath(v *Value) error {
	f, ok := MathNamed(v.Text)
	if !ok {
		return fmt.Errorf("no function %q", v.Text)
	}
	t := reflect.TypeOf(f.fn)
	if v.Index < 0 || v.Index >= t.NumOut() || v.Type != Scalar(mathTypes[t.Out(v.Index).Kind()]) {
		return fmt.Errorf("result %d of %s is not %s", v.Index, v.Text, v.Type)
	}
	want := make([]Type, t.NumIn())
	for i := range want {
		want[i] = Scalar(mathTypes[t.In(i).Kind()])
	}
	return args(v, want...)
}
