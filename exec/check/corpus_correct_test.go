package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var correctElementwise = []kase{
	{name: "vector addition", kernel: func(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Add(tl.Load(y.Add(offs), tl.Mask(m))), tl.Mask(m))
	}, grid: exec.Grid{7}, args: args(random(100), random(100), empty(100), 100, 16), ref: func(x, y, out *tensor.Tensor, n, _ int) {
		for i := range n {
			out.Set(float32(x.Float(i)+y.Float(i)), i)
		}
	}},

	{name: "flat sweep over a matrix", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)), tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(random(7, 11), zeros(7, 11), 77, 16)},

	{name: "flat sweep in two dimensions", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, 4).Mul(B).Col().Add(tl.Arange(0, B).Row()).Add(p.ID(0) * 4 * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(random(10, 10), zeros(10, 10), 100, 16)},

	{name: "blocks far apart in one sweep", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, 4).Mul(2 * B).Col().Add(tl.Arange(0, B).Row()).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)), tl.Mask(m))
	}, grid: exec.Grid{2}, args: args(random(10, 10), zeros(10, 10), 100, 16)},

	{name: "in place", kernel: func(p *tl.Program, x tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(x.Add(offs), tl.Exp(tl.Load(x.Add(offs), tl.Mask(m))), tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(random(50), 50, 16)},

	{name: "one argument twice", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{4}, args: twice(random(50))},

	{name: "where keeps out what is undefined", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs), tl.Mask(m))
		tl.Store(out, tl.Sum(tl.Where(m, v, 0.0)))
	}, grid: exec.Grid{1}, args: args(random(10), zeros(1), 10, 16)},

	{name: "and with a known false", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs), tl.Mask(m))
		tl.Store(out.Add(offs), 1.0, tl.Mask(v.Gt(0.5).And(m)))
	}, grid: exec.Grid{1}, args: args(random(10), zeros(16), 10, 16)},

	{name: "times a known zero", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs), tl.Mask(m))
		tl.Store(out, tl.Sum(v.Mul(m.To(tl.Int32))))
	}, grid: exec.Grid{1}, args: args(counting(tl.Int32, 10), tensor.Zeros(tl.Int32, 1), 10, 16)},

	{name: "dropout", kernel: func(p *tl.Program, x, out tl.Ptr, n int, rate float64, seed int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs), tl.Mask(m))
		keep := tl.Rand(seed, offs).Gt(rate)
		tl.Store(out.Add(offs), tl.Where(keep, v.Div(1-rate), 0.0), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(40), empty(40), 40, 0.5, 123, 16)},

	{name: "reversed", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.Store(out.Add(tl.Sub(n-1, offs)), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(40), empty(40), 40, 16)},

	{name: "every other element", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs.Mul(2)), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(20), empty(10), 10, 16)},

	{name: "hash", kernel: func(p *tl.Program, key, table, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		h := tl.Load(key.Add(offs), tl.Mask(m), tl.Other(0)).Mul(1103515245).Add(12345).And(15)
		tl.Store(out.Add(offs), tl.Load(table.Add(h)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(tensor.RandInt(1, tl.Int32, 0, 1<<30, 10), random(16), empty(10), 10, 16)},

	{name: "unsigned hash", kernel: func(p *tl.Program, key, table, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		h := tl.Load(key.Add(offs), tl.Mask(m), tl.Other(0)).Mul(2654435761).Mod(13)
		tl.Store(out.Add(offs), tl.Load(table.Add(h)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(tensor.RandInt(1, tl.Uint32, 0, 1<<30, 10), random(13), empty(10), 10, 16)},

	{name: "bounded loop", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		sum := 0.0
		for lo := 0; lo < n; lo += B {
			m := offs.Add(lo).Lt(n)
			sum += tl.Sum(tl.Load(x.Add(offs).Add(lo), tl.Mask(m), tl.Other(0))).Float()
		}
		tl.Store(out, sum)
	}, grid: exec.Grid{1}, args: args(random(100), zeros(1), 100, 16)},

	{name: "persistent programs", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		for b := p.ID(0); b < tl.Cdiv(n, B); b += p.Num(0) {
			offs := tl.Arange(0, B).Add(b * B)
			m := offs.Lt(n)
			tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
		}
	}, grid: exec.Grid{2}, args: args(random(100), zeros(100), 100, 16)},

	{name: "interleaved halves", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		a, b := tl.Load(x.Add(offs)), tl.Load(x.Add(offs).Add(B))
		tl.Store(out.Add(tl.Arange(0, 2*B)), tl.Interleave(a, b))
	}, grid: exec.Grid{1}, args: args(random(32), empty(32), 16)},
}

func twice(x *tensor.Tensor) []any { return args(x, x, 50, 16) }

var minusInf = math.Inf(-1)

var correctMatrix = []kase{
	{name: "product with all masks", kernel: product, grid: exec.Grid{3, 2}, args: args(random(33, 20), random(20, 17), empty(33, 17), 33, 20, 17, 16, 16, 8), ref: productRef},
	{name: "product of exact blocks", kernel: product, grid: exec.Grid{2, 2}, args: args(random(32, 16), random(16, 32), empty(32, 32), 32, 16, 32, 16, 16, 8), ref: productRef},
	{name: "product of single elements", kernel: product, grid: exec.Grid{1, 1}, args: args(random(1, 1), random(1, 1), empty(1, 1), 1, 1, 1, 16, 16, 16), ref: productRef},

	{name: "unmasked lanes that are not stored", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B)
		inside := i.Col().Lt(rows)
		v := tl.Load(x.Add(i.Col().Mul(cols).Add(i.Row())), tl.Mask(inside.And(i.Row().Lt(cols).Or(i.Col().Lt(rows-1)))), tl.Other(0))
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), v, tl.Mask(inside.And(i.Row().Lt(cols))))
	}, grid: exec.Grid{1}, args: args(random(8, 6), empty(8, 6), 8, 6, 8), opts: exec.CheckOptions{NoVariations: true}},

	{name: "softmax", kernel: func(p *tl.Program, x, out tl.Ptr, stride, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		v := tl.Load(x.Add(p.ID(0)*stride).Add(j), tl.Mask(m), tl.Other(minusInf))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(out.Add(p.ID(0)*stride).Add(j), e.Div(tl.Sum(e)), tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(random(5, 12), empty(5, 12), 12, 12, 16)},

	{name: "softmax of several rows", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, R, C tl.Const) {
		i, j := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, C)
		m := i.Col().Lt(rows).And(j.Row().Lt(cols))
		offs := i.Col().Mul(cols).Add(j.Row())
		v := tl.Load(x.Add(offs), tl.Mask(m), tl.Other(-1e30))
		tl.Store(out.Add(offs), tl.Softmax(v, 1), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(10, 12), empty(10, 12), 10, 12, 4, 16)},

	{name: "layer norm", kernel: func(p *tl.Program, x, out tl.Ptr, cols int, eps float64, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		v := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(m), tl.Other(0))
		mean := tl.Sum(v).Div(cols)
		d := tl.Where(m, v.Sub(mean), 0.0)
		tl.Store(out.Add(p.ID(0)*cols).Add(j), d.Mul(tl.Rsqrt(tl.Sum(d.Mul(d)).Div(cols).Add(eps))), tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(random(4, 12), empty(4, 12), 12, 1e-5, 16)},

	{name: "transpose", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(rows).And(j.Row().Lt(cols))
		v := tl.Load(x.Add(i.Col().Mul(cols).Add(j.Row())), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(j.Col().Mul(rows).Add(i.Row())), v.T(), tl.Mask(m.T()))
	}, grid: exec.Grid{2, 3}, args: args(random(12, 20), empty(20, 12), 12, 20, 8)},

	{name: "a transposed argument", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols, si, sj int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(rows).And(i.Row().Lt(cols))
		v := tl.Load(x.Add(i.Col().Mul(si)).Add(i.Row().Mul(sj)), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(6, 5).T(), empty(5, 6), 5, 6, 1, 5, 8)},

	{name: "a view with gaps", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols, stride int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(rows).And(i.Row().Lt(cols))
		v := tl.Load(x.Add(i.Col().Mul(stride).Add(i.Row())), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(6, 9).Slice(1, 2, 7), empty(6, 5), 6, 5, 9, 8)},

	{name: "stencil with a halo", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B)
		here := x.Add(i.Col().Mul(cols).Add(i.Row()))
		inside := i.Col().Lt(rows).And(i.Row().Lt(cols))
		left := tl.Load(here.Sub(1), tl.Mask(inside.And(i.Row().Gt(0))), tl.Other(0))
		right := tl.Load(here.Add(1), tl.Mask(inside.And(i.Row().Lt(cols-1))), tl.Other(0))
		up := tl.Load(here.Sub(cols), tl.Mask(inside.And(i.Col().Gt(0))), tl.Other(0))
		tl.Store(out.Add(i.Col().Mul(cols).Add(i.Row())), left.Add(right).Add(up), tl.Mask(inside))
	}, grid: exec.Grid{1}, args: args(random(7, 6), empty(7, 6), 7, 6, 8)},

	{name: "batched product", kernel: func(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(n).And(i.Row().Lt(n))
		offs := i.Col().Mul(n).Add(i.Row()).Add(p.ID(0) * n * n)
		a, b := tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0)), tl.Load(y.Add(offs), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(offs), tl.Dot(a, b), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(3, 12, 12), random(3, 12, 12), empty(3, 12, 12), 12, 16)},

	{name: "grouped programs", kernel: func(p *tl.Program, out tl.Ptr, rows, cols int, B, G tl.Const) {
		nr, nc := tl.Cdiv(rows, B), tl.Cdiv(cols, B)
		r, c := tl.Swizzle2D(p.ID(0)/nc, p.ID(0)%nc, nr, nc, G)
		i, j := tl.Arange(0, B).Add(r*B), tl.Arange(0, B).Add(c*B)
		tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), i.Col().Add(j.Row()), tl.Mask(i.Col().Lt(rows).And(j.Row().Lt(cols))))
	}, grid: exec.Grid{12}, args: args(empty(20, 14), 20, 14, 5, 2)},

	{name: "wrapped rows", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(i.Mod(rows).Col().Mul(cols).Add(j.Mod(cols).Row())))
		tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), v, tl.Mask(i.Col().Lt(rows).And(j.Row().Lt(cols))))
	}, grid: exec.Grid{2}, args: args(random(12, 6), empty(12, 6), 12, 6, 8)},

	{name: "column sums", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, R, C tl.Const) {
		i, j := tl.Arange(0, R), tl.Arange(0, C).Add(p.ID(0)*C)
		sum := tl.Zeros(tl.Float32, C)
		for lo := 0; lo < rows; lo += R {
			m := i.Col().Add(lo).Lt(rows).And(j.Row().Lt(cols))
			sum = sum.Add(tl.Sum(tl.Load(x.Add(i.Col().Add(lo).Mul(cols).Add(j.Row())), tl.Mask(m), tl.Other(0)), tl.Axis(0)))
		}
		tl.Store(out.Add(j), sum, tl.Mask(j.Lt(cols)))
	}, grid: exec.Grid{2}, args: args(random(21, 13), empty(13), 21, 13, 8, 8)},

	{name: "two rows as one", kernel: func(p *tl.Program, x, out tl.Ptr, rows int, W, B tl.Const) {
		i, j := tl.Arange(0, 4), tl.Arange(0, B)
		m := i.Col().Lt(rows).And(j.Row().Lt(W))
		offs := i.Col().Mul(W).Add(j.Row())
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(6, 5), empty(6, 5), 3, 10, 16)},

	{name: "looked-up rows", kernel: func(p *tl.Program, idx, table, out tl.Ptr, n, cols int, N, C tl.Const) {
		i, j := tl.Arange(0, N), tl.Arange(0, C)
		rows := tl.Load(idx.Add(i), tl.Mask(i.Lt(n)), tl.Other(0))
		m := i.Col().Lt(n).And(j.Row().Lt(cols))
		v := tl.Load(table.Add(rows.Col().Mul(cols).Add(j.Row())), tl.Mask(m), tl.Other(0))
		tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int32{3, 0, 2}), random(4, 6), empty(3, 6), 3, 6, 4, 8)},
}

