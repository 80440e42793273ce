package check_test

import (
	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var faultyBounds = []kase{
	{name: "no mask", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(offs))         // want: out-of-bounds "lane .4. of .16. is x.100., 1 element past the end"
		tl.Store(out.Add(offs), v.Add(1)) // want: out-of-bounds "out.100."
	}, grid: exec.Grid{7}, args: args(random(100), zeros(100), 100, 16)},

	{name: "mask off by one", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Le(n)
		v := tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)) // want: out-of-bounds "x.100., 1 element past"
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{7}, args: args(random(100), zeros(100), 100, 16)},

	{name: "before the start", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		left := tl.Load(x.Add(offs).Sub(1), tl.Mask(offs.Lt(n)), tl.Other(0)) // want: out-of-bounds "1 element before the start of x"
		tl.Store(out.Add(offs), left, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{1}, args: args(random(16), zeros(16), 16, 16)},

	{name: "scalar address", kernel: func(p *tl.Program, x, out tl.Ptr, n int) {
		v := tl.Load(x.Add(p.ID(0) + 1)) // want: out-of-bounds "the address is x.4."
		tl.Store(out.Add(p.ID(0)), v)
	}, grid: exec.Grid{4}, args: args(random(4), zeros(4), 4)},

	{name: "too many programs", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B).Add(p.ID(0)*B)), 1.0) // want: out-of-bounds "out.64."
	}, grid: exec.Grid{5}, args: args(zeros(64), 16)},

	{name: "wrong stride", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(rows).And(i.Row().Lt(cols))
		v := tl.Load(x.Add(i.Col().Mul(cols+1).Add(i.Row())), tl.Mask(m), tl.Other(0)) // want: out-of-bounds "past the end of x"
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(8, 8), zeros(8, 8), 8, 8, 8)},

	{name: "gap of a view", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0)) // want: out-of-bounds "between the elements of this view"
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{1}, args: args(random(4, 8).Slice(1, 0, 4), zeros(16), 16, 16)},

	{name: "store into a gap", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B)), 1.0) // want: out-of-bounds "offset 1 of out, which is between"
	}, grid: exec.Grid{1}, args: args(zeros(8, 2).Slice(1, 0, 1), 8)},

	{name: "gathered index", kernel: func(p *tl.Program, idx, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		i := tl.Load(idx.Add(offs))
		v := tl.Load(x.Add(i)) // want: out-of-bounds "lane .3. of .4. is x.9."
		tl.Store(out.Add(offs), v)
	}, grid: exec.Grid{1}, args: args(tensor.From([]int32{0, 1, 2, 9}), random(8), zeros(4), 4)},

	{name: "atomic outside", kernel: func(p *tl.Program, out tl.Ptr) {
		tl.AtomicAdd(out.Add(p.ID(0)), 1) // want: out-of-bounds "out.2."
	}, grid: exec.Grid{3}, args: args(tensor.Zeros(tl.Int32, 2))},

	{name: "block pointer without a check", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		src := tl.MakeBlockPtr(x, []int{n}, []int{1}, []int{p.ID(0) * B}, []int{B}, []int{0})
		dst := tl.MakeBlockPtr(out, []int{n}, []int{1}, []int{p.ID(0) * B}, []int{B}, []int{0})
		v := src.Load() // want: out-of-bounds "x.20."
		dst.Store(v, tl.BoundaryCheck(0))
	}, grid: exec.Grid{2}, args: args(random(20), zeros(20), 20, 16)},

	{name: "descriptor larger than its tensor", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		d := tl.MakeDesc(x, []int{n + 4}, []int{1}, []int{B})
		v := d.Load(p.ID(0) * B) // want: out-of-bounds "x.20."
		tl.Store(out.Add(tl.Arange(0, B).Add(p.ID(0)*B)), v, tl.Mask(tl.Arange(0, B).Lt(n-p.ID(0)*B)))
	}, grid: exec.Grid{2}, args: args(random(20), zeros(20), 20, 16)},

	{name: "only other sizes", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(offs)) // want: out-of-bounds "past the end of x"
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{4}, args: args(random(64), zeros(64), 64, 16)},
}

