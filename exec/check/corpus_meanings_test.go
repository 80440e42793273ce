package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What an argument means is told by where the kernel uses it: which tensor it is a stride of, which dimensions are
// whose. And numbers that are far away, or negative integers, that nobody tried.

// productOf multiplies, b by the strides that it is given.
func productOf(p *tl.Program, a, b, c tl.Ptr, M, N, K, ar, ak, bk, bc, cr, cc int, BM, BN, BK tl.Const) {
	i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for lo := 0; lo < K; lo += BK {
		k := tl.Arange(0, BK).Add(lo)
		mx, my := i.Col().Lt(M).And(k.Row().Lt(K)), k.Col().Lt(K).And(j.Row().Lt(N))
		x := tl.Load(a.Add(i.Col().Mul(ar).Add(k.Row().Mul(ak))), tl.Mask(mx), tl.Other(0))
		at := b.Add(k.Col().Mul(bk).Add(j.Row().Mul(bc)))
		y := tl.Load(at, tl.Mask(my), tl.Other(0)) // want: strides "walks b by strides 20,1, and b has strides 1,20"
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(i.Col().Mul(cr).Add(j.Row().Mul(cc))), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}

// square multiplies, with rows of b as long as bRow says.
func square(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for lo := 0; lo < K; lo += BK {
		k := tl.Arange(0, BK).Add(lo)
		x := tl.Load(a.Add(i.Col().Mul(K).Add(k.Row())), tl.Mask(i.Col().Lt(M).And(k.Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(k.Col().Mul(N).Add(j.Row())), tl.Mask(k.Col().Lt(K).And(j.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(i.Col().Mul(N).Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
}

// doubled is twice a matrix, by descriptors.
func doubled(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
	a, b := tl.MakeDesc(x, []int{M, N}, []int{N, 1}, []int{BM, BN}), tl.MakeDesc(y, []int{M, N}, []int{N, 1}, []int{BM, BN})
	b.Store(a.Load(p.ID(0)*BM, p.ID(1)*BN).Mul(2), p.ID(0)*BM, p.ID(1)*BN)
}

// greatest is the greatest of each row, or what it begins with.
func greatest(least float64) any {
	return func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(least))
		tl.Store(out.Add(p.ID(0)), tl.Max(v)) // want: reference "of out differ"
	}
}

// halves is both halves of rows, or one. A variable of another function is nothing that compiles: what the kernel
// divides by is in its text.
func halves(both bool) any {
	return func(p *tl.Program, x, y tl.Ptr, T, D int, B tl.Const) {
		j := tl.Arange(0, B)
		m := tl.Mask(j.Lt(D / 2))
		a, b := tl.Load(x.Add(p.ID(0)*D).Add(j), m), tl.Load(x.Add(p.ID(0)*D+D/2).Add(j), m)
		tl.Store(y.Add(p.ID(0)*D).Add(j), a.Sub(b), m) // want: unwritten "30 of 60 elements of y are never written"
		if both {
			tl.Store(y.Add(p.ID(0)*D+D/2).Add(j), b.Add(a), m)
		}
	}
}

// groups is the means of groups of channels, counted from the beginning of an image.
func groups(image int) any {
	return func(p *tl.Program, x, y tl.Ptr, C, HW, G int, B tl.Const) {
		size := C / G * HW
		from := (p.ID(0)*image + p.ID(1)*(C/G)) * HW
		j := tl.Arange(0, B)
		m := tl.Mask(j.Lt(size))
		v := tl.Load(x.Add(from).Add(j), m, tl.Other(0))
		tl.Store(y.Add(from).Add(j), v.Sub(tl.Sum(v).Div(size)), m) // want: race "writes y"
	}
}

// blockOfRows normalises rows of a tensor as those of one matrix, some at a time.
func blockOfRows(p *tl.Program, x, y tl.Ptr, rows, n int, R, B tl.Const) {
	i, j := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, B)
	m := tl.Mask(i.Col().Lt(rows).And(j.Row().Lt(n)))
	at := i.Col().Mul(n).Add(j.Row())
	v := tl.Load(x.Add(at), m, tl.Other(0))
	tl.Store(y.Add(at), v.Mul(tl.Rsqrt(tl.Sum(v.Mul(v), tl.Axis(1)).Add(1e-5)).Col()), m)
}

// tokens multiplies each token by its expert's weights; ids that are padding are those of no token.
func tokens(p *tl.Program, x, w, ids, experts, y tl.Ptr, K, N, valid int, BM, BN tl.Const) {
	id, e := tl.Load(ids.Add(tl.Arange(0, BM)).Add(p.ID(0)*BM)), tl.Load(experts.Add(p.ID(0)))
	j, m := tl.Arange(0, BN).Add(p.ID(1)*BN), id.Lt(valid)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for k := range K {
		a := tl.Load(x.Add(id.FloorDiv(2).Mul(K)).Add(k), tl.Mask(m), tl.Other(0))
		b := tl.Load(w.Add(e.Mul(K).Add(k).Mul(N)).Add(j), tl.Mask(j.Lt(N)), tl.Other(0))
		acc = acc.Add(a.Col().Mul(b.Row()))
	}
	tl.Store(y.Add(id.Col().Mul(N).Add(j.Row())), acc, tl.Mask(m.Col().And(j.Row().Lt(N))))
}

func floorRef(x, out *tensor.Tensor, n, d, _ int) {
	for i := range n {
		out.Set(int(math.Floor(x.Float(i)/float64(d))), i)
	}
}

var faultyMeanings = []kase{
	{name: "a transposed weight with the strides of one that is not", vary: true, kernel: productOf, grid: exec.Grid{2, 2},
		args: args(random(24, 20), random(20, 20).T(), empty(24, 20), 24, 20, 20, 20, 1, 20, 1, 20, 1, 16, 16, 16)},

	{name: "rows of b by K, of a square", vary: true, kernel: func(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
		i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN)
		acc := tl.Zeros(tl.Float32, BM, BN)
		for lo := 0; lo < K; lo += BK {
			k := tl.Arange(0, BK).Add(lo)
			mx, my := i.Col().Lt(M).And(k.Row().Lt(K)), k.Col().Lt(K).And(j.Row().Lt(N))
			x := tl.Load(a.Add(i.Col().Mul(K).Add(k.Row())), tl.Mask(mx), tl.Other(0))
			y := tl.Load(b.Add(k.Col().Mul(K).Add(j.Row())), tl.Mask(my), tl.Other(0)) // want: out-of-bounds "past the end of b"
			acc = acc.Add(tl.Dot(x, y))
		}
		tl.Store(c.Add(i.Col().Mul(N).Add(j.Row())), acc, tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))))
	}, grid: exec.Grid{2, 2}, args: args(random(32, 32), random(32, 32), empty(32, 32), 32, 32, 32, 16, 16, 16)},

	{name: "a descriptor of an exchanged shape, of a square", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, M, N int, BM, BN tl.Const) {
		a, b := tl.MakeDesc(x, []int{N, M}, []int{N, 1}, []int{BM, BN}), tl.MakeDesc(y, []int{M, N}, []int{N, 1}, []int{BM, BN})
		b.Store(a.Load(p.ID(0)*BM, p.ID(1)*BN).Mul(2), p.ID(0)*BM, p.ID(1)*BN) // want: out-of-bounds "past the end of x"
	}, grid: exec.Grid{2, 2}, args: args(random(24, 24), empty(24, 24), 24, 24, 16, 16)},

	{name: "a maximum that begins with -1000", vary: true, kernel: greatest(-1000), grid: exec.Grid{4},
		args: args(random(4, 10), empty(4), 10, 16), ref: maxRef},

	{name: "one half of rows", kernel: halves(false), grid: exec.Grid{5},
		args: args(random(5, 12), empty(5, 12), 5, 12, 8)},
	{name: "groups of the wrong image", kernel: groups(3), grid: exec.Grid{2, 3},
		args: args(random(2, 6, 5), zeros(2, 6, 5), 6, 5, 3, 16)},

	{name: "rows that go on in the next matrix", kernel: func(p *tl.Program, x, y tl.Ptr, rows, n int, R, B tl.Const) {
		i, j := tl.Arange(0, R).Add(p.ID(0)*R), tl.Arange(0, B)
		m := tl.Mask(j.Row().Lt(n).And(i.Col().Ge(0)))
		at := i.Col().Add(p.ID(1) * rows).Mul(n).Add(j.Row())
		v := tl.Load(x.Add(at), m, tl.Other(0)) // want: wrong-row "past the end of its row"; out-of-bounds "past the end"
		tl.Store(y.Add(at), v.Mul(2), m)        // want: wrong-row "past the end of its row"; out-of-bounds "past the end"
	}, grid: exec.Grid{2, 2}, args: args(random(2, 5, 20), empty(2, 5, 20), 5, 20, 4, 32)},

	{name: "integers divided towards zero", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n, d int, B tl.Const) {
		j := tl.Arange(0, B).Add(p.ID(0) * B)
		m := tl.Mask(j.Lt(n))
		tl.Store(out.Add(j), tl.Load(x.Add(j), m, tl.Other(0)).FloorDiv(d), m) // want: reference "of out differ"
	}, grid: exec.Grid{2}, args: args(counting(tl.Int32, 20), tensor.Empty(tl.Int32, 20), 20, 3, 16), ref: floorRef},
}

