package amd64

import (
	"slices"
	"testing"
)

// TestCut: every column is in a panel, wherever there are two kinds less than half a
// register of columns is computed for nothing, and only the last panel has such columns.
func TestCut(t *testing.T) {
	wide, narrow := tiling{cols: 48}, tiling{cols: 32}
	both := &Product{t: wide, narrow: &narrowPanels{t: narrow}}
	one := &Product{t: narrow}
	for cols := 1; cols < 400; cols++ {
		y := both.cut(cols)
		beyond := y.start(y.panels()) - cols
		if beyond < 0 || beyond >= 16 && cols > 16 || beyond >= y.of(y.panels()-1).cols {
			t.Errorf("%d columns: %d wide and %d narrow panels", cols, y.n[0], y.n[1])
		}
		if most := cols/wide.cols + 2; y.panels() > most {
			t.Errorf("%d columns: %d panels, there is room for %d", cols, y.panels(), most)
		}
		if y := one.cut(cols); y.n[1] != 0 || y.start(y.panels()) != roundUp(cols, narrow.cols) {
			t.Errorf("%d columns: %d panels and %d others of one kind", cols, y.n[0], y.n[1])
		}
	}
}

// TestColumnBlocks: blocks lie side by side, none is empty or too wide, and all begin where panels
// can end.
func TestColumnBlocks(t *testing.T) {
	both := &Product{t: tiling{cols: 48}, narrow: &narrowPanels{t: tiling{cols: 32}}}
	one := &Product{t: tiling{cols: 16}}
	for _, p := range []*Product{both, one} {
		for n := 1; n < 3000; n += 7 {
			for workers := 1; workers <= 17; workers += 3 {
				for _, large := range []bool{false, true} {
					starts := p.columnBlocks(n, 288, workers, large)
					if starts[0] != 0 || starts[len(starts)-1] != n {
						t.Fatalf("%d columns, %d workers: %v", n, workers, starts)
					}
					for i, s := range starts[1:] {
						if wide := s - starts[i]; wide < 1 || wide > 288 || starts[i]%16 != 0 {
							t.Fatalf("%d columns, %d workers: %v", n, workers, starts)
						}
					}
				}
			}
		}
	}
	for _, c := range []struct {
		n, workers int
		large      bool
		want       []int
	}{
		{512, 1, false, []int{0, 240, 512}},
		{512, 2, false, []int{0, 240, 512}},
		{512, 2, true, []int{0, 256, 512}},
		{768, 2, false, []int{0, 192, 384, 576, 768}},
		{2048, 2, true, []int{0, 240, 528, 768, 1024, 1264, 1552, 1792, 2048}},
		{20, 8, false, []int{0, 20}},
	} {
		if got := both.columnBlocks(c.n, 288, c.workers, c.large); !slices.Equal(got, c.want) {
			t.Errorf("%d columns, %d workers, large %v: %v, want %v", c.n, c.workers, c.large, got, c.want)
		}
	}
}

// TestRegions: every element of the result is in one task.
func TestRegions(t *testing.T) {
	both := &Product{t: tiling{rows: 8, cols: 48}, narrow: &narrowPanels{t: tiling{cols: 32}}}
	one := &Product{t: tiling{rows: 6, cols: 16}}
	for _, p := range []*Product{both, one} {
		for _, m := range []int{1, 8, 90, 333} {
			for n := 1; n < 1500; n += 37 {
				for _, workers := range []int{1, 2, 3, 5, 16} {
					r := &productPlan{p: p, shape: &whole{m: m, n: n}, rows: taskStrips * p.t.rows}
					r.cutRegions(288, workers)
					done := make([]int8, m*n)
					for _, g := range r.regions {
						if g.cols < 1 || g.cols > 288 {
							t.Fatalf("%d columns, %d workers: %v", n, workers, r.regions)
						}
					}
					for task := range r.tasks {
						g := r.regionOf(task)
						lo := g.row + (task-g.first)*g.each
						for i := lo; i < min(lo+g.each, g.row+g.rows); i++ {
							for j := g.col; j < g.col+g.cols; j++ {
								done[i*n+j]++
							}
						}
					}
					if i := slices.IndexFunc(done, func(n int8) bool { return n != 1 }); i >= 0 {
						t.Fatalf("%d × %d, %d workers: (%d, %d) is in %d tasks of %v", m, n, workers, i/n, i%n, done[i], r.regions)
					}
				}
			}
		}
	}
	// 1024 columns: 20 wide panels, of which each worker has two blocks, and 64 columns for both.
	r := &productPlan{p: both, shape: &whole{m: 1024, n: 1024}, rows: taskStrips * 8}
	r.cutRegions(288, 2)
	want := []region{
		{columns{0, 240}, 0, 1024, 0, 32, 32}, {columns{240, 240}, 0, 1024, 32, 32, 32}, {columns{960, 64}, 0, 512, 64, 6, 96},
		{columns{480, 240}, 0, 1024, 70, 32, 32}, {columns{720, 240}, 0, 1024, 102, 32, 32}, {columns{960, 64}, 512, 512, 134, 6, 96},
	}
	if !slices.Equal(r.regions, want) {
		t.Errorf("1024 × 1024, 2 workers: %v", r.regions)
	}
}
