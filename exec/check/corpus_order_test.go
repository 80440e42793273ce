package check_test

import (
	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Programs that wait for each other, and atomics that order nothing.

var faultyOrder = []kase{
	{name: "an atomic that orders nothing", kernel: func(p *tl.Program, x, flag, out tl.Ptr) {
		if p.ID(0) == 0 {
			tl.Store(x, 42.0) // want: race "which program .1. reads"
			tl.AtomicXchg(flag, 1)
			return
		}
		tl.AtomicCAS(flag, 1, 1)
		tl.Store(out, tl.Load(x))
	}, grid: exec.Grid{2}, args: args(zeros(1), tensor.Zeros(tl.Int32, 1), empty(1))},

	{name: "waiting for who never comes", kernel: func(p *tl.Program, flag, out tl.Ptr) {
		for tl.AtomicAdd(flag, 0).Int() < 3 { // want: endless "does not end"
		}
		tl.Store(out.Add(p.ID(0)), 1.0)
	}, grid: exec.Grid{2}, args: args(tensor.Zeros(tl.Int32, 1), empty(2))},
}

var correctOrder = []kase{
	{name: "waiting for a flag", kernel: func(p *tl.Program, x, flag, out tl.Ptr) {
		if p.ID(0) == 0 {
			tl.Store(x, 42.0)
			tl.AtomicXchg(flag, 1)
			return
		}
		for tl.AtomicCAS(flag, 1, 1).Int() != 1 {
		}
		tl.Store(out, tl.Load(x))
	}, grid: exec.Grid{2}, args: args(zeros(1), tensor.Zeros(tl.Int32, 1), empty(1))},

	{name: "waiting for a later program", kernel: func(p *tl.Program, x, flag, out tl.Ptr) {
		if p.ID(0) == p.Num(0)-1 {
			tl.Store(x, 42.0)
			tl.AtomicXchg(flag, 1)
			return
		}
		for tl.AtomicAdd(flag, 0).Int() != 1 {
		}
		tl.Store(out.Add(p.ID(0)), tl.Load(x))
	}, grid: exec.Grid{4}, args: args(zeros(1), tensor.Zeros(tl.Int32, 1), empty(3))},

	{name: "looking back", kernel: func(p *tl.Program, x, sums, flags, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		m := offs.Lt(n)
		v := tl.Load(x.Add(offs), tl.Mask(m), tl.Other(0))
		before := 0.0
		if p.ID(0) > 0 {
			for tl.AtomicAdd(flags.Add(p.ID(0)-1), 0).Int() == 0 {
			}
			before = tl.Load(sums.Add(p.ID(0) - 1)).Float()
		}
		tl.Store(sums.Add(p.ID(0)), tl.Sum(v).Add(before))
		tl.AtomicXchg(flags.Add(p.ID(0)), 1)
		tl.Store(out.Add(offs), tl.CumSum(v).Add(before), tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(random(40), zeros(8), tensor.Zeros(tl.Int32, 8), empty(40), 40, 8)},

	{name: "the same scalar many times", kernel: func(p *tl.Program, x, out tl.Ptr) {
		sum := 0.0
		for range 5000 {
			sum += tl.Load(x).Float()
		}
		tl.Store(out.Add(p.ID(0)), sum)
	}, grid: exec.Grid{3}, args: args(random(1), empty(3))},
}
