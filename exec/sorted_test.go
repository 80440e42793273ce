package exec_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func sortsRows(p *tl.Program, x, s, v, at, top, first tl.Ptr, R, N, K tl.Const) {
	r := tl.Arange(0, R).Col()
	o := r.Mul(N).Add(tl.Arange(0, N).Row())
	a := tl.Load(x.Add(o))
	tl.Store(s.Add(o), tl.Sort(a))
	b, i := tl.ArgSort(a)
	tl.Store(v.Add(o), b)
	tl.Store(at.Add(o), i)
	c, j := tl.TopK(a, K)
	k := r.Mul(K).Add(tl.Arange(0, K).Row())
	tl.Store(top.Add(k), c)
	tl.Store(first.Add(k), j)
}

// hardOrder is rows of elements many of which are equal, or special, in several orders.
func hardOrder(d tl.DType, rows, n int) *tensor.Tensor {
	special := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1, -1, math.NaN()}
	x := tensor.Zeros(d, rows, n)
	for i := range rows {
		for j := range n {
			v := []int{j * 7 % 5, j - n/2, n/2 - j, 0}[i%4]
			bits := dtype.FromInt(d, int64(v), true)
			switch {
			case d.IsFloat() && i%4 == 0:
				if bits = dtype.FromFloat(d, special[(j*5+j/8)%8]); j%8 == 7 {
					bits |= 1<<(d.Bits()-1) | uint64(j) // NaNs of other bits
				}
			case d.IsFloat():
				bits = dtype.FromFloat(d, float64(v)*1.5)
			case i%4 == 0 && j%3 == 0: // the ends of the range
				bits = ^uint64(0) >> (64 - d.Bits()) >> (j % 2)
			}
			x.Buf().SetBits(i*n+j, bits)
		}
	}
	return x
}

// TestSortedRows sorts rows of lengths around those of registers, and takes their first elements.
func TestSortedRows(t *testing.T) {
	lengths := []int{2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129}
	for _, d := range []tl.DType{tl.Int64, tl.Uint64, tl.Float64, tl.Int32, tl.Float32, tl.Uint8} {
		for c, n := range append(lengths, 260, 700) {
			const rows = 5
			k := min([]int{8, 1, 3, 9, 5, 2, 4}[c%7], n)
			x := hardOrder(d, rows, n)
			t.Run(fmt.Sprintf("%v/%d/%d", d, n, k), func(t *testing.T) {
				sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
					z := []*tensor.Tensor{tensor.Zeros(d, rows, n), tensor.Zeros(d, rows, n), tensor.Zeros(tl.Int32, rows, n),
						tensor.Zeros(d, rows, k), tensor.Zeros(tl.Int32, rows, k)}
					return z, exec.New(sortsRows, o).Launch(exec.Grid{1}, x, z[0], z[1], z[2], z[3], z[4], rows, n, k)
				}, x)
			})
		}
	}
}
