package real

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// scaled8 is a product of int8 matrices with what quantised layers do to it: a scale for each row, one for each column,
// and then SiLU if ACT is 2. With ACT 0 it is the product alone, with 3 the rows' scales are loaded under a mask.
func scaled8(p *tl.Program, x, y, rowScale, colScale, out tl.Ptr, M, N, K int, BM, BN, BK, ACT tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(rows.Col().Mul(K).Add(k.Row()))
	yPtrs := y.Add(k.Col().Mul(N).Add(cols.Row()))
	acc := tl.Zeros(tl.Int32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xPtrs, tl.Mask(rows.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * N)
	}
	mask := rows.Col().Lt(M).And(cols.Row().Lt(N))
	outPtrs := out.Add(rows.Col().Mul(N).Add(cols.Row()))
	if ACT == 0 {
		tl.Store(outPtrs, acc, tl.Mask(mask))
		return
	}
	if ACT == 3 {
		v := acc.To(tl.Float32).Mul(tl.Load(rowScale.Add(rows), tl.Mask(rows.Lt(M)), tl.Other(0)).Col())
		tl.Store(outPtrs, v, tl.Mask(mask))
		return
	}
	r := tl.Load(rowScale.Add(rows), tl.Mask(rows.Lt(M)), tl.Other(0))
	c := tl.Load(colScale.Add(cols), tl.Mask(cols.Lt(N)), tl.Other(0))
	v := acc.To(tl.Float32).Mul(r.Col()).Mul(c.Row())
	if ACT == 2 {
		v = v.Mul(tl.Sigmoid(v))
	}
	tl.Store(outPtrs, v, tl.Mask(mask))
}

// What scaled8 does to a sum.
const (
	bare8    = 0
	scales8  = 1
	silu8    = 2
	rowMask8 = 3
)

func programScaled8(n, act int) Program {
	a, x := Whole8(n*n, 1)
	b, y := Whole8(n*n, 2)
	r, c := Fine(n, 3, 0.01), Fine(n, 4, 0.01)
	dot := Dots(x, y, n, n)
	at := func(i int) float64 {
		v := dot(i)
		switch act {
		case bare8:
			return v
		case rowMask8:
			return v * float64(r[i/n])
		}
		v *= float64(r[i/n]) * float64(c[i%n])
		if act == silu8 {
			v /= 1 + math.Exp(-v)
		}
		return v
	}
	as := tl.Float32
	if act == bare8 {
		as = tl.Int32
	}
	out := tensor.Zeros(as, n, n)
	const block = 64
	return Program{
		File: "products.go", Name: "scaled8", Fn: scaled8, Grid: exec.Grid{tl.Cdiv(n, block), tl.Cdiv(n, block)},
		Args: []any{tensor.From(a, n, n), tensor.From(b, n, n), tensor.From(r), tensor.From(c), out, n, n, n, block, block, block, act},
		Out:  out, At: at, Most: 400, Rel: 1e-5, Abs: 1e-4,
	}
}

// epilogues are what is done with a product's sums, beside the product alone.
func epilogues() (rows []Row) {
	const n = 512
	alone := func(least float64) []Rival {
		return []Rival{{Key: "tiler-bare", Least: least, Program: func() Program { return programScaled8(n, bare8) }}}
	}
	for _, e := range []struct {
		label string
		act   int
		least float64
	}{{"row and column scale", scales8, 1 / 1.15}, {"masked row scale", rowMask8, 1 / 1.15}, {"scales and SiLU", silu8, 1 / 1.3}} {
		rows = append(rows, Row{
			Name: "epilogue", Label: "int8 512x512x512, " + e.label, Quick: true, Unit: "Gop/s", Work: 2 * n * n * n,
			Program: func() Program { return programScaled8(n, e.act) }, Rivals: alone(e.least),
		})
	}
	return rows
}

// Dots gives element i of x (rows of k) times y (k×n).
func Dots(x, y []float32, n, k int) func(i int) float64 {
	return func(i int) float64 {
		row, col, sum := i/n*k, i%n, 0.0
		for l := range k {
			sum += float64(float64(x[row+l]) * float64(y[l*n+col]))
		}
		return sum
	}
}
