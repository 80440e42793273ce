package tilelang_test

import (
	"fmt"
	"math"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// sixteen is the order of a reduction, written down once more: element i goes to
// partial i mod 16, ascending, and the partials meet pairwise at distances 8, 4, 2, 1.
// A partial without an element is absent.
func sixteen[T any](xs []T, f func(a, b T) T) T {
	var partial [16]*T
	meet := func(i int, v T) {
		if partial[i] != nil {
			v = f(*partial[i], v)
		}
		partial[i] = &v
	}
	for i, v := range xs {
		meet(i%16, v)
	}
	for d := 8; d > 0; d /= 2 {
		for i := range d {
			if partial[i+d] != nil {
				meet(i, *partial[i+d])
			}
		}
	}
	return *partial[0]
}

// column is the elements of a tile along an axis, with the other indices fixed.
func column(x []uint64, shape []int, axis, outer, inner int) []uint64 {
	n, step := shape[axis], 1
	for _, d := range shape[axis+1:] {
		step *= d
	}
	out := make([]uint64, n)
	for k := range out {
		out[k] = x[(outer*n+k)*step+inner]
	}
	return out
}

// reduceBits reduces along an axis with f on bit patterns.
func reduceBits(x tl.Tile, axis int, f func(a, b uint64) uint64) []uint64 {
	shape, bits := x.Shape(), x.Bits()
	outer, inner := 1, 1
	for i, d := range shape {
		if i < axis {
			outer *= d
		} else if i > axis {
			inner *= d
		}
	}
	var out []uint64
	for o := range outer {
		for i := range inner {
			out = append(out, sixteen(column(bits, shape, axis, o, i), f))
		}
	}
	return out
}

func f32Op(f func(a, b float32) float32) func(a, b uint64) uint64 {
	return func(a, b uint64) uint64 {
		return uint64(math.Float32bits(f(math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))))
	}
}

var reduceShapes = [][]int{{1}, {2}, {5}, {15}, {16}, {17}, {31}, {32}, {33}, {100}, {3, 20}, {20, 3}, {2, 17, 3}, {1, 40, 2, 1, 3}}

func TestSumOrder(t *testing.T) {
	add := f32Op(func(a, b float32) float32 { return a + b })
	mul := f32Op(func(a, b float32) float32 { return a * b })
	for k, shape := range reduceShapes {
		x := tileOf(tensor.Randn(k, tl.Float32, shape...))
		for axis := range shape {
			name := fmt.Sprint(shape, " axis ", axis)
			var rest []int
			for i, d := range shape {
				if i != axis {
					rest = append(rest, d)
				}
			}
			same(t, "sum "+name, tl.Sum(x, tl.Axis(axis)), bitsTile(tl.Float32, reduceBits(x, axis, add)...).Reshape(rest...))
			same(t, "sum from the end "+name, tl.Sum(x, tl.Axis(axis-len(shape))), tl.Sum(x, tl.Axis(axis)))
			same(t, "keep "+name, tl.Sum(x, tl.Axis(axis), tl.KeepDims), tl.Sum(x, tl.Axis(axis)).ExpandDims(axis))
			got := tl.Reduce(x, func(a, b tl.Tile) tl.Tile { return a.Mul(b) }, tl.Axis(axis))
			same(t, "reduce "+name, got, bitsTile(tl.Float32, reduceBits(x, axis, mul)...).Reshape(rest...))
		}
		flat := bitsTile(tl.Float32, reduceBits(x.Ravel(), 0, add)...)
		same(t, fmt.Sprint("sum of all ", shape), tl.Sum(x), flat.Reshape())
		same(t, fmt.Sprint("sum of transposed ", shape), tl.Sum(x.Ravel().Row().T()), flat.Reshape())
	}
}

