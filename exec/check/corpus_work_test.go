package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Kernels as they are written for work: rows in steps, windows, workspaces, counters.

var faultyWork = []kase{
	{name: "rows in steps, the last unmasked", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		s := tl.Zeros(tl.Float32, B)
		for lo := 0; lo < n; lo += B {
			s = s.Add(tl.Load(x.Add(p.ID(0)*n + lo).Add(tl.Arange(0, B)))) // want: wrong-row "past the end of its row"
		}
		tl.Store(out.Add(p.ID(0)), tl.Sum(s))
	}, grid: exec.Grid{3}, args: args(random(6, 40), empty(3), 40, 16)},

	{name: "a variance below zero", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0))
		mean := tl.Sum(v).Div(float64(n))
		spread := tl.Sum(v.Mul(v)).Div(float64(n)).Sub(mean.Mul(mean)).Sub(1e-3)
		z := v.Sub(mean).Mul(tl.Rsqrt(spread))
		tl.Store(out.Add(p.ID(0)*n).Add(j), z, tl.Mask(j.Lt(n))) // want: note not-finite "NaN is stored in out"
	}, grid: exec.Grid{2}, args: args(tensor.Full(tl.Float32, 3, 2, 20), empty(2, 20), 20, 32)},

	{name: "a least that begins with one", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(1))
		tl.Store(out.Add(p.ID(0)), tl.Min(v)) // want: reference "of out differ"
	}, grid: exec.Grid{3}, args: args(random(3, 10), empty(3), 10, 16), ref: leastRef},

	{name: "places of a sort by loads and stores", kernel: func(p *tl.Program, ids, offs, slots tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		e := tl.Load(ids.Add(i), tl.Mask(m), tl.Other(0))
		at := tl.Load(offs.Add(e), tl.Mask(m), tl.Other(0)) // want: race "reads offs"
		tl.Store(offs.Add(e), at.Add(1), tl.Mask(m))        // want: race "writes offs"; note duplicate-store "both"
		tl.Store(slots.Add(at), i, tl.Mask(m))              // want: duplicate-store "both write slots"
	}, grid: exec.Grid{3}, args: args(experts(), experts4(), tensor.Empty(tl.Int32, 20), 20, 8)},
}

var correctWork = []kase{
	{name: "rows in steps", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		s := tl.Zeros(tl.Float32, B)
		for lo := 0; lo < n; lo += B {
			j := tl.Arange(0, B).Add(lo)
			s = s.Add(tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(0)))
		}
		tl.Store(out.Add(p.ID(0)), tl.Sum(s))
	}, grid: exec.Grid{3}, args: args(random(6, 40), empty(3), 40, 16)},

	{name: "a least that begins with infinity", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)), tl.Other(math.Inf(1)))
		tl.Store(out.Add(p.ID(0)), tl.Min(v))
	}, grid: exec.Grid{3}, args: args(random(3, 10), empty(3), 10, 16), ref: leastRef},

	{name: "each element twice", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*n).Add(j), tl.Mask(j.Lt(n)))
		tl.Store(out.Add(p.ID(0)*2*n).Add(j.Mul(2)), v, tl.Mask(j.Lt(n)))
		tl.Store(out.Add(p.ID(0)*2*n+1).Add(j.Mul(2)), v, tl.Mask(j.Lt(n)))
	}, grid: exec.Grid{4}, args: args(random(4, 20), empty(4, 40), 20, 32)},

	{name: "places of a sort by atomics", kernel: func(p *tl.Program, ids, offs, slots tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := tl.Mask(i.Lt(n))
		e := tl.Load(ids.Add(i), m, tl.Other(0))
		tl.Store(slots.Add(tl.AtomicAdd(offs.Add(e), 1, m)), i, m)
	}, grid: exec.Grid{3}, args: args(experts(), experts4(), tensor.Empty(tl.Int32, 20), 20, 8)},

	{name: "a convolution of windows", kernel: func(p *tl.Program, x, w, y tl.Ptr, C, H, W int, B, BC tl.Const) {
		OH, OW := H-2, W-2
		i, c := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, BC)
		m := c.Col().Lt(C).And(i.Row().Lt(OH * OW))
		acc := tl.Zeros(tl.Float32, B)
		for r := range 3 {
			for s := range 3 {
				at := i.FloorDiv(OW).Add(r).Mul(W).Add(i.Mod(OW).Add(s))
				v := tl.Load(x.Add(c.Col().Mul(H*W)).Add(at.Row()), tl.Mask(m), tl.Other(0))
				f := tl.Load(w.Add((p.ID(1)*C*3+r)*3+s).Add(c.Mul(9)), tl.Mask(c.Lt(C)), tl.Other(0))
				acc = acc.Add(tl.Sum(v.Mul(f.Col()), tl.Axis(0)))
			}
		}
		tl.Store(y.Add(p.ID(1)*OH*OW).Add(i), acc, tl.Mask(i.Lt(OH*OW)))
	}, grid: exec.Grid{3, 4}, args: args(random(3, 8, 9), random(4, 3, 3, 3), empty(4, 6, 7), 3, 8, 9, 16, 4)},

	{name: "heads that share keys", kernel: func(p *tl.Program, q, k, out tl.Ptr, T, HQ, HK int, D tl.Const) {
		h, d := p.ID(1), tl.Arange(0, D)
		a := tl.Load(q.Add((p.ID(0)*HQ + h) * D).Add(d))
		b := tl.Load(k.Add((p.ID(0)*HK + h/(HQ/HK)) * D).Add(d))
		tl.Store(out.Add(p.ID(0)*HQ+h), tl.Sum(a.Mul(b)))
	}, grid: exec.Grid{5, 6}, args: args(random(5, 6, 8), random(5, 3, 8), empty(5, 6), 5, 6, 3, 8)},

	{name: "a workspace of blocks", kernel: func(p *tl.Program, x, parts, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		at := i.Col().Mul(B).Add(i.Row())
		if p.ID(0) == 1 { // its block alone has two halves
			tl.Store(parts.Add(B*B).Add(at), tl.Load(x.Add(at)))
			tl.DebugBarrier()
			tl.Store(out.Add(at), tl.Load(parts.Add(B*B).Add(at)).Mul(n))
		}
	}, grid: exec.Grid{3}, args: args(random(16, 16), empty(3, 256), empty(16, 16), 3, 16)},
}

func experts() *tensor.Tensor {
	return tensor.From([]int32{0, 3, 1, 1, 2, 3, 0, 2, 1, 0, 3, 2, 0, 1, 2, 3, 3, 0, 1, 2})
}

// experts4 is where each expert's begin.
func experts4() *tensor.Tensor { return tensor.From([]int32{0, 5, 10, 15}) }

func leastRef(x, out *tensor.Tensor, n, _ int) {
	for i := range out.Dim(0) {
		least := math.Inf(1)
		for j := range n {
			least = min(least, x.Float(i, j))
		}
		out.Set(least, i)
	}
}
