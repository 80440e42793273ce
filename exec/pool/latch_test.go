package pool

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

// TestLatchTurns: a latch is used again and again, its Wait on the point of parking or not.
func TestLatchTurns(t *testing.T) {
	var l latch
	var turns atomic.Int64
	work := make(chan time.Duration)
	defer close(work)
	go func() {
		for d := range work {
			for start := time.Now(); time.Since(start) < d; {
			}
			turns.Add(1)
			l.Done()
		}
	}()
	for i := range 500 {
		l.Add(1)
		work <- spinTime * time.Duration(i%25) / 20
		l.Wait()
		if got := turns.Load(); got != int64(i+1) {
			t.Fatalf("Wait returned after %d turns, want %d", got, i+1)
		}
	}
	if s := l.state.Load(); s != 0 {
		t.Errorf("the latch is left at %#x", s)
	}
}
