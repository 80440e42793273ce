package pool

import (
	"sync/atomic"
	"time"

	"github.com/tiler-go/tiler/exec/codemem"
)

// A latch counts what one goroutine waits for. Waits are mostly shorter than it takes to
// wake a goroutine: Wait spins before it parks, and does not look at anything but the count
// before it has, because to park between the last Done and its end is to wait for nothing.
type latch struct {
	state atomic.Int64 // calls of Done that are missing, and asleep
	wake  chan struct{}
}

// asleep is added to a latch's state while its Wait is parked, or about to be.
const asleep = 1 << 32

// Add announces n calls of Done.
func (l *latch) Add(n int) { l.state.Add(int64(n)) }

// Done is the end of one of those that Wait waits for.
func (l *latch) Done() {
	if l.state.Add(-1) == asleep {
		l.wake <- struct{}{}
	}
}

// Wait returns when there have been as many calls of Done as were announced.
func (l *latch) Wait() {
	for start := time.Now(); l.state.Load() > 0; codemem.Pause(4) {
		if time.Since(start) > spinTime {
			l.park()
			return
		}
	}
}

func (l *latch) park() {
	l.wake = make(chan struct{}, 1)
	if l.state.Add(asleep) != asleep {
		<-l.wake
	}
	l.state.Add(-asleep)
}
