package exec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// adam is an optimizer's step, whose bias corrections are powers of parameters.
func adam(p *tl.Program, x, y tl.Ptr, n, step int, beta float64, B tl.Const) {
	i := tl.Arange(0, B).Add(p.ID(0) * B)
	c1, c2 := 1-math.Pow(beta, float64(step)), math.Sqrt(1-math.Pow(beta*beta, float64(step)))
	v := tl.Load(x.Add(i), tl.Mask(i.Lt(n)))
	tl.Store(y.Add(i), v.Mul(v).Mul(c2/c1), tl.Mask(i.Lt(n)))
}

// logSum keeps a softmax's maximum and sum as Go's floats.
func logSum(p *tl.Program, x, y tl.Ptr, n, step int, beta float64, B tl.Const) {
	most, sum := math.Inf(-1), 0.0
	for i := 0; i < n; i += B {
		at := tl.Arange(0, B).Add(i)
		v := tl.Load(x.Add(at), tl.Mask(at.Lt(n)), tl.Other(math.Inf(-1)))
		next := math.Max(most, tl.Max(v).Float())
		sum = float64(sum*math.Exp(most-next)) + tl.Sum(tl.Exp(v.Sub(next))).Float()
		most = next
	}
	at := tl.Arange(0, B).Add(p.ID(0) * B)
	tl.Store(y.Add(at), tl.Load(x.Add(at), tl.Mask(at.Lt(n))).Sub(most+math.Log(sum)), tl.Mask(at.Lt(n)))
}

// mathOfConstants is known while compiling.
func mathOfConstants(p *tl.Program, x, y tl.Ptr, n, step int, beta float64, B tl.Const) {
	frac, exp := math.Frexp(float64(B) / 3)
	parts := [...]float64{
		math.Log2(float64(B)), math.Exp(0), math.Pow(2, 0.5), math.Cos(float64(B)),
		float64(math.Ilogb(4)), frac, float64(exp),
		math.Gamma(4.5), math.Max(2.5, float64(B)), math.Ldexp(0.75, B), math.Hypot(3, float64(B)),
		float64(math.Float64bits(float64(B))),
	}
	for i, v := range parts {
		tl.Store(y.Add(p.ID(0)*16+i), v)
	}
}

// mathOfNumbers calls most functions of package math on what a tensor holds.
func mathOfNumbers(p *tl.Program, x, y tl.Ptr, n, step int, beta float64, B tl.Const) {
	for i := p.ID(0); i+1 < n; i += 3 {
		a, b := tl.Load(x.Add(i)).Float(), tl.Load(x.Add(i+1)).Float()
		whole, frac := math.Modf(a)
		sin, cos := math.Sincos(b)
		m, e := math.Frexp(a)
		lg, sign := math.Lgamma(b)
		results := [...]float64{
			math.Exp(a), math.Log(a), math.Log1p(a), math.Pow(a, b), math.Atan2(a, b), math.Hypot(a, b),
			math.Mod(a, b), math.Remainder(a, b),
			math.Max(a, b), math.Min(a, b), math.Copysign(a, float64(i-9)), math.Dim(a, b), math.Tanh(a),
			math.Erf(b), math.Gamma(a), math.Cbrt(b),
			math.Nextafter(a, b), math.Ldexp(a, step), math.Jn(step, b), math.Pow10(step),
			float64(math.Ilogb(a)), math.Logb(b), math.Asin(a),
			whole, frac, sin, cos, m, float64(e), lg, float64(sign),
			float64(math.Nextafter32(float32(a), float32(b))), math.Float64frombits(uint64(i) << 52), math.Log10(a),
		}
		sum := 0.0
		for k, r := range results {
			if math.IsNaN(r) || math.IsInf(r, 0) || math.Abs(r) > 1e30 || r == 0 {
				r = float64(k)
			}
			sum = float64(sum*0.75) + r
		}
		tl.Store(y.Add(i), sum)
	}
}

// TestGoMath runs kernels that call package math on every engine.
func TestGoMath(t *testing.T) {
	const n = 301
	x := tensor.Randn(1, tl.Float32, n)
	for i, v := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.NaN(), math.Inf(-1), math.Inf(1), 2, -3} {
		x.Set(v, i)
	}
	kernels := map[string]any{"adam": adam, "constants": mathOfConstants, "numbers": mathOfNumbers}
	finite := tensor.Randn(2, tl.Float32, n)
	for _, engine := range exec.Engines() {
		for name, fn := range kernels {
			t.Run(name+"/"+engine, func(t *testing.T) { sameAsGo(t, engine, fn, x) })
		}
		t.Run("logsum/"+engine, func(t *testing.T) { sameAsGo(t, engine, logSum, finite) })
	}
}

// sameAsGo launches a kernel in an engine, and compares with what it leaves interpreted.
func sameAsGo(t *testing.T, engine string, fn any, x *tensor.Tensor) {
	n := x.Len()
	launch := func(engine string) *tensor.Tensor {
		y := tensor.Zeros(tl.Float64, n+64)
		k := exec.New(fn, exec.Options{Engine: engine, Workers: 1})
		if err := k.Launch(exec.Grid{3}, x, y, n, 3, 0.9, 128); err != nil {
			if strings.Contains(err.Error(), "a product of floats in a sum") {
				t.Skip("this program is compiled for a processor where Go fuses products and sums")
			}
			t.Fatal(err)
		}
		return y
	}
	if want, got := launch(exec.Engines()[0]), launch(engine); !tensor.Equal(want, got) {
		t.Errorf("%v, want %v", got, want)
	}
}
