package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// A contender is a side of a row under its key, and what its samples have shown.
type contender struct {
	key     string
	side    side
	work    float64   // of a run, in what the row's unit counts
	runs    int       // of a sample
	samples []float64 // seconds per run, by round
	err     error     // it takes no part any more
}

// A pace is how long measuring takes.
type pace struct {
	sample time.Duration // of a side in a round, at least
	rounds int           // at most
	least  int           // rounds, even if the row takes longer than total
	total  time.Duration // of all rounds, about
	pause  time.Duration // between sides, so that the threads of the one before go to sleep
	steady float64       // spread of the first side up to which rounds suffice; beyond, there are up to twice as many
}

var (
	fullPace  = pace{sample: 30 * time.Millisecond, rounds: 15, least: 7, total: 8 * time.Second, pause: 3 * time.Millisecond, steady: 0.05}
	quickPace = pace{sample: 8 * time.Millisecond, rounds: 7, least: 3, total: 800 * time.Millisecond, pause: 2 * time.Millisecond, steady: math.Inf(1)}
)

// measure lets sides take turns. A side that fails takes no further part. Where others disturb
// the first one, there are more rounds, whatever they show.
func measure(ctx context.Context, cs []*contender, p pace) error {
	round := 0.0
	for _, c := range cs {
		var took float64
		took, c.err = c.calibrate(p.sample)
		round += took + p.pause.Seconds()
	}
	rounds := min(p.rounds, max(p.least, int(p.total.Seconds()/round)))
	for r := 0; r < rounds || r < 2*rounds && cs[0].err == nil && cs[0].spread() > p.steady; r++ {
		for i := range cs {
			if err := ctx.Err(); err != nil {
				return err
			}
			// Nobody always comes after the same other one.
			if c := cs[(i*turn(r, len(cs))+r)%len(cs)]; c.err == nil {
				c.err = c.sample(p.pause)
			}
		}
	}
	return nil
}

// turn is a step that visits n places in an order that depends on the round.
func turn(round, n int) int {
	if round%2 == 1 {
		return n - 1
	}
	return 1
}

// calibrate decides how many runs make a sample and gives the seconds of one.
func (c *contender) calibrate(sample time.Duration) (float64, error) {
	want := sample.Seconds()
	for c.runs = 1; ; {
		took, err := c.side.run(c.runs)
		if err != nil {
			return 0, err
		}
		if took >= want/2 || c.runs >= 1<<24 {
			c.runs = max(1, int(math.Ceil(float64(c.runs)*want/max(took, 1e-9))))
			return max(want, took), nil
		}
		c.runs = int(float64(c.runs)*min(16, 1.2*want/max(took, 1e-9))) + 1
	}
}

// sample runs the side once to wake it, and then for a sample.
func (c *contender) sample(pause time.Duration) error {
	time.Sleep(pause)
	if _, err := c.side.run(1 + c.runs/16); err != nil {
		return err
	}
	took, err := c.side.run(c.runs)
	if err == nil && !(took > 0) {
		err = fmt.Errorf("a sample took %v s", took)
	}
	c.samples = append(c.samples, took/float64(c.runs))
	return err
}

// seconds is the median time of a run.
func (c *contender) seconds() float64 { return median(c.samples) }

// speedAgainst is how many times as fast as d c does the same work, or its part of it: the
// median of the rounds.
func (c *contender) speedAgainst(d *contender) float64 {
	n := min(len(c.samples), len(d.samples))
	ratios := make([]float64, n)
	for i := range ratios {
		ratios[i] = (c.work / c.samples[i]) / (d.work / d.samples[i])
	}
	return median(ratios)
}

// spread is the distance of the quartiles in parts of the median.
func (c *contender) spread() float64 {
	if len(c.samples) < 2 {
		return 0
	}
	return (quantile(c.samples, 0.75) - quantile(c.samples, 0.25)) / c.seconds()
}

func median(v []float64) float64 { return quantile(v, 0.5) }

// quantile is the value below which a part q of v lies, between its neighbours in
// proportion; NaN of nothing.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	at := q * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}
