// Package kernels holds kernels that tests cut.
package kernels

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(mask)).Add(tl.Load(y.Add(offs), tl.Mask(mask))), tl.Mask(mask))
}

func softmax(p *tl.Program, x, out tl.Ptr, cols int, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
	e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
	tl.Store(out.Add(row*cols).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))
}

func layernorm(p *tl.Program, x, w, b, y, means tl.Ptr, cols int, eps float64, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	mean := tl.Sum(v, tl.Axis(0)).Div(float64(cols))
	d := tl.Where(mask, v.Sub(mean), 0.0)
	rstd := tl.Rsqrt(tl.Sum(d.Mul(d), tl.Axis(0)).Div(float64(cols)).Add(eps))
	weight, bias := tl.Load(w.Add(offs), tl.Mask(mask)), tl.Load(b.Add(offs), tl.Mask(mask))
	tl.Store(y.Add(row*cols).Add(offs), d.Mul(rstd).Mul(weight).Add(bias), tl.Mask(mask))
	tl.Store(means.Add(row), mean)
}

// crossEntropy is the loss of each row: its target is data, but the address of it is compared, not followed.
func crossEntropy(p *tl.Program, x, target, loss tl.Ptr, cols int, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(offs.Lt(cols)), tl.Other(math.Inf(-1)))
	m := tl.Max(v, tl.Axis(0))
	sum := tl.Log(tl.Sum(tl.Exp(v.Sub(m)), tl.Axis(0))).Add(m)
	hit := tl.Sum(tl.Where(offs.Eq(tl.Load(target.Add(row))), v, 0.0), tl.Axis(0))
	tl.Store(loss.Add(row), sum.Sub(hit))
}

func matmul(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	aPtrs := a.Add(rows.Col().Mul(K).Add(k.Row()))
	bPtrs := b.Add(k.Col().Mul(N).Add(cols.Row()))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		x := tl.Load(aPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		y := tl.Load(bPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
		aPtrs = aPtrs.Add(BK)
		bPtrs = bPtrs.Add(BK * N)
	}
	tl.Store(c.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// grouped is matmul on a grid of one axis, whose programs go down groups of rows.
func grouped(p *tl.Program, a, b, c tl.Ptr, M, N, K int, BM, BN, BK, GROUP tl.Const) {
	rowBlocks, colBlocks := tl.Cdiv(M, BM), tl.Cdiv(N, BN)
	blockM, blockN := tl.Swizzle2D(p.ID(0)/colBlocks, p.ID(0)%colBlocks, rowBlocks, colBlocks, GROUP)
	rows := tl.Arange(0, BM).Add(blockM * BM)
	cols := tl.Arange(0, BN).Add(blockN * BN)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		x := tl.Load(a.Add(rows.Col().Mul(K).Add(at.Row())), tl.Mask(rows.Col().Lt(M).And(at.Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(at.Col().Mul(N).Add(cols.Row())), tl.Mask(at.Col().Lt(K).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(rows.Col().Mul(N).Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// scale works in place.
func scale(p *tl.Program, x tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	tl.Store(x.Add(offs), tl.Load(x.Add(offs), tl.Mask(mask)).Mul(2.0), tl.Mask(mask))
}

// numbered stores what programs know of the grid.
func numbered(p *tl.Program, out tl.Ptr) {
	tl.Store(out.Add(p.ID(0)), p.ID(0)*1000+p.Num(0))
}

// gather follows indices: all of the table, or none.
func gather(p *tl.Program, table, at, out tl.Ptr, cols int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	from := tl.Load(at.Add(p.ID(0)))
	mask := offs.Lt(cols)
	row := tl.Load(table.Add(offs.Add(from.Mul(cols))), tl.Mask(mask))
	tl.Store(out.Add(p.ID(0)*cols).Add(offs), row, tl.Mask(mask))
}

// scatter stores where the data says.
func scatter(p *tl.Program, x, at, out tl.Ptr) {
	tl.Store(out.Add(tl.Load(at.Add(p.ID(0)))), tl.Load(x.Add(p.ID(0))))
}

// total adds everything up.
func total(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	tl.AtomicAdd(out, tl.Sum(tl.Load(x.Add(tl.Arange(0, BLOCK).Add(p.ID(0)*BLOCK))), tl.Axis(0)))
}

// shift reads what the next program writes.
func shift(p *tl.Program, x tl.Ptr, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(x.Add(offs), tl.Load(x.Add(offs.Add(BLOCK))))
}

// past reads one element too many.
func past(p *tl.Program, x, out tl.Ptr, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	tl.Store(out.Add(offs), tl.Load(x.Add(offs.Add(1))))
}
