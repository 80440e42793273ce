// Command vecadd adds two vectors: the smallest kernel there is.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// add adds n elements of x and y, BLOCK of them per program. The last program's block
// hangs over the end: its mask keeps it off what is not there.
func add(p *tl.Program, x, y, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	a := tl.Load(x.Add(offs), tl.Mask(mask))
	b := tl.Load(y.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), a.Add(b), tl.Mask(mask))
}

// vecadd is x + y.
func vecadd(x, y *tensor.Tensor) (*tensor.Tensor, error) {
	const BLOCK = 1024
	n := x.Len()
	out := tensor.Empty(x.DType(), n)
	return out, exec.New(add).Launch(exec.Grid{tl.Cdiv(n, BLOCK)}, x, y, out, n, BLOCK)
}

func main() {
	x, y := tensor.Arange(tl.Float32, 0, 98432), tensor.Full(tl.Float32, 0.5, 98432)
	out, err := vecadd(x, y)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(out)
}
