package bench

import (
	"time"

	"github.com/tiler-go/tiler/exec/bench/real"
)

// realKernels are the rows of package real, on one thread.
func realKernels() []row {
	units := map[string]unit{}
	for _, u := range []unit{gflops, gops, gbytes, gelems} {
		units[u.name] = u
	}
	var rows []row
	for _, r := range real.Rows() {
		to := row{
			name: r.Name, label: r.Label, quick: r.Quick, threads: []int{1}, unit: units[r.Unit], work: r.Work,
			program: func() program { return realProgram(r.Program()) },
		}
		if r.Pass != "" {
			to.peak = ceiling{memory: []string{r.Pass}, n: r.PassN}
			to.bars = append(to.bars, bar{against: "peak", least: r.OfPass})
		}
		for _, v := range r.Rivals {
			to.rivals = append(to.rivals, realRival(v))
			if v.Least > 0 {
				to.bars = append(to.bars, bar{against: v.Key, least: v.Least})
			}
		}
		rows = append(rows, to)
	}
	return rows
}

func realRival(v real.Rival) rival {
	r := rival{key: v.Key, peer: v.Peer, op: v.Op, rel: v.Rel}
	switch {
	case v.Program != nil:
		r.program = func() program { return realProgram(v.Program()) }
	case v.Loop != nil:
		r.side = func(setup) (side, error) { return loopSide(v.Loop()), nil }
	}
	return r
}

func realProgram(p real.Program) program {
	return program{
		text: real.Text(p.File), name: p.Name, fn: p.Fn, grid: p.Grid, args: p.Args, out: p.Out,
		want: answer{n: p.Out.Len(), at: p.At, most: p.Most, rel: p.Rel, abs: p.Abs},
	}
}

// A loopSide is a plain Go loop.
type loopSide func()

func (l loopSide) run(n int) (float64, error) {
	start := time.Now()
	for range n {
		l()
	}
	return time.Since(start).Seconds(), nil
}

func (l loopSide) close() {}
