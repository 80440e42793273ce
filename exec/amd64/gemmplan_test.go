package amd64

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestPlanKept has launches of one product by one job: those of the same sizes go by one plan,
// wherever their tensors are, others do not, and all give the bits of instances one by one.
func TestPlanKept(t *testing.T) {
	sizes := [][3]int{{64, 304, 100}, {80, 96, 33}}
	code := compile(t, kernel(t, "product"), widest(t))
	var j Job
	plans := map[string]*gemm.Plan{}
	for i, size := range [][3]int{sizes[0], sizes[0], sizes[1], sizes[0], sizes[1], sizes[1]} {
		for _, workers := range []int{1, 1, 2} {
			name := fmt.Sprintf("launch %d, of %v for %d workers", i, size, workers)
			c := product003("product", dtype.Float32, size[0], size[1], size[2])
			want := bytes.Clone(c.run(t, code, 1, true))
			clear(c.out().Bytes())
			before := code.product.Planned()
			j.Begin(code, &Launch{Args: c.args, Grid: c.grid}, workers)
			kept := before != nil && plans[fmt.Sprint(size, workers)] == before
			if kept != (code.product.Planned() == before) {
				t.Errorf("%s: the plan is kept: %v", name, !kept)
			}
			plans[fmt.Sprint(size, workers)] = j.product.Plan
			w := j.Worker()
			w.Run(0, j.Tasks())
			w.Release()
			if !bytes.Equal(c.out().Bytes(), want) {
				t.Errorf("%s: other bits than one by one", name)
			}
		}
	}
}
