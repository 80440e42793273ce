package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Faults that come in pairs with a kernel that is right: what was missed once, or was
// accused falsely.

// copyRows copies a vector, in blocks.
func copyBlocks(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m))
}

// copyBlocksShort is the same, for too few programs.
func copyBlocksShort(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2), tl.Mask(m)) // want: unwritten "4 of 100 elements of out are never written, the first is out.96."
}

var faultyUnwritten = []kase{
	{name: "a grid rounded down", kernel: copyBlocksShort, grid: exec.Grid{3}, args: args(random(100), empty(100), 100, 32)},
	{name: "a grid rounded down, over zeros", kernel: copyBlocksShort, grid: exec.Grid{3}, args: args(random(100), zeros(100), 100, 32)},

	{name: "swizzled programs without min", kernel: func(p *tl.Program, out tl.Ptr, rows, cols int, B, G tl.Const) {
		nr, nc := tl.Cdiv(rows, B), tl.Cdiv(cols, B)
		group := p.ID(0) / (G * nc)
		r, c := group*G+p.ID(0)%G, p.ID(0)%(G*nc)/G
		i, j := tl.Arange(0, B).Add(r*B), tl.Arange(0, B).Add(c*B)
		_ = nr
		tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), i.Col().Add(j.Row()), tl.Mask(i.Col().Lt(rows).And(j.Row().Lt(cols)))) // want: unwritten "16 of 144 elements of out are never written"
	}, grid: exec.Grid{9}, args: args(empty(12, 12), 12, 12, 4, 2)},

	{name: "a base without its batch", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		from := x.Add((p.ID(1)*rows + p.ID(0)) * cols)
		tl.Store(out.Add(p.ID(0)*cols).Add(j), tl.Load(from.Add(j), tl.Mask(m)), tl.Mask(m)) // want: race "program .0,1. writes out"
	}, grid: exec.Grid{3, 2}, args: args(random(2, 3, 6), empty(2, 3, 6), 3, 6, 8)},

	{name: "half of the columns", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B)
		m := i.Col().Lt(rows).And(j.Row().Lt(cols))
		offs := i.Col().Mul(cols).Add(j.Row())
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m)) // want: unwritten "160 of 320 elements of out are never written, the first is out.0,16."
	}, grid: exec.Grid{1}, args: args(random(10, 32), empty(10, 32), 10, 32, 16)},

	{name: "a grid that rounds down", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
		offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m)) // want: unwritten "31 of 95 elements of out are never written"
	}, space: exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{m["n"] / m["BLOCK"]} }), args: args(random(96), empty(96), 96, 32)},
}

var correctUnwritten = []kase{
	{name: "a grid rounded up", kernel: copyBlocks, grid: exec.Grid{4}, args: args(random(100), empty(100), 100, 32)},

	{name: "only the inside", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Gt(0).And(i.Lt(n - 1))
		a, b := tl.Load(x.Add(i).Sub(1), tl.Mask(m), tl.Other(0)), tl.Load(x.Add(i).Add(1), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(i), a.Add(b), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(40), zeros(40), 40, 16)},

	{name: "one slot of a cache", kernel: func(p *tl.Program, x, cache tl.Ptr, at, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		tl.Store(cache.Add(at*cols).Add(j), tl.Load(x.Add(j), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(6), zeros(20, 6), 3, 6, 8)},

	{name: "rows that are looked up", kernel: func(p *tl.Program, slots, x, cache tl.Ptr, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		at := tl.Load(slots.Add(p.ID(0))).Mul(cols)
		tl.Store(cache.Add(at).Add(j), tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(tensor.From([]int32{7, 2, 4}), random(3, 6), empty(20, 6), 6, 8)},

	{name: "below the diagonal", kernel: func(p *tl.Program, out tl.Ptr, n int, B tl.Const) {
		if p.ID(1) > p.ID(0) {
			return
		}
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		tl.Store(out.Add(i.Col().Mul(n).Add(j.Row())), 1.0, tl.Mask(i.Col().Lt(n).And(j.Row().Lt(n))))
	}, grid: exec.Grid{3, 3}, args: args(zeros(12, 12), 12, 4)},
}

var faultyRow = []kase{
	{name: "a row in one dimension", kernel: func(p *tl.Program, x, out tl.Ptr, n int) {
		v := tl.Load(x.Add(p.ID(0) * n).Add(tl.Arange(0, 32))) // want: wrong-row "lane .20. of .32. is x.2,0."
		tl.Store(out.Add(p.ID(0)), tl.Sum(v))
	}, grid: exec.Grid{4}, args: args(random(8, 20), empty(4), 20)},
}

var correctRow = []kase{
	{name: "a masked row in one dimension", kernel: func(p *tl.Program, x, out tl.Ptr, n int) {
		j := tl.Arange(0, 32)
		tl.Store(out.Add(p.ID(0)), tl.Sum(tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))))
	}, grid: exec.Grid{4}, args: args(random(8, 20), empty(4), 20)},

	{name: "rows that are cut off later", kernel: func(p *tl.Program, x, out tl.Ptr, n int) {
		j := tl.Arange(0, 32)
		v := tl.Load(x.Add(p.ID(0) * n).Add(j))
		tl.Store(out.Add(p.ID(0)), tl.Sum(tl.Where(j.Lt(n), v, 0.0)))
	}, grid: exec.Grid{4}, args: args(random(8, 20), empty(4), 20), opts: exec.CheckOptions{NoVariations: true}},

	{name: "three rows at a time", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(3*n)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v))
	}, grid: exec.Grid{6}, args: args(random(8, 20), empty(6), 20, 64)},
}

