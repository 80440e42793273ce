package run

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable/lanes"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Sweep runs a line of ops over all lanes of a shape, a chunk at a time.
type Sweep struct {
	N     int // lanes
	Step  int // lanes at a time
	Feeds []*Feed
	Lanes *lanes.Line
	Outs  []int // buffers, one for each output

	Divisor *Feed // of an integer division: no lane may be 0
	V       *ir.Value
}

// Run is the step.
func (s *Sweep) Run(w *Worker) bool {
	for _, f := range s.Feeds {
		f.Open(w)
	}
	s.Divisor.Open(w)
	for lo := 0; lo < s.N; lo += s.Step {
		hi := min(lo+s.Step, s.N)
		if s.Divisor != nil {
			if bad := op.ZeroDivisor(s.Divisor.Next(w, lo, hi)); bad >= 0 {
				return w.Fail(s.V, lo+bad, 0)
			}
		}
		for i, f := range s.Feeds {
			w.lanes.Bound[i] = f.Next(w, lo, hi)
		}
		for i, b := range s.Outs {
			w.lanes.Bound[len(s.Feeds)+i] = w.Bufs[b].Slice(lo, hi)
		}
		s.Lanes.Run(&w.lanes, hi-lo)
	}
	return true
}
