package lower

import (
	"math"
	"math/big"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

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
	a, ints := bigOf(x)
	b, both := bigOf(y)
	if ints && both && o != "/" {
		return intBinary(o, a, b, x, y)
	}
	f, ok1 := floatOf(x)
	g, ok2 := floatOf(y)
	if !ok1 || !ok2 {
		return nil, false
	}
	return floatBinary(o, f, g)
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

func intBinary(o string, a, b *big.Int, x, y value) (z value, ok bool) {
	n := new(big.Int)
	switch o {
	case "+":
		n.Add(a, b)
	case "-":
		n.Sub(a, b)
	case "*":
		n.Mul(a, b)
	case "//", "%":
		return floorDivide(o, a, b)
	case "&":
		n.And(a, b)
	case "|":
		n.Or(a, b)
	case "^":
		n.Xor(a, b)
	case "<<", ">>":
		if b.Sign() < 0 || !b.IsInt64() || b.Int64() > 1<<12 {
			return nil, false
		}
		if o == "<<" {
			n.Lsh(a, uint(b.Int64()))
		} else {
			n.Rsh(a, uint(b.Int64()))
		}
	case "**":
		return intPower(a, b)
	default:
		return nil, false
	}
	_, p := x.(bool)
	_, q := y.(bool)
	if p && q && (o == "&" || o == "|" || o == "^") {
		return n.Sign() != 0, true
	}
	return integer(n), true
}

// floorDivide rounds down, as Python does for constants.
func floorDivide(o string, a, b *big.Int) (z value, ok bool) {
	if b.Sign() == 0 {
		return nil, false
	}
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	if o == "//" {
		return integer(q), true
	}
	return integer(r), true
}

func intPower(a, b *big.Int) (z value, ok bool) {
	switch {
	case b.Sign() < 0:
		x, _ := floatOf(integer(a))
		y, _ := floatOf(integer(b))
		return math.Pow(x, y), true
	case !b.IsInt64() || b.Int64() > 1<<12:
		return nil, false
	}
	return integer(new(big.Int).Exp(a, b, nil)), true
}

func floatBinary(o string, x, y float64) (z value, ok bool) {
	switch o {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "/":
		return x / y, y != 0
	case "//":
		return math.Floor(x / y), y != 0
	case "%":
		r := math.Mod(x, y)
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r, y != 0
	case "**":
		return math.Pow(x, y), true
	}
	return nil, false
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
	return ordered(o, x, y)
}

func ordered(o string, x, y value) (z, ok bool) {
	a, ints := bigOf(x)
	b, both := bigOf(y)
	if ints && both {
		c := a.Cmp(b)
		return map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[o], true
	}
	f, ok1 := floatOf(x)
	g, ok2 := floatOf(y)
	return map[string]bool{"<": f < g, "<=": f <= g, ">": f > g, ">=": f >= g}[o], ok1 && ok2
}

// equal is ==: numbers by value, others by being the same.
func equal(x, y value) bool {
	f, ok1 := floatOf(x)
	g, ok2 := floatOf(y)
	if !ok1 || !ok2 {
		if t, ok := x.(typeOf); ok {
			u, ok := y.(typeOf)
			return ok && t.d == u.d
		}
		return same(x, y)
	}
	a, ints := bigOf(x)
	b, both := bigOf(y)
	if ints && both {
		return a.Cmp(b) == 0
	}
	return f == g
}

// literalType is the type of a number that stands alone: the first of int32, uint32, int64
// and uint64 that holds it; float32 unless only float64 does. ok is false if nothing holds it.
func literalType(v value) (d dtype.DType, ok bool) {
	switch v := v.(type) {
	case bool:
		return dtype.Bool, true
	case float64:
		if a := math.Abs(v); a != a || a == 0 || math.IsInf(a, 0) || a >= 0x1p-126 && a <= math.MaxFloat32 {
			return dtype.Float32, true
		}
		return dtype.Float64, true
	}
	n, _ := bigOf(v)
	for _, d := range []dtype.DType{dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Uint64} {
		if fits(n, d) {
			return d, true
		}
	}
	return 0, false
}

// fits reports whether an integer is a value of type d.
func fits(n *big.Int, d dtype.DType) bool {
	if d == dtype.Bool {
		return n.Sign() == 0 || n.IsInt64() && n.Int64() == 1
	}
	if d.IsSigned() {
		return n.IsInt64() && n.Int64() >= d.MinInt() && (n.Int64() < 0 || uint64(n.Int64()) <= uint64(d.MaxInt()))
	}
	return n.IsUint64() && (d.Bits() == 64 || n.Uint64()>>d.Bits() == 0)
}

// bitsOf is a number as an element of type d, wrapped or rounded.
func bitsOf(v value, d dtype.DType) uint64 {
	if x, ok := v.(float64); ok {
		return dtype.FromFloat(d, x)
	}
	n, _ := bigOf(v)
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
