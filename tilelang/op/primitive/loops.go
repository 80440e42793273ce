package primitive

import (
	"math"
	"math/bits"

	"github.com/tiler-go/tiler/tilelang/dtype"
)

type signed interface {
	~int8 | ~int16 | ~int32 | ~int64
}
type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}
type integer interface{ signed | unsigned }
type float interface{ ~float32 | ~float64 }
type number interface{ integer | float }

// loop1, loop2, loop3 give a loop over typed slices the table's shape.
func loop1[Z, X dtype.Elem](f func(z []Z, x []X)) Loop {
	return func(z, x, _, _ dtype.Buf) {
		zs := dtype.View[Z](z)
		f(zs, dtype.View[X](x)[:len(zs)])
	}
}

func loop2[Z, X dtype.Elem](f func(z []Z, x, y []X)) Loop {
	return func(z, x, y, _ dtype.Buf) {
		zs := dtype.View[Z](z)
		f(zs, dtype.View[X](x)[:len(zs)], dtype.View[X](y)[:len(zs)])
	}
}

func loop3[T dtype.Elem](f func(z, x, y, w []T)) Loop {
	return func(z, x, y, w dtype.Buf) {
		zs := dtype.View[T](z)
		f(zs, dtype.View[T](x)[:len(zs)], dtype.View[T](y)[:len(zs)], dtype.View[T](w)[:len(zs)])
	}
}

func add[T number](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] + y[i]
	}
}

func sub[T number](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] - y[i]
	}
}

func mul[T number](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] * y[i]
	}
}

func divFloat[T float](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] / y[i]
	}
}

// divInt truncates; a zero divisor, which callers refuse, gives 0. Go defines
// MinInt / -1 as MinInt and MinInt % -1 as 0.
func divInt[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		if y[i] == 0 {
			z[i] = 0
			continue
		}
		z[i] = x[i] / y[i]
	}
}

func modInt[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		if y[i] == 0 {
			z[i] = 0
			continue
		}
		z[i] = x[i] % y[i]
	}
}

// modFloat is C's fmod; float64 holds the float32 case exactly.
func modFloat[T float](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = T(math.Mod(float64(x[i]), float64(y[i])))
	}
}

func and[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] & y[i]
	}
}

func or[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] | y[i]
	}
}

func xor[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] ^ y[i]
	}
}

// A shift count of the width or more, or a negative one, shifts everything out.
func shl[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] << count(y[i])
	}
}

func shr[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = x[i] >> count(y[i])
	}
}

func count[T integer](n T) uint64 {
	if n < 0 {
		return 64
	}
	return uint64(n)
}

func lt[T number](z []uint8, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = b2i(x[i] < y[i])
	}
}

func le[T number](z []uint8, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = b2i(x[i] <= y[i])
	}
}

func eq[T number](z []uint8, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = b2i(x[i] == y[i])
	}
}

func ne[T number](z []uint8, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = b2i(x[i] != y[i])
	}
}

func b2i(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func maxInt[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = max(x[i], y[i])
	}
}

func minInt[T integer](z, x, y []T) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = min(x[i], y[i])
	}
}

// Maximum and Minimum of floats: a NaN loses against a number, +0 is above -0.

func max32(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = Max32(x[i], y[i])
	}
}

func min32(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = -Max32(-x[i], -y[i])
	}
}

func max64(z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = Max64(x[i], y[i])
	}
}

func min64(z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = -Max64(-x[i], -y[i])
	}
}

// Max32 is Maximum of two float32.
func Max32(x, y float32) float32 {
	switch {
	case x > y:
		return x
	case x < y:
		return y
	case x == y: // the same bits, or two zeros of which the sum is the greater
		return math.Float32frombits(math.Float32bits(x) & math.Float32bits(y))
	case x != x:
		return y
	}
	return x
}

// Max64 is Maximum of two float64.
func Max64(x, y float64) float64 {
	switch {
	case x > y:
		return x
	case x < y:
		return y
	case x == y:
		return math.Float64frombits(math.Float64bits(x) & math.Float64bits(y))
	case x != x:
		return y
	}
	return x
}

