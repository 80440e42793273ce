package amd64

import "testing"

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