var faultyRows = []kase{
	{name: "unmasked columns reach the output", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B)
		v := tl.Load(x.Add(i.Col().Mul(cols).Add(i.Row())), tl.Mask(i.Col().Lt(rows-1)), tl.Other(0)) // want: wrong-row "lane .0,6. of .8,8. is x.1,0."
		tl.Store(out.Add(i), tl.Sum(v, tl.Axis(1)), tl.Mask(i.Lt(rows)))
	}, grid: exec.Grid{1}, args: args(random(8, 6), zeros(8), 8, 6, 8)},

	{name: "columns stored in the next row", kernel: func(p *tl.Program, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B)
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), i.Row().Add(i.Col()), tl.Mask(i.Col().Lt(rows-1))) // want: wrong-row "out.1,0."; duplicate-store "both write out"
	}, grid: exec.Grid{1}, args: args(zeros(8, 6), 8, 6, 8)},

	{name: "rows of the next matrix", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, R, C tl.Const) {
		i, j := tl.Arange(0, R), tl.Arange(0, C)
		v := tl.Load(x.Add(p.ID(0)*rows*cols).Add(i.Col().Mul(cols).Add(j.Row())), tl.Mask(j.Row().Lt(cols).And(i.Col().Lt(rows*(2-p.ID(0))))), tl.Other(0)) // want: wrong-row "inside x, but past the end of its row"
		tl.Store(out.Add(p.ID(0)*C).Add(j), tl.Sum(v, tl.Axis(0)), tl.Mask(j.Lt(cols)))
	}, grid: exec.Grid{2}, args: args(random(2, 6, 5), zeros(2, 8), 6, 5, 8, 8)},

	{name: "looked-up rows, unmasked columns", kernel: func(p *tl.Program, idx, table, out tl.Ptr, cols int, N, C tl.Const) {
		j := tl.Arange(0, C)
		rows := tl.Load(idx.Add(tl.Arange(0, N)))
		v := tl.Load(table.Add(rows.Col().Mul(cols).Add(j.Row()))) // want: wrong-row "lane .0,6. of .4,8."
		tl.Store(out.Add(tl.Arange(0, N).Col().Mul(C).Add(j.Row())), v)
	}, grid: exec.Grid{1}, args: args(tensor.From([]int32{3, 0, 2, 5}), random(8, 6), zeros(4, 8), 6, 4, 8)},

	{name: "transposed tensor", kernel: func(p *tl.Program, x, out tl.Ptr, rows, stride int, B tl.Const) {
		i := tl.Arange(0, B)
		v := tl.Load(x.Add(i.Col().Add(i.Row().Mul(stride))), tl.Mask(i.Row().Lt(3))) // want: wrong-row "inside x"
		tl.Store(out.Add(i), tl.Sum(tl.Where(i.Row().Lt(3), v, 0.0), tl.Axis(1)))
	}, grid: exec.Grid{1}, args: args(random(4, 6).T(), zeros(8), 6, 6, 8)},

	{name: "an iteration too many", kernel: func(p *tl.Program, x, out tl.Ptr, cols int, R, B tl.Const) {
		i, j := tl.Arange(0, R), tl.Arange(0, B)
		sum := tl.Zeros(tl.Float32, R)
		for k := range tl.Cdiv(cols, B) {
			v := tl.Load(x.Add(i.Col().Mul(cols).Add(j.Row().Add(k*B))), tl.Mask(i.Col().Lt(R-1)), tl.Other(0)) // want: wrong-row "lane .0,2. of .4,8. is x.1,0."
			sum = sum.Add(tl.Sum(v, tl.Axis(1)))
		}
		tl.Store(out.Add(i), sum)
	}, grid: exec.Grid{1}, args: args(random(4, 10), zeros(4), 10, 4, 8)},
}
