package product

import tl "github.com/tiler-go/tiler/tilelang"

// Product is one product of whole matrices.
func Product(p *tl.Program, x, y, z tl.Ptr, M, N, K tl.Const) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
	b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), tl.Dot(a, b))
}

// ProductHalf has a float16 result, and an operand that is transposed.
func ProductHalf(p *tl.Program, x, y, z tl.Ptr, M, N, K tl.Const) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
	b := tl.Load(y.Add(n.Mul(K).Col().Add(k.Row())))
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), tl.Dot(a, b.T(), tl.As(tl.Float16)))
}

// ProductBias begins with a bias and ends with an activation.
func ProductBias(p *tl.Program, x, y, bias, z tl.Ptr, M, N, K tl.Const) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
	b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
	c := tl.Load(bias.Add(n)).To(tl.Float32).Row().BroadcastTo(M, N)
	r := tl.Dot(a, b, tl.Acc(c))
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), tl.Maximum(r, r.Mul(0.01)))
}

// Batched is products side by side.
func Batched(p *tl.Program, x, y, z tl.Ptr, B, M, N, K tl.Const) {
	i := tl.Arange(0, B).Reshape(B, 1, 1)
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(i.Mul(M * K).Add(m.Mul(K).Col().Add(k.Row()).ExpandDims(0))))
	b := tl.Load(y.Add(i.Mul(K * N).Add(k.Mul(N).Col().Add(n.Row()).ExpandDims(0))))
	tl.Store(z.Add(i.Mul(M*N).Add(m.Mul(N).Col().Add(n.Row()).ExpandDims(0))), tl.Dot(a, b))
}

