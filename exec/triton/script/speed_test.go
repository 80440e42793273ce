package script_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tiler-go/tiler/exec/triton/script"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// twice makes each launch a second time on tensors of Go's, one of the two first in turns, and keeps the times.
type twice struct {
	own       []any
	here, all []time.Duration // on Go's tensors, on the script's
}

func (w *twice) launch(ctx context.Context, l *script.Launch) error {
	if w.own == nil {
		w.own = make([]any, len(l.Args))
		for i, a := range l.Args {
			w.own[i] = a
			if x, ok := a.(*tensor.Tensor); ok {
				w.own[i] = x.Clone()
			}
		}
	}
	mine := *l
	mine.Args = w.own
	run := func(l *script.Launch, to *[]time.Duration) error {
		start := time.Now()
		err := script.Plain(ctx, l)
		*to = append(*to, time.Since(start))
		return err
	}
	if len(w.here)%2 == 0 {
		if err := run(&mine, &w.here); err != nil {
			return err
		}
		return run(l, &w.all)
	}
	if err := run(l, &w.all); err != nil {
		return err
	}
	return run(&mine, &w.here)
}

func median(ds []time.Duration) time.Duration {
	ds = slices.Clone(ds[len(ds)/4:]) // the first ones compile, and copy
	slices.Sort(ds)
	return ds[len(ds)/2]
}

// TestSpeed: a launch of a script takes what one of Go takes, and a message and an answer.
func TestSpeed(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" {
		t.Skip("set TILER_LONG=1 to time launches")
	}
	for _, n := range []int{0, 1024} {
		w := &twice{}
		_, out, _ := run(t, script.Options{Args: []string{strconv.Itoa(n)}, Launch: w.launch}, "speed.py", "numpy")
		var more []time.Duration // of each launch, beside what the handler did
		for i, text := range strings.Fields(out) {
			took, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			more = append(more, time.Duration(took*1e9)-w.here[i]-w.all[i])
		}
		here, there, beside := median(w.here), median(w.all), median(more)
		var ratios []float64 // of neighbours in time, so that what else the machine does weighs on both
		for i := range more {
			ratios = append(ratios, float64(w.here[i])/float64(w.all[i]+more[i]))
		}
		slices.Sort(ratios)
		ratio := ratios[len(ratios)/2]
		name := "an empty launch"
		if n > 0 {
			name = fmt.Sprintf("a product of %d³", n)
		}
		t.Logf("%s: Go %v, on the script's memory %v, and %v for the way: %.3f of Go's speed (quartiles %.3f, %.3f)",
			name, here, there, beside, ratio, ratios[len(ratios)/4], ratios[len(ratios)*3/4])
		if n > 0 && ratio < 0.8 {
			t.Errorf("%s is slow from a script", name)
		}
	}
}
