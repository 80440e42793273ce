package launch

import (
	"context"
	"io"
	"time"

	"github.com/tiler-go/tiler/exec/check"
)

// Atomics order what programs do, or seem to, because programs ran in an order in which
// they did. So a launch with atomics runs a second time in the reverse order.

// reverse adds the races that only the reverse order shows.
func (w *watched) reverse(ctx context.Context, r *check.Report, budget time.Duration) {
	if !w.c.Updates() || !r.OK || w.ran < w.grid.Total || w.grid.Total < 2 || w.grid.Total > 1<<16 {
		return
	}
	again := w.k.watch(ctx, w.grid, w.original, io.Discard)
	defer again.close()
	defer context.AfterFunc(ctx, func() { again.cancelled.Store(true) })()
	n := w.grid.Total
	again.runSome(order{n, func(i int) int { return n - 1 - i }}, budget)
	if again.stalled.Load() {
		return
	}
	for _, f := range again.c.Findings() {
		if f.Kind == check.Race && f.Severity == check.Error && !known(r, f) {
			f.Note("found with programs in reverse order: an atomic orders what comes after it only where its result decides whether that happens")
			r.Add(f)
		}
	}
}
