package number

import (
	"math"
	"math/big"
)

// Binary is an operation of Python on two numbers; ok is false if it has no result.
func Binary(o string, x, y any) (z any, ok bool) {
	a, ints := Big(x)
	b, both := Big(y)
	if ints && both && o != "/" {
		return intBinary(o, a, b, x, y)
	}
	f, ok1 := Float(x)
	g, ok2 := Float(y)
	if !ok1 || !ok2 {
		return nil, false
	}
	return floatBinary(o, f, g)
}

func intBinary(o string, a, b *big.Int, x, y any) (z any, ok bool) {
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
	return Whole(n), true
}

// floorDivide rounds down, as Python does for constants.
func floorDivide(o string, a, b *big.Int) (z any, ok bool) {
	if b.Sign() == 0 {
		return nil, false
	}
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Sign() != 0 && r.Sign() != b.Sign() {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b)
	}
	if o == "//" {
		return Whole(q), true
	}
	return Whole(r), true
}

func intPower(a, b *big.Int) (z any, ok bool) {
	switch {
	case b.Sign() < 0:
		x, _ := Float(Whole(a))
		y, _ := Float(Whole(b))
		return math.Pow(x, y), true
	case !b.IsInt64() || b.Int64() > 1<<12:
		return nil, false
	}
	return Whole(new(big.Int).Exp(a, b, nil)), true
}

func floatBinary(o string, x, y float64) (z any, ok bool) {
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

// Unary is +x, -x or ~x; ok is false if it has no result.
func Unary(o string, x any) (z any, ok bool) {
	if f, ok := x.(float64); ok && o != "~" {
		if o == "-" {
			return -f, true
		}
		return f, true
	}
	n, ok := Big(x)
	if !ok {
		return nil, false
	}
	switch o {
	case "-":
		n = new(big.Int).Neg(n)
	case "~":
		n = new(big.Int).Not(n)
	}
	return Whole(n), true
}

// Compare is a comparison of two numbers; ok is false if one is none.
func Compare(o string, x, y any) (z, ok bool) {
	a, ints := Big(x)
	b, both := Big(y)
	if ints && both {
		c := a.Cmp(b)
		return map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0, "==": c == 0}[o], true
	}
	f, ok1 := Float(x)
	g, ok2 := Float(y)
	return map[string]bool{"<": f < g, "<=": f <= g, ">": f > g, ">=": f >= g, "==": f == g}[o], ok1 && ok2
}

// Equal is x == y.
func Equal(x, y any) bool {
	z, ok := Compare("==", x, y)
	return z && ok
}
