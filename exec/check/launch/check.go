package launch

import (
	"context"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Check adds to a report what it finds in a launch of k with arguments.
func Check(ctx context.Context, k *Kernel, g Grid, args []any, r *check.Report) {
	w := k.watch(ctx, g, args, k.Output)
	defer w.close()
	w.run()
	r.Ran, r.Coverage, r.Times.Check = w.ran, w.c.Coverage(), w.took
	if err := w.err(); err != nil {
		r.Err = err.Error()
	}
	r.Add(w.c.Findings()...)
	w.reverse(ctx, r, k.Options.Time())
	w.outputs(r)
	if r.Err == "" && k.Against != nil && len(r.Of(check.Unwritten)) == 0 {
		k.compare(r, w)
	}
	if k.Against != nil && r.OK {
		r.Excuse()
	}
	w.unchanged(r)
	w.trace(ctx, r)
	k.vary(ctx, r, w)
	if !k.Options.NoVariations {
		k.lucky(ctx, r, w, time.Second)
	}
	k.invariance(ctx, r, w)
	r.Settle()
	w.commit(r)
}

// commit writes the outputs of a check to the caller's tensors.
func (w *watched) commit(r *check.Report) {
	clean := r.OK && r.Ran == r.Programs
	if c := w.k.Options.Commit; c == check.CommitNever || c == check.CommitClean && !clean {
		return
	}
	for i, x := range w.copies {
		if x != nil && w.written(i) && !x.IsVirtual() {
			w.original[i].(*tensor.Tensor).CopyFrom(x)
		}
	}
}
