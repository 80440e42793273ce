package tune

import (
	"context"
	"fmt"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/launch"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A judge decides which configurations compute what they should.
type judge struct {
	trial  *Trial
	tuning *Tuning
	camps  []camp
}

// A camp is configurations that agree.
type camp struct {
	results []*tensor.Tensor
	rows    []int
}

// try launches a configuration once on copies and compares the results with the
// reference's, or puts it into a camp.
func (j *judge) try(ctx context.Context, i int) {
	r := &j.tuning.Rows[i]
	full, copies, err := j.trial.copied(r.Config)
	if err == nil {
		err = j.trial.Launch(ctx, full)
	}
	if err != nil {
		r.Rejected = err.Error()
		return
	}
	ref, err := j.trial.Reference()
	if err == nil && ref != nil {
		full, want, _ := j.trial.copied(r.Config)
		if err = launch.CallReference(*ref, full, want); err == nil {
			err = j.differ(copies, want, "the reference")
		}
		if err != nil {
			r.Rejected = err.Error()
		}
		return
	}
	if err != nil {
		r.Rejected = err.Error()
		return
	}
	for n := range j.camps {
		if j.differ(copies, j.camps[n].results, "") == nil {
			j.camps[n].rows = append(j.camps[n].rows, i)
			return
		}
	}
	j.camps = append(j.camps, camp{copies, []int{i}})
}

// decide rejects the configurations that are not of the largest camp; of several such,
// the one that came first is taken for right.
func (j *judge) decide() {
	right := 0
	for n, c := range j.camps {
		if len(c.rows) > len(j.camps[right].rows) {
			right = n
		}
	}
	for n, c := range j.camps {
		if n == right {
			continue
		}
		who := fmt.Sprint(j.tuning.Rows[j.camps[right].rows[0]].Config)
		if others := len(j.camps[right].rows) - 1; others > 0 {
			who += fmt.Sprintf(" and %d more", others)
		}
		err := j.differ(c.results, j.camps[right].results, who)
		for _, i := range c.rows {
			j.tuning.Rows[i].Rejected = err.Error()
		}
	}
	j.camps = nil // they hold memory
}

// differ says in what results differ from those of somebody; nil if they do not.
func (j *judge) differ(got, want []*tensor.Tensor, who string) error {
	var o []tensor.Tolerance
	if t := j.trial.Tolerance; t != nil {
		o = []tensor.Tolerance{*t}
	}
	for i, x := range got {
		if x == nil {
			continue
		}
		c := tensor.AllClose(x, want[i], o...)
		name := j.trial.Label(i)
		switch {
		case c.Why != "":
			return fmt.Errorf("%s cannot be compared with that of %s: %s", name, who, c.Why)
		case !c.OK:
			return fmt.Errorf("wrong result: %d of %d elements of %s differ from those of %s; the worst is %s: got %v, want %v",
				c.Mismatches, c.Total, name, who, check.IndexText(c.Index), c.Got, c.Want)
		}
	}
	return nil
}