var correctMeanings = []kase{
	{name: "a transposed weight", kernel: productOf, grid: exec.Grid{2, 2},
		args: args(random(24, 20), random(28, 20).T(), empty(24, 28), 24, 28, 20, 20, 1, 1, 20, 28, 1, 16, 16, 16)},
	{name: "rows of b by N, of a square", kernel: square, grid: exec.Grid{2, 2},
		args: args(random(32, 32), random(32, 32), empty(32, 32), 32, 32, 32, 16, 16, 16)},
	{name: "descriptors of a square", kernel: doubled, grid: exec.Grid{2, 2},
		args: args(random(24, 24), empty(24, 24), 24, 24, 16, 16)},
	{name: "a maximum that begins with the least of all", kernel: greatest(math.Inf(-1)), grid: exec.Grid{4},
		args: args(random(4, 10), empty(4), 10, 16), ref: maxRef},

	{name: "both halves of rows", kernel: halves(true), grid: exec.Grid{5},
		args: args(random(5, 12), empty(5, 12), 5, 12, 8)},
	{name: "groups of channels", kernel: groups(6), grid: exec.Grid{2, 3},
		args: args(random(2, 6, 5), empty(2, 6, 5), 6, 5, 3, 16)},

	{name: "blocks of rows of several matrices", kernel: blockOfRows, grid: exec.Grid{3},
		args: args(random(2, 5, 20), empty(2, 5, 20), 10, 20, 4, 32)},
	{name: "blocks of rows of many matrices", kernel: blockOfRows, grid: exec.Grid{4},
		args: args(random(2, 3, 4, 20), empty(2, 3, 4, 20), 24, 20, 7, 32)},
	{name: "as many tokens as columns", kernel: tokens, grid: exec.Grid{4, 2}, args: args(random(5, 6), random(3, 6, 10),
		tensor.From([]int32{0, 3, 10, 10, 1, 4, 6, 10, 2, 5, 7, 8, 9, 10, 10, 10}), tensor.From([]int32{0, 1, 2, 2}),
		empty(10, 10), 6, 10, 10, 4, 8)},

	{name: "integers divided downwards", kernel: func(p *tl.Program, x, out tl.Ptr, n, d int, B tl.Const) {
		j := tl.Arange(0, B).Add(p.ID(0) * B)
		m := tl.Mask(j.Lt(n))
		v := tl.Load(x.Add(j), m, tl.Other(0))
		q := v.FloorDiv(d)
		tl.Store(out.Add(j), tl.Where(v.Lt(q.Mul(d)), q.Sub(1), q), m)
	}, grid: exec.Grid{2}, args: args(counting(tl.Int32, 20), tensor.Empty(tl.Int32, 20), 20, 3, 16), ref: floorRef},
}
