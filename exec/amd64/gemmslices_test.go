package amd64

import (
	"bytes"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestSlices has chains cut into slices: results written in place and by an epilogue,
// ragged ends, operands that lie anyhow, several tasks of rows; strips of A in place, and copied as if crowded.
func TestSlices(t *testing.T) {
	defer func(f func() int) { gemm.MostUnsliced = f }(gemm.MostUnsliced)
	gemm.MostUnsliced = func() int { return 0 }
	defer func(f func(int, int64) bool) { gemm.Crowded = f }(gemm.Crowded)
	for _, c := range []problem{
		product003("product", dtype.Float32, 64, 304, 1024),
		product003("product", dtype.Float32, 48, 80, 1100),
		product003("product_f16", dtype.Float16, 80, 304, 1030),
		product004(141, 47, 513, 1),
		product004(140, 340, 600, 3),
		product003("product", dtype.Float32, 1040, 352, 600),
	} {
		for _, tier := range runnable(t) {
			code := compile(t, kernel(t, c.kernel), tier)
			want := c.run(t, code, 1, true)
			for i, workers := range []int{1, 2, 1, 2} {
				gemm.Crowded = func(int, int64) bool { return i >= 2 }
				code.product.Forget()
				if r := code.product.Plan(c.args, c.grid, workers); workers == 1 && !r.Sliced() {
					t.Fatalf("%s is not sliced", c)
				}
				if !bytes.Equal(c.run(t, code, workers, false), want) {
					t.Errorf("%s in %d workers, %v: other bits than one by one", c, workers, tier)
				}
			}
		}
	}
}
