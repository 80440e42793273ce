package tilelang_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

var intTypes = []tl.DType{tl.Int8, tl.Int16, tl.Int32, tl.Int64, tl.Uint8, tl.Uint16, tl.Uint32, tl.Uint64}

// edges are bit patterns where integer arithmetic turns: ends of every width, and
// shift counts around them.
var edges = []uint64{0, 1, 2, 7, 8, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 0x7fff, 0x8000, 0xffff,
	0x7fffffff, 0x80000000, 0xffffffff, 1 << 62, 1<<63 - 1, 1 << 63, ^uint64(0), ^uint64(6)}

// edgeTiles is two tiles of type dx and dy that hold every pair of edges.
func edgeTiles(dx, dy tl.DType) (x, y tl.Tile) {
	cut := func(d tl.DType, v uint64) uint64 { return v & (math.MaxUint64 >> (64 - d.Bits())) }
	var a, b []uint64
	for _, u := range edges {
		for _, v := range edges {
			a, b = append(a, cut(dx, u)), append(b, cut(dy, v))
		}
	}
	return bitsTile(dx, a...), bitsTile(dy, b...)
}

// value is a bit pattern as a number.
func value(d tl.DType, bits uint64) int64 { return dtype.ToInt(d, bits) }

func TestShifts(t *testing.T) {
	for _, dx := range intTypes {
		for _, dy := range intTypes {
			x, y := edgeTiles(dx, dy)
			d, err := dtype.Promote(dtype.Bitwise, dx, dy)
			if err != nil {
				t.Fatal(err)
			}
			left, right := x.Shl(y), x.Shr(y)
			if left.DType() != d || right.DType() != d {
				t.Fatalf("%s by %s: %s and %s, want %s", dx, dy, left.DType(), right.DType(), d)
			}
			xs, ys, ls, rs := x.Bits(), y.Bits(), left.Bits(), right.Bits()
			width := uint64(d.Bits())
			for i := range xs {
				// The left operand, extended by its own sign; the count after promotion.
				v, n := value(dx, xs[i]), dtype.FromInt(d, value(dy, ys[i]), false)
				if d.IsSigned() && value(d, n) < 0 {
					n = width
				}
				n = min(n, width)
				wantL := dtype.FromInt(d, int64(uint64(v)<<n), false)
				in := dtype.FromInt(d, v, false)
				wantR := in >> n
				if dx.IsSigned() {
					wantR = dtype.FromInt(d, value(d.WithSign(true), in)>>min(n, 63), false)
				} else if n == 64 {
					wantR = 0
				}
				if n >= width {
					wantL = 0
				}
				if ls[i] != wantL || rs[i] != wantR {
					t.Fatalf("%s %#x by %s %#x: << %#x, want %#x; >> %#x, want %#x", dx, xs[i], dy, ys[i], ls[i], wantL, rs[i], wantR)
				}
			}
		}
	}
	same(t, "scalar on the left", tl.Shl(1, tl.Arange(0, 4)), ints(tl.Int32, 1, 2, 4, 8))
	same(t, "scalar on the left", tl.Shr(-16, tl.Arange(0, 4)), ints(tl.Int32, -16, -8, -4, -2))
	same(t, "bool", ints(tl.Bool, 1, 1).Shl(ints(tl.Bool, 0, 1)), ints(tl.Bool, 1, 0))
}