// A sum of narrow floats accumulates in float32 and rounds once; of narrow integers,
// in 32 bits.
func TestSumWidens(t *testing.T) {
	for _, d := range []tl.DType{tl.Float16, tl.BFloat16, tl.Float8E5, tl.Float8E4NV} {
		x := tileOf(tensor.Randn(3, d, 50))
		wide := bitsTile(tl.Float32, reduceBits(x.To(tl.Float32), 0, f32Op(func(a, b float32) float32 { return a + b }))...).Reshape()
		same(t, d.String(), tl.Sum(x), wide.To(d))
		same(t, d.String()+" as float32", tl.Sum(x, tl.As(tl.Float32)), wide)
	}
	same(t, "int8", tl.Sum(ints(tl.Int8, 127, 127, -128)), ints(tl.Int32, 126).Reshape())
	same(t, "uint8", tl.Sum(ints(tl.Uint8, 255, 255)), ints(tl.Uint32, 510).Reshape())
	same(t, "bool", tl.Sum(ints(tl.Bool, 1, 1, 0)), ints(tl.Uint32, 2).Reshape())
	same(t, "int32 wraps", tl.Sum(ints(tl.Int32, math.MaxInt32, 1)), ints(tl.Int32, math.MinInt32).Reshape())
	same(t, "int32 as int64", tl.Sum(ints(tl.Int32, math.MaxInt32, 1), tl.As(tl.Int64)), ints(tl.Int64, 1<<31).Reshape())
	same(t, "int8 as int8", tl.Sum(ints(tl.Int8, 127, 1), tl.As(tl.Int8)), ints(tl.Int8, -128).Reshape())
}

func TestExtremes(t *testing.T) {
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	cases := []struct {
		x                []float64
		max, min         float64
		argmax, argmin   int
		maxVal, minValue float64 // of MaxIndex, MinIndex: the element at the index
	}{
		{[]float64{1, 3, 2, 3, 1}, 3, 1, 1, 0, 3, 1},
		{[]float64{nan, 1, nan, 2, nan}, 2, 1, 3, 1, 2, 1},
		{[]float64{nan, nan, nan}, nan, nan, 0, 0, nan, nan},
		{[]float64{nan, -inf, inf}, inf, -inf, 2, 1, inf, -inf},
		{[]float64{nan, -inf}, -inf, -inf, 1, 1, -inf, -inf},
		{[]float64{zero, 0, zero}, 0, zero, 0, 0, zero, zero},
		{[]float64{0, zero}, 0, zero, 0, 0, 0, 0},
		{[]float64{5}, 5, 5, 0, 0, 5, 5},
		{[]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9}, 9, 1, 18, 0, 9, 1},
		{[]float64{9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9, 9, 0, 0}, 9, 0, 0, 18, 9, 0},
	}
	for _, c := range cases {
		for _, d := range []tl.DType{tl.Float32, tl.Float64, tl.Float16, tl.BFloat16} {
			x, name := floats(d, c.x...), fmt.Sprint(d, c.x)
			wide, kept := d, d
			if d.IsNarrow() {
				wide = tl.Float32
			}
			if d == tl.BFloat16 {
				kept = tl.Float32
			}
			same(t, "max "+name, tl.Max(x), floats(wide, c.max).Reshape())
			same(t, "min "+name, tl.Min(x), floats(wide, c.min).Reshape())
			same(t, "argmax "+name, tl.ArgMax(x, tl.Axis(0)), ints(tl.Int32, c.argmax).Reshape())
			same(t, "argmin "+name, tl.ArgMin(x), ints(tl.Int32, c.argmin).Reshape())
			v, i := tl.MaxIndex(x, tl.Axis(0), tl.KeepDims)
			same(t, "maxindex "+name, v, floats(kept, c.maxVal))
			same(t, "maxindex "+name, i, ints(tl.Int32, c.argmax))
			v, i = tl.MinIndex(x)
			same(t, "minindex "+name, v, floats(kept, c.minValue).Reshape())
			same(t, "minindex "+name, i, ints(tl.Int32, c.argmin).Reshape())
		}
	}
}

