package amd64

import (
	"bytes"
	"os"
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// TestThin has products of as few rows as are not packed, and one more, of operands of every type
// between pages that nobody may touch: the bits are those of instances one by one.
func TestThin(t *testing.T) {
	rows, turned := map[cpu.Tier]int{cpu.AVX2: 6, cpu.AVX512: 16}, map[cpu.Tier]int{cpu.AVX2: 4, cpu.AVX512: 8}
	sizes := [][2]int{{16, 1}, {32, 17}, {100, 40}, {5, 9}, {300, 519}, {1100, 21}, {2100, 9}}
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16, dtype.BFloat16} {
		for _, tier := range runnable(t) {
			code, lanes := compile(t, productOf(t, d, dot.Ascending), tier), tierOf(tier).Lanes*4/max(4, d.Size())
			for i, s := range sizes {
				n, k := s[0], s[1]
				for m := 1; m <= 17; m++ {
					if (i+m)%3 != 0 && os.Getenv("TILER_LONG") == "" {
						continue
					}
					l := []layout{{k, 1, n, 1}, {1, m, n + 1, 1}, {k, 1, 1, k}, {2 * k, 2, 1, k + 3}}[(i+m)%4]
					c := productTyped(d, m, n, k, l)
					for arg := range c.args[:3] {
						c.args[arg].Mem = guarded(t, c.args[arg].Mem, (i+m)%2 == 0)
					}
					want := c.run(t, code, 1, true)
					for workers := 1; workers <= 3; workers += 2 {
						r := code.product.Plan(c.args, c.grid, workers)
						few := n >= lanes && k >= lanes && (l.bn == 1 && m <= rows[tier] && n >= 32*m || l.bn != 1 && m <= turned[tier])
						if r.Thin() != few {
							t.Fatalf("%s of %s: packs nothing is %v", c, d, r.Thin())
						}
						if got := c.run(t, code, workers, false); !bytes.Equal(got, want) {
							t.Errorf("%s of %s in %d workers, %v: byte %d differs", c, d, workers, tier, firstDifference(got, want))
						}
					}
				}
			}
		}
	}
}

// TestThinStop ends a product of few rows early: nothing is written.
func TestThinStop(t *testing.T) {
	c := productTyped(dtype.Float32, 4, 640, 600, layout{600, 1, 640, 1})
	clear(c.out().Bytes())
	w := compile(t, productOf(t, dtype.Float32, dot.Ascending), widest(t)).Job(&Launch{Args: c.args, Grid: c.grid, Stop: newStop(true)}, 1).Worker()
	var f *ir.Failure = w.Run(0, 1)
	if f != nil {
		t.Fatal(f)
	}
	for i, x := range c.out().Bytes() {
		if x != 0 {
			t.Fatalf("byte %d of the result was written", i)
		}
	}
}
