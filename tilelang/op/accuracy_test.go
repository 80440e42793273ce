package op

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// A function is what the accuracy tests know about an op of one or two operands.
type function struct {
	op   Op
	near func(x, y float64) float64 // right to 2^-40, and in NaN, infinities and zeros
	ref  func(x, y real) real       // exact, where near is finite and not 0

	bound float64      // on the magnitude of the result, 0 for none
	odd   bool         // f(-x) = -f(x)
	dense [][2]float64 // where to look closely, beside all binades
	edges []float64    // and at what points
	limit float64      // ulp; 0 means 2
}

func unary(near func(x float64) float64, ref func(x real) real) (func(x, y float64) float64, func(x, y real) real) {
	return func(x, _ float64) float64 { return near(x) }, func(x, _ real) real { return ref(x) }
}

// fn is a function of one operand.
func fn(o Op, near func(x float64) float64, ref func(x real) real, f function) function {
	f.op = o
	f.near, f.ref = unary(near, ref)
	return f
}

// exact is the reference where it applies: to finite operands.
func (f function) exact(x, y float64) real {
	if z := f.near(x, y); math.IsInf(x, 0) || math.IsNaN(x) || math.IsInf(y, 0) || math.IsNaN(y) || x == 0 {
		return num(z)
	}
	return f.ref(num(x), num(y))
}

type interval = [2]float64

var functions = []function{
	fn(Exp, math.Exp, bigExp, function{dense: []interval{{-1, 1}, {-104, 89}, {-746, 710}},
		edges: []float64{math.Log(math.MaxFloat32), -87.33654, -103.97208, -103.27893, 709.782712893384, -745.1332191019411, -708.3964185322641}}),
	fn(Exp2, math.Exp2, func(x real) real { return bigExp(mul2(x, bigLn2)) }, function{dense: []interval{{-1, 1}, {-151, 129}, {-1076, 1025}},
		edges: []float64{-1, 1, 2, 10, 127, 128, -126, -149, -150, 1023, 1024, -1022, -1074, -1075}}),
	fn(Expm1, math.Expm1, bigExpm1, function{dense: []interval{{-2, 2}, {-0.5, 0.5}, {-40, 89}, {80, 710}},
		edges: []float64{0.34657359, -0.34657359, 1.0397208, math.Log(math.MaxFloat32), 709.782712893384}}),
	fn(Sigmoid, sigmoidNear, bigSigmoid, function{bound: 1, dense: []interval{{-4, 4}, {-104, 40}, {-746, -80}},
		edges: []float64{-103.97208, -87.33654, -745.1332191019411, 16.6}}),
	fn(Tanh, math.Tanh, bigTanh, function{bound: 1, odd: true, dense: []interval{{-1, 1}, {-0.25, 0.25}, {-20, 20}}, edges: []float64{9.01, 9.02, 19.06, 19.07}}),
	fn(Erf, math.Erf, bigErf, function{bound: 1, odd: true, dense: []interval{{-1, 1}, {-6, 6}}, edges: []float64{0.92, 0.875, 3.93, 5.95}}),
	fn(Log, math.Log, bigLog, function{dense: []interval{{0.5, 2}, {0.9, 1.1}, {0, 1000}}, edges: []float64{1, math.Sqrt2, math.Sqrt2 / 2, 2, 0x1p-126, 0x1p-1022}}),
	fn(Log2, log2Near, func(x real) real { return div2(bigLog(x), bigLn2) },
		function{dense: []interval{{0.5, 2}, {0.9, 1.1}, {0, 1000}}, edges: []float64{1, math.Sqrt2, math.Sqrt2 / 2, 2, 0x1p-126, 0x1p-1022}}),
	fn(Log1p, math.Log1p, bigLog1pWide, function{dense: []interval{{-1, 1}, {-0.1, 0.1}, {0, 1000}}, edges: []float64{-1, math.Sqrt2 - 1, 0x1p126, 0x1p1022, 0x1p53}}),
	fn(Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }, func(x real) real { return div2(num(1), bigSqrt(x)) }, function{dense: []interval{{0, 4}}}),
	fn(Sqrt, math.Sqrt, bigSqrt, function{dense: []interval{{0, 4}}, limit: 0.5}),
	fn(Sin, math.Sin, func(x real) real { s, _ := bigSinCos(x); return s }, function{bound: 1, odd: true, dense: trigDense, edges: quarterTurns()}),
	fn(Cos, math.Cos, func(x real) real { _, c := bigSinCos(x); return c }, function{bound: 1, dense: trigDense, edges: quarterTurns()}),
	fn(Tan, math.Tan, bigTan, function{odd: true, dense: trigDense, edges: quarterTurns()}),
	fn(Asin, math.Asin, bigAsin, function{odd: true, dense: []interval{{-1, 1}, {0.999, 1}}, edges: []float64{0.5, -0.5, 1, -1}}),
	fn(Acos, acosNear, bigAcos, function{dense: []interval{{-1, 1}, {0.999, 1}}, edges: []float64{0.5, -0.5, 1, -1}}),
	fn(Atan, math.Atan, bigAtan, function{odd: true, dense: []interval{{-4, 4}, {-100, 100}}, edges: []float64{1, -1, math.Sqrt(3), 1 / math.Sqrt(3), 2 - math.Sqrt(3), 2 + math.Sqrt(3)}}),
	{op: Pow, near: powNear, ref: bigPow},
	{op: Atan2, near: atan2Near, ref: bigAtan2},
	{op: Div, near: func(x, y float64) float64 { return x / y }, ref: div2, limit: 0.5},
}

