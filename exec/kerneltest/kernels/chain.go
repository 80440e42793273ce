package kernels

import tl "github.com/tiler-go/tiler/tilelang"

// Products of bfloat16 by pairs, or by tiles where TILES is 1.

// dotBy is such a Dot.
func dotBy(a, b tl.Tile, TILES tl.Const) tl.Tile {
	if TILES == 1 {
		return tl.Dot(a, b, tl.BF16Tiles)
	}
	return tl.Dot(a, b, tl.BF16Pairs)
}

// dotOnto is one that begins with acc.
func dotOnto(acc, a, b tl.Tile, TILES tl.Const) tl.Tile {
	if TILES == 1 {
		return tl.Dot(a, b, tl.BF16Tiles, tl.Acc(acc))
	}
	return tl.Dot(a, b, tl.Acc(acc), tl.BF16Pairs)
}

// ProductBy is one product, added to what is in z; operands lie as OP says.
func ProductBy(p *tl.Program, x, y, z tl.Ptr, M, N, K, TILES tl.Const, OP string) {
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	at := z.Add(m.Mul(N).Col().Add(n.Row()))
	switch OP {
	case "straight":
		a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
		b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
		tl.Store(at, tl.Load(at).Add(dotBy(a, b, TILES)))
	case "turned":
		a := tl.Load(x.Add(m.Col().Add(k.Mul(M).Row())))
		b := tl.Load(y.Add(n.Mul(K).Col().Add(k.Row())))
		tl.Store(at, dotOnto(tl.Load(at), a, b.T(), TILES))
	case "alone":
		a := tl.Load(x.Add(m.Mul(K).Col().Add(k.Row())))
		b := tl.Load(y.Add(k.Mul(N).Col().Add(n.Row())))
		tl.Store(at, dotBy(a.Mul(0.5), b, TILES).Add(1.0))
	}
}

// BatchedBy is products side by side.
func BatchedBy(p *tl.Program, x, y, z tl.Ptr, B, M, N, K, TILES tl.Const) {
	i := tl.Arange(0, B).Reshape(B, 1, 1)
	m, n, k := tl.Arange(0, M), tl.Arange(0, N), tl.Arange(0, K)
	a := tl.Load(x.Add(i.Mul(M * K).Add(m.Mul(K).Col().Add(k.Row()).ExpandDims(0))))
	b := tl.Load(y.Add(i.Mul(K * N).Add(k.Mul(N).Col().Add(n.Row()).ExpandDims(0))))
	tl.Store(z.Add(i.Mul(M*N).Add(m.Mul(N).Col().Add(n.Row()).ExpandDims(0))), dotBy(a, b, TILES))
}

// BlockedBy is Blocked of operands that lie one way or the other, with a bias and an
// activation.
func BlockedBy(p *tl.Program, x, y, bias, z tl.Ptr, M, N, K int, BM, BN, BK, TILES tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, BN).Add(p.ID(1)*BN), tl.Arange(0, BK)
	xm, xk, yk, yn := K, 1, N, 1
	if OP == "turned" {
		xm, xk, yk, yn = 1, M, 1, K
	}
	xs, ys := x.Add(m.Mul(xm).Col().Add(k.Mul(xk).Row())), y.Add(k.Mul(yk).Col().Add(n.Mul(yn).Row()))
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		left := K - i*BK
		a := tl.Load(xs, tl.Mask(m.Col().Lt(M).And(k.Row().Lt(left))), tl.Other(0))
		b := tl.Load(ys, tl.Mask(k.Col().Lt(left).And(n.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(dotBy(a, b, TILES))
		xs, ys = xs.Add(BK*xk), ys.Add(BK*yk)
	}
	c := tl.Load(bias.Add(n), tl.Mask(n.Lt(N)), tl.Other(0)).To(tl.Float32)
	r := acc
	if OP == "biased" {
		r = tl.Maximum(acc.Add(c.Row()), 0)
	}
	tl.Store(z.Add(m.Mul(N).Col().Add(n.Row())), r, tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N))))
}

// WrappingBy is Wrapping.
func WrappingBy(p *tl.Program, x, y, z tl.Ptr, M, N, K int, BM, BN, BK, GROUP, TILES tl.Const) {
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
		acc = dotOnto(acc, a, b, TILES)
		xs, ys = xs.Add(BK), ys.Add(BK*N)
	}
	om, on := tl.Arange(0, BM).Add(pm*BM), tl.Arange(0, BN).Add(pn*BN)
	tl.Store(z.Add(om.Mul(N).Col().Add(on.Row())), acc.To(tl.Float16), tl.Mask(om.Col().Lt(M).And(on.Row().Lt(N))))
}
