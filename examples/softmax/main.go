// Command softmax turns each row of a matrix into weights that add up to 1, reading
// and writing every element once.
package main

import (
	"fmt"
	"math"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// softmaxRows works through rows p.ID(0), p.ID(0) + p.Num(0), ...: a few programs,
// each with many rows. BLOCK is at least the number of columns. The greatest element is
// subtracted first, so that no exponential overflows; lanes beyond the row read as
// minus infinity, whose exponential is 0.
func softmaxRows(p *tl.Program, x, out tl.Ptr, rows, cols, stride int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK)
	mask := offs.Lt(cols)
	for row := p.ID(0); row < rows; row += p.Num(0) {
		v := tl.Load(x.Add(row*stride).Add(offs), tl.Mask(mask), tl.Other(math.Inf(-1)))
		e := tl.Exp(v.Sub(tl.Max(v, tl.Axis(0))))
		tl.Store(out.Add(row*stride).Add(offs), e.Div(tl.Sum(e, tl.Axis(0))), tl.Mask(mask))
	}
}

// softmax is the softmax of each row of x.
func softmax(x *tensor.Tensor) (*tensor.Tensor, error) {
	rows, cols := x.Dim(0), x.Dim(1)
	out := tensor.Empty(x.DType(), rows, cols)
	programs := min(rows, 16)
	return out, exec.New(softmaxRows).Launch(exec.Grid{programs}, x, out, rows, cols, cols, tl.NextPow2(cols))
}

func main() {
	out, err := softmax(tensor.Randn(0, tl.Float32, 64, 781))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(out)
}
