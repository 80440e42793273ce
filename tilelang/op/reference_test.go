package op

import (
	"math"
	"math/big"
	"testing"
)

// References for the math functions in math/big, exact to more than 130 bits. NaN,
// infinities and domain errors are the callers' affair: arguments are finite and inside
// the domain, the results finite.

type real = *big.Float

const referenceBits = 192

func num(x float64) real       { return new(big.Float).SetPrec(referenceBits).SetFloat64(x) }
func zero() real               { return new(big.Float).SetPrec(referenceBits) }
func add2(x, y real) real      { return zero().Add(x, y) }
func sub2(x, y real) real      { return zero().Sub(x, y) }
func mul2(x, y real) real      { return zero().Mul(x, y) }
func div2(x, y real) real      { return zero().Quo(x, y) }
func half(x real) real         { return shift(x, -1) }
func shift(x real, n int) real { return zero().SetMantExp(x, n) }
func toFloat(x real) float64   { f, _ := x.Float64(); return f }

// magnitude is the exponent of x = m·2^exponent with 1/2 <= m < 1, very small for 0.
func magnitude(x real) int {
	if x.Sign() == 0 {
		return math.MinInt32
	}
	return x.MantExp(nil)
}

var bigPi = machin()
var bigLn2 = func() real { // 2·atanh(1/3)
	sum, term, ninth := zero(), div2(num(2), num(3)), div2(num(1), num(9))
	for k := 0; k < 100; k++ {
		sum = add2(sum, div2(term, num(float64(2*k+1))))
		term = mul2(term, ninth)
	}
	return sum
}()

// machin is pi to 1500 bits, enough to reduce the greatest float64.
func machin() real {
	const prec = 1500
	arctan := func(n int64) real { // of 1/n
		sum := new(big.Float).SetPrec(prec)
		term := new(big.Float).SetPrec(prec).Quo(big.NewFloat(1).SetPrec(prec), big.NewFloat(float64(n)).SetPrec(prec))
		square := big.NewFloat(float64(n * n)).SetPrec(prec)
		for k := int64(0); term.Sign() != 0 && term.MantExp(nil) > -prec-8; k++ {
			t := new(big.Float).SetPrec(prec).Quo(term, big.NewFloat(float64(2*k+1)).SetPrec(prec))
			if k%2 == 1 {
				t.Neg(t)
			}
			sum.Add(sum, t)
			term.Quo(term, square)
		}
		return sum
	}
	a, b := arctan(5), arctan(239)
	a.SetMantExp(a, 2)
	a.Sub(a, b)
	return a.SetMantExp(a, 2)
}

// bigExp is 0 or very large where a float64 could not tell.
func bigExp(x real) real {
	if magnitude(x) > 17 {
		return shift(num(1), x.Sign()<<18)
	}
	k, _ := div2(x, bigLn2).Int64()
	r := sub2(x, mul2(num(float64(k)), bigLn2))
	return shift(add2(bigExpm1Small(r), num(1)), int(k))
}

func bigExpm1(x real) real {
	if magnitude(x) < 0 {
		return bigExpm1Small(x)
	}
	return sub2(bigExp(x), num(1))
}

// bigExpm1Small is e^x - 1 for |x| < 1: of x/256 by its series, doubled by
// (1+y)^2 - 1 = y·(2+y).
func bigExpm1Small(x real) real {
	r := shift(x, -8)
	sum, term := r, r
	for k := 2; term.Sign() != 0 && magnitude(term) > magnitude(r)-referenceBits; k++ {
		term = div2(mul2(term, r), num(float64(k)))
		sum = add2(sum, term)
	}
	for range 8 {
		sum = mul2(sum, add2(sum, num(2)))
	}
	return sum
}

// bigLog1p is by one step of Halley's method on expm1 from a float64 value, which
// triples its precision.
func bigLog1p(x real) real {
	y := num(math.Log1p(toFloat(x)))
	if y.Sign() == 0 {
		return x // below float64's range
	}
	e := bigExpm1(y)
	y = add2(y, div2(shift(sub2(x, e), 1), add2(add2(x, e), num(2))))
	return y
}

func bigLog(x real) real {
	m := zero()
	k := x.MantExp(m)
	if toFloat(m) < math.Sqrt2/2 {
		m, k = shift(m, 1), k-1
	}
	return add2(mul2(num(float64(k)), bigLn2), bigLog1p(sub2(m, num(1))))
}

// bigSinCos is by series after reduction by pi/2.
func bigSinCos(x real) (sin, cos real) {
	r, n := x, new(big.Int)
	if magnitude(x) >= 0 {
		prec := uint(referenceBits + 64 + magnitude(x))
		quarter := new(big.Float).SetPrec(prec).SetMantExp(bigPi, -1)
		turns := new(big.Float).SetPrec(prec).Quo(x, quarter)
		n, _ = turns.Add(turns, big.NewFloat(math.Copysign(0.5, toFloat(x)))).Int(nil)
		r = new(big.Float).SetPrec(prec).SetInt(n)
		r.Mul(r, quarter)
		r.Sub(new(big.Float).SetPrec(prec).Set(x), r)
		r.SetPrec(referenceBits)
	}
	square := mul2(r, r)
	series := func(term real, k int) real {
		sum := term
		for ; term.Sign() != 0 && magnitude(term) > magnitude(sum)-referenceBits; k += 2 {
			term = zero().Neg(div2(mul2(term, square), num(float64(k*(k+1)))))
			sum = add2(sum, term)
		}
		return sum
	}
	s, c := series(r, 2), series(num(1), 1)
	switch new(big.Int).And(n, big.NewInt(3)).Int64() {
	case 0:
		return s, c
	case 1:
		return c, s.Neg(s)
	case 2:
		return s.Neg(s), c.Neg(c)
	}
	return c.Neg(c), s
}

