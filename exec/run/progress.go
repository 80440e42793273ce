package run

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// A reporter tells Options.Progress how far a launch is, a few times a second.
type reporter struct {
	setup *Setup
	stop  *atomic.Bool // ends the launch if the user's function panics

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
			r.err = fmt.Errorf("%s: Options.Progress panicked: %v", r.setup.Fn.Name, v)
		}
	}()
	if now := time.Now(); now.Sub(r.last) > 100*time.Millisecond || done == total {
		r.last = now
		r.setup.Progress(done, total)
	}
}
