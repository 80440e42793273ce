package lower

import "github.com/tiler-go/tiler/exec/triton/number"

// constBinary is an operation of Python on known values; ok is false if it has none.
func constBinary(o string, x, y value) (z value, ok bool) {
	if s, isText := x.(string); isText && o == "+" {
		t, ok := y.(string)
		return s + t, ok
	}
	if s, isTuple := x.(tuple); isTuple {
		t, both := y.(tuple)
		if o == "+" && both {
			return append(append(tuple{}, s...), t...), true
		}
		if n, ok := y.(int64); ok && o == "*" {
			return repeated(s, n)
		}
		return nil, false
	}
	return number.Binary(o, x, y)
}

func repeated(s tuple, n int64) (z value, ok bool) {
	if n < 0 || n > 1<<10 {
		return nil, false
	}
	t := tuple{}
	for range n {
		t = append(t, s...)
	}
	return t, true
}

// constCompare is a comparison of known values.
func constCompare(o string, x, y value) (z, ok bool) {
	switch o {
	case "==", "is":
		return equal(x, y), true
	case "!=", "is not":
		return !equal(x, y), true
	case "in", "not in":
		t, ok := y.(tuple)
		found := false
		for _, e := range t {
			found = found || equal(x, e)
		}
		return found == (o == "in"), ok
	}
	return number.Compare(o, x, y)
}

// equal is ==: numbers by value, others by being the same.
func equal(x, y value) bool {
	if number.Is(x) && number.Is(y) {
		return number.Equal(x, y)
	}
	if t, ok := x.(typeOf); ok {
		u, ok := y.(typeOf)
		return ok && t.d == u.d
	}
	return same(x, y)
}