func TestExtremesOfIntegers(t *testing.T) {
	same(t, "max uint64", tl.Max(bitsTile(tl.Uint64, 1, 1<<63)), bitsTile(tl.Uint64, 1<<63).Reshape())
	same(t, "max int64", tl.Max(bitsTile(tl.Int64, 1, 1<<63)), bitsTile(tl.Int64, 1).Reshape())
	same(t, "max uint8", tl.Max(ints(tl.Uint8, 1, 200)), ints(tl.Int32, 200).Reshape())
	same(t, "min int8", tl.Min(ints(tl.Int8, 1, -128)), ints(tl.Int32, -128).Reshape())
	same(t, "max bool", tl.Max(ints(tl.Bool, 0, 1)), ints(tl.Int32, 1).Reshape())
	v, i := tl.MaxIndex(ints(tl.Uint8, 1, 200, 200))
	same(t, "maxindex uint8 keeps its dtype", v, ints(tl.Uint8, 200).Reshape())
	same(t, "maxindex uint8", i, ints(tl.Int32, 1).Reshape())
	x := tl.Arange(0, 12).Reshape(3, 4)
	same(t, "argmax of columns", tl.ArgMax(x, tl.Axis(0)), ints(tl.Int32, 2, 2, 2, 2))
	same(t, "argmin of rows", tl.ArgMin(x, tl.Axis(1)), ints(tl.Int32, 0, 0, 0))
	same(t, "argmax of all", tl.ArgMax(x), ints(tl.Int32, 11).Reshape())
	same(t, "xor_sum", tl.XorSum(ints(tl.Uint16, 3, 5, 0xff00)), ints(tl.Uint16, 3^5^0xff00).Reshape())
	same(t, "or_sum", tl.OrSum(ints(tl.Bool, 0, 0, 1)), ints(tl.Bool, 1).Reshape())
}

// TestReduceTuples is a mean and variance by Welford's combination, against the same
// in plain Go in the same order.
func TestReduceTuples(t *testing.T) {
	type state struct{ n, mean, m2 float32 }
	join := func(a, b state) state {
		n := a.n + b.n
		d := b.mean - a.mean
		r := b.n / n
		return state{n, a.mean + float32(d*r), a.m2 + b.m2 + float32(float32(float32(d*d)*a.n)*r)}
	}
	const n = 37
	x := tensor.Randn(1, tl.Float32, n)
	states := make([]state, n)
	for i := range states {
		states[i] = state{1, float32(x.Float(i)), 0}
	}
	want := sixteen(states, join)
	count, mean, m2 := tl.Reduce3(tl.Full(tl.Float32, 1, n), tileOf(x), tl.Zeros(tl.Float32, n),
		func(n1, mean1, s1, n2, mean2, s2 tl.Tile) (tl.Tile, tl.Tile, tl.Tile) {
			n := n1.Add(n2)
			d := mean2.Sub(mean1)
			r := n2.Div(n)
			return n, mean1.Add(d.Mul(r)), s1.Add(s2).Add(d.Mul(d).Mul(n1).Mul(r))
		}, tl.Axis(0))
	for _, c := range []struct {
		name string
		got  tl.Tile
		want float32
	}{{"count", count, want.n}, {"mean", mean, want.mean}, {"m2", m2, want.m2}} {
		same(t, c.name, c.got, bitsTile(tl.Float32, uint64(math.Float32bits(c.want))).Reshape())
	}
	v, i := tl.Reduce2(tl.Arange(0, 20).Reshape(4, 5), tl.Arange(0, 20).Reshape(4, 5), func(a, b, c, d tl.Tile) (tl.Tile, tl.Tile) {
		return tl.Maximum(a, c), tl.Minimum(b, d)
	}, tl.Axis(1))
	same(t, "maxima", v, ints(tl.Int32, 4, 9, 14, 19))
	same(t, "minima", i, ints(tl.Int32, 0, 5, 10, 15))
}

