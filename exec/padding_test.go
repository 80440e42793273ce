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

// columnOther stores over the column that it reads as Other.
func columnOther(p *tl.Program, x, y, w tl.Ptr, n int) {
	a, b := tl.Arange(0, 144).Reshape(144, 1), tl.Arange(0, 2).Reshape(1, 2)
	at := a.Mul(2).Add(b)
	tl.Store(w.Add(at), tl.Load(x.Add(at), tl.Mask(b.Ge(n)), tl.Other(tl.Load(w.Add(a)))))
}

// TestColumnOther: what a load gives where its mask is off is read before a store behind the load, also where tensors
// may overlap and every load is carried out where it stands.
func TestColumnOther(t *testing.T) {
	for n := range 4 {
		for _, overlap := range []bool{false, true} {
			sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
				x, w := tensor.Arange(tl.Float32, 1000, 1300), tensor.Arange(tl.Float32, 5, 305)
				y := x
				if overlap {
					y = w
				}
				return []*tensor.Tensor{w}, exec.New(columnOther, o).Launch(exec.Grid{1}, x, y, w, n)
			})
		}
	}
}
