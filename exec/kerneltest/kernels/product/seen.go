package product

import (
	"math"

	tl "github.com/tiler-go/tiler/tilelang"
)

// SeenOps are what Seen does beside what is usual.
const SeenOps = "rows columns chosen rounds between beyond picked"

// Seen is attention of R rows of D elements to n others, in tiles that may be larger. Nobody sees the rest of them,
// but for what some operations do.
func Seen(p *tl.Program, x, y, w, z, sums tl.Ptr, R, D, n int, BR, BD, BN tl.Const, OP string) {
	r, d := tl.Arange(0, BR), tl.Arange(0, BD)
	rows := r.Lt(R)
	seen := rows.Col().And(d.Row().Lt(D))
	loaded := seen
	switch OP {
	case "between":
		seen = seen.And(r.Col().Ge(1)).And(d.Row().Ge(2))
	case "beyond": // of rows that nobody sees some are outside
		loaded = r.Col().Lt(R + 3).And(d.Row().Lt(D))
	}
	q := tl.Load(x.Add(r.Col().Mul(D).Add(d.Row())), tl.Mask(loaded), tl.Other(0))
	if OP == "picked" { // by numbers, of which those of rows that nobody sees may be outside
		at := tl.Load(sums.Add(r), tl.Mask(r.Lt(R+1))).To(tl.Int32).Mul(0).Add(r.Mul(2)).FloorDiv(2)
		q = tl.Load(x.Add(at.Col().Mul(D).Add(d.Row())), tl.Mask(loaded), tl.Other(0))
	}
	most, sum := tl.Full(tl.Float32, math.Inf(-1), BR), tl.Zeros(tl.Float32, BR)
	acc := tl.Zeros(tl.Float32, BR, BD)
	for s := 0; s < n; s += BN {
		t, now := tl.Arange(0, BN).Add(s), seen.And(r.Col().Lt(s+1))
		there := tl.Mask(t.Col().Lt(n).And(d.Row().Lt(D)))
		at := t.Col().Mul(D).Add(d.Row())
		k, v := tl.Load(y.Add(at), there, tl.Other(0)), tl.Load(w.Add(at), there, tl.Other(0))
		a := tl.Where(t.Row().Lt(n), tl.Dot(q, k.T()), math.Inf(-1))
		next := tl.Maximum(most, tl.Max(a, tl.Axis(1)))
		e, less := tl.Exp(a.Sub(next.Col())), tl.Exp(most.Sub(next))
		sum = sum.Mul(less).Add(tl.Sum(e, tl.Axis(1)))
		acc = acc.Mul(less.Col()).Add(tl.Dot(e.To(v.Elem()), v))
		most = next
		if OP == "rounds" { // the next round is for more rows
			tl.Store(z.Add(r.Col().Mul(D).Add(d.Row())), acc, tl.Mask(now))
		}
		if OP == "chosen" {
			if s > BN {
				acc = acc.Mul(0.5)
			} else {
				acc, sum = acc.Add(1), sum.Add(most)
			}
		}
	}
	if OP == "columns" { // all rows make one
		acc = acc.Add(tl.Sum(acc, tl.Axis(0)).Row())
	}
	if OP != "rounds" {
		tl.Store(z.Add(r.Col().Mul(D).Add(d.Row())), acc.Div(sum.Col()), tl.Mask(seen))
	}
	tl.Store(sums.Add(r), most.Add(tl.Log(sum)), tl.Mask(rows))
}

// ZeroBeyond is a product added to another tile, whose operands are zeros beyond K, and as small as OP says.
func ZeroBeyond(p *tl.Program, x, y, w, z tl.Ptr, M, N, K int, BM, BN, BK tl.Const, OP string) {
	m, n, k := tl.Arange(0, BM), tl.Arange(0, BN), tl.Arange(0, BK)
	in, by := m.Col().Lt(M).And(k.Row().Lt(K)), k.Col().Lt(K).And(n.Row().Lt(N))
	a := tl.Load(x.Add(m.Col().Mul(K).Add(k.Row())), tl.Mask(in)).To(tl.Float32)
	b := tl.Load(y.Add(k.Col().Mul(N).Add(n.Row())), tl.Mask(by)).To(tl.Float32)
	switch OP {
	case "tiny": // what is added up is rounded to zeros of either sign
		a, b = tl.Where(in, a.Mul(1e-30), 0.0), tl.Where(by, b.Mul(1e-30), 0.0)
	case "other": // one of them is something else beyond K
		b = tl.Where(by, b, 1.0)
	case "later":
		a, b = tl.Where(in.And(k.Row().Ge(1)), a, 0.0), tl.Where(by.And(k.Col().Ge(1)), b, 0.0)
	}
	out := tl.Mask(m.Col().Lt(M).And(n.Row().Lt(N)))
	at := m.Col().Mul(N).Add(n.Row())
	sum := tl.Dot(a, b, tl.Acc(tl.Load(w.Add(at), out)))
	if OP == "fresh" {
		sum = tl.Dot(a, b)
	}
	tl.Store(z.Add(at), sum, out)
}
