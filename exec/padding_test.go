package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// paddedSum adds up blocks whose ends are given, with something else where a block has ended.
func paddedSum(p *tl.Program, x, ends, out tl.Ptr, BLOCK tl.Const) {
	o := tl.Arange(0, BLOCK)
	end := tl.Load(ends.Add(p.ID(0))).Int()
	v := tl.Load(x.Add(o), tl.Mask(o.Lt(end)), tl.Other(2))
	tl.Store(out.Add(p.ID(0)), tl.Sum(v))
}

// TestPaddedSums: blocks of any length, ended anywhere, are padded to their end and no further.
func TestPaddedSums(t *testing.T) {
	for _, block := range []int{7, 24, 25, 30, 31, 48, 50, 63, 64, 80, 96, 100} {
		x, ends := make([]int32, block), make([]int32, block+1)
		for i := range x {
			x[i], ends[i+1] = int32(i*i), int32(i+1)
		}
		for _, engine := range exec.Engines() {
			got := make([]int32, block+1)
			k := exec.New(paddedSum, exec.Options{Engine: engine})
			if err := k.Launch(exec.Grid{block + 1}, tensor.From(x), tensor.From(ends), tensor.From(got), block); err != nil {
				t.Fatal(engine, err)
			}
			want := int32(2 * block)
			for end := range block + 1 {
				if got[end] != want {
					t.Errorf("%s, %d of %d: %d, want %d", engine, end, block, got[end], want)
					break
				}
				if end < block {
					want += x[end] - 2
				}
			}
		}
	}
}
