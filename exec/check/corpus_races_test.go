package check_test

import (
	"time"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

var faultyRaces = []kase{
	{name: "all write one element", kernel: func(p *tl.Program, out tl.Ptr) {
		tl.Store(out, p.ID(0)) // want: race "program .1. writes out.0., which program .0. writes"
	}, grid: exec.Grid{4}, args: args(zeros(1))},

	{name: "equal values", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B)), 1.0) // want: note race "program .1. writes out.0., as another program did before, and the same value"
	}, grid: exec.Grid{2}, args: args(zeros(8), 8)},

	{name: "blocks overlap", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * (B - 1))
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)), tl.Other(0))
		tl.Store(out.Add(offs), v.Add(p.ID(0)), tl.Mask(offs.Lt(n))) // want: race "program .1. writes out.7., which program .0. writes"
	}, grid: exec.Grid{3}, args: args(random(20), zeros(20), 20, 8)},

	{name: "in place from a neighbour", kernel: func(p *tl.Program, x tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(offs).Add(1), tl.Mask(offs.Lt(n-1)), tl.Other(0))
		tl.Store(x.Add(offs), v, tl.Mask(offs.Lt(n))) // want: race "program .1. writes x.8., which program .0. reads"
	}, grid: exec.Grid{2}, args: args(random(16), 16, 8)},

	{name: "reads what another writes", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(x.Add(offs), p.ID(0))
		v := tl.Load(x.Add(offs).Sub(B), tl.Mask(offs.Ge(B)), tl.Other(0)) // want: race "program .1. reads x.0., which program .0. writes"
		tl.Store(out.Add(offs), v)
	}, grid: exec.Grid{2}, args: args(random(16), zeros(16), 16, 8)},

	{name: "sum without an atomic", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		s := tl.Sum(tl.Load(x.Add(offs)))
		tl.Store(out, tl.Load(out).Add(s)) // want: race "writes out.0., which program .0. writes"; race "reads out.0., which program .0. writes"
	}, grid: exec.Grid{3}, args: args(random(24), zeros(1), 8)},

	{name: "atomic against plain", kernel: func(p *tl.Program, out tl.Ptr) {
		if p.ID(0) == 0 {
			tl.AtomicAdd(out, 1)
		} else {
			tl.Store(out, 5) // want: race "writes out.0., which program .0. updates"
		}
	}, grid: exec.Grid{2}, args: args(tensor.Zeros(tl.Int32, 1))},

	{name: "after the lock is free", kernel: func(p *tl.Program, lock, out tl.Ptr) {
		for tl.AtomicCAS(lock, 0, 1).Int() == 1 {
		}
		tl.AtomicXchg(lock, 0)
		tl.Store(out, p.ID(0)) // want: race "program .1. writes out.0., which program .0. writes"
	}, grid: exec.Grid{3}, args: args(tensor.Zeros(tl.Int32, 1), zeros(1))},

	{name: "read without the lock", kernel: func(p *tl.Program, lock, x, out tl.Ptr) {
		v := tl.Load(x) // want: race "program .1. reads x.0., which program .0. writes"
		for tl.AtomicCAS(lock, 0, 1).Int() == 1 {
		}
		tl.Store(x, v.Add(1))
		tl.AtomicXchg(lock, 0)
		tl.Store(out.Add(p.ID(0)), v)
	}, grid: exec.Grid{3}, args: args(tensor.Zeros(tl.Int32, 1), zeros(1), zeros(3))},

	{name: "a lock that is never free", kernel: func(p *tl.Program, lock, out tl.Ptr) {
		for tl.AtomicCAS(lock, 0, 1).Int() == 1 { // want: endless "does not end"
		}
		tl.Store(out.Add(p.ID(0)), 1.0)
	}, grid: exec.Grid{2}, args: args(tensor.Zeros(tl.Int32, 1), zeros(2)), opts: exec.CheckOptions{Budget: 3 * time.Second}},

	{name: "transposed in place", kernel: func(p *tl.Program, x tl.Ptr, n int) {
		i := p.ID(0)
		j := tl.Arange(0, 8)
		row := tl.Load(x.Add(j.Add(i * n)))   // want: race "program .1. reads x.1,0., which program .0. writes"
		tl.Store(x.Add(j.Mul(n).Add(i)), row) // want: race "program .1. writes x.0,1., which program .0. reads"
	}, grid: exec.Grid{8}, args: args(random(8, 8), 8)},

	{name: "steps that overlap", kernel: func(p *tl.Program, x, y, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B).Mul(2).Add(p.ID(0)*2)), p.ID(0)) // want: race "program .1. writes out.2., which program .0. writes"
	}, grid: exec.Grid{2}, args: args(random(8), random(8), zeros(20), 8)},

	{name: "duplicate addresses", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs.FloorDiv(2)), offs) // want: duplicate-store "lane .1. of .8. and lane .0. both write out.0."
	}, grid: exec.Grid{1}, args: args(zeros(8), 8)},

	{name: "stride zero", kernel: func(p *tl.Program, out tl.Ptr, stride int, B tl.Const) {
		offs := tl.Arange(0, B)
		tl.Store(out.Add(offs.Mul(stride)), offs) // want: duplicate-store "both write out.0."
	}, grid: exec.Grid{1}, args: args(zeros(8), 0, 8)},

	{name: "one element for all lanes", kernel: func(p *tl.Program, out tl.Ptr, B tl.Const) {
		tl.Store(out.Add(tl.Arange(0, B).Mul(0)), 1.0) // want: note duplicate-store "lane .1. of .8. and lane .0. both write out.0."
	}, grid: exec.Grid{1}, args: args(zeros(8), 8)},

	{name: "two arguments share memory", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(out.Add(offs), tl.Load(x.Add(offs))) // want: race "out.8., which program .0. reads|x.*which program .0. writes"
	}, grid: exec.Grid{2}, args: shifted()},
}