var trigDense = []interval{{-1, 1}, {-10, 10}, {-1e4, 1e4}, {-0x1p25, 0x1p25}, {0x1p25, 0x1p30}, {-1e300, 1e300}}

// quarterTurns are the floats nearest to multiples of pi/2, where all precision is lost
// that can be, and the bounds of the reductions.
func quarterTurns() []float64 {
	v := []float64{0x1p17, 0x1p25, 0x1p27, 16367173 * 0x1p72, 6381956970095103 * 0x1p797}
	r := rand.New(rand.NewPCG(7, 7))
	for k := 1.0; k < 0x1p60; k = math.Floor(k*1.2) + float64(r.IntN(2)) + 1 {
		v = append(v, k*(math.Pi/2), -k*(math.Pi/2), float64(float32(k*(math.Pi/2))))
	}
	return v
}

func sigmoidNear(x float64) float64 {
	if x < 0 {
		return math.Exp(x) / (1 + math.Exp(x))
	}
	return 1 / (1 + math.Exp(-x))
}

func log2Near(x float64) float64 {
	if x > 0.5 && x < 2 {
		return math.Log(x) / math.Ln2
	}
	return math.Log2(x)
}

// bigLog1pWide is bigLog1p without its loss of precision at large arguments, whose
// reciprocal is below the precision.
func bigLog1pWide(x real) real {
	if magnitude(x) > 1 {
		return bigLog(add2(x, num(1)))
	}
	return bigLog1p(x)
}

func acosNear(x float64) float64 { return 2 * math.Atan2(math.Sqrt(1-x), math.Sqrt(1+x)) }

// atan2Near spares math.Atan2 negative y, for which a quotient that underflows loses its sign.
func atan2Near(y, x float64) float64 { return math.Copysign(math.Atan2(math.Abs(y), x), y) }

// powNear is right to 2^-40 for float32 arguments; special cases are Go's, which are C's.
func powNear(x, y float64) float64 {
	z := math.Pow(x, y)
	if z != z || math.IsInf(x, 0) || x == 0 || math.IsInf(y, 0) || y == 0 {
		return z
	}
	return math.Copysign(math.Exp(y*math.Log(math.Abs(x))), z)
}

// A samples is a list of operands for a function in a float type.
type samples struct {
	d    dtype.DType
	x, y []uint64
	r    *rand.Rand
}

func (s *samples) add(x, y float64) {
	s.x, s.y = append(s.x, dtype.FromFloat(s.d, x)), append(s.y, dtype.FromFloat(s.d, y))
}

// around adds x and its neighbours.
func (s *samples) around(x float64) {
	b := dtype.FromFloat(s.d, x)
	for k := -2; k <= 2; k++ {
		s.x, s.y = append(s.x, b+uint64(k)), append(s.y, 0)
	}
}

// binades adds n arguments of each binade and sign, and the ends of each; no ends if n
// is 1.
func (s *samples) binades(n int) {
	mantissa := map[dtype.DType]int{dtype.Float32: 23, dtype.Float64: 52}[s.d]
	exponents := 1 << (s.d.Bits() - 1 - mantissa)
	for e := range uint64(2*exponents - 1) {
		if e == uint64(exponents-1) {
			continue // infinities and NaN
		}
		base := e << mantissa
		if n != 1 {
			s.x = append(s.x, base, base|1, base|(1<<mantissa-1))
		}
		for range n {
			s.x = append(s.x, base|s.r.Uint64()&(1<<mantissa-1))
		}
	}
	s.y = append(s.y, make([]uint64, len(s.x)-len(s.y))...)
}

func (s *samples) dense(in []interval, n int) {
	for _, d := range in {
		for range n / len(in) {
			s.add(d[0]+float64((d[1]-d[0])*s.r.Float64()), 0)
		}
	}
}