var faultyNumbers = []kase{
	{name: "an index cut to 32 bits", kernel: func(p *tl.Program, idx, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		i := tl.Load(idx.Add(offs)).To(tl.Int32) // want: overflow "Tile.To overflows int32 and is used as an address"; note overflow "1 of 4 values do not fit int32, the first is 4294967297"
		tl.Store(out.Add(offs), tl.Load(x.Add(i)))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int64{0, 1, 1<<32 + 1, 3}), random(8), empty(4), 4)},

	{name: "too large for float16", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(10000)) // want: note overflow "1 of 8 values do not fit float16, the first is 70000: they become infinite"
	}, grid: exec.Grid{1}, args: args(counting(tl.Float32, 8), tensor.Empty(tl.Float16, 8), 8)},

	{name: "a number too large for int8", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B)), 300) // want: overflow "the int 300 does not fit int8"
	}, grid: exec.Grid{1}, args: args(tensor.Empty(tl.Int8, 8), 8)},

	{name: "a number too large for float16", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B)), 70000.0) // want: note overflow "1 of 1 values do not fit float16, the first is 70000"
	}, grid: exec.Grid{1}, args: args(tensor.Empty(tl.Float16, 8), 8)},

	{name: "a tile too large for int8", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(100)) // want: note overflow "6 of 8 values do not fit int8, the first is 200"
	}, grid: exec.Grid{1}, args: args(counting(tl.Int32, 8), tensor.Empty(tl.Int8, 8), 8)},

	{name: "a row that is masked altogether", kernel: func(p *tl.Program, x, len, out tl.Ptr, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(tl.Load(len.Add(p.ID(0))))
		v := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(m), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(out.Add(p.ID(0)*cols).Add(j), e.Div(tl.Sum(e)), tl.Mask(j.Lt(cols))) // want: note not-finite "NaN is stored in out.1,0."
	}, grid: exec.Grid{2}, args: args(random(2, 8), tensor.From([]int32{8, 0}), empty(2, 8), 8, 8)},

	{name: "exp in float16", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Exp(tl.Load(x.Add(offs)))) // want: note not-finite ".Inf is stored in out.12."
	}, grid: exec.Grid{1}, args: args(counting(tl.Float16, 16), tensor.Empty(tl.Float16, 16), 16)},

	{name: "the logarithm of a negative number", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Log(tl.Load(x.Add(offs)).Sub(1))) // want: note not-finite "-Inf is stored in out.1.|NaN is stored in out.0."
	}, grid: exec.Grid{1}, args: args(counting(tl.Float32, 8), empty(8), 8)},

	{name: "a sum in float16", kernel: func(p *tl.Program, x, out tl.Ptr, steps int, B tl.Const) {
		offs := tl.Arange(0, B)
		acc := tl.Zeros(tl.Float16, B)
		for i := range steps {
			acc = acc.Add(tl.Load(x.Add(offs).Add(i * B))) // want: note dtype "a sum in float16 loses what is added to it: 2048 . 1 is 2048"
		}
		tl.Store(out.Add(offs), acc)
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.Float16, 2100, 4), tensor.Empty(tl.Float16, 4), 2100, 4)},

	{name: "loaded by other lanes", kernel: func(p *tl.Program, x, tmp, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(tmp.Add(offs), tl.Load(x.Add(offs)).Mul(2))
		tl.Store(out.Add(offs), tl.Load(tmp.Add(tl.Sub(B-1, offs)))) // want: note not-portable "which another lane of the program has stored"
	}, grid: exec.Grid{1}, args: args(random(16), empty(16), empty(16), 16)},
}

