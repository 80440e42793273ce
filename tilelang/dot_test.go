package tilelang_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// fused is x*y + z rounded once to d, by exact arithmetic.
func fused(d tl.DType, x, y, z float64) float64 {
	s := new(big.Float).SetPrec(4000)
	s.Mul(new(big.Float).SetFloat64(x), new(big.Float).SetFloat64(y))
	s.Add(s, new(big.Float).SetFloat64(z))
	if d == tl.Float64 {
		v, _ := s.Float64()
		return v
	}
	v, _ := s.Float32()
	return float64(v)
}

// chainBits is a product as the language defines it: for each element the chain
// acc = fma(a[m,k], b[k,n], acc), k ascending, in type d.
func chainBits(d tl.DType, a, b, acc []float64, m, n, k int) []uint64 {
	out := make([]uint64, m*n)
	for i := range m {
		for j := range n {
			s := 0.0
			if acc != nil {
				s = acc[i*n+j]
			}
			for l := range k {
				s = fused(d, a[i*k+l], b[l*n+j], s)
			}
			out[i*n+j] = dtype.FromFloat(d, s)
		}
	}
	return out
}

func TestDotChain(t *testing.T) {
	for _, s := range [][3]int{{1, 1, 1}, {2, 3, 4}, {16, 16, 16}, {5, 1, 33}, {1, 17, 2}, {7, 8, 9}} {
		m, n, k := s[0], s[1], s[2]
		for _, d := range []tl.DType{tl.Float32, tl.Float64, tl.Float16, tl.BFloat16, tl.Float8E5, tl.Float8E4NV} {
			chain := d.Compute()
			x, y := tensor.Randn(1, d, m, k), tensor.Randn(2, d, k, n)
			acc := tensor.Randn(3, chain, m, n)
			name := fmt.Sprint(d, s)
			want := bitsTile(chain, chainBits(chain, x.Floats(), y.Floats(), nil, m, n, k)...).Reshape(m, n)
			wantAcc := bitsTile(chain, chainBits(chain, x.Floats(), y.Floats(), acc.Floats(), m, n, k)...).Reshape(m, n)
			a, b, c := tileOf(x), tileOf(y), tileOf(acc)
			same(t, name, tl.Dot(a, b), want)
			same(t, name+" transposed operands", tl.Dot(copyT(a), copyT(b)), want)
			same(t, name+" acc", tl.Dot(a, b, tl.Acc(c)), wantAcc)
			same(t, name+" x + dot", c.Add(tl.Dot(a, b)), wantAcc)
			same(t, name+" dot + x", tl.Dot(a, b).Add(c), wantAcc)
			same(t, name+" a cast to the same dtype keeps it", tl.Dot(a, b).To(chain).Add(c), wantAcc)
			same(t, name+" As", tl.Dot(a, b, tl.As(chain)).Add(c), wantAcc)
		}
	}
}

// copyT is x in transposed memory.
func copyT(x tl.Tile) tl.Tile {
	s := x.Shape()
	return bitsTile(x.DType(), x.T().Bits()...).Reshape(s[1], s[0]).T()
}

// TestDotFuses is where an addition continues the chain and where it does not. In
// every case the two differ in their bits.
func TestDotFuses(t *testing.T) {
	a, b := tileOf(tensor.Randn(1, tl.Float32, 4, 50)), tileOf(tensor.Randn(2, tl.Float32, 50, 4))
	c, e := tileOf(tensor.Randn(3, tl.Float32, 4, 50)), tileOf(tensor.Randn(4, tl.Float32, 50, 4))
	x := tileOf(tensor.Randn(5, tl.Float32, 4, 4))
	ab, ce := bits(tl.Dot(a, b)), bits(tl.Dot(c, e))
	onX := tl.Dot(a, b, tl.Acc(x))
	if fmt.Sprint(onX.Bits()) == fmt.Sprint(x.Add(ab).Bits()) {
		t.Fatal("the example does not tell a chain from a sum")
	}
	d := tl.Dot(a, b)
	d.Bits() // has been computed, and is a product still
	same(t, "after it was read", x.Add(d), onX)
	same(t, "twice", x.Add(d).Add(d), tl.Dot(a, b, tl.Acc(onX)))
	same(t, "of two products the right one continues", tl.Dot(a, b).Add(tl.Dot(c, e)), tl.Dot(c, e, tl.Acc(ab)))
	same(t, "a product and itself", d.Add(d), tl.Dot(a, b, tl.Acc(ab)))
	same(t, "one with an accumulator is a sum", tl.Dot(a, b, tl.Acc(x)).Add(ce), onX.Mul(1.0).Add(ce))
	same(t, "what was fused is a sum", x.Add(tl.Dot(a, b)).Add(ce), bits(onX).Add(ce))
	same(t, "another shape is a sum", tl.Dot(a, b).Add(x.Reshape(1, 4, 4)), ab.Add(x.Reshape(1, 4, 4)))
	same(t, "a row is a sum", tl.Dot(a, b).Add(tl.Arange(0, 4).To(tl.Float32).Row()), ab.Add(tl.Arange(0, 4).To(tl.Float32).Row()))
	same(t, "another dtype is a sum", tl.Dot(a, b).Add(x.To(tl.Float64)), ab.Add(x.To(tl.Float64)))
	same(t, "a Go number is a sum", tl.Dot(a, b).Add(1.5), ab.Add(1.5))
	same(t, "through a mul is a sum", x.Add(tl.Dot(a, b).Mul(1.0)), x.Add(ab))
	same(t, "a difference is one", x.Sub(tl.Dot(a, b)), x.Sub(ab))
	same(t, "transposed is a sum", x.Add(tl.Dot(a, b).T()), x.Add(ab.T()))
	same(t, "cast there and back is a sum", x.Add(tl.Dot(a, b).To(tl.Float64).To(tl.Float32)), x.Add(ab))
}

