package bench

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/amd64"
	"github.com/tiler-go/tiler/exec/frontend"
	"github.com/tiler-go/tiler/exec/frontend/gofile"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/pass"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A directSide runs a program's machine code on one goroutine without package exec
// around it, which has no way to leave the checks of accesses out.
type directSide struct {
	code *amd64.Code
	args []ir.Arg
	grid [3]int
}

// newDirectSide compiles a program, with or without checks, runs it and checks its
// result. It is for kernels whose instances run one by one: a matrix product is checked
// once for the whole launch.
func newDirectSide(p program, engine string, unchecked bool) (side, error) {
	fn, args, err := lowered(p)
	if err != nil {
		return nil, err
	}
	d := &directSide{args: args, grid: [3]int{1, 1, 1}}
	copy(d.grid[:], p.grid)
	d.code, err = amd64.Compile(fn, amd64.Options{Tier: tier(engine), Unchecked: unchecked})
	if err != nil {
		return nil, err
	}
	if _, err := d.run(1); err != nil {
		return nil, err
	}
	return d, p.want.check(elementsOf(p.out))
}

// lowered is a program's kernel as optimised IR, and its arguments as code takes them.
func lowered(p program) (*ir.Func, []ir.Arg, error) {
	file, err := gofile.Load("kernels.go", kernelText)
	if err != nil {
		return nil, nil, err
	}
	known, args := make([]frontend.Arg, len(p.args)), make([]ir.Arg, len(p.args))
	for i, a := range p.args {
		switch a := a.(type) {
		case *tensor.Tensor:
			known[i].DType, args[i].Mem = a.DType(), a.Buf()
		case int:
			known[i].Int, args[i].Bits = int64(a), uint64(a)
		case float64:
			known[i].Float, args[i].Bits = a, dtype.FromFloat(dtype.Float64, a)
		case tl.DType:
			known[i].DType = a
		default:
			return nil, nil, fmt.Errorf("an argument of type %T", a)
		}
	}
	fn, _, err := frontend.Compile(file, p.name, known)
	if err != nil {
		return nil, nil, err
	}
	return fn, args, pass.Run(fn, pass.Options{})
}

func (d *directSide) run(n int) (float64, error) {
	w := d.code.NewWorker()
	total := d.grid[0] * d.grid[1] * d.grid[2]
	var stop atomic.Bool
	l := &amd64.Launch{Args: d.args, Grid: d.grid, Stop: &stop, Exact: func(int) *ir.Failure { return &ir.Failure{} }}
	start := time.Now()
	for range n {
		w.Begin(l)
		if f := w.Run(0, total); f != nil {
			return 0, fmt.Errorf("an instance failed, or left machine code")
		}
	}
	return time.Since(start).Seconds(), nil
}

func (d *directSide) close() { d.code.Free() }
