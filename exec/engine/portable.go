package engine

import (
	"sync"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/exec/portable"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// portableCode is a kernel in the portable engine.
type portableCode struct{ p *portablePool }

// portably is a function in the portable engine.
func portably(f *Func) (Code, error) {
	p, err := f.portable()
	if err != nil {
		return nil, err
	}
	return portableCode{p}, nil
}

// A portablePool is a portable program with workers that wait for use.
type portablePool struct {
	program *portable.Program
	workers sync.Pool
}

func newPortable(f *ir.Func) (*portablePool, error) {
	p, err := portable.Compile(f)
	if err != nil {
		return nil, err
	}
	return &portablePool{program: p, workers: sync.Pool{New: func() any { return p.NewWorker() }}}, nil
}

// run runs instances lo to hi-1.
func (p *portablePool) run(l *portable.Launch, lo, hi int) *ir.Failure {
	if dtype.Fenced() != dtype.NoFence { // against fences of its own
		return p.program.NewWorker().Run(l, lo, hi)
	}
	w := p.workers.Get().(*portable.Worker)
	f := w.Run(l, lo, hi)
	p.workers.Put(w) // not after a panic
	return f
}

func (c portableCode) Begin(l *Launch, _ int, _ bool) Job {
	pl := &portable.Launch{Args: l.Args, Grid: l.Grid, Print: l.Print, Stop: l.Stop}
	return Job{l.Total, func() Worker { return portableWorker{c.p, pl} }}
}

type portableWorker struct {
	p *portablePool
	l *portable.Launch
}

func (w portableWorker) Run(lo, hi int) *ir.Failure { return w.p.run(w.l, lo, hi) }
func (w portableWorker) Release()                   {}