// Blocked is a product in a loop over blocks of the inner dimension, masked at edges.
func Blocked(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	xs, ys := x.Add(m.Mul(K).Col().Add(k.Row())), y.Add(k.Mul(N).Col().Add(n.Row()))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xs, tl.Mask(m.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(k.Col().Lt(left).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xs, ys = xs.Add(BK), ys.Add(BK*N)
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Turned is Blocked, with sums of type D, where operands that OP names lie the other way
// round. Blocks of y are transposed in any case.
func Turned(p *tl.Program, x, y, z tl.Ptr, D tl.DType, M, N, K int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	xm, xk, yk, yn := K, 1, N, 1
	if OP != "y" {
		xm, xk = 1, M
	}
	if OP != "x" {
		yk, yn = 1, K
	}
	xs, ys := x.Add(m.Mul(xm).Col().Add(k.Mul(xk).Row())), y.Add(n.Mul(yn).Col().Add(k.Mul(yk).Row()))
	acc := tl.Zeros(D, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xs, tl.Mask(m.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(n.Col().Lt(N).And(k.Row().Lt(left))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b.T()))
		xs, ys = xs.Add(BK*xk), ys.Add(BK*yk)
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Apart is Blocked with integers that lie so many elements apart in each direction;
// OP says what is stored of the sums.
func Apart(p *tl.Program, x, y, z tl.Ptr, M, N, K, xm, xk, yk, yn, zm, zn int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	xs, ys := x.Add(m.Mul(xm).Col().Add(k.Mul(xk).Row())), y.Add(k.Mul(yk).Col().Add(n.Mul(yn).Row()))
	acc := tl.Zeros(tl.Int32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xs, tl.Mask(m.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(k.Col().Lt(left).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xs, ys = xs.Add(BK*xk), ys.Add(BK*yk)
	}
	if OP == "tripled" {
		acc = acc.Mul(3)
	}
	tl.Store(z.Add(m.Mul(zm).Col().Add(n.Mul(zn).Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Into is a product of floats whose result has steps of its own.
func Into(p *tl.Program, x, y, z tl.Ptr, M, N, K, zm, zn int, BM, BN, BK tl.Const) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := 0; i < K; i += BK {
		q := k.Add(i)
		a := tl.Load(x.Add(m.Mul(K).Col().Add(q.Row())), tl.Mask(m.Col().Lt(M).And(q.Row().Lt(K))), tl.Other(0))
		b := tl.Load(y.Add(q.Mul(N).Col().Add(n.Row())), tl.Mask(q.Col().Lt(K).And(n.Row().Lt(N))), tl.Other(0))
		acc = tl.Dot(a, b, tl.Acc(acc))
	}
	tl.Store(z.Add(m.Mul(zm).Col().Add(n.Mul(zn).Row())), acc, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// Wrapping is Blocked with unmasked edges that wrap round, and groups of programs.
func Wrapping(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK, GROUP tl.Const) {
	rows, cols := tl.Cdiv(M, BM), tl.Cdiv(N, BN)
	first := p.ID(0) / (GROUP * cols) * GROUP
	size := min(rows-first, GROUP)
	pm := first + p.ID(0)%(GROUP*cols)%size
	pn := p.ID(0) % (GROUP * cols) / size
	m, n, k := tl.Arange(0, BM).Add(pm*BM).Mod(M), tl.Arange(0, BN).Add(pn*BN).Mod(N), tl.Arange(0, BK)
	xs, ys := x.Add(m.Mul(K).Col().Add(k.Row())), y.Add(k.Mul(N).Col().Add(n.Row()))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		a := tl.Load(xs, tl.Mask(k.Row().Lt(K-i*BK)), tl.Other(0))
		b := tl.Load(ys, tl.Mask(k.Col().Lt(K-i*BK)), tl.Other(0))
		acc = tl.Dot(a, b, tl.Acc(acc))
		xs, ys = xs.Add(BK), ys.Add(BK*N)
	}
	om, on := tl.Arange(0, BM).Add(pm*BM), tl.Arange(0, BN).Add(pn*BN)
	tl.Store(z.Add(om.Mul(N).Col().Add(on.Row())), acc.To(tl.Float16), tl.Mask(om.Col().Lt(M).And(on.Row().Lt(N))))
}

// Attention is one head, one block of queries, in a loop over keys.
func Attention(p *tl.Program, q, k, v, z tl.Ptr, n int, scale float64, BM, BN, D tl.Const) {
	m, d := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, D)
	at := m.Mul(D).Col().Add(d.Row())
	mine := m.Lt(n).Col()
	qs := tl.Load(q.Add(at), tl.Mask(mine), tl.Other(0))
	top, sum := tl.Full(tl.Float32, -1e30, BM), tl.Zeros(tl.Float32, BM)
	acc := tl.Zeros(tl.Float32, BM, D)
	for i := 0; i < n; i += BN {
		c := tl.Arange(0, BN).Add(i)
		theirs := tl.Mask(c.Lt(n).Col())
		ks := tl.Load(k.Add(c.Mul(D).Col().Add(d.Row())), theirs, tl.Other(0))
		s := tl.Where(c.Row().Lt(n), tl.Dot(qs, ks.T()).Mul(scale), -1e30)
		next := tl.Maximum(top, tl.Max(s, tl.Axis(1)))
		e := tl.Exp(s.Sub(next.Col()))
		fade := tl.Exp(top.Sub(next))
		sum = sum.Mul(fade).Add(tl.Sum(e, tl.Axis(1)))
		vs := tl.Load(v.Add(c.Mul(D).Col().Add(d.Row())), theirs, tl.Other(0))
		acc = acc.Mul(fade.Col()).Add(tl.Dot(e.To(vs.DType()), vs))
		top = next
	}
	tl.Store(z.Add(at), acc.Div(sum.Col()), tl.Mask(mine))
}

// Remaining is Blocked by pointers that move on, with masks by what is left of K.
func Remaining(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM).Col(), tl.Arange(0, BN).Add(p.ID(1)*BN).Row(), tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	xs, ys := x.Add(m.Mul(K).Add(k.Row())), y.Add(k.Col().Mul(N).Add(n))
	for left := K; left > 0; left -= BK {
		a := tl.Load(xs, tl.Mask(m.Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(n.Lt(N).And(k.Col().Lt(left))), tl.Other(0))
		acc = acc.Add(tl.Dot(a, b))
		xs, ys = xs.Add(BK), ys.Add(BK*N)
	}
	tl.Store(z.Add(m.Mul(N).Add(n)), acc, tl.Mask(m.Lt(M).And(n.Lt(N))))
}
