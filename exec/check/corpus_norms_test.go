package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Norms, softmaxes and losses as they are published, each with a fault of those that
// trackers tell of, and mended.

var faultyNorms = []kase{
	{name: "a layer norm over undefined lanes", vary: true, kernel: func(p *tl.Program, X, W, B, Y, Mean, Rstd tl.Ptr, stride, N int, eps float64, BLOCK_SIZE tl.Const) {
		row := p.ID(0)
		cols := tl.Arange(0, BLOCK_SIZE)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(row*stride).Add(cols), tl.Mask(mask)).To(tl.Float32)
		mean := tl.Sum(x).Div(N)
		xc := tl.Where(mask, x.Sub(mean), 0.0)
		rstd := tl.Rsqrt(tl.Sum(xc.Mul(xc)).Div(N).Add(eps))
		tl.Store(Mean.Add(row), mean) // want: undefined "is stored in Mean"
		tl.Store(Rstd.Add(row), rstd) // want: undefined "is stored in Rstd"
		w, b := tl.Load(W.Add(cols), tl.Mask(mask)), tl.Load(B.Add(cols), tl.Mask(mask))
		tl.Store(Y.Add(row*stride).Add(cols), xc.Mul(rstd).Mul(w).Add(b), tl.Mask(mask)) // want: undefined "is stored in Y"
	}, grid: exec.Grid{6}, args: args(random(6, 40), ones(40), zeros(40), empty(6, 40), empty(6), empty(6), 40, 40, 1e-5, 64)},

	{name: "a variance that counts masked lanes", vary: true, kernel: func(p *tl.Program, X, Y tl.Ptr, N int, BLOCK tl.Const) {
		row := p.ID(0)
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(row*N).Add(cols), tl.Mask(mask), tl.Other(0.0))
		mean := tl.Sum(x).Div(N)
		xc := x.Sub(mean)
		v := tl.Sum(xc.Mul(xc)).Div(N)
		tl.Store(Y.Add(row*N).Add(cols), xc.Mul(tl.Rsqrt(v.Add(1e-5))), tl.Mask(mask)) // want: reference "elements of Y differ"
	}, grid: exec.Grid{6}, args: args(random(6, 40), empty(6, 40), 40, 64), ref: centredRef},

	{name: "squares in float16", vary: true, kernel: func(p *tl.Program, X, Y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(p.ID(0)*N).Add(cols), tl.Mask(mask), tl.Other(0.0))
		xf := x
		ms := tl.Sum(xf.Mul(xf)).Div(N)
		tl.Store(Y.Add(p.ID(0)*N).Add(cols), ms, tl.Mask(mask)) // want: note not-finite "Inf is stored in Y"
	}, grid: exec.Grid{2}, args: args(tensor.Full(tl.Float16, 300, 2, 64), tensor.Empty(tl.Float16, 2, 64), 64, 64)},

	{name: "a group norm without its batch", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, groups, size int, BLOCK tl.Const) {
		g, b := p.ID(0), p.ID(1)
		offs := tl.Arange(0, BLOCK)
		m := offs.Lt(size)
		v := tl.Load(x.Add((b*groups+g)*size).Add(offs), tl.Mask(m), tl.Other(0))
		mean := tl.Sum(v).Div(size)
		tl.Store(y.Add(g*size).Add(offs), v.Sub(mean), tl.Mask(m)) // want: race "writes y"
	}, grid: exec.Grid{4, 2}, args: args(random(2, 4, 30), empty(2, 4, 30), 4, 30, 32)},

	{name: "gradients of weights added without a lock", vary: true, kernel: func(p *tl.Program, DY, XHat, DW, Lock tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		at := p.ID(0) * N
		part := tl.Load(DY.Add(at).Add(cols), tl.Mask(mask), tl.Other(0)).Mul(tl.Load(XHat.Add(at).Add(cols), tl.Mask(mask), tl.Other(0)))
		part = part.Add(tl.Load(DW.Add(cols), tl.Mask(mask))) // want: race "reads DW"
		tl.Store(DW.Add(cols), part, tl.Mask(mask))           // want: race "writes DW"
	}, grid: exec.Grid{8}, args: args(random(8, 24), random(8, 24), zeros(24), tensor.Zeros(tl.Int32, 1), 24, 32)},

	{name: "a row in a padded tensor by its width", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, sx, sy, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*sx).Add(cols), tl.Mask(mask), tl.Other(math.Inf(-1))) // want: strides "walks x"
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(y.Add(p.ID(0)*sy).Add(cols), e.Div(tl.Sum(e)), tl.Mask(mask))
	}, grid: exec.Grid{6}, args: args(random(6, 48), empty(6, 40), 40, 40, 40, 64)},

	{name: "a softmax that begins with zeros", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*N).Add(cols), tl.Mask(mask), tl.Other(0.0))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(y.Add(p.ID(0)*N).Add(cols), e.Div(tl.Sum(e)), tl.Mask(mask)) // want: reference "of y differ"
	}, grid: exec.Grid{5}, args: args(random(5, 20), empty(5, 20), 20, 32), ref: softmaxRows},

	{name: "an online softmax whose last block is not masked", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, stride, N int, BLOCK tl.Const) {
		m, l := math.Inf(-1), 0.0
		offs := tl.Arange(0, BLOCK)
		row := x.Add(p.ID(0) * stride)
		for s := 0; s < N; s += BLOCK {
			v := tl.Load(row.Add(s).Add(offs)) // want: out-of-bounds "past the end of x"; wrong-row "its row"
			mn := max(m, tl.Max(v).Float())
			l = l*tl.Exp(tl.Full(tl.Float32, m-mn)).Float() + tl.Sum(tl.Exp(v.Sub(mn))).Float()
			m = mn
		}
		for s := 0; s < N; s += BLOCK {
			mask := offs.Add(s).Lt(N)
			v := tl.Load(row.Add(s).Add(offs), tl.Mask(mask))
			tl.Store(y.Add(p.ID(0)*stride).Add(s).Add(offs), tl.Exp(v.Sub(m)).Div(l), tl.Mask(mask))
		}
	}, grid: exec.Grid{4}, args: args(random(4, 64), empty(4, 64), 64, 64, 16)},

	{name: "a softmax of rows that are masked altogether", vary: true, kernel: func(p *tl.Program, x, lens, y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		n := tl.Load(lens.Add(p.ID(0)))
		v := tl.Load(x.Add(p.ID(0)*N).Add(cols), tl.Mask(cols.Lt(n)), tl.Other(math.Inf(-1)))
		top := tl.Max(v)
		e := tl.Exp(v.Sub(top))
		s := tl.Sum(e)
		tl.Store(y.Add(p.ID(0)*N).Add(cols), e.Div(s), tl.Mask(cols.Lt(N))) // want: note not-finite "NaN is stored in y"
	}, grid: exec.Grid{3}, args: args(random(3, 16), ints(16, 0, 4), empty(3, 16), 16, 16)},

	{name: "a label to be ignored", vary: true, kernel: func(p *tl.Program, logits, labels, loss tl.Ptr, V, ignore int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		row := logits.Add(p.ID(0) * V)
		label := tl.Load(labels.Add(p.ID(0))).Int()
		v := tl.Load(row.Add(cols), tl.Mask(cols.Lt(V)), tl.Other(math.Inf(-1)))
		top := tl.Max(v)
		lse := tl.Log(tl.Sum(tl.Exp(v.Sub(top)))).Add(top)
		tl.Store(loss.Add(p.ID(0)), lse.Sub(tl.Load(row.Add(label)))) // want: out-of-bounds "logits"
	}, grid: exec.Grid{4}, args: args(random(4, 10), ints(3, -100, 9, 0), empty(4), 10, -100, 16)},

	{name: "sums of chunks, row by row", vary: true, kernel: func(p *tl.Program, logits, out tl.Ptr, V, chunks int, BLOCK tl.Const) {
		row, chunk := p.ID(0), p.ID(1)
		cols := tl.Arange(0, BLOCK).Add(chunk * BLOCK)
		v := tl.Load(logits.Add(row*V).Add(cols), tl.Mask(cols.Lt(V)), tl.Other(math.Inf(-1)))
		tl.Store(out.Add(row+chunk), tl.Log(tl.Sum(tl.Exp(v)))) // want: race "writes out"
	}, grid: exec.Grid{4, 3}, args: args(random(4, 40), empty(4, 3), 40, 3, 16)},

	{name: "a loss per program that is only the last block's", vary: true, kernel: func(p *tl.Program, pred, target, loss tl.Ptr, N int, BLOCK tl.Const) {
		acc := tl.Zeros(tl.Float32, BLOCK)
		for s := 0; s < N; s += BLOCK {
			cols := tl.Arange(0, BLOCK).Add(s)
			m := cols.Lt(N)
			d := tl.Load(pred.Add(p.ID(0)*N).Add(cols), tl.Mask(m), tl.Other(0)).Sub(tl.Load(target.Add(p.ID(0)*N).Add(cols), tl.Mask(m), tl.Other(0)))
			acc = d.Mul(d)
		}
		tl.Store(loss.Add(p.ID(0)), tl.Sum(acc)) // want: reference "of loss differ"
	}, grid: exec.Grid{3}, args: args(tensor.Rand(1, tl.Float32, 3, 40), tensor.Rand(2, tl.Float32, 3, 40), empty(3), 40, 16), ref: squaredRef},

	{name: "an entropy of zeros", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, N int, BLOCK tl.Const) {
		v := tl.Load(x.Add(p.ID(0)*N).Add(tl.Arange(0, BLOCK)), tl.Mask(tl.Arange(0, BLOCK).Lt(N)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v.Mul(tl.Log(v)))) // want: note not-finite "NaN is stored in out"
	}, grid: exec.Grid{2}, args: args(tensor.From([]float32{0, .5, .5, 0, 0, 0, 1, 0}, 2, 4), empty(2), 4, 4)},

	{name: "a norm stored for rows that are not there", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, M, N int, BM, BN tl.Const) {
		i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN)
		v := tl.Load(x.Add(i.Col().Mul(N)).Add(j.Row()), tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))), tl.Other(0))
		tl.Store(out.Add(i), tl.Sqrt(tl.Sum(v.Mul(v), tl.Axis(1)))) // want: out-of-bounds "past the end of out"
	}, grid: exec.Grid{3}, args: args(random(10, 16), empty(10), 10, 16, 4, 16)},
}