func TestIntegerDivision(t *testing.T) {
	for _, d := range intTypes {
		x, y := edgeTiles(d, d)
		y = tl.Where(y.Eq(0), 3, y)
		q, r := x.FloorDiv(y), x.Mod(y)
		if q.DType() != d || r.DType() != d {
			t.Fatalf("%s: %s and %s", d, q.DType(), r.DType())
		}
		xs, ys, qs, rs := x.Bits(), y.Bits(), q.Bits(), r.Bits()
		for i := range xs {
			var wantQ, wantR uint64
			switch a, b := value(d, xs[i]), value(d, ys[i]); {
			case !d.IsSigned():
				wantQ, wantR = xs[i]/ys[i], xs[i]%ys[i]
			case b == -1: // also MinInt, whose quotient wraps
				wantQ, wantR = dtype.FromInt(d, -a, false), 0
			default:
				wantQ, wantR = dtype.FromInt(d, a/b, false), dtype.FromInt(d, a%b, false)
			}
			if qs[i] != wantQ || rs[i] != wantR {
				t.Fatalf("%s %d by %d: %#x rest %#x, want %#x rest %#x", d, value(d, xs[i]), value(d, ys[i]), qs[i], rs[i], wantQ, wantR)
			}
		}
	}
	same(t, "truncates", ints(tl.Int32, -7, 7, -7).FloorDiv(ints(tl.Int32, 2, -2, -2)), ints(tl.Int32, -3, -3, 3))
	same(t, "sign of the dividend", ints(tl.Int32, -7, 7).Mod(ints(tl.Int32, 3, -3)), ints(tl.Int32, -1, 1))
	same(t, "scalar on the left", tl.FloorDiv(7, ints(tl.Int16, 2, -2)), ints(tl.Int16, 3, -3))
	same(t, "fmod", floats(tl.Float32, -7.5, 1e30, 5).Mod(floats(tl.Float32, 2, 3, math.Inf(1))), floats(tl.Float32, -1.5, math.Mod(float64(float32(1e30)), 3), 5))
	same(t, "integers divide as float32", ints(tl.Int64, 1<<24+1, 7).Div(2), floats(tl.Float32, 1<<23, 3.5))
	same(t, "beside float64 as float64", ints(tl.Int32, 1<<24+1).Div(floats(tl.Float64, 2)), floats(tl.Float64, 1<<23+0.5))
}

// TestScalarOperands is what a Go number becomes beside a tile.
func TestScalarOperands(t *testing.T) {
	inf := math.Inf(1)
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"int beside uint8", ints(tl.Uint8, 250).Add(10), ints(tl.Uint8, 4)},
		{"float beside int16", ints(tl.Int16, 3).Mul(0.5), floats(tl.Float32, 1.5)},
		{"int beside bool", ints(tl.Bool, 1, 0).Add(1), ints(tl.Int32, 2, 1)},
		{"float beside bool", ints(tl.Bool, 1, 0).Mul(0.25), floats(tl.Float32, 0.25, 0)},
		{"bool beside bool is exclusive or", ints(tl.Bool, 1, 0).Add(true), ints(tl.Bool, 0, 1)},
		{"bool beside float16", floats(tl.Float16, 1.5).Add(true), floats(tl.Float16, 2.5)},
		{"float rounded to float16", floats(tl.Float16, 0).Add(1.0001), floats(tl.Float16, 1)},
		{"float too large for float16", floats(tl.Float16, 1).Add(1e9), floats(tl.Float16, inf)},
		{"float too large for float32", floats(tl.Float32, 1).Mul(1e300), floats(tl.Float32, inf)},
		{"float beside bfloat16", floats(tl.BFloat16, 3).Mul(2.0), floats(tl.BFloat16, 6)},
		{"int beside bfloat16", floats(tl.BFloat16, 3).Sub(1), floats(tl.BFloat16, 2)},
		{"float64 stays", floats(tl.Float64, 0).Add(0.1), floats(tl.Float64, 0.1)},
		{"division of float16 by a float goes on in float32", floats(tl.Float16, 1).Div(0.1), floats(tl.Float32, 1/float64(float32(0.1)))},
		{"uint8 against a negative", ints(tl.Uint8, 3).Gt(-1), ints(tl.Bool, 1)},
		{"uint32 against a negative: unsigned", ints(tl.Uint32, 3).Gt(-1), ints(tl.Bool, 0)},
		{"int64 against a large int", ints(tl.Int64, 1<<40).Eq(1 << 40), ints(tl.Bool, 1)},
		{"float16 against a float32", floats(tl.Float16, 0.1).Eq(0.1), ints(tl.Bool, 0)},
		{"int32 against a float", ints(tl.Int32, 2).Lt(2.5), ints(tl.Bool, 1)},
		{"sub of a scalar", tl.Sub(1, ints(tl.Int8, 3)), ints(tl.Int8, -2)},
		{"div of a scalar", tl.Div(1, floats(tl.Float32, 4)), floats(tl.Float32, 0.25)},
		{"mod of a scalar", tl.Mod(7, ints(tl.Int32, 4)), ints(tl.Int32, 3)},
		{"nan and inf", floats(tl.Float32, 1, 2).Add(math.NaN()), floats(tl.Float32, math.NaN(), math.NaN())},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
}