var correctNumbers = []kase{
	{name: "a hash cut to 8 bits", kernel: func(p *tl.Program, x, table, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		h := tl.Load(x.Add(offs)).To(tl.Int32).And(7)
		tl.Store(out.Add(offs), tl.Load(table.Add(h)))
	}, grid: exec.Grid{1}, args: args(tensor.RandInt(1, tl.Int64, 0, 1<<40, 16), random(8), empty(16), 16)},

	{name: "loaded after a barrier", kernel: func(p *tl.Program, x, tmp, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(tmp.Add(offs), tl.Load(x.Add(offs)).Mul(2))
		tl.DebugBarrier()
		tl.Store(out.Add(offs), tl.Load(tmp.Add(tl.Sub(B-1, offs))))
	}, grid: exec.Grid{1}, args: args(random(16), empty(16), empty(16), 16)},

	{name: "a sum in float32", kernel: func(p *tl.Program, x, out tl.Ptr, steps int, B tl.Const) {
		offs := tl.Arange(0, B)
		acc := tl.Zeros(tl.Float32, B)
		for i := range steps {
			acc = acc.Add(tl.Load(x.Add(offs).Add(i * B)))
		}
		tl.Store(out.Add(offs), acc)
	}, grid: exec.Grid{1}, args: args(tensor.Ones(tl.Float16, 2100, 4), tensor.Empty(tl.Float16, 4), 2100, 4)},
}

var faultyNotes = []kase{
	{name: "nothing is done", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) { // want: note unchanged "out has the same elements after the launch as before"
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), 0.0, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{1}, args: args(random(10), zeros(10), 10, 16)},

	{name: "an input is copied", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) { // want: note unchanged "out equals x after the launch"
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(10), zeros(10), 10, 16)},

	{name: "a flag that all programs set", kernel: func(p *tl.Program, flag tl.Ptr) {
		tl.Store(flag, 1) // want: note race "the same value"
	}, grid: exec.Grid{4}, args: args(tensor.Empty(tl.Int32, 1))},
}

var faultyUndefinedLanes = []kase{
	{name: "a block without padding", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		src := tl.MakeBlockPtr(x, []int{n}, []int{1}, []int{p.ID(0) * B}, []int{B}, []int{0})
		v := src.Load(tl.BoundaryCheck(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v)) // want: undefined "is stored in out"
	}, grid: exec.Grid{2}, args: args(random(20), empty(2), 20, 16)},
}

var correctUndefinedLanes = []kase{
	{name: "a block stored as it was checked", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		src := tl.MakeBlockPtr(x, []int{n}, []int{1}, []int{p.ID(0) * B}, []int{B}, []int{0})
		dst := tl.MakeBlockPtr(out, []int{n}, []int{1}, []int{p.ID(0) * B}, []int{B}, []int{0})
		dst.Store(src.Load(tl.BoundaryCheck(0)).Mul(2), tl.BoundaryCheck(0))
	}, grid: exec.Grid{2}, args: args(random(20), empty(20), 20, 16)},

	{name: "undefined rows that meet zeros", kernel: func(p *tl.Program, q, k, v, out tl.Ptr, n int, B, D tl.Const) {
		i, d := tl.Arange(0, B), tl.Arange(0, D)
		rows := i.Col().Lt(n)
		offs := i.Col().Mul(D).Add(d.Row())
		a := tl.Load(q.Add(offs), tl.Mask(rows))
		b := tl.Load(k.Add(offs), tl.Mask(rows))
		s := tl.Where(i.Row().Lt(n), tl.Dot(a, b.T()), math.Inf(-1))
		w := tl.Exp(s.Sub(tl.Max(s, tl.Axis(1), tl.KeepDims)))
		w = w.Div(tl.Sum(w, tl.Axis(1), tl.KeepDims))
		tl.Store(out.Add(offs), tl.Dot(w, tl.Load(v.Add(offs), tl.Mask(rows))), tl.Mask(rows))
	}, grid: exec.Grid{1}, args: args(random(20, 16), random(20, 16), random(20, 16), empty(20, 16), 20, 32, 16)},
}
