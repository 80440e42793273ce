package tune

import (
	"errors"
	"testing"
	"time"
)

// A clock that only the measured function moves.
func TestBench(t *testing.T) {
	for _, test := range []struct {
		first, each time.Duration
		samples     int
		calls       int // at most
	}{
		{3 * time.Second, 3 * time.Second, 1, 1},
		{time.Millisecond, time.Millisecond, benchSamples, 11},
		{5 * time.Millisecond, time.Microsecond, benchSamples, 10_000_000},
		{time.Second, 20 * time.Millisecond, benchSamples, 1},
		{10_000, 100, benchSamples, 1 << 30},
	} {
		clock := time.Unix(0, 0)
		n := 0
		got, err := bench(func() error {
			if n++; n == 1 {
				clock = clock.Add(test.first)
			} else {
				clock = clock.Add(test.each)
			}
			return nil
		}, func() time.Time { return clock })
		if err != nil || got.Median != test.each || got.Min != test.each || got.Samples != test.samples || got.Calls > test.calls {
			t.Errorf("%+v: %+v, %v", test, got, err)
		}
	}
	fails := errors.New("no")
	if _, err := Bench(func() error { return fails }); err != fails {
		t.Errorf("error %v", err)
	}
}

func TestTimingString(t *testing.T) {
	x := Timing{Median: 1234567, Min: 1200 * time.Microsecond, Max: 123456789, Samples: 3}
	if got := x.String(); got != "1.23ms (1.2ms to 123ms in 3 samples)" {
		t.Error(got)
	}
}
