package check_test

import (
	"math"
	"testing"

	"github.com/tiler-go/tiler/exec"
	products "github.com/tiler-go/tiler/exec/kerneltest/kernels/product"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// BenchmarkCheck is checks with variations: attention of 16 heads, which is to take less
// than 5 s on two cores, and a small product, which is to take less than 20 ms.
func BenchmarkCheck(b *testing.B) {
	const heads, n, d = 16, 1024, 128
	q, k, v := tensor.Rand(1, tl.Float32, heads, n, d), tensor.Rand(2, tl.Float32, heads, n, d), tensor.Rand(3, tl.Float32, heads, n, d)
	x := tensor.Rand(1, tl.Float32, 128, 128)
	for _, c := range []struct {
		name   string
		kernel any
		grid   exec.Grid
		args   []any
	}{
		{"attention", attention, exec.Grid{n / 64, heads}, args(q, k, v, tensor.Empty(tl.Float32, heads, n, d), n, 1/math.Sqrt(d), 64, 64, d)},
		{"product", products.Blocked, exec.Grid{8, 8}, args(x, x, tensor.Empty(tl.Float32, 128, 128), 128, 128, 128, 16, 16, 32)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if r, err := exec.New(c.kernel).Check(c.grid, c.args...); err != nil || r.Failed() {
					b.Fatalf("%v\n%s", err, r)
				}
			}
		})
	}
}

func attention(p *tl.Program, q, k, v, out tl.Ptr, n int, scale float64, BM, BN, D tl.Const) {
	first := p.ID(1) * n * D
	rows, d := tl.Arange(0, BM).Add(p.ID(0)*BM), tl.Arange(0, D)
	at := rows.Col().Mul(D).Add(d.Row()).Add(first)
	queries := tl.Load(q.Add(at), tl.Mask(rows.Col().Lt(n)), tl.Other(0))
	top, total, acc := tl.Full(tl.Float32, math.Inf(-1), BM), tl.Zeros(tl.Float32, BM), tl.Zeros(tl.Float32, BM, D)
	for lo := 0; lo < n; lo += BN {
		j := tl.Arange(0, BN).Add(lo)
		keys := tl.Load(k.Add(d.Col().Add(j.Row().Mul(D)).Add(first)), tl.Mask(j.Row().Lt(n)), tl.Other(0))
		s := tl.Where(j.Row().Lt(n), tl.Dot(queries, keys).Mul(scale), math.Inf(-1))
		higher := tl.Maximum(top, tl.Max(s, tl.Axis(1)))
		w, shrink := tl.Exp(s.Sub(higher.Col())), tl.Exp(top.Sub(higher))
		total, top = total.Mul(shrink).Add(tl.Sum(w, tl.Axis(1))), higher
		values := tl.Load(v.Add(j.Col().Mul(D).Add(d.Row()).Add(first)), tl.Mask(j.Col().Lt(n)), tl.Other(0))
		acc = acc.Mul(shrink.Col()).Add(tl.Dot(w, values))
	}
	tl.Store(out.Add(at), acc.Div(total.Col()), tl.Mask(rows.Col().Lt(n)))
}