// TestThreeOperands is Where, Clamp and FMA with literals among their operands.
func TestThreeOperands(t *testing.T) {
	m, nan := ints(tl.Bool, 1, 0), math.NaN()
	h, f := floats(tl.Float16, 1, 2), floats(tl.Float32, 3, 4)
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"where promotes", tl.Where(m, h, f), floats(tl.Float32, 1, 4)},
		{"where with a literal", tl.Where(m, h, -1.5), floats(tl.Float16, 1, -1.5)},
		{"where with infinity", tl.Where(m, math.Inf(-1), f), floats(tl.Float32, math.Inf(-1), 4)},
		{"where, int tile and float", tl.Where(m, ints(tl.Int8, 5, 6), 0.5), floats(tl.Float32, 5, 0.5)},
		{"where of two ints", tl.Where(m, 7, -7), ints(tl.Int32, 7, -7)},
		{"where of two floats", tl.Where(m, 0.5, -0.5), floats(tl.Float32, 0.5, -0.5)},
		{"where of int and float", tl.Where(m, 0, -1e6), floats(tl.Float32, 0, -1e6)},
		{"where of bools", tl.Where(m, false, true), ints(tl.Bool, 0, 1)},
		{"where broadcasts", tl.Where(m.Col(), tl.Arange(0, 3), -1), ints(tl.Int32, 0, 1, 2, -1, -1, -1).Reshape(2, 3)},
		{"where with a Go condition", tl.Where(true, h, f), floats(tl.Float32, 1, 2)},
		{"clamp", tl.Clamp(floats(tl.Float32, -3, 0.5, 3, nan), -1, 1), floats(tl.Float32, -1, 0.5, 1, -1)},
		{"clamp of ints", tl.Clamp(tl.Arange(0, 4), 1, 2), ints(tl.Int32, 1, 1, 2, 2)},
		{"clamp of bfloat16", tl.Clamp(floats(tl.BFloat16, 3), 0, 1), floats(tl.Float32, 1)},
		{"clamp by tiles", tl.Clamp(tl.Arange(0, 3), ints(tl.Int32, 1, 1, 1), tl.Arange(1, 4)), ints(tl.Int32, 1, 1, 2)},
		{"fma", tl.FMA(f, 2.0, 1), floats(tl.Float32, 7, 9)},
		{"fma promotes all before it rounds", tl.FMA(floats(tl.Float16, 1), floats(tl.Float32, 0), 1.0001), floats(tl.Float32, 1.0001)},
		{"fma with the tile last", tl.FMA(2, 3.5, f), floats(tl.Float32, 10, 11)},
		{"fma rounds once", tl.FMA(bitsTile(tl.Float32, 0x3f800008), bitsTile(tl.Float32, 0x337ffff0), bitsTile(tl.Float32, 0x3f800001)), bitsTile(tl.Float32, 0x3f800001)},
		{"maximum of bfloat16", tl.Maximum(floats(tl.BFloat16, 1), floats(tl.BFloat16, 2)), floats(tl.Float32, 2)},
		{"maximum, NaN loses", tl.Maximum(floats(tl.Float32, nan, 1, nan), floats(tl.Float32, 1, nan, nan)), floats(tl.Float32, 1, 1, nan)},
		{"maximum, NaN wins", tl.Maximum(floats(tl.Float32, nan, 1), floats(tl.Float32, 1, 2), tl.PropagateNaN), floats(tl.Float32, nan, 2)},
		{"minimum, NaN wins", tl.Minimum(floats(tl.Float16, nan, 1), floats(tl.Float16, 1, 2), tl.PropagateNaN), floats(tl.Float16, nan, 1)},
		{"maximum of zeros", tl.Maximum(floats(tl.Float32, math.Copysign(0, -1)), 0.0), floats(tl.Float32, 0)},
		{"minimum of zeros", tl.Minimum(floats(tl.Float32, 0), floats(tl.Float32, math.Copysign(0, -1))), floats(tl.Float32, math.Copysign(0, -1))},
		{"umulhi", tl.UMulHi(ints(tl.Uint32, 1<<31), 6), ints(tl.Uint32, 3)},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
}

