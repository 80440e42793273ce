package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Faults that only other sizes show, and kernels that other sizes must not accuse.

func ints(vs ...int32) *tensor.Tensor { return tensor.From(vs) }

var faultySizes = []kase{
	{name: "masks exchanged, of a square", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, M, N int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(N).And(j.Row().Lt(M))
		offs := i.Col().Mul(N).Add(j.Row())
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m)) // want: out-of-bounds "past the end of x"; out-of-bounds "past the end of out"
	}, grid: exec.Grid{2, 2}, args: args(random(24, 24), zeros(24, 24), 24, 24, 16)},

	{name: "masks exchanged, with strides", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, M, N, xs, os int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(N).And(j.Row().Lt(M))
		v := tl.Load(x.Add(i.Col().Mul(xs)).Add(j.Row()), tl.Mask(m))         // want: out-of-bounds "past the end of x"
		tl.Store(out.Add(i.Col().Mul(os)).Add(j.Row()), v.Mul(2), tl.Mask(m)) // want: out-of-bounds "past the end of out"
	}, space: exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(m["M"], m["B"]), tl.Cdiv(m["N"], m["B"])} }), args: args(random(24, 24), zeros(24, 24), 24, 24, 24, 24, 16)},

	{name: "a size declared a constant", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, T, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs)).Mul(2)) // want: out-of-bounds "past the end of x"; out-of-bounds "past the end of out"
	}, grid: exec.Grid{4}, args: args(random(64), zeros(64), 64, 16)},

	{name: "unmasked tokens", vary: true, kernel: func(p *tl.Program, ids, table, out tl.Ptr, n, cols int, B, D tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, D)
		rows := tl.Load(ids.Add(i)) // want: out-of-bounds "past the end of ids"
		m := j.Row().Lt(cols)
		tl.Store(out.Add(i.Col().Mul(cols).Add(j.Row())), tl.Load(table.Add(rows.Col().Mul(cols).Add(j.Row())), tl.Mask(m)), tl.Mask(m.And(i.Col().Lt(n))))
	}, grid: exec.Grid{2}, args: args(ints(3, 1, 2, 0, 4, 3, 1, 2), random(5, 6), empty(8, 6), 8, 6, 4, 8)},
}

