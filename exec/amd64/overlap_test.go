package amd64

import (
	"slices"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
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
		{"a sum comes first", kernel(t, "layernorm"), false, op.None},
		{"a loop comes first", kernel(t, "attention"), false, op.None},
	} {
		got := op.None
		if last := plan(c.f, c.ordered).overlap.last; last != nil {
			got = last.Op
		}
		if got != c.last {
			t.Errorf("%s: the head ends with %s, want %s", c.name, ir.OpName(got), ir.OpName(c.last))
		}
	}
}

// TestOverlap: instances give the same alone as one after the other, also where these end,
// begin a new row of the grid, are interrupted, or fail.
func TestOverlap(t *testing.T) {
	const rows, cols, there = 3000, 100, 2000
	x := numbers(rows*cols, 1)
	for _, avx512 := range []bool{false, true} {
		run := func(x []float32, grid [3]int, step int) (out []float32, failed []int) {
			w := compile(t, kernel(t, "softmax"), avx512).NewWorker()
			out = make([]float32, rows*cols)
			w.Begin(&Launch{Grid: grid, Args: []ir.Arg{
				{Mem: dtype.BufOf(dtype.Float32, x)}, {Mem: dtype.BufOf(dtype.Float32, out)}, {Bits: cols}, {Bits: cols}, {Bits: cols}, {Bits: 1024},
			}})
			n := grid[0] * grid[1]
			for i := 0; i < n; i += step {
				if f := w.Run(i, min(n, i+step)); f != nil {
					failed = append(failed, f.Program)
				}
			}
			return out, failed
		}
		for _, c := range []struct {
			name string
			x    []float32
			grid [3]int
			fail int // the first one, 0: none
		}{
			{"rows", x, [3]int{rows, 1, 1}, 0},
			{"a grid of two axes", x, [3]int{7, 3, 1}, 0},
			{"rows that are not there", x[:there*cols+cols/2], [3]int{rows, 1, 1}, there},
		} {
			want, alone := run(c.x, c.grid, 1)
			got, failed := run(c.x, c.grid, rows)
			if !slices.Equal(got, want) || (len(failed) > 0) != (c.fail > 0) || len(failed) > 0 && (failed[0] != c.fail || alone[0] != c.fail) {
				t.Errorf("%s, avx512 %t: not what they give alone; failed: %v", c.name, avx512, failed)
			}
		}
	}
}