// shifted is one memory as two tensors, half a block apart.
func shifted() []any {
	x := random(24)
	return args(x.Slice(0, 4, 20), x.Slice(0, 0, 16), 8)
}

var faultyUndefined = []kase{
	{name: "no other", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)))
		tl.Store(out.Add(offs), v) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(10), zeros(16), 10, 16)},

	{name: "no other in a sum", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)))
		tl.Store(out, tl.Sum(v)) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(10), zeros(1), 10, 16)},

	{name: "no other in a product", kernel: func(p *tl.Program, x, y, out tl.Ptr, k int, B tl.Const) {
		i := tl.Arange(0, B)
		a := tl.Load(x.Add(i.Col().Mul(B).Add(i.Row())), tl.Mask(i.Row().Lt(k)))
		b := tl.Load(y.Add(i.Col().Mul(B).Add(i.Row())))
		tl.Store(out.Add(i.Col().Mul(B).Add(i.Row())), tl.Dot(a, b)) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(16, 16), random(16, 16), zeros(16, 16), 12, 16)},

	{name: "uninitialised memory", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs))
		tl.Store(out.Add(offs), v.Mul(2)) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(empty(8), zeros(8), 8)},

	{name: "accumulating into empty", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		offs := tl.Arange(0, B).Add(p.ID(0) * B)
		tl.Store(out.Add(offs), tl.Load(out.Add(offs)).Add(tl.Load(x.Add(offs)))) // want: undefined "is stored in out"
	}, grid: exec.Grid{2}, args: args(random(16), empty(16), 8)},

	{name: "an atomic on empty", kernel: func(p *tl.Program, out tl.Ptr) {
		tl.AtomicAdd(out, 1) // want: undefined "in out is updated but was never written"
	}, grid: exec.Grid{2}, args: args(tensor.Empty(tl.Int32, 1))},

	{name: "where chooses it", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)))
		tl.Store(out.Add(offs), tl.Where(offs.Lt(n+1), v, 0.0)) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(10), zeros(16), 10, 16)},

	{name: "an address", kernel: func(p *tl.Program, idx, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		i := tl.Load(idx.Add(offs), tl.Mask(offs.Lt(n)))
		v := tl.Load(x.Add(i)) // want: undefined "is an address of tl.Load"
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n)))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int32{1, 2, 3}), random(8), zeros(4), 3, 4)},

	{name: "a branch", kernel: func(p *tl.Program, x, out tl.Ptr, B tl.Const) {
		v := tl.Max(tl.Load(x.Add(tl.Arange(0, B)), tl.Mask(tl.Arange(0, B).Lt(3))))
		if v.Float() > 0 { // want: undefined "becomes a Go value"
			tl.Store(out, 1.0)
		}
	}, grid: exec.Grid{1}, args: args(random(4), zeros(1), 4)},

	{name: "a mask", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Load(x.Add(offs), tl.Mask(offs.Lt(n)))
		tl.Store(out.Add(offs), 1.0, tl.Mask(v.Gt(0.5))) // want: undefined "is the mask of tl.Store"
	}, grid: exec.Grid{1}, args: args(random(16), zeros(16), 10, 16)},

	{name: "through a cast and a scan", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.CumSum(tl.Load(x.Add(offs), tl.Mask(offs.Ge(n))).To(tl.Float64))
		tl.Store(out.Add(offs), v) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(16), zeros(16), 1, 16)},

	{name: "sorted", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		offs := tl.Arange(0, B)
		v := tl.Sort(tl.Load(x.Add(offs), tl.Mask(offs.Lt(n))))
		tl.Store(out.Add(offs), v, tl.Mask(offs.Lt(n))) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(10), zeros(16), 10, 16)},

	{name: "a block pointer without padding", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		b := tl.MakeBlockPtr(x, []int{n}, []int{1}, []int{0}, []int{B}, []int{0})
		tl.Store(out, tl.Sum(b.Load(tl.BoundaryCheck(0)))) // want: undefined "is stored in out"
	}, grid: exec.Grid{1}, args: args(random(10), zeros(1), 10, 16)},
}
