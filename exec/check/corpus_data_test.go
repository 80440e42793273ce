package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Strides that are not the tensor's, and results that are right by the luck of the data.

var faultyData = []kase{
	{name: "a transposed view with another's strides", kernel: func(p *tl.Program, x, out tl.Ptr, M, N, sm, sn int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(M).And(i.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(sm)).Add(i.Row().Mul(sn)), tl.Mask(m)) // want: strides "tl.Load walks x by strides 4,1, and it has strides 1,6"
		tl.Store(out.Add(i.Col().Mul(N)).Add(i.Row()), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(4, 6).T(), empty(6, 4), 6, 4, 4, 1, 8)},

	{name: "a block pointer of half a row", kernel: func(p *tl.Program, x, out tl.Ptr, T int, B, D tl.Const) {
		src := tl.MakeBlockPtr(x, []int{T, D}, []int{D, 1}, []int{0, 0}, []int{B, D}, []int{1, 0})
		v := src.Load(tl.BoundaryCheck(0), tl.PadZero) // want: strides "walks x by strides 32,1, and it has strides 64,1"
		tl.Store(out.Add(tl.Arange(0, B)), tl.Sum(v, tl.Axis(1)), tl.Mask(tl.Arange(0, B).Lt(T)))
	}, grid: exec.Grid{1}, args: args(random(10, 64), empty(10), 10, 16, 32)},

	{name: "a maximum that begins with zero", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(j.Lt(cols)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Max(v)) // want: reference "elements of out differ from the reference"
	}, grid: exec.Grid{3}, args: args(random(3, 10), empty(3), 10, 16), ref: maxRef},
}

var faultyLuck = []kase{
	{name: "two inputs that are alike", vary: true, kernel: func(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Lt(n)
		a := tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))
		tl.Store(out, tl.Sum(a.Mul(a))) // want: reference "of out differ"
	}, grid: exec.Grid{1}, args: args(random(20), random(20), empty(1), 20, 32), ref: dotRef},

	{name: "a softmax without its maximum", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		e := tl.Exp(tl.Load(x.Add(p.ID(0)*n).Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1))))
		tl.Store(out.Add(p.ID(0)*n).Add(i), e.Div(tl.Sum(e)), tl.Mask(i.Lt(n))) // want: note not-finite "64 times as large.* is NaN"
	}, grid: exec.Grid{2}, args: args(tensor.Randn(1, tl.Float32, 2, 20), empty(2, 20), 20, 32), ref: softmaxRows},
}

var faultyNaN = []kase{
	{name: "the greater, which loses NaN", vary: true, kernel: func(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		a, b := tl.Load(x.Add(i), tl.Mask(i.Lt(n))), tl.Load(y.Add(i), tl.Mask(i.Lt(n)))
		tl.Store(out.Add(i), tl.Where(a.Gt(b), a, b), tl.Mask(i.Lt(n))) // want: note not-finite "reference says NaN"
	}, grid: exec.Grid{2}, args: args(random(20), tensor.Rand(2, tl.Float32, 20), empty(20), 20, 16), ref: greaterRef},

	{name: "a sum by a product", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n, last int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v.Mul(j.Lt(last).To(tl.Float32)))) // want: note not-finite "with NaN .* is NaN"
	}, grid: exec.Grid{2}, args: args(random(2, 20), empty(2), 20, 7, 32), ref: upToRef},

	{name: "a norm without eps", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		v = v.Div(tl.Sqrt(tl.Sum(v.Mul(v)).Div(float64(n))))
		tl.Store(out.Add(p.ID(0)*n).Add(j), v, tl.Mask(j.Lt(n))) // want: reference "differ"; note not-finite "smallest number"
	}, grid: exec.Grid{2}, args: args(random(2, 20), empty(2, 20), 20, 32), ref: normRef},

	{name: "a length whose squares vanish", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v).Div(tl.Sqrt(tl.Sum(v.Mul(v))))) // want: note not-finite "smallest number, out.* is [+]Inf"
	}, grid: exec.Grid{2}, args: args(random(2, 20), empty(2), 20, 32), ref: overLengthRef},
}

// correctNaN is the same kernels as they should be: nothing at all is said of them.
var correctNaN = []kase{
	{name: "the greater of two, or NaN", kernel: func(p *tl.Program, x, y, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		a, b := tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(0)), tl.Load(y.Add(i), tl.Mask(i.Lt(n)), tl.Other(0))
		tl.Store(out.Add(i), tl.Maximum(a, b, tl.PropagateNaN), tl.Mask(i.Lt(n)))
	}, grid: exec.Grid{2}, args: args(random(20), tensor.Rand(2, tl.Float32, 20), empty(20), 20, 16), ref: greaterRef},

	{name: "a sum up to a column, by a mask", kernel: func(p *tl.Program, x, out tl.Ptr, n, last int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(last)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v))
	}, grid: exec.Grid{2}, args: args(random(2, 20), empty(2), 20, 7, 32), ref: upToRef},

	{name: "a norm with eps", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		v = v.Div(tl.Sqrt(tl.Sum(v.Mul(v)).Div(float64(n)).Add(1e-6)))
		tl.Store(out.Add(p.ID(0)*n).Add(j), v, tl.Mask(j.Lt(n)))
	}, grid: exec.Grid{2}, args: args(random(2, 20), empty(2, 20), 20, 32), ref: normRef},

	{name: "a softmax of all data", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(out.Add(p.ID(0)*n).Add(i), e.Div(tl.Sum(e)), tl.Mask(i.Lt(n)))
	}, grid: exec.Grid{2}, args: args(tensor.Randn(1, tl.Float32, 2, 20), empty(2, 20), 20, 32), ref: softmaxRows},
}

