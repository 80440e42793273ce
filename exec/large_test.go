package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/cpu"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// columnSums adds up the rows of a matrix, several at a time.
func columnSums(p *tl.Program, x, y tl.Ptr, rows, cols int, R, C tl.Const) {
	c := tl.Arange(0, C).Add(p.ID(0) * C)
	sum := tl.Zeros(tl.Float32, C)
	for r := 0; r < rows; r += R {
		at := tl.Arange(0, R).Add(r)
		mask := tl.Mask(at.Lt(rows).Col().And(c.Lt(cols).Row()))
		sum = sum.Add(tl.Sum(tl.Load(x.Add(at.Col().Mul(cols).Add(c.Row())), mask, tl.Other(0)), tl.Axis(0)))
	}
	tl.Store(y.Add(c), sum, tl.Mask(c.Lt(cols)))
}

// TestLargeColumns: a matrix that does not stay in the caches, whose rows to come are prefetched, adds up to the same.
func TestLargeColumns(t *testing.T) {
	const cols, most = 1000, 32 << 20
	bytes := cpu.CacheSizes().L3.Size/2 + 1<<20
	if bytes > most {
		t.Logf("the caches hold more than %d MiB: prefetches are left out here", most>>20)
		bytes = most
	}
	rows := bytes / 4 / cols
	x, want := tensor.Empty(tl.Float32, rows, cols), make([]float32, cols)
	for i, data := 0, tensor.Data[float32](x); i < len(data); i++ {
		data[i] = float32(i % 7)
		want[i%cols] += data[i]
	}
	for _, e := range exec.Engines()[1:] {
		for _, at := range []int{8, 32, 48} {
			y := tensor.Zeros(tl.Float32, cols)
			k := exec.New(columnSums, exec.Options{Engine: e})
			if err := k.Launch(exec.Grid{tl.Cdiv(cols, 64)}, x, y, rows, cols, at, 64); err != nil {
				t.Fatal(err)
			}
			for i, got := range tensor.Data[float32](y) {
				if got != want[i] {
					t.Fatalf("%s, %d rows at a time: column %d is %v, want %v", e, at, i, got, want[i])
				}
			}
		}
	}
}