// The extrema that a NaN wins. Comparison decides but for equal operands, of which
// zeros may differ in sign, and NaN, whose sum is NaN.

func maxNaN32(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i, a := range x {
		switch b := y[i]; {
		case a > b:
		case a < b:
			a = b
		case a == b:
			a = Max32(a, b)
		default:
			a += b
		}
		z[i] = a
	}
}

func minNaN32(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i, a := range x {
		switch b := y[i]; {
		case a < b:
		case a > b:
			a = b
		case a == b:
			a = -Max32(-a, -b)
		default:
			a += b
		}
		z[i] = a
	}
}

func maxNaN64(z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	for i, a := range x {
		switch b := y[i]; {
		case a > b:
		case a < b:
			a = b
		case a == b:
			a = Max64(a, b)
		default:
			a += b
		}
		z[i] = a
	}
}

func minNaN64(z, x, y []float64) {
	x, y = x[:len(z)], y[:len(z)]
	for i, a := range x {
		switch b := y[i]; {
		case a < b:
		case a > b:
			a = b
		case a == b:
			a = -Max64(-a, -b)
		default:
			a += b
		}
		z[i] = a
	}
}

func umulhi32[T int32 | uint32](z, x, y []T) {
	for i := range z {
		z[i] = T(uint64(uint32(x[i])) * uint64(uint32(y[i])) >> 32)
	}
}

func umulhi64[T int64 | uint64](z, x, y []T) {
	for i := range z {
		hi, _ := bits.Mul64(uint64(x[i]), uint64(y[i]))
		z[i] = T(hi)
	}
}

// where selects y or w by x, which is Bool; only the width of y and w matters.
func where[T unsigned](z, x, y, w dtype.Buf) {
	zs := dtype.View[T](z)
	c, ys, ws := dtype.View[uint8](x)[:len(zs)], dtype.View[T](y)[:len(zs)], dtype.View[T](w)[:len(zs)]
	for i := range zs {
		v := ws[i]
		if c[i] != 0 {
			v = ys[i]
		}
		zs[i] = v
	}
}

func neg[T number](z, x []T) {
	x = x[:len(z)]
	for i := range z {
		z[i] = -x[i]
	}
}

func not[T integer](z, x []T) {
	x = x[:len(z)]
	for i := range z {
		z[i] = ^x[i]
	}
}

func copyLanes[T dtype.Elem](z, x []T) { copy(z, x) }

func absInt[T signed](z, x []T) {
	x = x[:len(z)]
	for i := range z {
		z[i] = max(x[i], -x[i]) // MinInt stays MinInt
	}
}

func sqrt32(z, x []float32) {
	x = x[:len(z)]
	for i := range z {
		z[i] = float32(math.Sqrt(float64(x[i])))
	}
}

func sqrt64(z, x []float64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = math.Sqrt(x[i])
	}
}

// Scale is x·2^n rounded once, for an integral n.
func scale32(z, x, n []float32) {
	x, n = x[:len(z)], n[:len(z)]
	for i := range z {
		e := exponent(float64(n[i]), 512) // beyond, every float32 is 0 or infinite
		z[i] = float32(float64(x[i]) * math.Float64frombits(uint64(1023+e)<<52))
	}
}

func scale64(z, x, n []float64) {
	for i := range z {
		z[i] = ldexp(x[i], exponent(n[i], 2200))
	}
}

// exponent is n as an integer within the limit; NaN, which Go converts differently on
// every platform, counts as 0.
func exponent(n, limit float64) int {
	switch {
	case -limit <= n && n <= limit:
		return int(n)
	case n > 0:
		return int(limit)
	case n < 0:
		return -int(limit)
	}
	return 0
}

// ldexp multiplies by powers of two so that at most the last product rounds.
func ldexp(x float64, n int) float64 {
	pow := func(e int) float64 { return math.Float64frombits(uint64(1023+e) << 52) }
	for ; n > 1023; n -= 1023 {
		x *= pow(1023)
	}
	for ; n < -1022; n += 969 { // 969 = 1022-53: a product that leaves bits behind is 0 in the end
		x *= pow(-969)
	}
	return x * pow(n)
}
