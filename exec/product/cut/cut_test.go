package cut

import (
	"slices"
	"testing"
)

// TestPanels: every column is in a panel, wherever there are two kinds less than half a
// register of columns is computed for nothing, and only the last panel has such columns.
func TestPanels(t *testing.T) {
	const wide, narrow = 48, 32
	both, one := Kernel{NR: wide, Narrow: narrow}, Kernel{NR: narrow}
	for cols := 1; cols < 400; cols++ {
		y := both.Panels(cols)
		beyond := y.Start(y.Len()) - cols
		if beyond < 0 || beyond >= 16 && cols > 16 || beyond >= y.NR(y.Len()-1) {
			t.Errorf("%d columns: %d wide and %d narrow panels", cols, y.n[0], y.n[1])
		}
		if most := cols/wide + 2; y.Len() > most {
			t.Errorf("%d columns: %d panels, there is room for %d", cols, y.Len(), most)
		}
		if y := one.Panels(cols); y.n[1] != 0 || y.Start(y.Len()) != roundUp(cols, narrow) {
			t.Errorf("%d columns: %d panels and %d others of one kind", cols, y.n[0], y.n[1])
		}
	}
}

// TestBlocks: blocks lie side by side, none is empty or too wide, and all begin where panels
// can end.
func TestBlocks(t *testing.T) {
	both, one := Kernel{NR: 48, Narrow: 32}, Kernel{NR: 16}
	for _, k := range []Kernel{both, one} {
		for n := 1; n < 3000; n += 7 {
			for workers := 1; workers <= 17; workers += 3 {
				for _, large := range []bool{false, true} {
					starts := k.blocks(n, 288, workers, large)
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
		if got := both.blocks(c.n, 288, c.workers, c.large); !slices.Equal(got, c.want) {
			t.Errorf("%d columns, %d workers, large %v: %v, want %v", c.n, c.workers, c.large, got, c.want)
		}
	}
}

// TestRegions: every element of the result is in one task.
func TestRegions(t *testing.T) {
	both, one := Kernel{MR: 8, NR: 48, Narrow: 32}, Kernel{MR: 6, NR: 16}
	for _, k := range []Kernel{both, one} {
		for _, m := range []int{1, 8, 90, 333} {
			for n := 1; n < 1500; n += 37 {
				for _, workers := range []int{1, 2, 3, 5, 16} {
					r := k.Tasks(m, n, 288, 8*k.MR, workers, false)
					done := make([]int8, m*n)
					for _, g := range r.Regions {
						if g.Cols < 1 || g.Cols > 288 {
							t.Fatalf("%d columns, %d workers: %v", n, workers, r.Regions)
						}
					}
					for task := range r.N {
						g := r.Of(task)
						lo := g.Row + (task-g.First)*g.Each
						for i := lo; i < min(lo+g.Each, g.Row+g.Rows); i++ {
							for j := g.Col; j < g.Col+g.Cols; j++ {
								done[i*n+j]++
							}
						}
					}
					if i := slices.IndexFunc(done, func(n int8) bool { return n != 1 }); i >= 0 {
						t.Fatalf("%d × %d, %d workers: (%d, %d) is in %d tasks of %v", m, n, workers, i/n, i%n, done[i], r.Regions)
					}
				}
			}
		}
	}
	// 1024 columns: 20 wide panels, of which each worker has two blocks, and 64 columns for both.
	r := both.Tasks(1024, 1024, 288, 8*8, 2, false)
	want := []Region{
		{Columns{0, 240}, 0, 1024, 0, 32, 32}, {Columns{240, 240}, 0, 1024, 32, 32, 32}, {Columns{960, 64}, 0, 512, 64, 6, 96},
		{Columns{480, 240}, 0, 1024, 70, 32, 32}, {Columns{720, 240}, 0, 1024, 102, 32, 32}, {Columns{960, 64}, 512, 512, 134, 6, 96},
	}
	if !slices.Equal(r.Regions, want) {
		t.Errorf("1024 × 1024, 2 workers: %v", r.Regions)
	}
}