func product(p *tl.Program, x, y, out tl.Ptr, rows, inner, cols int, BX, BY, BK tl.Const) {
	i := tl.Arange(0, BX).Add(p.ID(0) * BX)
	j := tl.Arange(0, BY).Add(p.ID(1) * BY)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BX, BY)
	for lo := 0; lo < inner; lo += BK {
		a := tl.Load(x.Add(i.Col().Mul(inner).Add(k.Row()).Add(lo)), tl.Mask(i.Col().Lt(rows).And(k.Row().Lt(inner-lo))), tl.Other(0))
		b := tl.Load(y.Add(k.Col().Add(lo).Mul(cols).Add(j.Row())), tl.Mask(k.Col().Lt(inner-lo).And(j.Row().Lt(cols))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
	}
	tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), acc, tl.Mask(i.Col().Lt(rows).And(j.Row().Lt(cols))))
}

func productRef(x, y, out *tensor.Tensor, rows, inner, cols, _, _, _ int) {
	for i := range rows {
		for j := range cols {
			sum := 0.0
			for k := range inner {
				sum += float64(x.Float(i, k) * y.Float(k, j))
			}
			out.Set(sum, i, j)
		}
	}
}

var correctOthers = []kase{
	{name: "atomic sum", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.AtomicAdd(out, tl.Sum(tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0))))
	}, grid: exec.Grid{4}, args: args(random(60), zeros(1), 60, 16)},

	{name: "a lock", kernel: func(p *tl.Program, x, lock, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs).Add(p.ID(0)*n), tl.Mask(m))
		for tl.AtomicCAS(lock, 0, 1).Int() == 1 {
		}
		tl.Store(out.Add(offs), tl.Load(out.Add(offs), tl.Mask(m)).Add(v), tl.Mask(m))
		tl.AtomicXchg(lock, 0)
	}, grid: exec.Grid{5}, args: args(random(5, 12), tensor.Zeros(tl.Int32, 1), zeros(12), 12, 16)},

	{name: "the last one adds up", kernel: func(p *tl.Program, x, parts, counter, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(parts.Add(p.ID(0)), tl.Sum(tl.Load(x.Add(offs).Add(p.ID(0)*n), tl.Mask(offs.Lt(n)), tl.Other(0))))
		if tl.AtomicAdd(counter, 1).Int() == p.Num(0)-1 {
			tl.Store(out, tl.Sum(tl.Load(parts.Add(tl.Arange(0, 4)))))
		}
	}, grid: exec.Grid{4}, args: args(random(4, 12), empty(4), tensor.Zeros(tl.Int32, 1), empty(1), 12, 16)},

	{name: "atomic histogram", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.AtomicAdd(out.Add(tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0))), 1, tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(tensor.RandInt(1, tl.Int32, 0, 8, 60), tensor.Zeros(tl.Int32, 8), 60, 16)},

	{name: "histogram in one program", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		h := tl.Histogram(tl.Load(x.Add(offs), tl.Mask(m)), 8, tl.Mask(m))
		tl.Store(out.Add(tl.Arange(0, 8)), h)
	}, grid: exec.Grid{1}, args: args(tensor.RandInt(1, tl.Int32, 0, 8, 60), tensor.Empty(tl.Int32, 8), 60, 64)},

	{name: "running sum", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.CumSum(tl.Load(x.Add(offs), tl.Mask(m))), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(10), empty(10), 10, 16)},

	{name: "maximum and its place", kernel: func(p *tl.Program, x, v, at tl.Ptr, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		row := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(j.Lt(cols)), tl.Other(-1e30))
		most, where := tl.MaxIndex(row, tl.Axis(0))
		tl.Store(v.Add(p.ID(0)), most)
		tl.Store(at.Add(p.ID(0)), where)
	}, grid: exec.Grid{4}, args: args(random(4, 10), empty(4), tensor.Empty(tl.Int32, 4), 10, 16)},

	{name: "sort", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Sort(tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(1e30)))
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{1}, args: args(random(10), empty(10), 10, 16)},

	{name: "descriptors", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		src := tl.MakeDesc(x, []int{rows, cols}, []int{cols, 1}, []int{B, B})
		dst := tl.MakeDesc(out, []int{rows, cols}, []int{cols, 1}, []int{B, B})
		dst.Store(src.Load(p.ID(0)*B, p.ID(1)*B).Mul(2), p.ID(0)*B, p.ID(1)*B)
	}, grid: exec.Grid{2, 2}, args: args(random(13, 10), empty(13, 10), 13, 10, 8)},

	{name: "block pointers", kernel: func(p *tl.Program, x, out tl.Ptr, rows, cols int, B tl.Const) {
		src := tl.MakeBlockPtr(x, []int{rows, cols}, []int{cols, 1}, []int{0, 0}, []int{B, B}, []int{1, 0})
		dst := tl.MakeBlockPtr(out, []int{rows, cols}, []int{cols, 1}, []int{0, 0}, []int{B, B}, []int{1, 0})
		for range tl.Cdiv(cols, B) {
			dst.Store(src.Load(tl.BoundaryCheck(0, 1)), tl.BoundaryCheck(0, 1))
			src, dst = src.Advance(0, B), dst.Advance(0, B)
		}
	}, grid: exec.Grid{1}, args: args(random(7, 20), empty(7, 20), 7, 20, 8)},

	{name: "gather in a tile", kernel: func(p *tl.Program, x, idx, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs), tl.Gather(tl.Load(x.Add(offs)), tl.Load(idx.Add(offs)), 0))
	}, grid: exec.Grid{1}, args: args(random(8), tensor.RandInt(2, tl.Int32, 0, 8, 8), empty(8), 8)},

	{name: "split and join", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		a, b := tl.Split(tl.Load(x.Add(offs)).Reshape(B/2, 2))
		tl.Store(out.Add(offs), tl.Join(b, a).Ravel())
	}, grid: exec.Grid{1}, args: args(random(16), empty(16), 16)},

	{name: "store, then load it again", kernel: func(p *tl.Program, x, tmp, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(tmp.Add(offs), tl.Load(x.Add(offs)).Mul(2))
		tl.Store(out.Add(offs), tl.Load(tmp.Add(offs)))
	}, grid: exec.Grid{2}, args: args(random(16), empty(16), empty(16), 8)},

	{name: "branch on the program", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		if (p.ID(0)+1)*B <= n {
			tl.Store(out.Add(offs), tl.Load(x.Add(offs)))
			return
		}
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(40), empty(40), 40, 16)},

	{name: "values that decide", kernel: func(p *tl.Program, len, x, out tl.Ptr, cols int, B tl.Const) {
		n := tl.Load(len.Add(p.ID(0))).Int()
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v))
	}, grid: exec.Grid{3}, args: args(tensor.From([]int32{3, 8, 0}), random(3, 8), empty(3), 8, 8)},

	{name: "user's reduction", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0))
		tl.Store(out, tl.Reduce(v, func(a, b tl.Tile) tl.Tile { return tl.Maximum(a, b) }))
	}, grid: exec.Grid{1}, args: args(random(10), empty(1), 10, 16)},

	{name: "pointers chosen by where", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		ptrs := tl.Where(offs.Lt(n), x.Add(offs), x.Add(offs.Mul(0)))
		tl.Store(out.Add(offs), tl.Load(ptrs))
	}, grid: exec.Grid{1}, args: args(random(10), empty(16), 10, 16)},

	{name: "64-bit offsets", kernel: func(p *tl.Program, x, out tl.Ptr, cols int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B).To(tl.Int64), tl.Arange(0, B).Add(p.ID(1)*B)
		offs := i.Col().Mul(cols).Add(j.Row())
		m := i.Col().Lt(cols).And(j.Row().Lt(cols))
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{10000, 10000}, args: args(tensor.Virtual(tl.Float32, 160000, 160000), tensor.Virtual(tl.Float32, 160000, 160000), 160000, 16)},

	{name: "promises that hold", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.MaxContiguous(tl.MultipleOf(tl.Arange(0, B).Add(p.ID(0)*B), B), B)
		tl.Assume(tl.Load(x.Add(offs)).Ge(0))
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)))
	}, grid: exec.Grid{2}, args: args(random(16), empty(16), 8)},
}
