package exec_test

import (
	"fmt"
	"time"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// square is right for every BLOCK; which is the fastest depends on the machine.
func square(p *tl.Program, x, out tl.Ptr, n int, BLOCK tl.Const) {
	offs := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	mask := offs.Lt(n)
	v := tl.Load(x.Add(offs), tl.Mask(mask))
	tl.Store(out.Add(offs), v.Mul(v), tl.Mask(mask))
}

func ExampleAuto() {
	const n = 5
	x, out := tensor.From([]float32{1, 2, 3, 4, 5}), tensor.Zeros(tl.Float32, n)
	squares := exec.Auto(exec.New(square), []exec.Config{{"BLOCK": 2}, {"BLOCK": 4}, {"BLOCK": 8}}, "n")

	// So that this example says the same everywhere, BLOCK microseconds are what a launch takes.
	squares = squares.With(exec.AutoOptions{Bench: func(c exec.Config, launch func() error) (exec.Timing, error) {
		return exec.Timing{Median: time.Duration(c["BLOCK"].(int)) * time.Microsecond}, launch()
	}})

	grid := exec.GridFn(func(m exec.Meta) exec.Grid { return exec.Grid{tl.Cdiv(m["n"], m["BLOCK"])} })
	if err := squares.Launch(grid, x, out, n); err != nil { // BLOCK is not among the arguments
		fmt.Println(err)
	}
	tuning, _ := squares.Tune(grid, x, out, n) // what the launch found
	fmt.Printf("%v%v\n", tuning, tensor.Data[float32](out))
	// Output:
	// square: interpreted, x f32, out f32, n=5
	//   BLOCK=2         2µs   1.00×
	//   BLOCK=4         4µs   2.00×
	//   BLOCK=8         8µs   4.00×
	// [1 4 9 16 25]
}
