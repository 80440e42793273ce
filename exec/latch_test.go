package exec

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestLatch: Wait outlasts all that it waits for, be they quick, or slower than it
// spins.
func TestLatch(t *testing.T) {
	for _, slow := range []time.Duration{0, 10 * spinTime} {
		var l latch
		var done atomic.Int64
		const n = 4
		l.Add(n)
		for range n {
			go func() {
				time.Sleep(slow)
				done.Add(1)
				l.Done()
			}()
		}
		l.Wait()
		if got := done.Load(); got != n {
			t.Errorf("Wait returned when %d of %d were done", got, n)
		}
	}
	var l latch
	l.Wait()
}