func TestUnary(t *testing.T) {
	zero := math.Copysign(0, -1)
	same(t, "neg of zero", floats(tl.Float32, 0, zero, 1).Neg(), floats(tl.Float32, zero, 0, -1))
	same(t, "neg of float16", floats(tl.Float16, 0, 2).Neg(), floats(tl.Float16, zero, -2))
	same(t, "neg of unsigned", ints(tl.Uint8, 1, 0).Neg(), ints(tl.Uint8, 255, 0))
	same(t, "neg of bool", ints(tl.Bool, 1, 0).Neg(), ints(tl.Bool, 1, 0))
	same(t, "not", ints(tl.Int8, 0, -1, 5).Not(), ints(tl.Int8, -1, 0, -6))
	same(t, "not of bool", ints(tl.Bool, 0, 1).Not(), ints(tl.Bool, 1, 0))
	same(t, "abs", tl.Abs(ints(tl.Int8, -128, -1, 1)), ints(tl.Int8, -128, 1, 1))
	same(t, "abs of zero", tl.Abs(floats(tl.Float32, zero, -2)), floats(tl.Float32, 0, 2))
	same(t, "floor", tl.Floor(floats(tl.Float32, -1.5, 1.5, zero)), floats(tl.Float32, -2, 1, zero))
	same(t, "ceil of float16", tl.Ceil(floats(tl.Float16, -0.5, 1.5)), floats(tl.Float16, zero, 2))
	same(t, "sqrt of bfloat16", tl.Sqrt(floats(tl.BFloat16, 2)), floats(tl.BFloat16, math.Sqrt2))
	same(t, "exp of float16", tl.Exp(floats(tl.Float16, 0, 100)), floats(tl.Float16, 1, math.Inf(1)))
	x := floats(tl.Float32, 1, 2, 3, 1000)
	same(t, "softmax does not overflow", tl.Sum(tl.Softmax(x, 0)), floats(tl.Float32, 1).Reshape())
}

