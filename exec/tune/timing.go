package tune

import (
	"fmt"
	"slices"
	"time"
)

// A Timing is how long something takes.
type Timing struct {
	Median, Min, Max time.Duration // of one call
	Samples          int           // measurements, each of Calls calls
	Calls            int
}

// String is the median and the spread.
func (t Timing) String() string {
	return fmt.Sprintf("%v (%v to %v in %d samples)", round(t.Median), round(t.Min), round(t.Max), t.Samples)
}

// round is d with three digits or so.
func round(d time.Duration) time.Duration {
	unit := time.Nanosecond
	for d >= 1000*unit {
		unit *= 10
	}
	return d.Round(unit)
}

const (
	benchSamples = 15
	benchSample  = 10 * time.Millisecond // a sample is enough calls to take this long
	benchTime    = 2 * time.Second       // no further samples after this
)

// Bench calls fn, a launch say, until it is known how long that takes: once to warm up,
// then in samples of 10 ms or one call, for about half a second. It ends with the first
// error.
func Bench(fn func() error) (Timing, error) { return bench(fn, time.Now) }

func bench(fn func() error, now func() time.Time) (t Timing, err error) {
	began := now()
	if err := fn(); err != nil {
		return t, err
	}
	t.Calls = 1
	if first := now().Sub(began); first < benchSample {
		t.Calls = int(benchSample/max(first, 100*time.Nanosecond)) + 1
	}
	var samples []time.Duration
	for len(samples) < benchSamples && (len(samples) == 0 || now().Sub(began) < benchTime) {
		start := now()
		for range t.Calls {
			if err := fn(); err != nil {
				return t, err
			}
		}
		took := now().Sub(start)
		if len(samples) == 0 && t.Calls > 1 && took < benchSample/2 { // the first call was slow to warm up
			t.Calls *= int(benchSample/max(took, time.Microsecond)) + 1
			if t.Calls < 1<<30 {
				continue
			}
		}
		samples = append(samples, took/time.Duration(t.Calls))
	}
	slices.Sort(samples)
	t.Samples = len(samples)
	t.Median, t.Min, t.Max = samples[len(samples)/2], samples[0], samples[len(samples)-1]
	return t, nil
}
