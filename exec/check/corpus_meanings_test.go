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

	{name: "integers divided downwards", kernel: func(p *tl.Program, x, out tl.Ptr, n, d int, B tl.Const) {
		j := tl.Arange(0, B).Add(p.ID(0) * B)
		m := tl.Mask(j.Lt(n))
		v := tl.Load(x.Add(j), m, tl.Other(0))
		q := v.FloorDiv(d)
		tl.Store(out.Add(j), tl.Where(v.Lt(q.Mul(d)), q.Sub(1), q), m)
	}, grid: exec.Grid{2}, args: args(counting(tl.Int32, 20), tensor.Empty(tl.Int32, 20), 20, 3, 16), ref: floorRef},
}
