package amd64

import (
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestLargeResults adds vectors so large that the sum bypasses the caches, at places
// that are aligned and at others.
func TestLargeResults(t *testing.T) {
	const n = streamBytes/4 + 3000
	all := addCall(n)
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		code := compile(t, kernel(t, all.kernel), tier)
		for _, from := range []int{0, 5} {
			c := all
			c.args = append(c.args[:0:0], all.args...)
			c.args[2].Mem = all.args[2].Mem.Slice(from, n)
			c.args[3].Bits = n - 5
			c.run(t, code, 1, false)
			x, y, z := dtype.View[float32](c.args[0].Mem), dtype.View[float32](c.args[1].Mem), dtype.View[float32](c.args[2].Mem)
			for i := range z[:n-5] {
				if z[i] != x[i]+y[i] {
					t.Fatalf("%v from %d: element %d is %v, want %v", tier, from, i, z[i], x[i]+y[i])
				}
			}
		}
	}
}
