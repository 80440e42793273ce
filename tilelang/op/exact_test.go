package op

import (
	"math"
	"math/big"
)

// exactFMA is x*y+w rounded once, by way of math/big.
func exactFMA(x, y, w float32) float32 {
	p := float64(x) * float64(y)
	if s := p + float64(w); s-s != 0 || s == 0 {
		return float32(s)
	}
	z := new(big.Float).SetPrec(2000).SetFloat64(p)
	z.Add(z, new(big.Float).SetFloat64(float64(w)))
	f, _ := z.Float32()
	return f
}

// exactScale is x·2^n rounded once.
func exactScale(x float64, n int) float64 {
	if x == 0 || math.IsInf(x, 0) {
		return x
	}
	z := new(big.Float).SetFloat64(x)
	f, _ := z.SetMantExp(z, n).Float64()
	if f == 0 {
		return math.Copysign(0, x)
	}
	return f
}

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
