package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// multiply is how products are multiplied.
func (o Options) multiply() gemm.Options {
	return gemm.Options{Tier: tierOf(o.Tier), Pairs: o.pairs, NoTiles: o.NoTiles, Listing: o.Listing, Code: o.part}
}

// part is the code of a Func that finishes accumulators, or makes blocks of B. Where it is not known of each access by
// itself that it lies inside its tensor, the portable engine does what the code gives up.
func (o Options) part(f *ir.Func, inside bool) (gemm.Routine, error) {
	g := newGen(f, fuse.Plan(f, false), Options{Tier: o.Tier, Runner: o.Runner})
	g.Inside = inside
	r, err := compileRoutine(g, o.Listing)
	if err == nil && !inside && o.Runner != nil {
		r.exact, err = o.Runner(f)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Worker is a worker for instances of a part.
func (r *routine) Worker() gemm.RoutineWorker { return r.worker() }

// RunAll runs n instances of a Func.
func (w *Worker) RunAll(args []ir.Arg, n int) {
	w.once = Launch{Grid: [3]int{n, 1, 1}, Args: args, Exact: w.exact}
	w.Begin(&w.once)
	if w.Run(0, n) != nil {
		panic("amd64: a product that was found not to fail does")
	}
}

// outside runs instance i of a part whose code, which has its own copy of arguments, has given it up.
func (w *Worker) outside(i int) *ir.Failure {
	w.once.Args[len(w.once.Args)-1].Bits = uint64(i)
	return w.code.exact(w.once.Args)
}
