package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func greatest(p *tl.Program, x, z, at tl.Ptr, N, K tl.Const) {
	v, i := tl.TopK(tl.Load(x.Add(tl.Arange(0, int(N)))), int(K))
	k := tl.Arange(0, int(K))
	tl.Store(z.Add(k), v)
	tl.Store(at.Add(k), i)
}

// TestTopKOfEquals: of equal elements the first ones are kept, also where a greater one comes later.
func TestTopKOfEquals(t *testing.T) {
	for _, d := range []tl.DType{tl.Int64, tl.Uint64, tl.Float64, tl.Float32} {
		for _, n := range []int{32, 33, 65, 100} {
			for _, k := range []int{1, 2, 3, 7, 8} {
				x := tensor.Zeros(d, n)
				for i := range n {
					x.Buf().SetBits(i, dtype.FromInt(d, int64(i%31/30+i/49%2), false))
				}
				t.Run(fmt.Sprint(d, n, k), func(t *testing.T) {
					sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
						z, at := tensor.Zeros(d, k), tensor.Zeros(tl.Int32, k)
						return []*tensor.Tensor{z, at}, exec.New(greatest, o).Launch(exec.Grid{1}, x, z, at, n, k)
					}, x)
				})
			}
		}
	}
}
