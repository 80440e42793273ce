package kerneltest_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/kerneltest/corpus"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// overflows are launches in which products in tiles once wrote past their partial sums: with chains
// of several parts, and columns that do not fill panels.
var overflows = []struct{ row, dtype, op string }{
	{"Bytes", "int8", "tripled"}, {"BytesTurned", "int8", "plain"}, {"TilesBlocked", "bfloat16", "straight"},
	{"TilesBlockedTiny", "bfloat16", "biased"}, {"TilesWrapping", "bfloat16", ""},
}

var overflowSizes = []map[string]int{
	{"M": 40, "N": 48, "K": 2100, "BM": 32, "BN": 16, "BK": 128},
	{"M": 31, "N": 63, "K": 1030, "BM": 32, "BN": 32, "BK": 64},
}

// TestFences runs some of everything against fences at both ends of buffers. TILER_FENCE does so with
// whole suites.
func TestFences(t *testing.T) {
	if dtype.Fenced() != dtype.NoFence {
		t.Skip("the whole run is fenced")
	}
	for half, mode := range []dtype.Fence{dtype.FenceEnd, dtype.FenceBegin} {
		t.Run([]string{"end", "begin"}[half], func(t *testing.T) {
			if err := dtype.SetFence(mode); err != nil {
				t.Skip(err)
			}
			defer dtype.SetFence(dtype.NoFence)
			for _, x := range overflows {
				for _, vars := range overflowSizes[half:] {
					c := corpus.CaseOf(x.row, x.dtype, x.op, vars)
					compareCase(t, exec.New(c.Row.Fn), c)
				}
			}
			thin := 8 // of the corpus; whole suites run under TILER_FENCE
			if long() {
				thin = 1
			}
			for seed := range uint64(24 / thin) {
				c := corpus.RandomProduct(seed)
				compareCase(t, exec.New(c.Row.Fn), c)
			}
			for i, row := range corpus.Rows() {
				if cases := row.Cases(); i%(2*thin) == half {
					compareCase(t, exec.New(row.Fn), cases[i*7%len(cases)])
				}
			}
		})
	}
}