var correctNorms = []kase{
	{name: "a layer norm over undefined lanes", kernel: func(p *tl.Program, X, W, B, Y, Mean, Rstd tl.Ptr, stride, N int, eps float64, BLOCK_SIZE tl.Const) {
		row := p.ID(0)
		cols := tl.Arange(0, BLOCK_SIZE)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(row*stride).Add(cols), tl.Mask(mask), tl.Other(0.0)).To(tl.Float32)
		mean := tl.Sum(x).Div(N)
		xc := tl.Where(mask, x.Sub(mean), 0.0)
		rstd := tl.Rsqrt(tl.Sum(xc.Mul(xc)).Div(N).Add(eps))
		tl.Store(Mean.Add(row), mean)
		tl.Store(Rstd.Add(row), rstd)
		w, b := tl.Load(W.Add(cols), tl.Mask(mask)), tl.Load(B.Add(cols), tl.Mask(mask))
		tl.Store(Y.Add(row*stride).Add(cols), xc.Mul(rstd).Mul(w).Add(b), tl.Mask(mask))
	}, grid: exec.Grid{6}, args: args(random(6, 40), ones(40), zeros(40), empty(6, 40), empty(6), empty(6), 40, 40, 1e-5, 64)},

	{name: "a variance that counts masked lanes", kernel: func(p *tl.Program, X, Y tl.Ptr, N int, BLOCK tl.Const) {
		row := p.ID(0)
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(row*N).Add(cols), tl.Mask(mask), tl.Other(0.0))
		mean := tl.Sum(x).Div(N)
		xc := tl.Where(mask, x.Sub(mean), 0.0)
		v := tl.Sum(xc.Mul(xc)).Div(N)
		tl.Store(Y.Add(row*N).Add(cols), xc.Mul(tl.Rsqrt(v.Add(1e-5))), tl.Mask(mask))
	}, grid: exec.Grid{6}, args: args(random(6, 40), empty(6, 40), 40, 64), ref: centredRef},

	{name: "squares in float16", kernel: func(p *tl.Program, X, Y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		x := tl.Load(X.Add(p.ID(0)*N).Add(cols), tl.Mask(mask), tl.Other(0.0))
		xf := x.To(tl.Float32)
		ms := tl.Sum(xf.Mul(xf)).Div(N)
		tl.Store(Y.Add(p.ID(0)*N).Add(cols), ms, tl.Mask(mask))
	}, grid: exec.Grid{2}, args: args(tensor.Full(tl.Float16, 300, 2, 64), tensor.Empty(tl.Float16, 2, 64), 64, 64)},

	{name: "a group norm without its batch", kernel: func(p *tl.Program, x, y tl.Ptr, groups, size int, BLOCK tl.Const) {
		g, b := p.ID(0), p.ID(1)
		offs := tl.Arange(0, BLOCK)
		m := offs.Lt(size)
		v := tl.Load(x.Add((b*groups+g)*size).Add(offs), tl.Mask(m), tl.Other(0))
		mean := tl.Sum(v).Div(size)
		tl.Store(y.Add((b*groups+g)*size).Add(offs), v.Sub(mean), tl.Mask(m))
	}, grid: exec.Grid{4, 2}, args: args(random(2, 4, 30), empty(2, 4, 30), 4, 30, 32)},

	{name: "gradients of weights added without a lock", kernel: func(p *tl.Program, DY, XHat, DW, Lock tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		at := p.ID(0) * N
		part := tl.Load(DY.Add(at).Add(cols), tl.Mask(mask), tl.Other(0)).Mul(tl.Load(XHat.Add(at).Add(cols), tl.Mask(mask), tl.Other(0)))
		for tl.AtomicCAS(Lock, 0, 1).Int() == 1 {
		}
		part = part.Add(tl.Load(DW.Add(cols), tl.Mask(mask)))
		tl.Store(DW.Add(cols), part, tl.Mask(mask))
		tl.AtomicXchg(Lock, 0)
	}, grid: exec.Grid{8}, args: args(random(8, 24), random(8, 24), zeros(24), tensor.Zeros(tl.Int32, 1), 24, 32)},

	{name: "a row in a padded tensor by its width", kernel: func(p *tl.Program, x, y tl.Ptr, sx, sy, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*sx).Add(cols), tl.Mask(mask), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(y.Add(p.ID(0)*sy).Add(cols), e.Div(tl.Sum(e)), tl.Mask(mask))
	}, grid: exec.Grid{6}, args: args(random(6, 48), empty(6, 40), 48, 40, 40, 64)},

	{name: "a softmax that begins with zeros", kernel: func(p *tl.Program, x, y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		mask := cols.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*N).Add(cols), tl.Mask(mask), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v)))
		tl.Store(y.Add(p.ID(0)*N).Add(cols), e.Div(tl.Sum(e)), tl.Mask(mask))
	}, grid: exec.Grid{5}, args: args(random(5, 20), empty(5, 20), 20, 32), ref: softmaxRows},

	{name: "an online softmax whose last block is not masked", kernel: func(p *tl.Program, x, y tl.Ptr, stride, N int, BLOCK tl.Const) {
		m, l := math.Inf(-1), 0.0
		offs := tl.Arange(0, BLOCK)
		row := x.Add(p.ID(0) * stride)
		for s := 0; s < N; s += BLOCK {
			v := tl.Load(row.Add(s).Add(offs), tl.Mask(offs.Add(s).Lt(N)), tl.Other(math.Inf(-1)))
			mn := max(m, tl.Max(v).Float())
			l = l*tl.Exp(tl.Full(tl.Float32, m-mn)).Float() + tl.Sum(tl.Exp(v.Sub(mn))).Float()
			m = mn
		}
		for s := 0; s < N; s += BLOCK {
			mask := offs.Add(s).Lt(N)
			v := tl.Load(row.Add(s).Add(offs), tl.Mask(mask))
			tl.Store(y.Add(p.ID(0)*stride).Add(s).Add(offs), tl.Exp(v.Sub(m)).Div(l), tl.Mask(mask))
		}
	}, grid: exec.Grid{4}, args: args(random(4, 64), empty(4, 64), 64, 64, 16)},

	{name: "a softmax of rows that are masked altogether", kernel: func(p *tl.Program, x, lens, y tl.Ptr, N int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		n := tl.Load(lens.Add(p.ID(0)))
		v := tl.Load(x.Add(p.ID(0)*N).Add(cols), tl.Mask(cols.Lt(n)), tl.Other(math.Inf(-1)))
		top := tl.Max(v)
		top = tl.Where(top.Eq(math.Inf(-1)), 0.0, top)
		e := tl.Exp(v.Sub(top))
		s := tl.Sum(e)
		s = tl.Where(s.Eq(0), 1.0, s)
		tl.Store(y.Add(p.ID(0)*N).Add(cols), e.Div(s), tl.Mask(cols.Lt(N)))
	}, grid: exec.Grid{3}, args: args(random(3, 16), ints(16, 0, 4), empty(3, 16), 16, 16)},

	{name: "a label to be ignored", kernel: func(p *tl.Program, logits, labels, loss tl.Ptr, V, ignore int, BLOCK tl.Const) {
		cols := tl.Arange(0, BLOCK)
		row := logits.Add(p.ID(0) * V)
		label := tl.Load(labels.Add(p.ID(0))).Int()
		v := tl.Load(row.Add(cols), tl.Mask(cols.Lt(V)), tl.Other(math.Inf(-1)))
		top := tl.Max(v)
		lse := tl.Log(tl.Sum(tl.Exp(v.Sub(top)))).Add(top)
		if label == ignore {
			tl.Store(loss.Add(p.ID(0)), 0.0)
			return
		}
		tl.Store(loss.Add(p.ID(0)), lse.Sub(tl.Load(row.Add(label))))
	}, grid: exec.Grid{4}, args: args(random(4, 10), ints(3, -100, 9, 0), empty(4), 10, -100, 16)},

	{name: "sums of chunks, row by row", kernel: func(p *tl.Program, logits, out tl.Ptr, V, chunks int, BLOCK tl.Const) {
		row, chunk := p.ID(0), p.ID(1)
		cols := tl.Arange(0, BLOCK).Add(chunk * BLOCK)
		v := tl.Load(logits.Add(row*V).Add(cols), tl.Mask(cols.Lt(V)), tl.Other(math.Inf(-1)))
		tl.Store(out.Add(row*chunks+chunk), tl.Log(tl.Sum(tl.Exp(v))))
	}, grid: exec.Grid{4, 3}, args: args(random(4, 40), empty(4, 3), 40, 3, 16)},

	{name: "a loss per program that is only the last block's", kernel: func(p *tl.Program, pred, target, loss tl.Ptr, N int, BLOCK tl.Const) {
		acc := tl.Zeros(tl.Float32, BLOCK)
		for s := 0; s < N; s += BLOCK {
			cols := tl.Arange(0, BLOCK).Add(s)
			m := cols.Lt(N)
			d := tl.Load(pred.Add(p.ID(0)*N).Add(cols), tl.Mask(m), tl.Other(0)).Sub(tl.Load(target.Add(p.ID(0)*N).Add(cols), tl.Mask(m), tl.Other(0)))
			acc = acc.Add(d.Mul(d))
		}
		tl.Store(loss.Add(p.ID(0)), tl.Sum(acc))
	}, grid: exec.Grid{3}, args: args(tensor.Rand(1, tl.Float32, 3, 40), tensor.Rand(2, tl.Float32, 3, 40), empty(3), 40, 16), ref: squaredRef},

	{name: "an entropy of zeros", kernel: func(p *tl.Program, x, out tl.Ptr, N int, BLOCK tl.Const) {
		v := tl.Load(x.Add(p.ID(0)*N).Add(tl.Arange(0, BLOCK)), tl.Mask(tl.Arange(0, BLOCK).Lt(N)), tl.Other(0))
		tl.Store(out.Add(p.ID(0)), tl.Sum(v.Mul(tl.Log(tl.Maximum(v, 1e-20)))))
	}, grid: exec.Grid{2}, args: args(tensor.From([]float32{0, .5, .5, 0, 0, 0, 1, 0}, 2, 4), empty(2), 4, 4)},

	{name: "a norm stored for rows that are not there", kernel: func(p *tl.Program, x, out tl.Ptr, M, N int, BM, BN tl.Const) {
		i, j := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN)
		v := tl.Load(x.Add(i.Col().Mul(N)).Add(j.Row()), tl.Mask(i.Col().Lt(M).And(j.Row().Lt(N))), tl.Other(0))
		tl.Store(out.Add(i), tl.Sqrt(tl.Sum(v.Mul(v), tl.Axis(1))), tl.Mask(i.Lt(M)))
	}, grid: exec.Grid{3}, args: args(random(10, 16), empty(10), 10, 16, 4, 16)},
}

func centredRef(x, y *tensor.Tensor, n, _ int) {
	for i := range x.Dim(0) {
		mean, v := 0.0, 0.0
		for j := range n {
			mean += x.Float(i, j) / float64(n)
		}
		for j := range n {
			v += (x.Float(i, j) - mean) * (x.Float(i, j) - mean) / float64(n)
		}
		for j := range n {
			y.Set((x.Float(i, j)-mean)/math.Sqrt(v+1e-5), i, j)
		}
	}
}

func softmaxRows(x, y *tensor.Tensor, n, _ int) {
	for i := range x.Dim(0) {
		most, sum := math.Inf(-1), 0.0
		for j := range n {
			most = max(most, x.Float(i, j))
		}
		for j := range n {
			sum += math.Exp(x.Float(i, j) - most)
		}
		for j := range n {
			y.Set(math.Exp(x.Float(i, j)-most)/sum, i, j)
		}
	}
}

func squaredRef(x, y, loss *tensor.Tensor, n, _ int) {
	for i := range x.Dim(0) {
		sum := 0.0
		for j := range n {
			sum += (x.Float(i, j) - y.Float(i, j)) * (x.Float(i, j) - y.Float(i, j))
		}
		loss.Set(sum, i)
	}
}