func greaterRef(x, y, out *tensor.Tensor, n, _ int) {
	for i := range n {
		out.Set(max(x.Float(i), y.Float(i)), i)
	}
}

func upToRef(x, out *tensor.Tensor, _, last, _ int) {
	for i := range out.Dim(0) {
		sum := 0.0
		for j := range last {
			sum += x.Float(i, j)
		}
		out.Set(sum, i)
	}
}

func normRef(x, out *tensor.Tensor, n, _ int) {
	for i := range x.Dim(0) {
		sum := 0.0
		for j := range n {
			sum += x.Float(i, j) * x.Float(i, j)
		}
		for j := range n {
			out.Set(x.Float(i, j)/math.Sqrt(sum/float64(n)+1e-6), i, j)
		}
	}
}

func overLengthRef(x, out *tensor.Tensor, n, _ int) {
	for i := range out.Dim(0) {
		sum, squares := 0.0, 0.0
		for j := range n {
			sum, squares = sum+x.Float(i, j), squares+x.Float(i, j)*x.Float(i, j)
		}
		out.Set(sum/math.Sqrt(squares), i)
	}
}

func dotRef(x, y, out *tensor.Tensor, n, _ int) {
	sum := 0.0
	for i := range n {
		sum += x.Float(i) * y.Float(i)
	}
	out.Set(sum, 0)
}

var faultyInvariance = []kase{
	{name: "a sum of blocks, with other bits", kernel: sumOfBlocks, grid: exec.Grid{3}, args: args(random(3, 200), empty(3), 200, 32), opts: exec.CheckOptions{Invariance: true}},

	{name: "a sum by atomics, in another order", kernel: func(p *tl.Program, x, out tl.Ptr) { // want: invariance "with programs in reverse order"
		tl.AtomicAdd(out, tl.Load(x.Add(p.ID(0))))
	}, grid: exec.Grid{50}, args: args(random(50), zeros(1)), opts: exec.CheckOptions{Invariance: true}},
}

var correctInvariance = []kase{
	{name: "a sum of one block", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, 32)
		v := tl.Load(x.Add(i.Col().Mul(32)).Add(j.Row()), tl.Mask(i.Col().Lt(n)), tl.Other(0))
		tl.Store(out.Add(i), tl.Sum(v, tl.Axis(1)), tl.Mask(i.Lt(n)))
	}, grid: exec.Grid{3}, args: args(random(10, 32), empty(10), 10, 4), opts: exec.CheckOptions{Invariance: true}},
}

func sumOfBlocks(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) { // want: invariance "elements of out have other bits with B = 16 in place of 32"
	sum := 0.0
	for lo := 0; lo < n; lo += B {
		j := tl.Arange(0, B).Add(lo)
		sum += tl.Sum(tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))).Float()
	}
	tl.Store(out.Add(p.ID(0)), sum)
}

var correctData = []kase{
	{name: "a transposed view with its own strides", kernel: func(p *tl.Program, x, out tl.Ptr, M, N, sm, sn int, B tl.Const) {
		i := tl.Arange(0, B)
		m := i.Col().Lt(M).And(i.Row().Lt(N))
		v := tl.Load(x.Add(i.Col().Mul(sm)).Add(i.Row().Mul(sn)), tl.Mask(m))
		tl.Store(out.Add(i.Col().Mul(N)).Add(i.Row()), v, tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(4, 6).T(), empty(6, 4), 6, 4, 1, 6, 8)},

	{name: "a matrix of another shape on purpose", kernel: func(p *tl.Program, x, out tl.Ptr, rows int, W, B tl.Const) {
		i, j := tl.Arange(0, 16), tl.Arange(0, B)
		m := i.Col().Lt(rows).And(j.Row().Lt(W))
		offs := i.Col().Mul(W).Add(j.Row())
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m))
	}, grid: exec.Grid{1}, args: args(random(6, 5), empty(6, 5), 10, 3, 4)},

	{name: "a maximum that begins with the least", kernel: func(p *tl.Program, x, out tl.Ptr, cols int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*cols).Add(j), tl.Mask(j.Lt(cols)), tl.Other(minusInf))
		tl.Store(out.Add(p.ID(0)), tl.Max(v))
	}, grid: exec.Grid{3}, args: args(random(3, 10), empty(3), 10, 16), ref: maxRef},
}

func maxRef(x, out *tensor.Tensor, cols, _ int) {
	for i := range out.Dim(0) {
		most := x.Float(i, 0)
		for j := range cols {
			most = max(most, x.Float(i, j))
		}
		out.Set(most, i)
	}
}