func TestCasts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cases := []struct {
		name      string
		got, want tl.Tile
	}{
		{"float saturates", floats(tl.Float32, nan, inf, -inf, 1e20, -1.9, 3.9).To(tl.Int8), ints(tl.Int8, 0, 127, -128, 127, -1, 3)},
		{"float saturates unsigned", floats(tl.Float64, nan, inf, -1, 1e20, 3.9).To(tl.Uint64), bitsTile(tl.Uint64, 0, ^uint64(0), 0, ^uint64(0), 3)},
		{"float16 saturates", floats(tl.Float16, inf, 65504).To(tl.Int16), ints(tl.Int16, 32767, 32767)},
		{"int wraps", ints(tl.Int32, 300, -1).To(tl.Uint8), ints(tl.Uint8, 44, 255)},
		{"int extends by its own sign", ints(tl.Int8, -1).To(tl.Uint32), bitsTile(tl.Uint32, 0xffffffff)},
		{"unsigned extends by zeros", ints(tl.Uint8, 255).To(tl.Int32), ints(tl.Int32, 255)},
		{"bool extends by zeros", ints(tl.Bool, 1).To(tl.Int32), ints(tl.Int32, 1)},
		{"any to bool", floats(tl.Float32, 0, 0.1, nan, math.Copysign(0, -1)).To(tl.Bool), ints(tl.Bool, 0, 1, 1, 0)},
		{"int64 to float32 rounds once", ints(tl.Int64, 1<<24+1, 1<<54+1<<30+1).To(tl.Float32), bitsTile(tl.Float32, 0x4b800000, 0x5a800001)},
		{"int64 to float16 rounds once", ints(tl.Int64, 2049, 2051, 70000).To(tl.Float16), floats(tl.Float16, 2048, 2052, inf)},
		{"uint64 to float", bitsTile(tl.Uint64, 1<<63).To(tl.Float64), floats(tl.Float64, 1<<63)},
		{"float64 to bfloat16 rounds once", floats(tl.Float64, 1+1.0/256+1e-12).To(tl.BFloat16), floats(tl.BFloat16, 1+1.0/128)},
		{"toward zero", floats(tl.Float32, 1.9999, -1.9999, 1e9).To(tl.Float16, tl.TowardZero), bitsTile(tl.Float16, 0x3fff, 0xbfff, 0x7bff)},
		{"e4m3fn saturates", floats(tl.Float32, 1e6, -inf, 448, 470).To(tl.Float8E4NV), bitsTile(tl.Float8E4NV, 0x7e, 0xfe, 0x7e, 0x7e)},
		{"e4m3fn keeps NaN", floats(tl.Float32, nan).To(tl.Float8E4NV), bitsTile(tl.Float8E4NV, 0x7f)},
		{"e5m2 overflows", floats(tl.Float32, 1e6, -inf, 57344).To(tl.Float8E5), bitsTile(tl.Float8E5, 0x7c, 0xfc, 0x7b)},
		{"fp8 to float16", bitsTile(tl.Float8E4NV, 0x7e, 0x01).To(tl.Float16), floats(tl.Float16, 448, 0x1p-9)},
		{"bitcast", floats(tl.Float32, 1).Bitcast(tl.Int32), ints(tl.Int32, 0x3f800000)},
		{"bitcast of narrow", bitsTile(tl.Uint16, 0x3c00).Bitcast(tl.Float16), floats(tl.Float16, 1)},
		{"bitcast of an index tile", tl.Arange(0, 2).Sub(1).Bitcast(tl.Uint32), bitsTile(tl.Uint32, 0xffffffff, 0)},
		{"index tile to int8", tl.Arange(254, 257).To(tl.Int8), ints(tl.Int8, -2, -1, 0)},
	}
	for _, c := range cases {
		same(t, c.name, c.got, c.want)
	}
}

// TestLayoutsDoNotMatter runs ops on operands that are dense, transposed, broadcast
// and sliced, against the same on dense copies.
func TestLayoutsDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tileOfRandom := func(d tl.DType, n int) tl.Tile {
		bits := make([]uint64, n)
		for i := range bits {
			bits[i] = dtype.FromInt(d, int64(rng.IntN(100)-50), false)
		}
		return bitsTile(d, bits...)
	}
	copied := func(x tl.Tile) tl.Tile { return bitsTile(x.DType(), x.Bits()...).Reshape(x.Shape()...) }
	types := []tl.DType{tl.Int8, tl.Int32, tl.Uint64, tl.Float16, tl.Float32, tl.Float64}
	for round := range 60 {
		dx, dy := types[rng.IntN(len(types))], types[rng.IntN(len(types))]
		a, _ := tl.Split(tileOfRandom(dy, 24*30*2).Reshape(30, 24, 2))
		xs := []tl.Tile{tileOfRandom(dx, 720).Reshape(24, 30), tileOfRandom(dx, 720).Reshape(30, 24).T(), tileOfRandom(dx, 24).Col(), tileOfRandom(dx, 1)}
		ys := []tl.Tile{a.T(), tileOfRandom(dy, 30), tileOfRandom(dy, 30).Row().BroadcastTo(24, 30), tileOfRandom(dy, 24*30*4).Reshape(4, 24, 30).Permute(0, 1, 2)}
		for i, x := range xs {
			for k, y := range ys {
				name := fmt.Sprint(round, dx, dy, i, k)
				same(t, name+" add", x.Add(y), copied(x).Add(copied(y)))
				same(t, name+" lt", x.Lt(y), copied(x).Lt(copied(y)))
				same(t, name+" where", tl.Where(y.Gt(x), x, y), tl.Where(copied(y).Gt(copied(x)), copied(x), copied(y)))
				same(t, name+" cast", y.To(tl.Float32), copied(y).To(tl.Float32))
			}
		}
	}
}
