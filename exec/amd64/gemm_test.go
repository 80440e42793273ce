package amd64

import (
	"testing"

	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/lattice"
)

// TestWhole says which launches are one product.
func TestWhole(t *testing.T) {
	gaps := product003("product", dtype.Float32, 48, 80, 90)
	gaps.args[2].Only = lattice.New(lattice.Axis{N: 100, Step: 3}, lattice.Axis{N: 100, Step: 5})
	outside := product003("product", dtype.Float32, 48, 80, 90)
	outside.args[0].Mem = outside.args[0].Mem.Slice(0, 48*90-1)
	twice := product003("product", dtype.Float32, 48, 80, 90)
	twice.grid[2] = 2
	for _, tt := range []struct {
		name   string
		call   problem
		single bool
		want   bool
	}{
		{"blocks", product003("product", dtype.Float32, 48, 80, 90), false, true},
		{"one by one", product003("product", dtype.Float32, 48, 80, 90), true, false},
		{"program numbers by / and %", product004(300, 300, 100, 1), false, true},
		{"strided", product004(140, 40, 70, 3), false, true},
		{"a result with gaps", gaps, false, false},
		{"a result in rows of a wider matrix", productRows(40), false, true},
		{"a result in rows of a wider matrix, which end too soon", productRows(39), false, false},
		{"an operand that is too small", outside, false, false},
		{"every block computed twice", twice, false, false},
		{"no product at all", addCall(5000), false, false},
	} {
		code := compile(t, kernel(t, tt.call.kernel), cpu.AVX2)
		l := &Launch{Args: tt.call.args, Grid: tt.call.grid, Single: tt.single}
		if got := code.Job(l, 2).Whole(); got != tt.want {
			t.Errorf("%s: whole is %v, want %v", tt.name, got, tt.want)
		}
	}
}

// productRows is a product whose result lies in rows of 160 elements, of which so many are the result's: 40 are needed.
func productRows(width int) problem {
	c := product004(140, 40, 70, 1)
	c.args[2].Mem, c.args[10].Bits = dtype.NewBuf(dtype.Float32, 140*160), 160
	c.args[2].Only = lattice.New(lattice.Axis{N: 140, Step: 160}, lattice.Axis{N: width, Step: 1})
	return c
}

// TestPlanOfViews: a plan for a view is none for one whose rows end sooner.
func TestPlanOfViews(t *testing.T) {
	code := compile(t, kernel(t, "product_mod"), cpu.AVX2)
	for _, width := range []int{40, 39, 40, 41} {
		c := productRows(width)
		if got := code.Job(&Launch{Args: c.args, Grid: c.grid}, 2).Whole(); got != (width >= 40) {
			t.Errorf("rows of %d elements: whole is %v", width, got)
		}
	}
}

// TestZeros has sums that are -0 unless steps of zeros follow, which make them +0.
func TestZeros(t *testing.T) {
	for _, tier := range runnable(t) {
		code := compile(t, kernel(t, "product_mod"), tier)
		for i, k := range []int{64, 65, 600, 640, 64, 65} {
			want, rows := uint64(0), []int{40, 4}[i/4]
			if k%64 == 0 {
				want = 1 << 31
			}
			c := product004(rows, 70, k, 1)
			for i, x := range []float64{-1e-30, 1e-30} {
				c.args[i].Mem.Fill(dtype.FromFloat(dtype.Float32, x))
			}
			for _, single := range []bool{false, true} {
				c.run(t, code, 1, single)
				if got := c.out().Bits(0); got != want {
					t.Errorf("%s: the first sum is %#x, want %#x", c, got, want)
				}
			}
		}
	}
}

// TestStop ends a product early.
func TestStop(t *testing.T) {
	c := product003("product", dtype.Float32, 160, 304, 600)
	clear(c.out().Bytes())
	l := &Launch{Args: c.args, Grid: c.grid, Stop: newStop(true)}
	w := compile(t, kernel(t, c.kernel), widest(t)).Job(l, 1).Worker()
	if f := w.Run(0, 1); f != nil {
		t.Fatal(f)
	}
	for i, x := range c.out().Bytes() {
		if x != 0 {
			t.Fatalf("byte %d of the result was written", i)
		}
	}
}
