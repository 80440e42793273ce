package op

import (
	"math"
	"math/big"
)

// oddOf corrects the float64 result of an operation on narrow floats to what
// rounding to odd would give, so that rounding it again rounds once.
func oddOf(z, x, y float64, o Op) float64 {
	if z-z != 0 || z == 0 {
		return z
	}
	bx, by := big.NewFloat(x).SetPrec(400), big.NewFloat(y).SetPrec(400)
	e := new(big.Float).SetPrec(400)
	switch o {
	case Add:
		e.Add(bx, by)
	case Sub:
		e.Sub(bx, by)
	case Mul:
		e.Mul(bx, by)
	case Div:
		e.Quo(bx, by)
	}
	b := math.Float64bits(z)
	c := e.Cmp(big.NewFloat(z))
	if c == 0 || b&1 == 1 {
		return z
	}
	if (c > 0) == (z > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}
