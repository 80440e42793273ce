package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// matches counts how often numbers occur in x, by comparing all pairs, along both axes, masked and not.
func matches(p *tl.Program, x, z tl.Ptr, n int, N, B tl.Const) {
	i, b := tl.Arange(0, N), tl.Arange(0, B)
	v := tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(3))
	hit := v.Row().Eq(b.Col())
	put := func(k int, t tl.Tile) { tl.Store(z.Add(b.Add(k*B)), t.To(tl.Int64)) }
	put(0, tl.Sum(hit, tl.Axis(1)))
	put(1, tl.Sum(tl.Where(hit, 1, 0), tl.Axis(1)))
	put(2, tl.Sum(tl.Where(hit.And(i.Lt(n).Row()), 1, 0), tl.Axis(1)))
	down := v.Col().Eq(b.Row()).And(i.Lt(n).Col()).And(v.Ne(5).Col())
	put(3, tl.Sum(down.To(tl.Int32), tl.Axis(0)))
	put(4, tl.Sum(v.Row().Eq(tl.Arange(1, B+1).Col()), tl.Axis(1)))
	put(5, tl.Sum(hit.And(b.Lt(n).Col()), tl.Axis(1)))
	put(6, tl.Sum(tl.Where(hit, 2, 0), tl.Axis(1)))
	put(7, tl.Sum(hit.Not(), tl.Axis(1)))
}

// TestOneHot counts by comparisons what is in range, and what lies outside, also of int32.
func TestOneHot(t *testing.T) {
	for _, d := range []tl.DType{tl.Int32, tl.Int64, tl.Uint8, tl.Int16, tl.Uint32} {
		for _, s := range [][2]int{{64, 32}, {65, 33}, {100, 15}, {63, 40}, {513, 70}} {
			t.Run(fmt.Sprint(d, s), func(t *testing.T) {
				n := s[0]
				x := tensor.Zeros(d, n)
				for i := range n {
					v := uint64(i * i % (s[1] + 3))
					if i%7 == 3 {
						v = ^uint64(i)<<(i%2) + uint64(i%3)<<32
					}
					x.Buf().SetBits(i, v&(1<<(d.Bits()-1)<<1-1))
				}
				sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
					z := tensor.Zeros(tl.Int64, 8, s[1])
					return []*tensor.Tensor{z}, exec.New(matches, o).Launch(exec.Grid{1}, x, z, n-5, n, s[1])
				}, x)
			})
		}
	}
}
