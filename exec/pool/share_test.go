package pool

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// TestShare: tasks that wait for later ones end, though one worker begins.
func TestShare(t *testing.T) {
	defer func(d time.Duration) { stuck = d }(stuck)
	stuck = 5 * time.Millisecond
	var next, done atomic.Int64
	const tasks = 3
	Share(1, func() {
		for i := next.Add(1); i <= tasks; i = next.Add(1) {
			for i < tasks && done.Load() < tasks-i { // those behind it
				runtime.Gosched()
			}
			done.Add(1)
		}
	}, func() (int64, bool) { return done.Load(), next.Load() < tasks })
	if done.Load() != tasks {
		t.Errorf("%d of %d tasks are done", done.Load(), tasks)
	}
}
