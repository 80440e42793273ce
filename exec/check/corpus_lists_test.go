package check_test

import (
	"math"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Scans, histograms, optimizers, embeddings, dropout, quantisation and copies as they are
// published.

var faultyLists = []kase{
	{name: "chunks scanned without what came before", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, N int, B tl.Const) {
		carry := 0.0
		for s := 0; s < N; s += B {
			j := tl.Arange(0, B).Add(s)
			v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(j.Lt(N)), tl.Other(0))
			tl.Store(y.Add(p.ID(0)*N).Add(j), tl.CumSum(v).Add(carry), tl.Mask(j.Lt(N))) // want: reference "of y differ"
			carry = tl.Sum(v).Float()
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 40), empty(3, 40), 40, 16), ref: cumsumRef},

	{name: "a flag raised before the sum is there", vary: true, kernel: func(p *tl.Program, x, sums, flags, y tl.Ptr, N int, B tl.Const) {
		pid := p.ID(0)
		i := tl.Arange(0, B).Add(pid * B)
		m := i.Lt(N)
		v := tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))
		total := tl.Sum(v)
		if pid > 0 {
			for tl.AtomicAdd(flags.Add(pid-1), 0).Int() == 0 {
			}
			before := tl.Load(sums.Add(pid - 1)) // want: race "reads sums"
			v = v.Add(tl.Where(tl.Arange(0, B).Eq(0), before, 0.0))
			total = total.Add(before)
		}
		tl.AtomicXchg(flags.Add(pid), 1)
		tl.Store(sums.Add(pid), total)
		tl.Store(y.Add(i), tl.CumSum(v), tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(randn(1, 64), zeros(4), tensor.Zeros(tl.Int32, 4), empty(64), 64, 16)},

	{name: "states of chunks that another program writes", vary: true, kernel: func(p *tl.Program, x, states, y tl.Ptr, D tl.Const) {
		d := tl.Arange(0, D)
		c := p.ID(0)
		s := tl.Load(states.Add(c * D).Add(d)) // want: race "reads states"
		v := tl.Load(x.Add(c * D).Add(d))
		tl.Store(y.Add(c*D).Add(d), s.Add(v))
		tl.Store(states.Add((c+1)*D).Add(d), s.Add(v))
	}, grid: exec.Grid{4}, args: args(randn(1, 4, 16), zeros(5, 16), empty(4, 16), 16)},

	{name: "a state of a scan that was never written", vary: true, kernel: func(p *tl.Program, x, h0, y tl.Ptr, T int, D tl.Const) {
		d := tl.Arange(0, D)
		h := tl.Load(h0.Add(p.ID(0) * D).Add(d))
		for t := range T {
			at := (p.ID(0)*T + t) * D
			h = h.Mul(0.5).Add(tl.Load(x.Add(at).Add(d)))
			tl.Store(y.Add(at).Add(d), h) // want: undefined "is stored in y"
		}
	}, grid: exec.Grid{2}, args: args(randn(1, 2, 20, 16), empty(2, 16), empty(2, 20, 16), 20, 16)},

	{name: "a histogram whose last bin is too far", vary: true, kernel: func(p *tl.Program, x, hist tl.Ptr, n, bins int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		v := tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))
		bin := v.Mul(bins + 1).To(tl.Int32)
		tl.AtomicAdd(hist.Add(bin), 1, tl.Mask(m)) // want: out-of-bounds "hist"
	}, grid: exec.Grid{3}, args: args(random(40), tensor.Zeros(tl.Int32, 8), 40, 8, 16)},

	{name: "bins counted by loads and stores", vary: true, kernel: func(p *tl.Program, x, hist tl.Ptr) {
		at := hist.Add(tl.Load(x.Add(p.ID(0))))
		tl.Store(at, tl.Load(at).Add(1)) // want: race "reads hist"; race "writes hist"
	}, grid: exec.Grid{5}, args: args(tensor.RandInt(1, tl.Int32, 0, 4, 5), tensor.Zeros(tl.Int32, 4))},

	{name: "moments that were never written", vary: true, kernel: func(p *tl.Program, w, g, m, v tl.Ptr, n int, lr, b1, b2, eps float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		in := i.Lt(n)
		gv := tl.Load(g.Add(i), tl.Mask(in), tl.Other(0))
		mv := tl.Load(m.Add(i), tl.Mask(in), tl.Other(0)).Mul(b1).Add(gv.Mul(1 - b1))
		vv := tl.Load(v.Add(i), tl.Mask(in), tl.Other(0)).Mul(b2).Add(gv.Mul(gv).Mul(1 - b2))
		tl.Store(m.Add(i), mv, tl.Mask(in)) // want: undefined "is stored in m"
		tl.Store(v.Add(i), vv, tl.Mask(in))
		wv := tl.Load(w.Add(i), tl.Mask(in), tl.Other(0))
		tl.Store(w.Add(i), wv.Sub(mv.Div(tl.Sqrt(vv).Add(eps)).Mul(lr)), tl.Mask(in)) // want: undefined "is stored in w"
	}, grid: exec.Grid{3}, args: args(randn(1, 40), randn(2, 40), empty(40), zeros(40), 40, 0.1, 0.9, 0.99, 1e-8, 16)},

	{name: "steps corrected by the zeroth power", vary: true, kernel: func(p *tl.Program, m, out tl.Ptr, n int, beta, step float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		in := i.Lt(n)
		c := tl.Sub(1.0, tl.Pow(tl.Full(tl.Float32, beta), step))
		tl.Store(out.Add(i), tl.Load(m.Add(i), tl.Mask(in), tl.Other(0)).Div(c), tl.Mask(in)) // want: note not-finite "is stored in out"
	}, grid: exec.Grid{2}, args: args(randn(1, 32), empty(32), 32, 0.9, 0.0, 16)},

	{name: "parameters in blocks that overlap", vary: true, kernel: func(p *tl.Program, w, g tl.Ptr, n int, lr float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B / 2)
		m := i.Lt(n)
		v := tl.Load(w.Add(i), tl.Mask(m))                                           // want: race "reads w"
		tl.Store(w.Add(i), v.Sub(tl.Load(g.Add(i), tl.Mask(m)).Mul(lr)), tl.Mask(m)) // want: race "writes w"
	}, grid: exec.Grid{4}, args: args(randn(1, 64), randn(2, 64), 64, 0.1, 16)},

	{name: "an id beyond the vocabulary", vary: true, kernel: func(p *tl.Program, ids, table, y tl.Ptr, D int, B tl.Const) {
		d := tl.Arange(0, B)
		m := d.Lt(D)
		id := tl.Load(ids.Add(p.ID(0)))
		tl.Store(y.Add(p.ID(0)*D).Add(d), tl.Load(table.Add(id.Mul(D)).Add(d), tl.Mask(m)), tl.Mask(m)) // want: out-of-bounds "past the end of table"
	}, grid: exec.Grid{5}, args: args(ints(0, 3, 10, 2, 1), randn(1, 10, 20), empty(5, 20), 20, 32)},

	{name: "gradients of repeated ids stored", vary: true, kernel: func(p *tl.Program, ids, dy, dtable tl.Ptr, D int, B tl.Const) {
		d := tl.Arange(0, B)
		m := d.Lt(D)
		at := dtable.Add(tl.Load(ids.Add(p.ID(0))).Mul(D)).Add(d)
		v := tl.Load(dy.Add(p.ID(0)*D).Add(d), tl.Mask(m))
		tl.Store(at, v, tl.Mask(m)) // want: race "writes dtable"
	}, grid: exec.Grid{5}, args: args(ints(0, 3, 3, 2, 1), randn(1, 5, 20), zeros(10, 20), 20, 32)},

	{name: "a keep mask without its mask", vary: true, kernel: func(p *tl.Program, x, y, keep tl.Ptr, n int, rate float64, seed int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		k := tl.Rand(seed, i).Gt(rate)
		tl.Store(keep.Add(i), k) // want: out-of-bounds "past the end of keep"
		tl.Store(y.Add(i), tl.Where(k, tl.Load(x.Add(i), tl.Mask(m), tl.Other(0)).Div(1-rate), 0.0), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(randn(1, 40), empty(40), tensor.Empty(tl.Int8, 40), 40, 0.5, 7, 16)},

	{name: "a scale of zeros", vary: true, kernel: func(p *tl.Program, x, q, scale tl.Ptr, N int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(m), tl.Other(0))
		s := tl.Max(tl.Abs(v)).Div(127)
		tl.Store(q.Add(p.ID(0)*N).Add(j), v.Div(s).To(tl.Int8), tl.Mask(m)) // want: note overflow "int8"
		tl.Store(scale.Add(p.ID(0)), s)
	}, grid: exec.Grid{2}, args: args(tensor.Zeros(tl.Float32, 2, 16), tensor.Empty(tl.Int8, 2, 16), empty(2), 16, 16)},

	{name: "quantised beyond the range", vary: true, kernel: func(p *tl.Program, x, q tl.Ptr, N int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(j.Lt(N)), tl.Other(0)).Mul(10)
		tl.Store(q.Add(p.ID(0)*N).Add(j), v.To(tl.Int8), tl.Mask(j.Lt(N))) // want: note overflow "int8"
	}, grid: exec.Grid{2}, args: args(counting(tl.Float32, 2, 16), tensor.Empty(tl.Int8, 2, 16), 16, 16)},

	{name: "scales of blocks by the row's length", vary: true, kernel: func(p *tl.Program, x, y, scales tl.Ptr, N, blocks int, B tl.Const) {
		r, b := p.ID(0), p.ID(1)
		j := tl.Arange(0, B).Add(b * B)
		m := j.Lt(N)
		v := tl.Load(x.Add(r*N).Add(j), tl.Mask(m), tl.Other(0))
		s := tl.Maximum(tl.Max(tl.Abs(v)), 1e-8)
		tl.Store(y.Add(r*N).Add(j), v.Div(s), tl.Mask(m))
		tl.Store(scales.Add(r*N+b), s) // want: out-of-bounds "past the end of scales"
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 4, 64), empty(4, 64), empty(4, 2), 64, 2, 32)},

	{name: "the second part where the first begins", vary: true, kernel: func(p *tl.Program, a, b, out tl.Ptr, na, nb int, B tl.Const) {
		for s := p.ID(0) * B; s < na; s += p.Num(0) * B {
			i := tl.Arange(0, B).Add(s)
			tl.Store(out.Add(i), tl.Load(a.Add(i), tl.Mask(i.Lt(na))), tl.Mask(i.Lt(na))) // want: unwritten "24 of 64 elements of out"
		}
		for s := p.ID(0) * B; s < nb; s += p.Num(0) * B {
			i := tl.Arange(0, B).Add(s)
			tl.Store(out.Add(i), tl.Load(b.Add(i), tl.Mask(i.Lt(nb))), tl.Mask(i.Lt(nb)))
		}
	}, grid: exec.Grid{4}, args: args(randn(1, 24), randn(2, 40), empty(64), 24, 40, 16)},

	{name: "rows of ragged lengths in one of equal length", vary: true, kernel: func(p *tl.Program, x, offs, y tl.Ptr, width int, B tl.Const) {
		begin, end := tl.Load(offs.Add(p.ID(0))), tl.Load(offs.Add(p.ID(0)+1))
		j := tl.Arange(0, B)
		m := j.Lt(end.Sub(begin))
		v := tl.Load(x.Add(begin).Add(j), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(p.ID(0)*width).Add(j), v) // want: out-of-bounds "past the end of y"; wrong-row "y"; race "y"
	}, grid: exec.Grid{3}, args: args(randn(1, 20), ints(0, 8, 10, 20), zeros(3, 12), 12, 16)},

	{name: "programs that count themselves before they have stored", vary: true, kernel: func(p *tl.Program, x, part, count, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		s := tl.Sum(tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(0)))
		last := tl.AtomicAdd(count, 1).Int() == p.Num(0)-1
		tl.Store(part.Add(p.ID(0)), s)
		if last {
			tl.Store(out, tl.Sum(tl.Load(part.Add(tl.Arange(0, 4))))) // want: race "reads part"
		}
	}, grid: exec.Grid{4}, args: args(randn(1, 64), zeros(4), tensor.Zeros(tl.Int32, 1), empty(1), 64, 16)},

	{name: "a greatest of negative numbers, over zero", vary: true, kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1)))
		tl.AtomicMax(out, tl.Max(v)) // want: reference "of out differ"
	}, grid: exec.Grid{3}, args: args(random(40), zeros(1), 40, 16), ref: greatestRef},

	{name: "a maximum of stages whose second reads too many", vary: true, kernel: func(p *tl.Program, part, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		v := tl.Load(part.Add(i)) // want: out-of-bounds "past the end of part"
		tl.Store(out, tl.Max(v))
	}, grid: exec.Grid{1}, args: args(randn(1, 5), empty(1), 5, 8)},

	{name: "the best of rows, one column too far", vary: true, kernel: func(p *tl.Program, x, vals, idx tl.Ptr, B, K tl.Const) {
		v, i := tl.TopK(tl.Load(x.Add(p.ID(0)*B).Add(tl.Arange(0, B))), K)
		k := tl.Arange(0, K)
		tl.Store(vals.Add(p.ID(0)*K).Add(k), v)
		tl.Store(idx.Add(p.ID(0)*(K+1)).Add(k), i) // want: out-of-bounds "past the end of idx"
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 16), empty(3, 4), tensor.Empty(tl.Int32, 3, 4), 16, 4)},

	{name: "a position of 64 bits cut to 32", vary: true, kernel: func(p *tl.Program, slots, x, y tl.Ptr, B, D tl.Const) {
		s, d := tl.Load(slots.Add(tl.Arange(0, B))), tl.Arange(0, D)
		at := s.To(tl.Int32).Mul(D) // want: overflow "overflows int32"; note overflow "do not fit int32"
		tl.Store(y.Add(tl.Arange(0, B).Col().Mul(D)).Add(d.Row()), tl.Load(x.Add(at.Col()).Add(d.Row())))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int64{0, 1<<32 + 2, 1, 3}), randn(1, 4, 16), empty(4, 16), 4, 16)},

	{name: "a GLU whose halves are a block apart", vary: true, kernel: func(p *tl.Program, x, y tl.Ptr, H int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(H)
		a := tl.Load(x.Add(p.ID(0)*2*H).Add(j), tl.Mask(m), tl.Other(0))
		g := tl.Load(x.Add(p.ID(0)*2*H+B).Add(j), tl.Mask(m), tl.Other(0)) // want: out-of-bounds "past the end of x"
		tl.Store(y.Add(p.ID(0)*H).Add(j), a.Mul(tl.Sigmoid(g)), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 48), empty(3, 24), 24, 32)},

	{name: "a penalty for tokens of another row", vary: true, kernel: func(p *tl.Program, logits, tokens tl.Ptr, V, n int, penalty float64) { // want: reference "of logits differ"
		for k := range n {
			t := tl.Load(tokens.Add(p.ID(0)*n + k))
			at := logits.Add(0).Add(t)
			tl.Store(at, tl.Load(at).Div(penalty))
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 20), tensor.From([]int32{1, 4, 19, 0, 2, 7}, 3, 2), 20, 2, 1.5), ref: penaltyRef},

	{name: "weights in place of their copy", vary: true, kernel: func(p *tl.Program, x tl.Ptr, N int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(N).And(j.Row().Lt(N))
		upper := x.Add(i.Col().Mul(N)).Add(j.Row())
		v := tl.Load(x.Add(j.Col().Mul(N)).Add(i.Row()), tl.Mask(j.Col().Lt(N).And(i.Row().Lt(N)))) // want: race "reads x"
		tl.Store(upper, v.T(), tl.Mask(m))                                                          // want: race "writes x"
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 32), 32, 16)},
}

