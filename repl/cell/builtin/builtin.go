package builtin

import (
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

// Table is the functions by the names that lowered code has for them.
func Table() map[string]reflect.Value {
	m := map[string]reflect.Value{}
	for name, fn := range map[string]any{
		"Panic": Panic, "Any": func(v any) any { return v }, "Ignore": func(any) {}, "Set": Set,
		"Shift": shift, "Rune": decodeRune, "Index": index, "Slice": sliceLow, "IntString": intString, "NonNil": nonNil, "Clear": clearAny,
		"MinInt": fold(func(x, y int64) int64 { return min(x, y) }), "MaxInt": fold(func(x, y int64) int64 { return max(x, y) }),
		"MinUint": fold(func(x, y uint64) uint64 { return min(x, y) }), "MaxUint": fold(func(x, y uint64) uint64 { return max(x, y) }),
		"MinFloat": fold(func(x, y float64) float64 { return min(x, y) }), "MaxFloat": fold(func(x, y float64) float64 { return max(x, y) }),
		"MinString": fold(func(x, y string) string { return min(x, y) }), "MaxString": fold(func(x, y string) string { return max(x, y) }),
		"Int8": func(x float64) int8 { return int8(x) }, "Int16": func(x float64) int16 { return int16(x) }, "Int32": func(x float64) int32 { return int32(x) },
		"Uint8": func(x float64) uint8 { return uint8(x) }, "Uint16": func(x float64) uint16 { return uint16(x) }, "Uint32": func(x float64) uint32 { return uint32(x) },
	} {
		m[name] = reflect.ValueOf(fn)
	}
	return m
}

func fold[T any](fn func(x, y T) T) func(xs ...T) T {
	return func(xs ...T) T {
		z := xs[0]
		for _, x := range xs[1:] {
			z = fn(z, x)
		}
		return z
	}
}

func shift(n int64) uint {
	if n < 0 {
		panic(RuntimeError("negative shift amount"))
	}
	return uint(n)
}

func clearAny(x any) { reflect.ValueOf(x).Clear() }

// Set assigns v to what p points to.
func Set(p, v any) {
	d := reflect.ValueOf(p).Elem()
	if v == nil {
		d.SetZero()
		return
	}
	rv := reflect.ValueOf(v)
	if !rv.Type().AssignableTo(d.Type()) && rv.Type().ConvertibleTo(d.Type()) {
		rv = rv.Convert(d.Type())
	}
	d.Set(rv)
}

// decodeRune is the rune at byte k of s, and how many bytes it takes.
func decodeRune(s string, k int) (rune, int) { return utf8.DecodeRuneInString(s[k:]) }

// intString is string(n).
func intString(n int64) string {
	if n < 0 || n > utf8.MaxRune {
		return string(utf8.RuneError)
	}
	return string(rune(n))
}

// nonNil is the receiver of a method whose value is taken, which must not be nil.
func nonNil(x any) any {
	if x == nil {
		panic(RuntimeError("invalid memory address or nil pointer dereference"))
	}
	return x
}

// Text is a value as print prints it.
func Text(v any) string {
	switch x := v.(type) {
	case nil:
		return "(0x0,0x0)"
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(x), 'g', -1, 32)
	case complex64:
		return strconv.FormatComplex(complex128(x), 'g', -1, 64)
	case complex128:
		return strconv.FormatComplex(x, 'g', -1, 128)
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice:
		return fmt.Sprintf("[%d/%d]0x%x", rv.Len(), rv.Cap(), rv.Pointer())
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		return fmt.Sprintf("0x%x", rv.Pointer())
	}
	return fmt.Sprint(v)
}