var correctSizes = []kase{
	{name: "masks of a square", kernel: func(p *tl.Program, x, out tl.Ptr, M, N, xs, os int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(M).And(j.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(xs)).Add(j.Row()), tl.Mask(m))
		tl.Store(out.Add(i.Col().Mul(os)).Add(j.Row()), v.Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(random(24, 24), empty(24, 24), 24, 24, 24, 24, 16)},

	{name: "columns named first", kernel: func(p *tl.Program, x, out tl.Ptr, W, H int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(1)*B), tl.Arange(0, B).Add(p.ID(0)*B)
		m := i.Col().Lt(H).And(j.Row().Lt(W))
		offs := i.Col().Mul(W).Add(j.Row())
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 2}, args: args(random(24, 24), empty(24, 24), 24, 24, 16)},

	{name: "a product of a square", kernel: product, grid: exec.Grid{2, 2}, args: args(random(24, 24), random(24, 24), empty(24, 24), 24, 24, 24, 16, 16, 8), ref: productRef},

	{name: "a window as wide as the tensor", kernel: func(p *tl.Program, x, out tl.Ptr, n, window int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Lt(n).And(i.Lt(window))
		tl.Store(out, tl.Sum(tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))))
	}, grid: exec.Grid{1}, args: args(random(24), empty(1), 24, 24, 32)},

	{name: "a grid of batches times heads", kernel: func(p *tl.Program, x, out tl.Ptr, B, H, T int, BLOCK tl.Const) {
		b, h := p.ID(1)/H, p.ID(1)%H
		offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
		at := offs.Add((b*H + h) * T)
		m := offs.Lt(T)
		tl.Store(out.Add(at), tl.Load(x.Add(at), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{2, 6}, args: args(random(2, 3, 20), empty(2, 3, 20), 2, 3, 20, 16)},

	{name: "labels", kernel: func(p *tl.Program, logits, labels, out tl.Ptr, rows, classes int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(logits.Add(p.ID(0)*classes).Add(j), tl.Mask(j.Lt(classes)), tl.Other(math.Inf(-1)))
		top := tl.Max(v)
		sum := tl.Log(tl.Sum(tl.Exp(v.Sub(top)))).Add(top)
		label := tl.Load(labels.Add(p.ID(0)))
		tl.Store(out.Add(p.ID(0)), sum.Sub(tl.Load(logits.Add(p.ID(0)*classes).Add(label))))
	}, grid: exec.Grid{4}, args: args(random(4, 10), ints(9, 0, 3, 9), empty(4), 4, 10, 16)},

	{name: "tokens of a table", kernel: func(p *tl.Program, ids, table, out tl.Ptr, n, vocab, stride int, D tl.Const) {
		j := tl.Arange(0, D)
		row := tl.Load(ids.Add(p.ID(0)))
		tl.Store(out.Add(p.ID(0)*stride).Add(j), tl.Load(table.Add(row.Mul(stride)).Add(j), tl.Mask(row.Lt(vocab)), tl.Other(0)))
	}, grid: exec.Grid{4}, args: args(ints(7, 2, 0, 5), random(8, 16), empty(4, 16), 4, 8, 16, 16)},

	{name: "distinct slots", kernel: func(p *tl.Program, slots, x, cache tl.Ptr, n, rows, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(cols)
		at := tl.Load(slots.Add(p.ID(0)))
		tl.Store(cache.Add(at.Mul(cols)).Add(j), tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(m)), tl.Mask(m.And(at.Lt(rows))))
	}, grid: exec.Grid{3}, args: args(ints(11, 2, 4), random(3, 6), zeros(12, 6), 3, 12, 6, 8)},

	{name: "ragged sequences", kernel: func(p *tl.Program, ends, x, out tl.Ptr, total, seqs int, B tl.Const) {
		lo, hi := tl.Load(ends.Add(p.ID(0))).Int(), tl.Load(ends.Add(p.ID(0)+1)).Int()
		j := tl.Arange(0, B).Add(lo)
		m := j.Lt(hi)
		tl.Store(out.Add(j), tl.Load(x.Add(j), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(ints(0, 5, 6, 14), random(14), empty(14), 14, 3, 16)},

	{name: "pages", kernel: func(p *tl.Program, table, lens, pages, out tl.Ptr, stride, cols int, PAGE, D tl.Const) {
		n := tl.Load(lens.Add(p.ID(0))).Int()
		d, i := tl.Arange(0, D), tl.Arange(0, PAGE)
		sum := tl.Zeros(tl.Float32, D)
		for b := range tl.Cdiv(n, PAGE) {
			page := tl.Load(table.Add(p.ID(0)*stride + b))
			at := page.Mul(PAGE).Add(i).Col().Mul(cols).Add(d.Row())
			sum = sum.Add(tl.Sum(tl.Load(pages.Add(at), tl.Mask(i.Col().Lt(n-b*PAGE)), tl.Other(0)), tl.Axis(0)))
		}
		tl.Store(out.Add(p.ID(0)*cols).Add(d), sum)
	}, grid: exec.Grid{2}, args: args(tensor.From([]int32{3, 1, 5, 0, 2, 4}).Reshape(2, 3), ints(11, 7), random(6, 4, 8), empty(2, 8), 3, 8, 4, 8)},

	{name: "counted by atomics", kernel: func(p *tl.Program, x, out tl.Ptr, n, bins int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		tl.AtomicAdd(out.Add(tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0))), 1, tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(tensor.RandInt(1, tl.Int32, 0, 10, 60), tensor.Zeros(tl.Int32, 10), 60, 10, 16)},
}