// pairs adds operands of pow or atan2: any bits, moderate values, integral y.
func (s *samples) pairs(n int) {
	for range n {
		s.x, s.y = append(s.x, s.r.Uint64()), append(s.y, s.r.Uint64())
		moderate := func() float64 { return math.Ldexp(float64(2*s.r.Float64())-1, s.r.IntN(24)-12) }
		s.add(moderate(), moderate())
		s.add(moderate(), float64(s.r.IntN(41)-20))
	}
}

// powers adds operands whose power is in range, half of them with x close to 1.
func (s *samples) powers(n int) {
	limit := map[dtype.DType]float64{dtype.Float32: 104, dtype.Float64: 746}[s.d]
	for range n {
		x := math.Ldexp(1+s.r.Float64(), s.r.IntN(60)-30)
		if s.r.IntN(2) == 0 {
			x = 1 + math.Ldexp(float64(2*s.r.Float64())-1, -1-s.r.IntN(22))
		}
		x = dtype.ToFloat(s.d, dtype.FromFloat(s.d, x))
		s.add(x, limit*(float64(2*s.r.Float64())-1)/math.Log(x))
	}
}

// longRounds is how many rounds of many samples the environment asks for: as many as TILER_LONG says; 0 if it is not
// set.
func longRounds() int {
	text := os.Getenv("TILER_LONG")
	if text == "" {
		return 0
	}
	n, _ := strconv.Atoi(text)
	return max(1, n)
}

// TestAccuracy compares with big floats: a few samples of every binade, and with
// TILER_LONG=40 in forty rounds a hundred times as many.
func TestAccuracy(t *testing.T) {
	for _, f := range functions {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			t.Run(fmt.Sprintf("%s/%s", f.op, d), func(t *testing.T) {
				t.Parallel()
				checkAccuracy(t, f, d)
			})
		}
	}
}

func checkAccuracy(t *testing.T, f function, d dtype.DType) {
	var worst worst
	rounds := longRounds()
	for round := range max(1, rounds) {
		s := samples{d: d, r: rand.New(rand.NewPCG(uint64(f.op), uint64(round)))}
		single, n := 48, 6000
		if d == dtype.Float64 {
			single, n = 1, 1200
		}
		if rounds > 0 {
			single, n = 1000*single, 100*n
			if d == dtype.Float64 {
				single, n = 4, 20_000
			}
		}
		if f.op.Row().Arity == 2 {
			s.pairs(n)
			s.powers(2 * n)
		} else {
			s.binades(single)
			s.dense(f.dense, n)
			for _, x := range f.edges {
				s.around(x)
			}
		}
		checkSamples(t, f, s, &worst)
	}
	t.Logf("%-8s %-8s worst %.3f ulp at %v, %d samples", f.op, d, worst.ulp, worst.at, worst.n)
	limit := f.limit
	if limit == 0 {
		limit = 2
	}
	if worst.ulp > limit {
		t.Errorf("%s %s: %.3f ulp at %v", f.op, d, worst.ulp, worst.at)
	}
}

type worst struct {
	ulp float64
	at  string
	n   int
}

func checkSamples(t *testing.T, f function, s samples, w *worst) {
	t.Helper()
	x, y, z := bufOf(s.d, s.x), bufOf(s.d, s.y), dtype.NewBuf(s.d, len(s.x))
	Apply(f.op, s.d, z, []dtype.Buf{x, y}[:f.op.Row().Arity]...)
	for i := range s.x {
		vx, vy, got := dtype.ToFloat(s.d, x.Bits(i)), dtype.ToFloat(s.d, y.Bits(i)), dtype.ToFloat(s.d, z.Bits(i))
		want := f.near(vx, vy)
		w.n++
		if bad := wrongClass(got, want, f.bound); bad != "" {
			t.Fatalf("%s %s(%x, %x) = %x, want %x: %s", f.op, s.d, vx, vy, got, want, bad)
		}
		if math.IsNaN(want) || math.IsInf(want, 0) || want == 0 && got == 0 {
			continue
		}
		var e float64
		if s.d == dtype.Float32 {
			e = math.Abs(finite32(got)-finite32(want)) / ulp(s.d, want)
		} else {
			exact := f.exact(vx, vy)
			if want == 0 {
				exact = num(0)
			}
			e = toFloat(sub2(num(finite64(got)), exact))
			e = math.Abs(e) / ulp(s.d, toFloat(exact))
		}
		if e > w.ulp {
			w.ulp, w.at = e, fmt.Sprintf("%x (%.9g)", vx, vx)
			if f.op.Row().Arity == 2 {
				w.at += fmt.Sprintf(", %x (%.9g)", vy, vy)
			}
		}
	}
}

