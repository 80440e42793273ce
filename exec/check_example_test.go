package exec_test

import (
	"fmt"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

func ExampleKernel_Check() {
	// The mask lets one lane too many through.
	scale := func(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
		offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Le(n)), tl.Other(0))
		tl.Store(out.Add(offs), v.Mul(2), tl.Mask(offs.Lt(n)))
	}
	x, out := tensor.Ones(tl.Float32, 10), tensor.Zeros(tl.Float32, 10)
	r, err := exec.New(scale).Check(exec.Grid{2}, x, out, 10, 8)
	fmt.Println(err != nil, r.OK, len(r.Findings))
	for _, f := range r.Findings {
		fmt.Print(f.String())
	}
	// Output:
	// true false 1
	// check_example_test.go:15: error: out-of-bounds: tl.Load: lane [2] of [8] is x[10], 1 element past the end of x
	// 	  v := tl.Load(x.Add(offs), tl.Mask(offs.Le(n)), tl.Other(0))
	// 	1 lane in program (1), the first at [2] of its tile
	// 	x is f32[10]
	// 	ooX·····
	// 	fix: the mask lets these lanes through: compare every index with its own size
}

func ExampleKernel_Against() {
	double := func(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
		offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
		m := offs.Lt(n)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs), tl.Mask(m)).Mul(2), tl.Mask(m))
	}
	reference := func(x, out *tensor.Tensor, n, BLOCK int) {
		for i := range n {
			out.Set(x.Float(i)+x.Float(i), i)
		}
	}
	x, out := tensor.Rand(1, tl.Float32, 10), tensor.Empty(tl.Float32, 10)
	r, err := exec.New(double).Against(reference).Check(exec.Grid{2}, x, out, 10, 8)
	fmt.Println(r.OK, err, out.Undefined())
	// Output: true <nil> false
}
