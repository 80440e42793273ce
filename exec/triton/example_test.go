package triton_test

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	"github.com/tiler-go/tiler/exec/triton"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

const scale = `
import triton
import triton.language as tl

@triton.jit
def scale(x, out, n, by, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * by, mask=i < n)
`

func Example() {
	f, err := triton.Parse("scale.py", scale)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := f.Kernel("scale")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, out := tensor.Arange(tl.Float32, 0, 5), tensor.Zeros(tl.Float32, 5)
	grid := exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(m["n"], m["BLOCK"])} })
	if err := k.Launch(grid, x, out, 5, 2.5, 4); err != nil {
		fmt.Println(err)
	}
	fmt.Println(out.Floats())
	// Output: [0 2.5 5 7.5 10]
}
