package exec

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A reporter tells Options.Progress how far a launch is, a few times a second.
type reporter struct {
	k    *Kernel
	stop *atomic.Bool // ends the launch if the user's function panics

	mu   sync.Mutex
	last time.Time
	err  error // what Progress panicked with
}

func (r *reporter) done(done, total int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			r.stop.Store(true)
			r.err = fmt.Errorf("%s: Options.Progress panicked: %v", r.k.fn.Name, v)
		}
	}()
	if now := time.Now(); now.Sub(r.last) > 100*time.Millisecond || done == total {
		r.last = now
		r.k.opts.Progress(done, total)
	}
}

// ended is the error of a launch that was stopped.
func (k *Kernel) ended(ctx context.Context, done, total int) error {
	return fmt.Errorf("%s: launch ended early, %d of %d programs done: %w", k.fn.Name, done, total, ctx.Err())
}
