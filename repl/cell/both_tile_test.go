package cell_test

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func addKernel(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	a := tl.Load(x.Add(offs), tl.Mask(mask))
	b := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
}
func vectorAdd() string {
	x, y, out := tensor.Arange(tl.Float32, 0, 10), tensor.Full(tl.Float32, 0.5, 10), tensor.Zeros(tl.Float32, 10)
	err := exec.New(addKernel).Launch(exec.Grid{3}, x, y, out, 10, 4)
	return fmt.Sprint(out, err)
}
func matmulKernel(p *tl.Program, x, y, out tl.Ptr, xRows, xCols, yRows, yCols int, BX, BY, BK tl.Const) {
	rows := tl.Arange(0, BX).Add(p.ID(0) * BX)
	cols := tl.Arange(0, BY).Add(p.ID(1) * BY)
	k := tl.Arange(0, BK)
	xPtrs := x.Add(rows.Mul(xCols).Col().Add(k.Row()))
	yPtrs := y.Add(k.Mul(yCols).Col().Add(cols.Row()))
	acc := tl.Zeros(tl.Float32, BX, BY)
	for i := range tl.Cdiv(xCols, BK) {
		left := xCols - i*BK
		a := tl.Load(xPtrs, tl.Mask(rows.Col().Lt(xRows).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(yPtrs, tl.Mask(k.Col().Lt(left).And(cols.Row().Lt(yCols))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xPtrs = xPtrs.Add(BK)
		yPtrs = yPtrs.Add(BK * yCols)
	}
	mask := rows.Col().Lt(xRows).And(cols.Row().Lt(yCols))
	tl.Store(out.Add(rows.Mul(yCols).Col().Add(cols.Row())), acc.To(tl.Float16), tl.Mask(mask))
}
func matmul() string {
	x, y, out := tensor.Rand(1, tl.Float16, 9, 7), tensor.Rand(2, tl.Float16, 7, 5), tensor.Zeros(tl.Float32, 9, 5)
	err := exec.New(matmulKernel).Launch(exec.GridFn(func(m exec.Meta) exec.Grid {
		return exec.Grid{tl.Cdiv(9, m["BX"]), tl.Cdiv(5, m["BY"])}
	}), x, y, out, 9, 7, 7, 5, 4, 4, 3)
	return fmt.Sprint(out, err)
}
func kernelFault() string {
	x := tensor.Zeros(tl.Float32, 6)
	err := exec.New(addKernel).Launch(exec.Grid{2}, x, x, x, 8, 4)
	return firstWords(err)
}

// firstWords is an error without its place, which is another file interpreted.
func firstWords(err error) string {
	s := fmt.Sprint(err)
	if i := strings.Index(s, "tl."); i >= 0 {
		s = s[i:]
	}
	return strings.Split(s, "\n")[0]
}
func kernelPanic() string {
	k := exec.New(func(p *tl.Program, x tl.Ptr) { panic(fmt.Sprint("in ", p.ID(0))) })
	err := k.Launch(exec.Grid{1}, tensor.Zeros(tl.Float32, 1))
	return fmt.Sprint(strings.Contains(err.Error(), "panic: in 0"))
}
func relu(x tl.Tile) tl.Tile { return tl.Maximum(x, 0.0) }
func helpers() string {
	act := map[string]func(tl.Tile) tl.Tile{"relu": relu, "sq": func(x tl.Tile) tl.Tile { return x.Mul(x) }}
	x := tl.Arange(-2, 3).To(tl.Float32)
	return fmt.Sprint(act["relu"](x), act["sq"](x))
}
func reductions() string {
	x := tl.Arange(0, 12).Reshape(3, 4)
	v, i := tl.MaxIndex(x, tl.Axis(1))
	r := tl.Reduce(x, func(a, b tl.Tile) tl.Tile { return a.Add(b) }, tl.Axis(0), tl.KeepDims)
	return fmt.Sprint(tl.Sum(x), tl.Sum(x, tl.Axis(0)), v, i, r)
}
func scalars() string {
	x := tl.Arange(3, 8)
	n := tl.Max(x).Int()
	s := 0
	for i := range n {
		if tl.Full(tl.Int32, i).Mod(2).Eq(0).Bool() {
			s += i
		}
	}
	return fmt.Sprint(n, s, tl.Cdiv(7, 2), tl.NextPow2(9), 1-tl.Sum(x).Int())
}
func typesOfTiles() string {
	x := tl.Full(tl.Float16, 1.5, 2)
	return fmt.Sprint(x.DType(), x.Shape(), x.To(tl.Int8), tl.Sub(1, x), tl.Div(1, x), x.DType() == tl.Float16)
}
func pointersMove() string {
	x := tensor.Arange(tl.Int32, 0, 12)
	p := tl.PointerTo(x, "x", nil)
	q := p.Add(tl.Arange(0, 3).Mul(4))
	a := tl.Load(q)
	tl.Store(q.Add(1), a.Mul(100))
	return fmt.Sprint(a, x, q.Sub(1).Add(tl.Arange(1, 4)))
}
func tensors() string {
	x := tensor.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	d := tensor.Data[float32](x)
	d[0] = 10
	y := x.T().Slice(0, 1, 3)
	s := 0.0
	for _, v := range tensor.Data[int](tensor.Arange(tl.Int64, 0, 4)) {
		s += float64(v)
	}
	return fmt.Sprint(x, y, y.Shape(), x.Float(1, 2), s, tensor.AllClose(x, x))
}
func printKernel() string {
	var b strings.Builder
	k := exec.New(func(p *tl.Program, n int) { p.Print("tile", tl.Arange(0, n), n) }, exec.Options{Output: &b, Workers: 1})
	err := k.Launch(exec.Grid{2}, 3)
	return fmt.Sprint(b.String(), err)
}
func kernelErrors() string {
	a := exec.New(3).Err()
	b := exec.New(func(x tl.Ptr) {}).Err()
	c := exec.New(relu).Err()
	return fmt.Sprint(a, b != nil, c != nil)
}
func launchArguments() string {
	return strings.Split(fmt.Sprint(exec.New(addKernel).Launch(exec.Grid{1}, 1, 2)), "\n")[0]
}
func shapeFault() (s string) {
	defer func() {
		s = fmt.Sprint(recover())
		s = s[strings.Index(s, "Tile."):]
		s = strings.Split(s, "\n")[0]
	}()
	return fmt.Sprint(tl.Arange(0, 3).Add(tl.Arange(0, 4)))
}

var tilePrograms = []func() string{
	vectorAdd, matmul, kernelFault, kernelPanic, helpers, reductions, scalars, typesOfTiles, pointersMove, tensors, printKernel,
	kernelErrors, launchArguments, shapeFault,
}
