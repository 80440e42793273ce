package kerneltest

import (
	"fmt"
	"io"

	"github.com/tiler-go/tiler/exec/eager"
	"github.com/tiler-go/tiler/exec/ir"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// maxSteps bounds an instance: more is a loop without an end, which a shrunken kernel
// may have.
const maxSteps = 1 << 17

// An Endless is what RunEager panics with after maxSteps.
type Endless struct{}

// An instance is one that the interpreter runs: the oracle.
type instance struct {
	now     *ir.Value // being executed
	printed []string
	steps   int
}

// run runs the instance. It returns the value that failed, if one did.
func (e *instance) run(f *eager.Func, p *tl.Program, args []tl.Tile) (bad *ir.Value, why any) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *tl.Fault:
			bad, why = e.now, v
		default:
			panic(v)
		}
	}()
	f.RunEach(p, args, e.step)
	return nil, nil
}

func (e *instance) step(v *ir.Value, xs []tl.Tile) {
	e.now = v
	if e.steps++; e.steps > maxSteps {
		panic(Endless{})
	}
	if v.Op == op.Print {
		for i, x := range xs {
			e.printed = append(e.printed, fmt.Sprint(v.Text, i, x.DType(), x.Shape(), x.Bits(), i < len(v.Axes) && v.Axes[i] == 1))
		}
	}
}

// eagerArgs is a world's arguments as the interpreter takes them.
func (w *World) eagerArgs(f *ir.Func) []tl.Tile {
	args := make([]tl.Tile, len(f.Params))
	for i, p := range f.Params {
		if x, ok := w.Args[i].(*tensor.Tensor); ok {
			args[i] = tl.PointerTo(x, p.Text, nil)
		} else {
			args[i] = eager.Scalar(p.Type.D, w.Args[i].(uint64))
		}
	}
	return args
}

// newProgram is an instance's Program, whose output goes nowhere.
func newProgram(i int, grid [3]int) *tl.Program {
	id := [3]int{i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]}
	return tl.NewProgram(id, grid, tl.NewOutput(io.Discard))
}
