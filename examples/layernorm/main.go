// Command layernorm normalises each row of a matrix to mean 0 and variance 1 and
// applies a learnt weight and bias, forwards and backwards.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// forward writes y = (x - mean) / sqrt(variance + eps) * w + b for one row per program,
// and keeps the mean and the reciprocal of the deviation for the way back.
func forward(p *tl.Program, x, w, b, y, means, rstds tl.Ptr, cols int, eps float64, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	mean := tl.Sum(v, tl.Axis(0)).Div(float64(cols))
	d := tl.Where(mask, v.Sub(mean), 0.0)
	rstd := tl.Rsqrt(tl.Sum(d.Mul(d), tl.Axis(0)).Div(float64(cols)).Add(eps))
	weight := tl.Load(w.Add(offs), tl.Mask(mask))
	bias := tl.Load(b.Add(offs), tl.Mask(mask))
	tl.Store(y.Add(row*cols).Add(offs), d.Mul(rstd).Mul(weight).Add(bias), tl.Mask(mask))
	tl.Store(means.Add(row), mean)
	tl.Store(rstds.Add(row), rstd)
}

// backward writes dx for one row per program, and adds the row's share to dw and db.
// All programs add to the same dw and db: atomically, in any order.
func backward(p *tl.Program, dy, x, w, means, rstds, dx, dw, db tl.Ptr, cols int, BLOCK tl.Const) {
	row := p.ID(0)
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	grad := tl.Load(dy.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	v := tl.Load(x.Add(row*cols).Add(offs), tl.Mask(mask), tl.Other(0))
	weight := tl.Load(w.Add(offs), tl.Mask(mask), tl.Other(0))
	rstd := tl.Load(rstds.Add(row))
	xhat := tl.Where(mask, v.Sub(tl.Load(means.Add(row))).Mul(rstd), 0.0)
	wdy := weight.Mul(grad)
	c1 := tl.Sum(xhat.Mul(wdy), tl.Axis(0)).Div(float64(cols))
	c2 := tl.Sum(wdy, tl.Axis(0)).Div(float64(cols))
	tl.Store(dx.Add(row*cols).Add(offs), wdy.Sub(xhat.Mul(c1).Add(c2)).Mul(rstd), tl.Mask(mask))
	tl.AtomicAdd(dw.Add(offs), grad.Mul(xhat), tl.Mask(mask))
	tl.AtomicAdd(db.Add(offs), grad, tl.Mask(mask))
}

// A norm is a layer with its weight and bias, and what it keeps between the passes.
type norm struct {
	w, b, means, rstds *tensor.Tensor
}

func (l *norm) forward(x *tensor.Tensor) (*tensor.Tensor, error) {
	rows, cols := x.Dim(0), x.Dim(1)
	y := tensor.Empty(tl.Float32, rows, cols)
	l.means, l.rstds = tensor.Empty(tl.Float32, rows), tensor.Empty(tl.Float32, rows)
	return y, exec.New(forward).Launch(exec.Grid{rows}, x, l.w, l.b, y, l.means, l.rstds, cols, 1e-5, tl.NextPow2(cols))
}

func (l *norm) backward(dy, x *tensor.Tensor) (dx, dw, db *tensor.Tensor, err error) {
	rows, cols := x.Dim(0), x.Dim(1)
	dx, dw, db = tensor.Empty(tl.Float32, rows, cols), tensor.Zeros(tl.Float32, cols), tensor.Zeros(tl.Float32, cols)
	err = exec.New(backward).Launch(exec.Grid{rows}, dy, x, l.w, l.means, l.rstds, dx, dw, db, cols, tl.NextPow2(cols))
	return dx, dw, db, err
}

func main() {
	const rows, cols = 8, 300
	l := &norm{w: tensor.Ones(tl.Float32, cols), b: tensor.Zeros(tl.Float32, cols)}
	x := tensor.Randn(0, tl.Float32, rows, cols)
	y, err := l.forward(x)
	if err == nil {
		_, _, _, err = l.backward(y, x)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(y)
}