// scanBits scans along the last axis with f on bit patterns.
func scanBits(x []uint64, n int, reversed bool, f func(prev, x uint64) uint64) []uint64 {
	out := make([]uint64, len(x))
	copy(out, x)
	for lo := 0; lo < len(x); lo += n {
		for i := 1; i < n; i++ {
			at, before := lo+i, lo+i-1
			if reversed {
				at, before = lo+n-1-i, lo+n-i
			}
			out[at] = f(out[before], x[at])
		}
	}
	return out
}

func TestScanOrder(t *testing.T) {
	add := f32Op(func(a, b float32) float32 { return a + b })
	x := tileOf(tensor.Randn(5, tl.Float32, 3, 37))
	for _, reversed := range []bool{false, true} {
		want := bitsTile(tl.Float32, scanBits(x.Bits(), 37, reversed, add)...).Reshape(3, 37)
		o := []tl.ScanOption{tl.Axis(1)}
		if reversed {
			o = append(o, tl.Reverse)
		}
		same(t, "cumsum", tl.CumSum(x, o...), want)
		same(t, "scan", tl.Scan(x, addTiles, o...), want)
		o[0] = tl.Axis(0)
		same(t, "cumsum of columns", tl.CumSum(x.T(), o...), want.T())
	}
	same(t, "default axis is 0", tl.CumSum(tl.Arange(0, 4).Reshape(2, 2)), ints(tl.Int32, 0, 1, 2, 4).Reshape(2, 2))
}

// f is given the value so far first and the element second, forwards and backwards.
func TestScanOperands(t *testing.T) {
	x := ints(tl.Int32, 1, 2, 3)
	f := func(prev, x tl.Tile) tl.Tile { return prev.Mul(10).Add(x) }
	same(t, "forward", tl.Scan(x, f), ints(tl.Int32, 1, 12, 123))
	same(t, "reverse", tl.Scan(x, f, tl.Reverse), ints(tl.Int32, 321, 32, 3))
	a, b := tl.Scan2(x, x, func(a1, b1, a2, b2 tl.Tile) (tl.Tile, tl.Tile) { return a1.Mul(a2), b1.Mul(a2).Add(b2) })
	same(t, "product", a, ints(tl.Int32, 1, 2, 6))
	same(t, "linear", b, ints(tl.Int32, 1, 4, 15))
}

func TestScanTypes(t *testing.T) {
	same(t, "cumprod int8 wraps", tl.CumProd(ints(tl.Int8, 100, 2, 3)), ints(tl.Int8, 100, -56, 88))
	same(t, "cumsum int8 widens", tl.CumSum(ints(tl.Int8, 100, 100)), ints(tl.Int32, 100, 200))
	same(t, "cumsum bool", tl.CumSum(ints(tl.Bool, 1, 1)), ints(tl.Uint32, 1, 2))
	same(t, "cumsum bfloat16", tl.CumSum(floats(tl.BFloat16, 1, 2)), floats(tl.Float32, 1, 3))
	same(t, "cumprod bfloat16", tl.CumProd(floats(tl.BFloat16, 2, 3)), floats(tl.Float32, 2, 6))
	same(t, "cumsum as int64", tl.CumSum(ints(tl.Int32, math.MaxInt32, 1), tl.As(tl.Int64)), ints(tl.Int64, math.MaxInt32, 1<<31))
	// 2048 + 1 does not move a float16 sum; the float32 that is carried does.
	same(t, "cumsum float16", tl.CumSum(floats(tl.Float16, 2048, 1, 1)), floats(tl.Float16, 2048, 2048, 2050))
	if got := tl.CumSum(floats(tl.Float16, 2048, 1, 1)).DType(); got != dtype.Float16 {
		t.Errorf("cumsum of float16 is %s", got)
	}
}
