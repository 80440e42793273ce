package amd64

import (
	"github.com/tiler-go/tiler/exec/amd64/gemm"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
)

// What finishes the accumulators of a product is a Func, whose one instance runs for each block of them.

// multiply is how products are multiplied.
func (o Options) multiply() gemm.Options {
	return gemm.Options{Tier: tierOf(o.Tier), Pairs: o.pairs, NoTiles: o.NoTiles, Listing: o.Listing, Epilogue: o.epilogue}
}

// epilogue is the code of a Func whose accesses are known to lie inside their tensors.
func (o Options) epilogue(f *ir.Func) (gemm.Epilogue, error) {
	g := newGen(f, fuse.Plan(f, false), Options{Tier: o.Tier, Runner: o.Runner})
	g.Inside = true
	r, err := compileRoutine(g, o.Listing)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Worker is a worker for one instance at a time.
func (r *routine) Worker() gemm.EpilogueWorker { return r.worker() }

// RunOnce runs the one instance of a Func.
func (w *Worker) RunOnce(args []ir.Arg) {
	w.once = Launch{Grid: [3]int{1, 1, 1}, Args: args, Exact: outside}
	w.Begin(&w.once)
	w.Run(0, 1)
}

// outside is where an epilogue ends up that reaches out of its tensors.
func outside(int) *ir.Failure {
	panic("amd64: a product that was found to lie inside its tensors does not")
}
