package amd64

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestStress launches from 16 goroutines while others collect garbage and a profile is
// taken: no bit is ever wrong. With TILER_LONG it takes ten minutes.
func TestStress(t *testing.T) {
	duration := 500 * time.Millisecond
	if os.Getenv("TILER_LONG") != "" {
		duration = 10 * time.Minute
	}
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	if err := pprof.StartCPUProfile(io.Discard); err == nil {
		defer pprof.StopCPUProfile()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var stop atomic.Bool
	var launches atomic.Int64
	var wg sync.WaitGroup
	ps := problems()
	for i := range 16 {
		code := compile(t, kernel(t, ps[i].kernel), i%3 > 0)
		want := ps[i].run(t, code, 1, true)
		wg.Go(func() { stress(t, ps[i], code, want, &stop, &launches) })
	}
	wg.Go(func() {
		for !stop.Load() {
			runtime.GC()
		}
	})
	time.Sleep(duration)
	stop.Store(true)
	wg.Wait()
	runtime.ReadMemStats(&after)
	worst := uint64(0)
	for _, p := range after.PauseNs {
		worst = max(worst, p)
	}
	n := after.NumGC - before.NumGC
	t.Logf("%d launches, %d collections, pauses %v on average, %v at most of the last %d", launches.Load(), n,
		time.Duration((after.PauseTotalNs-before.PauseTotalNs)/uint64(max(1, n))), time.Duration(worst), min(int(n), len(after.PauseNs)))
}

// stress launches a problem again and again.
func stress(t *testing.T, p problem, code *Code, want []byte, stop *atomic.Bool, launches *atomic.Int64) {
	for n := 0; !stop.Load(); n++ {
		if got := p.run(t, code, 1+n%2, n%3 == 0); !bytes.Equal(got, want) {
			t.Errorf("%s: byte %d differs", p, firstDifference(got, want))
			return
		}
		launches.Add(1)
	}
}
