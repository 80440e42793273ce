package op

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestMathSpecial checks, in both float types, what C99 says of zeros, infinities, NaN,
// poles and domain errors, and the values that are exact.
func TestMathSpecial(t *testing.T) {
	inf, nan, neg0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct {
		o       Op
		in, out []float64
	}{
		{Exp, []float64{0, neg0, inf, -inf, nan, 1000, -1000}, []float64{1, 1, inf, 0, nan, inf, 0}},
		{Rint, []float64{0, neg0, inf, -inf, nan, 0.5, 1.5, -0.5, -2.5, 0.49999997, 8388609, 0x1p60}, []float64{0, neg0, inf, -inf, nan, 0, 2, neg0, -2, 0, 8388609, 0x1p60}},
		{Trunc, []float64{0, neg0, inf, -inf, nan, 0.9, -0.9, -1.5, 2.5, 0x1p60}, []float64{0, neg0, inf, -inf, nan, 0, neg0, -1, 2, 0x1p60}},
		{Round, []float64{0, neg0, inf, -inf, nan, 0.5, 1.5, -0.5, -2.5, 0.49999997, -0.3, 8388607.5, 8388609, -0x1p60}, []float64{0, neg0, inf, -inf, nan, 1, 2, -1, -3, 0, neg0, 8388608, 8388609, -0x1p60}},
		{Exp2, []float64{0, neg0, inf, -inf, nan, 2000, -2000, 1, -1, 10, 127, -126, -149}, []float64{1, 1, inf, 0, nan, inf, 0, 2, 0.5, 1024, 0x1p127, 0x1p-126, 0x1p-149}},
		{Expm1, []float64{0, neg0, inf, -inf, nan, 1000, -1000}, []float64{0, neg0, inf, -1, nan, inf, -1}},
		{Sigmoid, []float64{0, neg0, inf, -inf, nan, 1000, -1000}, []float64{0.5, 0.5, 1, 0, nan, 1, 0}},
		{Tanh, []float64{0, neg0, inf, -inf, nan, 100, -100}, []float64{0, neg0, 1, -1, nan, 1, -1}},
		{Erf, []float64{0, neg0, inf, -inf, nan, 100, -100}, []float64{0, neg0, 1, -1, nan, 1, -1}},
		{Log, []float64{1, 0, neg0, -1, -inf, inf, nan, -0x1p-149}, []float64{0, -inf, -inf, nan, nan, inf, nan, nan}},
		{Log2, []float64{1, 0, neg0, -1, -inf, inf, nan, 8, 0.25, 0x1p-126, 0x1p-149, 0x1p127}, []float64{0, -inf, -inf, nan, nan, inf, nan, 3, -2, -126, -149, 127}},
		{Log1p, []float64{0, neg0, -1, -2, -inf, inf, nan}, []float64{0, neg0, -inf, nan, nan, inf, nan}},
		{Rsqrt, []float64{1, 4, 0, neg0, -1, -inf, inf, nan}, []float64{1, 0.5, inf, -inf, nan, nan, 0, nan}},
		{Sqrt, []float64{1, 4, 0, neg0, -1, -inf, inf, nan}, []float64{1, 2, 0, neg0, nan, nan, inf, nan}},
		{Sin, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, nan, nan, nan}},
		{Cos, []float64{0, neg0, inf, -inf, nan}, []float64{1, 1, nan, nan, nan}},
		{Tan, []float64{0, neg0, inf, -inf, nan}, []float64{0, neg0, nan, nan, nan}},
		{Asin, []float64{0, neg0, 1.5, -1.5, inf, -inf, nan}, []float64{0, neg0, nan, nan, nan, nan, nan}},
		{Acos, []float64{1, 1.5, -1.5, inf, -inf, nan}, []float64{0, nan, nan, nan, nan, nan}},
		{Atan, []float64{0, neg0, nan}, []float64{0, neg0, nan}},
	}
	for _, x := range tests {
		for i, v := range x.in {
			checkSpecial(t, x.o, []float64{v}, x.out[i])
		}
	}
	pi := math.Pi
	angles := []struct{ in, want float64 }{{1, pi / 2}, {-1, -pi / 2}}
	for _, x := range angles {
		checkSpecial(t, Asin, []float64{x.in}, x.want)
		checkSpecial(t, Atan, []float64{x.in * inf}, x.want)
		checkSpecial(t, Atan, []float64{x.in}, x.want/2)
	}
	checkSpecial(t, Acos, []float64{0}, pi/2)
	checkSpecial(t, Acos, []float64{neg0}, pi/2)
	checkSpecial(t, Acos, []float64{-1}, pi)
}