var correctLists = []kase{
	{name: "chunks scanned without what came before", kernel: func(p *tl.Program, x, y tl.Ptr, N int, B tl.Const) {
		carry := 0.0
		for s := 0; s < N; s += B {
			j := tl.Arange(0, B).Add(s)
			v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(j.Lt(N)), tl.Other(0))
			tl.Store(y.Add(p.ID(0)*N).Add(j), tl.CumSum(v).Add(carry), tl.Mask(j.Lt(N)))
			carry += tl.Sum(v).Float()
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 40), empty(3, 40), 40, 16), ref: cumsumRef},

	{name: "a flag raised before the sum is there", kernel: func(p *tl.Program, x, sums, flags, y tl.Ptr, N int, B tl.Const) {
		pid := p.ID(0)
		i := tl.Arange(0, B).Add(pid * B)
		m := i.Lt(N)
		v := tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))
		total := tl.Sum(v)
		if pid > 0 {
			for tl.AtomicAdd(flags.Add(pid-1), 0).Int() == 0 {
			}
			before := tl.Load(sums.Add(pid - 1))
			v = v.Add(tl.Where(tl.Arange(0, B).Eq(0), before, 0.0))
			total = total.Add(before)
		}
		tl.Store(sums.Add(pid), total)
		tl.AtomicXchg(flags.Add(pid), 1)
		tl.Store(y.Add(i), tl.CumSum(v), tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(randn(1, 64), zeros(4), tensor.Zeros(tl.Int32, 4), empty(64), 64, 16)},

	{name: "states of chunks that another program writes", kernel: func(p *tl.Program, x, states, y tl.Ptr, D tl.Const) {
		d := tl.Arange(0, D)
		if p.ID(0) > 0 {
			return
		}
		s := tl.Zeros(tl.Float32, D)
		for c := range p.Num(0) {
			tl.Store(states.Add(c*D).Add(d), s)
			s = s.Add(tl.Load(x.Add(c * D).Add(d)))
			tl.Store(y.Add(c*D).Add(d), s)
		}
	}, grid: exec.Grid{4}, args: args(randn(1, 4, 16), zeros(5, 16), empty(4, 16), 16)},

	{name: "a state of a scan that was never written", kernel: func(p *tl.Program, x, h0, y tl.Ptr, T int, D tl.Const) {
		d := tl.Arange(0, D)
		h := tl.Load(h0.Add(p.ID(0) * D).Add(d))
		for t := range T {
			at := (p.ID(0)*T + t) * D
			h = h.Mul(0.5).Add(tl.Load(x.Add(at).Add(d)))
			tl.Store(y.Add(at).Add(d), h)
		}
	}, grid: exec.Grid{2}, args: args(randn(1, 2, 20, 16), zeros(2, 16), empty(2, 20, 16), 20, 16)},

	{name: "a histogram whose last bin is too far", kernel: func(p *tl.Program, x, hist tl.Ptr, n, bins int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		v := tl.Load(x.Add(i), tl.Mask(m), tl.Other(0))
		bin := v.Mul(bins).To(tl.Int32)
		tl.AtomicAdd(hist.Add(tl.Minimum(bin, bins-1)), 1, tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(random(40), tensor.Zeros(tl.Int32, 8), 40, 8, 16)},

	{name: "bins counted by loads and stores", kernel: func(p *tl.Program, x, hist tl.Ptr) {
		at := hist.Add(tl.Load(x.Add(p.ID(0))))
		tl.AtomicAdd(at, 1)
	}, grid: exec.Grid{5}, args: args(tensor.RandInt(1, tl.Int32, 0, 4, 5), tensor.Zeros(tl.Int32, 4))},

	{name: "moments that were never written", kernel: func(p *tl.Program, w, g, m, v tl.Ptr, n int, lr, b1, b2, eps float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		in := i.Lt(n)
		gv := tl.Load(g.Add(i), tl.Mask(in), tl.Other(0))
		mv := tl.Load(m.Add(i), tl.Mask(in), tl.Other(0)).Mul(b1).Add(gv.Mul(1 - b1))
		vv := tl.Load(v.Add(i), tl.Mask(in), tl.Other(0)).Mul(b2).Add(gv.Mul(gv).Mul(1 - b2))
		tl.Store(m.Add(i), mv, tl.Mask(in))
		tl.Store(v.Add(i), vv, tl.Mask(in))
		wv := tl.Load(w.Add(i), tl.Mask(in), tl.Other(0))
		tl.Store(w.Add(i), wv.Sub(mv.Div(tl.Sqrt(vv).Add(eps)).Mul(lr)), tl.Mask(in))
	}, grid: exec.Grid{3}, args: args(randn(1, 40), randn(2, 40), zeros(40), zeros(40), 40, 0.1, 0.9, 0.99, 1e-8, 16)},

	{name: "steps corrected by the zeroth power", kernel: func(p *tl.Program, m, out tl.Ptr, n int, beta, step float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		in := i.Lt(n)
		c := tl.Sub(1.0, tl.Pow(tl.Full(tl.Float32, beta), step))
		tl.Store(out.Add(i), tl.Load(m.Add(i), tl.Mask(in), tl.Other(0)).Div(c), tl.Mask(in))
	}, grid: exec.Grid{2}, args: args(randn(1, 32), empty(32), 32, 0.9, 1.0, 16)},

	{name: "parameters in blocks that overlap", kernel: func(p *tl.Program, w, g tl.Ptr, n int, lr float64, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		v := tl.Load(w.Add(i), tl.Mask(m))
		tl.Store(w.Add(i), v.Sub(tl.Load(g.Add(i), tl.Mask(m)).Mul(lr)), tl.Mask(m))
	}, grid: exec.Grid{4}, args: args(randn(1, 64), randn(2, 64), 64, 0.1, 16)},

	{name: "an id beyond the vocabulary", kernel: func(p *tl.Program, ids, table, y tl.Ptr, D int, B tl.Const) {
		d := tl.Arange(0, B)
		m := d.Lt(D)
		id := tl.Load(ids.Add(p.ID(0)))
		tl.Store(y.Add(p.ID(0)*D).Add(d), tl.Load(table.Add(id.Mul(D)).Add(d), tl.Mask(m)), tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(ints(0, 3, 9, 2, 1), randn(1, 10, 20), empty(5, 20), 20, 32)},

	{name: "gradients of repeated ids stored", kernel: func(p *tl.Program, ids, dy, dtable tl.Ptr, D int, B tl.Const) {
		d := tl.Arange(0, B)
		m := d.Lt(D)
		at := dtable.Add(tl.Load(ids.Add(p.ID(0))).Mul(D)).Add(d)
		v := tl.Load(dy.Add(p.ID(0)*D).Add(d), tl.Mask(m))
		tl.AtomicAdd(at, v, tl.Mask(m))
	}, grid: exec.Grid{5}, args: args(ints(0, 3, 3, 2, 1), randn(1, 5, 20), zeros(10, 20), 20, 32)},

	{name: "a keep mask without its mask", kernel: func(p *tl.Program, x, y, keep tl.Ptr, n int, rate float64, seed int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		m := i.Lt(n)
		k := tl.Rand(seed, i).Gt(rate)
		tl.Store(keep.Add(i), k, tl.Mask(m))
		tl.Store(y.Add(i), tl.Where(k, tl.Load(x.Add(i), tl.Mask(m), tl.Other(0)).Div(1-rate), 0.0), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(randn(1, 40), empty(40), tensor.Empty(tl.Int8, 40), 40, 0.5, 7, 16)},

	{name: "a scale of zeros", kernel: func(p *tl.Program, x, q, scale tl.Ptr, N int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(N)
		v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(m), tl.Other(0))
		s := tl.Maximum(tl.Max(tl.Abs(v)), 1e-10).Div(127)
		tl.Store(q.Add(p.ID(0)*N).Add(j), v.Div(s).To(tl.Int8), tl.Mask(m))
		tl.Store(scale.Add(p.ID(0)), s)
	}, grid: exec.Grid{2}, args: args(tensor.Zeros(tl.Float32, 2, 16), tensor.Empty(tl.Int8, 2, 16), empty(2), 16, 16)},

	{name: "quantised beyond the range", kernel: func(p *tl.Program, x, q tl.Ptr, N int, B tl.Const) {
		j := tl.Arange(0, B)
		v := tl.Load(x.Add(p.ID(0)*N).Add(j), tl.Mask(j.Lt(N)), tl.Other(0)).Mul(10)
		tl.Store(q.Add(p.ID(0)*N).Add(j), tl.Clamp(v, -128.0, 127.0).To(tl.Int8), tl.Mask(j.Lt(N)))
	}, grid: exec.Grid{2}, args: args(counting(tl.Float32, 2, 16), tensor.Empty(tl.Int8, 2, 16), 16, 16)},

	{name: "scales of blocks by the row's length", kernel: func(p *tl.Program, x, y, scales tl.Ptr, N, blocks int, B tl.Const) {
		r, b := p.ID(0), p.ID(1)
		j := tl.Arange(0, B).Add(b * B)
		m := j.Lt(N)
		v := tl.Load(x.Add(r*N).Add(j), tl.Mask(m), tl.Other(0))
		s := tl.Maximum(tl.Max(tl.Abs(v)), 1e-8)
		tl.Store(y.Add(r*N).Add(j), v.Div(s), tl.Mask(m))
		tl.Store(scales.Add(r*blocks+b), s)
	}, grid: exec.Grid{4, 2}, args: args(randn(1, 4, 64), empty(4, 64), empty(4, 2), 64, 2, 32)},

	{name: "the second part where the first begins", kernel: func(p *tl.Program, a, b, out tl.Ptr, na, nb int, B tl.Const) {
		for s := p.ID(0) * B; s < na; s += p.Num(0) * B {
			i := tl.Arange(0, B).Add(s)
			tl.Store(out.Add(i), tl.Load(a.Add(i), tl.Mask(i.Lt(na))), tl.Mask(i.Lt(na)))
		}
		for s := p.ID(0) * B; s < nb; s += p.Num(0) * B {
			i := tl.Arange(0, B).Add(s)
			tl.Store(out.Add(i).Add(na), tl.Load(b.Add(i), tl.Mask(i.Lt(nb))), tl.Mask(i.Lt(nb)))
		}
	}, grid: exec.Grid{4}, args: args(randn(1, 24), randn(2, 40), empty(64), 24, 40, 16)},

	{name: "rows of ragged lengths in one of equal length", kernel: func(p *tl.Program, x, offs, y tl.Ptr, width int, B tl.Const) {
		begin, end := tl.Load(offs.Add(p.ID(0))), tl.Load(offs.Add(p.ID(0)+1))
		j := tl.Arange(0, B)
		m := j.Lt(end.Sub(begin))
		v := tl.Load(x.Add(begin).Add(j), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(p.ID(0)*width).Add(j), v, tl.Mask(j.Lt(width)))
	}, grid: exec.Grid{3}, args: args(randn(1, 20), ints(0, 8, 10, 20), zeros(3, 12), 12, 16)},

	{name: "programs that count themselves before they have stored", kernel: func(p *tl.Program, x, part, count, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		s := tl.Sum(tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(0)))
		tl.Store(part.Add(p.ID(0)), s)
		last := tl.AtomicAdd(count, 1).Int() == p.Num(0)-1
		if last {
			tl.Store(out, tl.Sum(tl.Load(part.Add(tl.Arange(0, 4)))))
		}
	}, grid: exec.Grid{4}, args: args(randn(1, 64), zeros(4), tensor.Zeros(tl.Int32, 1), empty(1), 64, 16)},

	{name: "a greatest of negative numbers, over zero", kernel: func(p *tl.Program, x, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B).Add(p.ID(0) * B)
		v := tl.Load(x.Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1)))
		tl.AtomicMax(out, tl.Max(v))
	}, grid: exec.Grid{3}, args: args(random(40), tensor.Full(tl.Float32, math.Inf(-1), 1), 40, 16), ref: greatestRef},

	{name: "a maximum of stages whose second reads too many", kernel: func(p *tl.Program, part, out tl.Ptr, n int, B tl.Const) {
		i := tl.Arange(0, B)
		v := tl.Load(part.Add(i), tl.Mask(i.Lt(n)), tl.Other(math.Inf(-1)))
		tl.Store(out, tl.Max(v))
	}, grid: exec.Grid{1}, args: args(randn(1, 5), empty(1), 5, 8)},

	{name: "the best of rows, one column too far", kernel: func(p *tl.Program, x, vals, idx tl.Ptr, B, K tl.Const) {
		v, i := tl.TopK(tl.Load(x.Add(p.ID(0)*B).Add(tl.Arange(0, B))), K)
		k := tl.Arange(0, K)
		tl.Store(vals.Add(p.ID(0)*K).Add(k), v)
		tl.Store(idx.Add(p.ID(0)*K).Add(k), i)
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 16), empty(3, 4), tensor.Empty(tl.Int32, 3, 4), 16, 4)},

	{name: "a position of 64 bits cut to 32", kernel: func(p *tl.Program, slots, x, y tl.Ptr, B, D tl.Const) {
		s, d := tl.Load(slots.Add(tl.Arange(0, B))), tl.Arange(0, D)
		at := s.And(3).To(tl.Int32).Mul(D)
		tl.Store(y.Add(tl.Arange(0, B).Col().Mul(D)).Add(d.Row()), tl.Load(x.Add(at.Col()).Add(d.Row())))
	}, grid: exec.Grid{1}, args: args(tensor.From([]int64{0, 1<<32 + 2, 1, 3}), randn(1, 4, 16), empty(4, 16), 4, 16)},

	{name: "a GLU whose halves are a block apart", kernel: func(p *tl.Program, x, y tl.Ptr, H int, B tl.Const) {
		j := tl.Arange(0, B)
		m := j.Lt(H)
		a := tl.Load(x.Add(p.ID(0)*2*H).Add(j), tl.Mask(m), tl.Other(0))
		g := tl.Load(x.Add(p.ID(0)*2*H+H).Add(j), tl.Mask(m), tl.Other(0))
		tl.Store(y.Add(p.ID(0)*H).Add(j), a.Mul(tl.Sigmoid(g)), tl.Mask(m))
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 48), empty(3, 24), 24, 32)},

	{name: "a penalty for tokens of another row", kernel: func(p *tl.Program, logits, tokens tl.Ptr, V, n int, penalty float64) {
		for k := range n {
			t := tl.Load(tokens.Add(p.ID(0)*n + k))
			at := logits.Add(p.ID(0) * V).Add(t)
			tl.Store(at, tl.Load(at).Div(penalty))
		}
	}, grid: exec.Grid{3}, args: args(randn(1, 3, 20), tensor.From([]int32{1, 4, 19, 0, 2, 7}, 3, 2), 20, 2, 1.5), ref: penaltyRef},

	{name: "weights in place of their copy", kernel: func(p *tl.Program, x tl.Ptr, N int, B tl.Const) {
		i, j := tl.Arange(0, B).Add(p.ID(0)*B), tl.Arange(0, B).Add(p.ID(1)*B)
		m := i.Col().Lt(N).And(j.Row().Lt(N))
		if p.ID(1) < p.ID(0) {
			return
		}
		mt := j.Col().Lt(N).And(i.Row().Lt(N))
		lower := x.Add(j.Col().Mul(N)).Add(i.Row())
		upper := x.Add(i.Col().Mul(N)).Add(j.Row())
		v, w := tl.Load(lower, tl.Mask(mt)), tl.Load(upper, tl.Mask(m))
		tl.DebugBarrier()
		tl.Store(upper, v.T(), tl.Mask(m))
		if p.ID(1) > p.ID(0) {
			tl.Store(lower, w.T(), tl.Mask(mt))
		}
	}, grid: exec.Grid{2, 2}, args: args(randn(1, 32, 32), 32, 16)},
}

func cumsumRef(x, y *tensor.Tensor, n, _ int) {
	for i := range x.Dim(0) {
		sum := 0.0
		for j := range n {
			sum += x.Float(i, j)
			y.Set(sum, i, j)
		}
	}
}

func greatestRef(x, out *tensor.Tensor, n, _ int) {
	most := math.Inf(-1)
	for i := range n {
		most = max(most, x.Float(i))
	}
	out.Set(most, 0)
}

func penaltyRef(logits, tokens *tensor.Tensor, _, n int, penalty float64) {
	for i := range logits.Dim(0) {
		for k := range n {
			t := int(tokens.Float(i, k))
			logits.Set(logits.Float(i, t)/penalty, i, t)
		}
	}
}
