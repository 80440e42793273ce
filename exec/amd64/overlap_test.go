package amd64

import (
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// softmaxText is the kernel of testdata, changed.
func softmaxText(t *testing.T, oldNew ...string) *ir.Func {
	t.Helper()
	f, err := ir.Parse(strings.NewReplacer(oldNew...).Replace(kernel(t, "softmax").String()))
	if err == nil {
		err = ir.Verify(f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPlanOverlap: which instances do the next one's head on their way.
func TestPlanOverlap(t *testing.T) {
	for _, c := range []struct {
		name    string
		f       *ir.Func
		ordered bool
		last    op.Op
	}{
		{"softmax", kernel(t, "softmax"), false, op.Max},
		{"tensors may overlap", kernel(t, "softmax"), true, op.None},
		{"in place", softmaxText(t, "ptradd v2 v24", "ptradd v1 v24"), false, op.None},
		{"a long row", softmaxText(t, "[1024]", "[4096]"), false, op.None},
		{"a sum comes first", kernel(t, "layernorm"), false, op.Sum},
		{"a loop comes first", kernel(t, "attention"), false, op.None},
	} {
		o, got := fuse.Plan(c.f, c.ordered).Overlap, op.None
		if o.Last != nil {
			got = o.Last.Op
		}
		if got != c.last {
			t.Errorf("%s: the head ends with %s, want %s", c.name, ir.OpName(got), ir.OpName(c.last))
		}
	}
}

// TestOverlap: instances give the same alone as one after the other, also where these end,
// begin a new row of the grid, are interrupted, bypass the caches, or fail.
func TestOverlap(t *testing.T) {
	const rows, there, large = 3000, 2000, scalar.StreamBytes/4/1024 + 1
	fails := rowsCall("softmax", rows, 100)
	fails.args[0].Mem = fails.args[0].Mem.Slice(0, there*100+50)
	again := rowsCall("softmax", 7, 100)
	again.grid = [3]int{7, 3, 1}
	for _, tier := range runnable(t) {
		for _, c := range []struct {
			problem
			fail int // the first one, 0: none
		}{
			{rowsCall("softmax", rows, 100), 0}, {again, 0}, {fails, there},
			{rowsCall("softmax", large, 1024), 0}, {rowsCall("layernorm", rows, 100), 0}, {rowsCall("layernorm", large, 1024), 0},
		} {
			w := compile(t, kernel(t, c.kernel), tier).NewWorker()
			run := func(step int) (out []byte, failed []int) {
				clear(c.out().Bytes())
				w.Begin(&Launch{Grid: c.grid, Args: c.args})
				n := c.grid[0] * c.grid[1]
				for i := 0; i < n; i += step {
					if f := w.Run(i, min(n, i+step)); f != nil {
						failed = append(failed, f.Program)
					}
				}
				return slices.Clone(c.out().Bytes()), failed
			}
			want, alone := run(1)
			got, failed := run(rows)
			if !slices.Equal(got, want) || (len(failed) > 0) != (c.fail > 0) || len(failed) > 0 && (failed[0] != c.fail || alone[0] != c.fail) {
				t.Errorf("%s, %v: not what they give alone; failed: %v", c, tier, failed)
			}
		}
	}
}