func TestPowSpecial(t *testing.T) {
	inf, nan, neg0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	tests := []struct{ x, y, want float64 }{
		{0, -3, inf}, {neg0, -3, -inf}, {0, -2, inf}, {neg0, -2, inf}, {0, -2.5, inf}, {neg0, -2.5, inf},
		{0, -inf, inf}, {neg0, -inf, inf}, {0, 3, 0}, {neg0, 3, neg0}, {0, 2, 0}, {neg0, 2, 0}, {neg0, 2.5, 0}, {0, inf, 0}, {neg0, inf, 0},
		{-1, inf, 1}, {-1, -inf, 1}, {1, nan, 1}, {1, inf, 1}, {1, -inf, 1}, {1, 3.5, 1}, {-1, nan, nan},
		{nan, 0, 1}, {nan, neg0, 1}, {inf, 0, 1}, {-inf, 0, 1}, {0, 0, 1}, {neg0, neg0, 1}, {5, 0, 1}, {-5, 0, 1},
		{-8, 1.0 / 3, nan}, {-0.5, 0.5, nan}, {-2, 1e-30, nan}, {-0x1p-149, 0.5, nan},
		{0.5, -inf, inf}, {-0.5, -inf, inf}, {2, -inf, 0}, {-2, -inf, 0}, {0.5, inf, 0}, {-0.5, inf, 0}, {2, inf, inf}, {-2, inf, inf},
		{-inf, -3, neg0}, {-inf, -2, 0}, {-inf, -2.5, 0}, {-inf, 3, -inf}, {-inf, 2, inf}, {-inf, 2.5, inf}, {-inf, inf, inf}, {-inf, -inf, 0},
		{inf, -1, 0}, {inf, 1, inf}, {inf, inf, inf}, {inf, -inf, 0}, {nan, 1, nan}, {2, nan, nan}, {nan, nan, nan}, {0, nan, nan}, {inf, nan, nan}, {nan, inf, nan},
		{2, 10, 1024}, {-2, 3, -8}, {-2, 2, 4}, {2, -1, 0.5}, {9, 0.5, 3}, {10, 2, 100}, {-3, 3, -27},
		{2, 2000, inf}, {-2, 2001, -inf}, {2, -2000, 0}, {-2, -2001, neg0}, {1e30, 1e30, inf}, {1e30, -1e30, 0}, {1e-30, 1e30, 0},
		{0x1p-149, 0.5, 0x1.6a09e667f3bcdp-75}, {2, -149, 0x1p-149}, {2, 127, 0x1p127},
		{-1, 0x1p24, 1}, {-1, 0x1p24 + 2, 1}, {-1, 16777215, -1}, {-1, 1e30, 1},
	}
	for _, x := range tests {
		checkSpecial(t, Pow, []float64{x.x, x.y}, x.want)
	}
}

func TestAtan2Special(t *testing.T) {
	inf, nan, neg0, pi := math.Inf(1), math.NaN(), math.Copysign(0, -1), math.Pi
	tests := []struct{ y, x, want float64 }{
		{0, neg0, pi}, {0, 0, 0}, {0, -1, pi}, {0, 1, 0}, {1, 0, pi / 2}, {1, neg0, pi / 2}, {0, inf, 0}, {0, -inf, pi},
		{1, -inf, pi}, {1, inf, 0}, {inf, 1, pi / 2}, {inf, -1, pi / 2}, {inf, 0, pi / 2}, {inf, -inf, 3 * pi / 4}, {inf, inf, pi / 4},
		{1, 1, pi / 4}, {1, -1, 3 * pi / 4}, {0x1p-149, 0x1p-149, pi / 4}, {0x1p-149, -0x1p-149, 3 * pi / 4}, {0x1p127, 0x1p127, pi / 4},
		{0x1p-149, 0x1p127, 0}, {0x1p-149, -0x1p127, pi}, {0x1p127, 0x1p-149, pi / 2}, {0x1p-149, 1, 0x1p-149},
	}
	for _, x := range tests {
		if x.want == 0 && x.y > 0 && !math.IsInf(x.x, 0) {
			checkSpecialIn(t, dtype.Float32, Atan2, []float64{x.y, x.x}, 0) // not 0 in float64
			continue
		}
		checkSpecial(t, Atan2, []float64{x.y, x.x}, x.want)
		checkSpecial(t, Atan2, []float64{-x.y, x.x}, -x.want)
	}
	for _, x := range [][]float64{{nan, 1}, {1, nan}, {nan, nan}, {neg0, nan}, {nan, 0}, {inf, nan}, {nan, -inf}} {
		checkSpecial(t, Atan2, x, nan)
	}
}

func checkSpecial(t *testing.T, o Op, in []float64, want float64) {
	t.Helper()
	checkSpecialIn(t, dtype.Float32, o, in, want)
	checkSpecialIn(t, dtype.Float64, o, in, want)
}

func checkSpecialIn(t *testing.T, d dtype.DType, o Op, in []float64, want float64) {
	t.Helper()
	var bits []uint64
	for _, v := range in {
		bits = append(bits, dtype.FromFloat(d, v))
	}
	got := Scalar(o, d, bits...)
	w := dtype.FromFloat(d, want)
	if v := dtype.ToFloat(d, got); v != v && want != want {
		return
	}
	if got != w {
		t.Errorf("%s %s(%v) = %v (%x), want %v (%x)", o, d, in, dtype.ToFloat(d, got), got, dtype.ToFloat(d, w), w)
	}
}

// TestRandn compares with Triton's values for seed 43 on a GPU.
func TestRandn(t *testing.T) {
	tests := map[uint64]float64{
		0: -1.5163120031356812, 1: 0.4268886148929596, 2: -0.7106251120567322, 3: -0.9415346384048462, 17: -1.8869990110397339,
		100: -0.7250356674194336, 187: 3.2474818229675293, 200: -2.121954917907715, 255: -0.5193006992340088,
	}
	for offset, want := range tests {
		got := dtype.ToFloat(dtype.Float32, Scalar(Randn, dtype.Uint32, offset, 0, 43, 0))
		if math.Abs(got-want) > 1e-5 {
			t.Errorf("randn(43, %d) = %v, want %v", offset, got, want)
		}
	}
}