// bits is x as it was read back from memory: a product no longer.
func bits(x tl.Tile) tl.Tile { return bitsTile(x.DType(), x.Bits()...).Reshape(x.Shape()...) }

func TestDotTypes(t *testing.T) {
	h, k := tensor.Randn(1, tl.Float16, 4, 40), tensor.Randn(2, tl.Float16, 40, 4)
	a, b := tileOf(h), tileOf(k)
	wide := tl.Dot(a, b)
	same(t, "As(Float16) rounds the chain once", tl.Dot(a, b, tl.As(tl.Float16)), wide.To(tl.Float16))
	x := tileOf(tensor.Randn(3, tl.Float16, 4, 4))
	onX := tl.Dot(a, b, tl.Acc(x.To(tl.Float32))).To(tl.Float16)
	same(t, "also onto an accumulator", tl.Dot(a, b, tl.Acc(x), tl.As(tl.Float16)), onX)
	same(t, "and when fused", x.Add(tl.Dot(a, b, tl.As(tl.Float16))), onX)
	same(t, "two fp8 formats mix", tl.Dot(floats(tl.Float8E5, 2).Col(), floats(tl.Float8E4NV, 3, 4).Row()), floats(tl.Float32, 6, 8).Row())
	same(t, "fp8 as float16", tl.Dot(floats(tl.Float8E5, 2).Col(), floats(tl.Float8E5, 3).Row(), tl.As(tl.Float16)), floats(tl.Float16, 6).Row())

	i8 := func(v ...int) tl.Tile { return ints(tl.Int8, v...) }
	same(t, "int8 sums in int32", tl.Dot(i8(-128, -128, 127).Row(), i8(-128, -128, 127).Col()), ints(tl.Int32, 2*16384+16129).Row())
	same(t, "int8 with an accumulator", ints(tl.Int32, 5).Row().Add(tl.Dot(i8(2).Row(), i8(3).Col())), ints(tl.Int32, 11).Row())
	same(t, "uint8 sums in uint32", tl.Dot(ints(tl.Uint8, 255, 255).Row(), ints(tl.Uint8, 255, 255).Col()), ints(tl.Uint32, 130050).Row())
	same(t, "int32 wraps", tl.Dot(ints(tl.Int32, 1<<30).Row(), ints(tl.Int32, 4).Col()), ints(tl.Int32, 0).Row())
	same(t, "int64", tl.Dot(ints(tl.Int64, 1<<40).Row(), ints(tl.Int64, 1<<20).Col()), ints(tl.Int64, 1<<60).Row())
	same(t, "NaN and infinities", tl.Dot(floats(tl.Float32, math.Inf(1), 1).Row(), floats(tl.Float32, 0, 1).Col()), floats(tl.Float32, math.NaN()).Row())
	same(t, "subnormals are kept", tl.Dot(floats(tl.Float32, 0x1p-100).Row(), floats(tl.Float32, 0x1p-49).Col()), floats(tl.Float32, 0x1p-149).Row())
}

func TestDotBatches(t *testing.T) {
	x, y := tensor.Randn(1, tl.Float32, 3, 4, 5), tensor.Randn(2, tl.Float32, 3, 5, 6)
	acc := tensor.Randn(3, tl.Float32, 3, 4, 6)
	got, gotAcc := tl.Dot(tileOf(x), tileOf(y)), tileOf(acc).Add(tl.Dot(tileOf(x), tileOf(y)))
	for i := range 3 {
		part := func(x *tensor.Tensor) tl.Tile { return tileOf(x.Slice(0, i, i+1).Contiguous()).Squeeze(0) }
		one := func(x tl.Tile) tl.Tile {
			return bitsTile(tl.Float32, x.Bits()[i*24:(i+1)*24]...).Reshape(4, 6)
		}
		same(t, "batch", one(got), tl.Dot(part(x), part(y)))
		same(t, "batch with accumulator", one(gotAcc), tl.Dot(part(x), part(y), tl.Acc(part(acc))))
	}
}

// TestDotLoop is a long loop: its accumulator must not be a chain of all the products
// before it.
func TestDotLoop(t *testing.T) {
	a, b := f32(2, 2).Add(1), f32(2, 2).Add(0.5)
	acc := f32(2, 2)
	for range 100_000 {
		acc = acc.Add(tl.Dot(a, b))
	}
	same(t, "sum", acc, f32(2, 2).Add(100_000))
}
