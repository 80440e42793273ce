package random

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestDigits: numbers of every float dtype are multiples of its smallest distance below 1.
func TestDigits(t *testing.T) {
	for _, d := range dtype.All() {
		if p := digits[d]; d.IsFloat() {
			below := dtype.ToFloat(d, dtype.FromFloat(d, 1)-1)
			if 1-below != math.Ldexp(1, -p) {
				t.Errorf("%s: below 1 is %v", d, below)
			}
		}
	}
}

// TestQuantile inverts it with the complementary error function, which has full
// relative accuracy in the tails, and compares a few values with published ones.
func TestQuantile(t *testing.T) {
	for e := range 53 {
		for _, k := range []int64{1<<e - 1, 1<<e - 1 - 1<<e/3, 1<<e/2 + 1<<e/5} {
			v := quantile(k)
			p := 0.5 * math.Erfc(v/math.Sqrt2)
			want := (float64(1<<52-1-k) + 0.5) * 0x1p-53
			if math.Abs(p/want-1) > 1e-13 {
				t.Errorf("quantile(%d) = %v: probability %v, want %v", k, v, p, want)
			}
			if quantile(-1-k) != -v {
				t.Errorf("quantile(%d) is not -quantile(%d)", -1-k, k)
			}
		}
	}
	for p, want := range map[float64]float64{0.25: -0.6744897501960817, 0.001: -3.090232306167813, 1e-10: -6.361340902404056, 0.975: 1.959963984540054} {
		k := int64(p*0x1p53) - 1<<52
		if got := quantile(k); math.Abs(got/want-1) > 1e-6*math.Abs(p-0.5) && math.Abs(got-want) > 1e-9 {
			t.Errorf("quantile at %v: %.16g, want %.16g", p, got, want)
		}
	}
}

func TestLogUnit(t *testing.T) {
	for v := 0x1p-60; v < 0.1; v *= 1.37 {
		if got, want := logUnit(v), math.Log(v); math.Abs(got/want-1) > 4e-16 {
			t.Errorf("logUnit(%v) = %v, want %v", v, got, want)
		}
	}
}
