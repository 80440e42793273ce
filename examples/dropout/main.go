// Command dropout sets a random part of a vector to 0, without ever storing which: the
// random numbers are a function of a seed and the element's index, so the same seed
// drops the same elements again on the way back.
package main

import (
	"fmt"
	"os"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// seededDropout keeps an element with probability 1 - rate, and scales what it keeps
// so that the expected value stays.
func seededDropout(p *tl.Program, x, out tl.Ptr, n int, rate float64, seed int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask))
	keep := tl.Rand(seed, offs).Gt(rate)
	tl.Store(out.Add(offs), tl.Where(keep, v.Div(1-rate), 0.0), tl.Mask(mask))
}

func dropout(x *tensor.Tensor, rate float64, seed int) (*tensor.Tensor, error) {
	const BLOCK = 1024
	n := x.Len()
	out := tensor.Empty(tl.Float32, n)
	return out, exec.New(seededDropout).Launch(exec.Grid{tl.Cdiv(n, BLOCK)}, x, out, n, rate, seed, BLOCK)
}

func main() {
	x := tensor.Ones(tl.Float32, 10)
	for _, seed := range []int{123, 123, 512} {
		out, err := dropout(x, 0.5, seed)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(seed, out)
	}
}
