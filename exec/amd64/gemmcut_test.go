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
