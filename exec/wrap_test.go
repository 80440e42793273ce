package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// wrappedProduct loads the rows of a product modulo wrap.
func wrappedProduct(p *tl.Program, a, b, c tl.Ptr, M, N, K, wrap int, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	from := rows.Mod(wrap)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		x := tl.Load(a.Add(from.Mul(K).Col().Add(at.Row())), tl.Mask(at.Row().Lt(K)), tl.Other(0))
		y := tl.Load(b.Add(at.Mul(N).Col().Add(cols.Row())), tl.Mask(at.Col().Lt(K).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	tl.Store(c.Add(rows.Mul(N).Col().Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// TestWrapBeyond: rows that a remainder does not fold back into the tensor are outside of it,
// also where nobody stores them.
func TestWrapBeyond(t *testing.T) {
	const N, K = 48, 64
	b := tensor.Rand(2, tl.Float32, K, N)
	for _, c := range []struct {
		M, rows, wrap int
		outside       bool
	}{
		{40, 40, 40, false}, {40, 40, 48, true}, {40, 48, 48, false}, {40, 63, 64, true}, {40, 64, 64, false},
		{40, 64, 100, false}, {40, 63, 100, true}, {33, 40, 50, true}, {64, 64, 64, false}, {64, 64, 100, false},
	} {
		a := tensor.Rand(1, tl.Float32, c.rows, K)
		want := ""
		for _, engine := range exec.Engines() {
			out := tensor.Zeros(tl.Float32, c.M, N)
			err := exec.New(wrappedProduct, exec.Options{Engine: engine, Memory: "off"}).
				Launch(exec.Grid{tl.Cdiv(c.M, 32), 3}, a, b, out, c.M, N, K, c.wrap, 32, 16, 32)
			if (err != nil) != c.outside {
				t.Errorf("%v, %s: got %v", c, engine, err)
			}
			if err != nil {
				continue
			}
			if bits := fmt.Sprint(out.Buf().Bytes()); want == "" {
				want = bits
			} else if bits != want {
				t.Errorf("%v, %s: other bits than interpreted", c, engine)
			}
		}
	}
}
