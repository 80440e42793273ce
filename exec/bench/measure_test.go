package bench

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

// fakeSide takes the times that it is told, one after the other, as a clock would
// show them.
type fakeSide struct {
	perRun []float64
	calls  int
	fail   int // the call that fails; 0: none
}

func (f *fakeSide) run(n int) (float64, error) {
	f.calls++
	if f.calls == f.fail {
		return 0, errors.New("out of order")
	}
	return float64(n) * f.perRun[f.calls%len(f.perRun)], nil
}

func (f *fakeSide) close() {}

var testPace = pace{sample: 10 * time.Millisecond, rounds: 9, least: 3, total: time.Second, steady: math.Inf(1)}

func TestMeasure(t *testing.T) {
	own := &contender{key: "tiler", work: 6, side: &fakeSide{perRun: []float64{0.002}}}
	half := &contender{key: "half", work: 6, side: &fakeSide{perRun: []float64{0.004}}}
	other := &contender{key: "other work", work: 3, side: &fakeSide{perRun: []float64{0.001}}}
	broken := &contender{key: "broken", work: 6, side: &fakeSide{perRun: []float64{0.001}, fail: 8}}
	cs := []*contender{own, half, other, broken}
	if err := measure(context.Background(), cs, testPace); err != nil {
		t.Fatal(err)
	}
	for _, c := range cs[:3] {
		if c.err != nil || len(c.samples) != testPace.rounds {
			t.Errorf("%s: %d samples, error %v; want %d", c.key, len(c.samples), c.err, testPace.rounds)
		}
	}
	if broken.err == nil {
		t.Error("a side that fails must say so")
	}
	if own.runs != 5 {
		t.Errorf("a sample of 10 ms of runs of 2 ms is %d runs, want 5", own.runs)
	}
	if got := own.speedAgainst(half); math.Abs(got-2) > 1e-9 {
		t.Errorf("half as fast: ratio %v, want 2", got)
	}
	if got := own.speedAgainst(other); math.Abs(got-1) > 1e-9 {
		t.Errorf("half the work in half the time: ratio %v, want 1", got)
	}
}

func TestMeasureRounds(t *testing.T) {
	slow := &contender{key: "slow", work: 1, side: &fakeSide{perRun: []float64{2}}}
	if err := measure(context.Background(), []*contender{slow}, testPace); err != nil || len(slow.samples) != testPace.least {
		t.Errorf("a side of 2 s: %d samples, error %v; want the least, %d", len(slow.samples), err, testPace.least)
	}
	for want, times := range map[int][]float64{9: {0.01, 0.0101, 0.0102}, 18: {0.01, 0.012, 0.014}} {
		p := testPace
		p.steady = 0.05
		c := &contender{key: "tiler", work: 1, side: &fakeSide{perRun: times}}
		if err := measure(context.Background(), []*contender{c}, p); err != nil || len(c.samples) != want {
			t.Errorf("samples of %v s: %d of them, error %v; want %d", times, len(c.samples), err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := measure(ctx, []*contender{{key: "x", side: &fakeSide{perRun: []float64{1}}}}, testPace); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled measurement: error %v", err)
	}
}

// TestRatioOfRounds: a clock that slows down for some rounds changes both sides of
// them, and not the ratio.
func TestRatioOfRounds(t *testing.T) {
	a := &contender{work: 1, samples: []float64{1, 1, 4, 4, 4}}
	b := &contender{work: 1, samples: []float64{2, 2, 8, 8, 8}}
	if got := a.speedAgainst(b); got != 2 {
		t.Errorf("ratio %v, want 2", got)
	}
}

// TestOrder: every round visits each side once, and predecessors change.
func TestOrder(t *testing.T) {
	for n := 1; n < 8; n++ {
		before := map[[2]int]bool{}
		for r := range 6 {
			seen := map[int]bool{}
			last := -1
			for i := range n {
				c := (i*turn(r, n) + r) % n
				seen[c] = true
				if last >= 0 {
					before[[2]int{last, c}] = true
				}
				last = c
			}
			if len(seen) != n {
				t.Errorf("round %d of %d sides visits %v", r, n, seen)
			}
		}
		if n > 2 && len(before) < 2*n {
			t.Errorf("%d sides: only %d pairs follow each other", n, len(before))
		}
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{4, 1, 3, 2}
	for _, c := range []struct{ q, want float64 }{{0, 1}, {0.5, 2.5}, {1, 4}, {0.25, 1.75}} {
		if got := quantile(v, c.q); got != c.want {
			t.Errorf("quantile %v of %v is %v, want %v", c.q, v, got, c.want)
		}
	}
	if !math.IsNaN(median(nil)) {
		t.Error("the median of nothing is no number")
	}
	c := contender{samples: []float64{1, 2, 3, 4, 5}}
	if got := c.spread(); got != 2.0/3 {
		t.Errorf("spread %v, want 2/3", got)
	}
}
