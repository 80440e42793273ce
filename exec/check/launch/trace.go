package launch

import (
	"context"
	"io"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/sanitizer"
	tl "github.com/tiler-go/tiler/tilelang"
)

// maxTraced is how many programs are run again to find out what made NaN or infinities.
const maxTraced = 3

// trace finds the operations that made what w's programs have stored and is no number.
func (w *watched) trace(ctx context.Context, r *check.Report) {
	for i, s := range w.c.Strange() {
		if i == maxTraced || !r.OK {
			return
		}
		if f := w.traced(ctx, s); f != nil {
			r.Add(*f)
		}
	}
}

// traced runs a program again, alone, with every operation looked at.
func (w *watched) traced(ctx context.Context, s *sanitizer.Strange) *check.Finding {
	defer tl.Tracing()()
	again := w.k.watch(ctx, w.grid, w.original, io.Discard)
	defer again.close()
	again.runSome(order{1, func(int) int { return s.Program }}, time.Second)
	return again.c.Explains(s)
}