// finite32 takes what overflows for the power of two after the greatest number, finite64
// an infinity for the greatest number.
func finite32(v float64) float64 { return max(-0x1p128, min(0x1p128, v)) }
func finite64(v float64) float64 { return max(-math.MaxFloat64, min(math.MaxFloat64, v)) }

// wrongClass says what is wrong with got beyond its precision.
func wrongClass(got, want, bound float64) string {
	switch {
	case math.IsNaN(want) != math.IsNaN(got):
		return "not a number"
	case math.IsNaN(want):
		return ""
	case math.Signbit(got) != math.Signbit(want):
		return "sign"
	case bound != 0 && math.Abs(got) > bound:
		return "out of range"
	case math.IsInf(want, 0) && math.Abs(got) < math.MaxFloat32*(1-0x1p-23):
		return "finite"
	}
	return ""
}

// ulp is the distance of the numbers of type d around v.
func ulp(d dtype.DType, v float64) float64 {
	mantissa, greatest := 52, 1023
	switch d {
	case dtype.Float32:
		mantissa, greatest = 23, 127
	case dtype.Float16:
		mantissa, greatest = 10, 15
	case dtype.BFloat16:
		mantissa, greatest = 7, 127
	}
	e := 1 - greatest
	if v != 0 {
		e = min(max(math.Ilogb(v), e), greatest)
	}
	return math.Ldexp(1, e-mantissa)
}

func bufOf(d dtype.DType, bits []uint64) dtype.Buf {
	b := dtype.NewBuf(d, len(bits))
	for i, v := range bits {
		b.SetBits(i, v)
	}
	return b
}

// TestNear checks that the float64 functions that judge float32 results are good enough
// for that.
func TestNear(t *testing.T) {
	for _, f := range functions {
		s := samples{d: dtype.Float32, r: rand.New(rand.NewPCG(1, uint64(f.op)))}
		if f.op.Row().Arity == 2 {
			s.pairs(100)
			s.powers(100)
		} else {
			s.binades(0)
			s.dense(f.dense, 100)
		}
		for i := range s.x {
			x, y := dtype.ToFloat(s.d, s.x[i]), dtype.ToFloat(s.d, s.y[i])
			near := f.near(x, y)
			if math.IsNaN(near) || math.Abs(near) > math.MaxFloat32 || math.Abs(near) < 0x1p-150 {
				continue
			}
			exact := toFloat(f.exact(x, y))
			if math.Abs(near-exact) > math.Abs(exact)*0x1p-40 {
				t.Errorf("%s(%x, %x): %x differs from %x", f.op, x, y, near, exact)
			}
		}
	}
}

// TestNarrowMath checks every float16 and bfloat16 argument of the functions of one
// operand: computed in float32 and rounded, the result is within 1 ulp, in fact hardly
// above 1/2.
func TestNarrowMath(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		x := dtype.NewBuf(d, 1<<16)
		for i := range 1 << 16 {
			x.SetBits(i, uint64(i))
		}
		z := dtype.NewBuf(d, 1<<16)
		for _, f := range functions {
			if f.op.Row().Arity != 1 {
				continue
			}
			Apply(f.op, d, z, x)
			worst, at := 0.0, 0.0
			for i := range 1 << 16 {
				v, got := dtype.ToFloat(d, uint64(i)), dtype.ToFloat(d, z.Bits(i))
				want := f.near(v, 0)
				if rounded := dtype.ToFloat(d, dtype.FromFloat(d, want)); rounded == got || rounded != rounded && got != got {
					continue
				}
				if e := math.Abs(got-want) / ulp(d, want); !(e <= worst) {
					worst, at = e, v
				}
			}
			if !(worst <= 1) {
				t.Errorf("%s %s: %.3f ulp at %x", f.op, d, worst, at)
			}
		}
	}
}

// TestOdd checks that odd functions are odd bit by bit.
func TestOdd(t *testing.T) {
	for _, f := range functions {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			if !f.odd {
				continue
			}
			s := samples{d: d, r: rand.New(rand.NewPCG(3, uint64(f.op)))}
			s.binades(0)
			s.dense(f.dense, 1000)
			x, y := bufOf(d, s.x), dtype.NewBuf(d, len(s.x))
			Apply(Neg, d, y, x)
			Apply(f.op, d, x, x)
			Apply(f.op, d, y, y)
			Apply(Neg, d, y, y)
			for i := range s.x {
				if v := dtype.ToFloat(d, x.Bits(i)); v == v && x.Bits(i) != y.Bits(i) {
					t.Fatalf("%s %s(%x) = %x, of the negative %x", f.op, d, s.x[i], x.Bits(i), y.Bits(i))
				}
			}
		}
	}
}
