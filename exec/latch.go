package exec

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/codemem"
)

// A latch is a WaitGroup for waits that are mostly shorter than it takes to wake a
// goroutine: Wait spins before it parks.
type latch struct {
	left atomic.Int64
	wg   sync.WaitGroup
}

// Add announces n calls of Done.
func (l *latch) Add(n int) {
	l.left.Add(int64(n))
	l.wg.Add(n)
}

// Done is the end of one of those that Wait waits for.
func (l *latch) Done() {
	l.left.Add(-1)
	l.wg.Done()
}

// Wait returns when there have been as many calls of Done as were announced.
func (l *latch) Wait() {
	for start := time.Now(); l.left.Load() > 0 && time.Since(start) < spinTime; {
		codemem.Pause(4)
	}
	l.wg.Wait()
}
