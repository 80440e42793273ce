package run

import (
	"github.com/tiler-go/tiler/exec/eager"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// An Observer looks at a launch as it runs: see exec.Observer.
type Observer interface {
	tl.Observer
	Begin(id []int, where func() diag.Pos)
	End(err *Error)
}

// Watch has o watch the programs, which run one after the other in ascending order, and the arguments by their labels.
func (r *Interpretation) Watch(o Observer, labels []string) {
	r.observer = o
	r.Order = Shuffled(r.extent.Total, 0)
	r.args = r.setup.Fn.Values(r.given, func(i int, x *tensor.Tensor) tl.Ptr {
		return tl.Watch(tl.PointerTo(x, labels[i], &r.cancelled), o, i)
	})
}

// begin tells the observer, if there is one, of a program.
func (r *Interpretation) begin(i int, p *tl.Program) {
	if r.observer == nil {
		return
	}
	if s, ok := r.observer.(interface{ Statement(s eager.Statement) }); ok {
		r.setup.Fn.Watch(p, s.Statement)
	}
	id := r.extent.ID(i)
	r.observer.Begin(id[:r.extent.Axes:r.extent.Axes], func() diag.Pos {
		if p.Line == 0 {
			return diag.Pos{}
		}
		return r.setup.Fn.At(p.Line)
	})
}

func (r *Interpretation) end(err *Error) {
	if r.observer != nil {
		r.observer.End(err)
	}
}
