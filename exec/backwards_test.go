package exec_test

import (
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// columnsBack stores the columns of a matrix one ahead of the other, so many elements apart.
func columnsBack(p *tl.Program, x, z tl.Ptr, rows, cols, apart int, B tl.Const) {
	r, c := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
	mask := tl.Mask(r.Lt(rows).Col().And(c.Lt(cols).Row()))
	v := tl.Load(x.Add(r.Col().Mul(cols).Add(c.Row())), mask)
	tl.Store(z.Add(tl.Sub(cols-1, c).Row().Mul(apart).Add(r.Col())), v, mask)
}

// columnsBackBy is columnsBack with a distance that is known when it is compiled.
func columnsBackBy(p *tl.Program, x, z tl.Ptr, rows, cols int, APART, B tl.Const) {
	columnsBack(p, x, z, rows, cols, APART, B)
}

// TestColumnsStoredBackwards turns matrices by 90 degrees. Where columns have elements in common, the last lane's stay.
func TestColumnsStoredBackwards(t *testing.T) {
	const B = 32
	for _, d := range []tl.DType{tl.Float32, tl.Float64, tl.Uint8, tl.BFloat16} {
		for _, s := range [][3]int{{32, 32, 32}, {17, 23, 17}, {17, 23, 16}, {30, 70, 33}, {64, 10, 64}, {40, 33, 7},
			{9, 40, 0}, {20, 5, -20}, {33, 3, -30}} {
			rows, cols, apart := s[0], s[1], s[2]
			x := tensor.RandInt(1, tl.Int32, 0, 100, rows*cols).To(d)
			grid := exec.Grid{tl.Cdiv(rows, B), tl.Cdiv(cols, B)}
			size := rows + max(apart, -apart)*(cols-1)
			sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
				o.Workers = 1
				y, z := tensor.Zeros(d, size), tensor.Zeros(d, size)
				if apart < 0 { // such columns begin ahead of the tensor
					err := exec.New(columnsBack, o).Launch(grid, x, z, rows, cols, apart, B)
					if err == nil {
						t.Error("stored ahead of a tensor")
					}
					return []*tensor.Tensor{z}, nil
				}
				if err := exec.New(columnsBack, o).Launch(grid, x, y, rows, cols, apart, B); err != nil {
					return nil, err
				}
				return []*tensor.Tensor{y, z}, exec.New(columnsBackBy, o).Launch(grid, x, z, rows, cols, apart, B)
			}, x)
		}
	}
}