func bigTan(x real) real {
	s, c := bigSinCos(x)
	return div2(s, c)
}

// bigAtan corrects a float64 value y by the arc tangent of the small tan(atan x - y).
func bigAtan(x real) real {
	y := num(math.Atan(toFloat(x)))
	if magnitude(x) < -60 {
		y = x
	}
	t := bigTan(y)
	d := div2(sub2(x, t), add2(num(1), mul2(x, t)))
	cube := mul2(d, mul2(d, d))
	return add2(y, sub2(d, div2(cube, num(3))))
}

func bigSqrt(x real) real { return zero().Sqrt(x) }

func bigAsin(x real) real {
	if x.Cmp(num(1)) == 0 || x.Cmp(num(-1)) == 0 {
		return mul2(x, half(zero().Set(bigPi)))
	}
	return bigAtan(div2(x, bigSqrt(sub2(num(1), mul2(x, x)))))
}

func bigAcos(x real) real {
	if x.Cmp(num(-1)) == 0 {
		return zero().Set(bigPi)
	}
	q := div2(sub2(num(1), x), add2(num(1), x))
	return shift(bigAtan(bigSqrt(q)), 1)
}

func bigAtan2(y, x real) real {
	if x.Sign() == 0 {
		return mul2(num(float64(y.Sign())), half(zero().Set(bigPi)))
	}
	a := bigAtan(div2(y, x))
	if x.Sign() > 0 {
		return a
	}
	return add2(a, mul2(num(math.Copysign(1, float64(y.Sign()))), zero().Set(bigPi)))
}

func bigTanh(x real) real {
	e := bigExpm1(shift(x, 1))
	return div2(e, add2(e, num(2)))
}

func bigSigmoid(x real) real { return div2(num(1), add2(num(1), bigExp(zero().Neg(x)))) }

var bigSqrtPi = bigSqrt(zero().Set(bigPi))

// bigErf is 2/sqrt(pi)·e^-x^2·(x + 2x^3/3 + 4x^5/15 + ...), whose terms all have x's sign.
func bigErf(x real) real {
	if magnitude(x) > 5 { // 1 - erf is below 2^-1400
		return num(float64(x.Sign()))
	}
	square := shift(mul2(x, x), 1)
	sum, term := x, x
	for k := 3; term.Sign() != 0 && magnitude(term) > magnitude(sum)-referenceBits; k += 2 {
		term = div2(mul2(term, square), num(float64(k)))
		sum = add2(sum, term)
	}
	return mul2(div2(shift(sum, 1), bigSqrtPi), bigExp(zero().Neg(half(square))))
}

func bigPow(x, y real) real {
	z := bigExp(mul2(y, bigLog(zero().Abs(x))))
	if i, _ := y.Int(nil); x.Sign() < 0 && i.Bit(0) == 1 && y.IsInt() {
		z.Neg(z)
	}
	return z
}

// TestReference compares the references with values from published tables.
func TestReference(t *testing.T) {
	tests := []struct {
		name string
		got  real
		want string
	}{
		{"pi", bigPi, "3.14159265358979323846264338327950288419716939937510582097494459"},
		{"ln 2", bigLn2, "0.693147180559945309417232121458176568075500134360255254120680009"},
		{"exp(1)", bigExp(num(1)), "2.71828182845904523536028747135266249775724709369995957496696763"},
		{"expm1(-1)", bigExpm1(num(-1)), "-0.632120558828557678404476229838539132554188868082313130154217459"},
		{"log(10)", bigLog(num(10)), "2.30258509299404568401799145468436420760110148862877297603332790"},
		{"sin(1)", first(bigSinCos(num(1))), "0.841470984807896506652502321630298999622563060798371065672751710"},
		{"cos(1)", second(bigSinCos(num(1))), "0.540302305868139717400936607442976603732310420617922227670097255"},
		{"sin(1e22)", first(bigSinCos(num(1e22))), "-0.852200849767188801772705893753029368261762150410043656256509"},
		{"atan(2)", bigAtan(num(2)), "1.10714871779409050301706546017853704007004764540143264667653920"},
		{"asin(0.5)", bigAsin(num(0.5)), "0.523598775598298873077107230546583814032861566562517636829157432"},
		{"acos(-0.5)", bigAcos(num(-0.5)), "2.09439510239319549230842892218633525613144626625007054731662973"},
		{"tanh(1)", bigTanh(num(1)), "0.761594155955764888119458282604793590412768597257936551596810500"},
		{"erf(1)", bigErf(num(1)), "0.842700792949714869341220635082609259296066997966302908459937898"},
		{"sqrt(2)", bigPow(num(2), num(0.5)), "1.41421356237309504880168872420969807856967187537694807317667974"},
	}
	for _, x := range tests {
		want, _, err := big.ParseFloat(x.want, 10, referenceBits, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		if d := sub2(x.got, want); magnitude(d) > magnitude(want)-132 {
			t.Errorf("%s = %.50g, want %s", x.name, x.got, x.want)
		}
	}
}

func first(x, _ real) real  { return x }
func second(_, y real) real { return y }
