package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// tally counts values, adds each to one of few sums, and keeps the largest.
func tally(p *tl.Program, x, counts, sums, most tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := tl.Mask(offs.Lt(n))
	v := tl.Load(x.Add(offs), mask, tl.Other(0))
	tl.AtomicAdd(counts.Add(v), 1, mask)
	tl.AtomicAdd(sums.Add(v.Mod(4)), v.To(tl.Float64), mask)
	tl.AtomicMax(most.Add(v.Mod(4)), v, mask)
}

// TestAtomicsTogether: nothing gets lost between workers that exchange the same elements.
func TestAtomicsTogether(t *testing.T) {
	const n, values = 100_003, 61
	x := tensor.RandInt(1, tl.Int32, 0, values, n)
	var counts [values]int
	var sums [4]float64
	for _, v := range tensor.Data[int32](x) {
		counts[v]++
		sums[v%4] += float64(v)
	}
	for _, e := range exec.Engines()[1:] {
		k := exec.New(tally, exec.Options{Engine: e, Workers: 4})
		c, s, m := tensor.Zeros(tl.Int64, values), tensor.Zeros(tl.Float64, 4), tensor.Zeros(tl.Int32, 4)
		if err := k.Launch(exec.Grid{tl.Cdiv(n, 256)}, x, c, s, m, n, 256); err != nil {
			t.Fatal(err)
		}
		for i, want := range counts {
			if got := tensor.Data[int64](c)[i]; got != int64(want) {
				t.Errorf("%s: %d times %d, want %d", e, got, i, want)
			}
		}
		for i, want := range sums {
			if got := tensor.Data[float64](s)[i]; got != want {
				t.Errorf("%s: sum %d is %v, want %v", e, i, got, want)
			}
			if got, want := tensor.Data[int32](m)[i], int32((values-1-i)/4*4+i); got != want {
				t.Errorf("%s: the largest of %d is %d, want %d", e, i, got, want)
			}
		}
	}
}
