package value

import (
	"slices"

	"github.com/tiler-go/tiler/exec/triton/number"
)

// constBinary is an operation of Python on known values; ok is false if it has none.
func constBinary(o string, x, y Value) (z Value, ok bool) {
	if s, isText := x.(string); isText && o == "+" {
		t, ok := y.(string)
		return s + t, ok
	}
	if s, isTuple := x.(Tuple); isTuple {
		t, both := y.(Tuple)
		if o == "+" && both {
			return slices.Concat(s, t), true
		}
		if n, ok := y.(int64); ok && o == "*" && 0 <= n && n <= 1<<10 {
			return slices.Repeat(s, int(n)), true
		}
		return nil, false
	}
	return number.Binary(o, x, y)
}

// ConstCompare is a comparison of known values.
func ConstCompare(o string, x, y Value) (z, ok bool) {
	switch o {
	case "==", "is":
		return equal(x, y), true
	case "!=", "is not":
		return !equal(x, y), true
	case "in", "not in":
		t, ok := y.(Tuple)
		found := slices.ContainsFunc(t, func(e Value) bool { return equal(x, e) })
		return found == (o == "in"), ok
	}
	return number.Compare(o, x, y)
}

// equal is ==: numbers by value, others by being the same.
func equal(x, y Value) bool {
	if number.Is(x) && number.Is(y) {
		return number.Equal(x, y)
	}
	if t, ok := x.(Type); ok {
		u, ok := y.(Type)
		return ok && t.D == u.D
	}
	return Same(x, y)
}
