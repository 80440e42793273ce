package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// loadsAtEnd is a product with a load behind it, of a kind for each mode.
func loadsAtEnd(p *tl.Program, a, b, bias, c tl.Ptr, M, N, K, lim int, mode, BM, BN, BK tl.Const) {
	rows := tl.Arange(0, BM).Add(p.ID(0) * BM)
	cols := tl.Arange(0, BN).Add(p.ID(1) * BN)
	k := tl.Arange(0, BK)
	acc := tl.Zeros(tl.Float32, BM, BN)
	for i := range tl.Cdiv(K, BK) {
		at := k.Add(i * BK)
		x := tl.Load(a.Add(rows.Mul(K).Col().Add(at.Row())), tl.Mask(rows.Col().Lt(M).And(at.Row().Lt(K))), tl.Other(0))
		y := tl.Load(b.Add(at.Mul(N).Col().Add(cols.Row())), tl.Mask(at.Col().Lt(K).And(cols.Row().Lt(N))), tl.Other(0))
		acc = acc.Add(tl.Dot(x, y))
	}
	if mode == 0 {
		acc = acc.Add(tl.Load(bias.Add(cols)).Row())
	} else if mode == 1 {
		acc = acc.Add(tl.Load(bias.Add(cols), tl.Mask(cols.Lt(lim)), tl.Other(3)).Row())
	} else if mode == 2 {
		acc = acc.Add(tl.Load(bias.Add(cols.Mod(lim))).Row())
	} else if mode == 3 {
		acc = acc.Add(tl.Load(bias.Add(tl.Where(cols.Lt(lim), cols, 0))).Row())
	} else if mode == 4 {
		acc = acc.Mul(tl.Load(bias.Add(rows), tl.Mask(rows.Lt(lim)), tl.Other(3)).Col())
	} else if mode == 5 {
		acc = acc.Mul(tl.Load(bias.Add(lim - 1)))
	} else if mode == 6 {
		acc = acc.Mul(tl.Load(bias.Add(rows.Col().Add(cols.Row())), tl.Mask(rows.Col().Lt(lim).And(cols.Row().Lt(N))), tl.Other(2)))
	}
	tl.Store(c.Add(rows.Mul(N).Col().Add(cols.Row())), acc, tl.Mask(rows.Col().Lt(M).And(cols.Row().Lt(N))))
}

// TestLoadsAtEnd: a load of an epilogue is within its tensor or an error, the same one in all
// engines, whatever its mask and index are, also in rows and columns that nobody stores.
func TestLoadsAtEnd(t *testing.T) {
	const M, N, K = 40, 40, 64
	a, b := tensor.Rand(1, tl.Float32, M, K), tensor.Rand(2, tl.Float32, K, N)
	for mode := range 7 {
		for _, size := range []int{39, 40, 47, 64, 100} {
			for _, lim := range []int{1, 39, 40, 44, 64, 100} {
				bias := tensor.Rand(3, tl.Float32, size)
				want := ""
				for _, engine := range exec.Engines() {
					c := tensor.Zeros(tl.Float32, M, N)
					err := exec.New(loadsAtEnd, exec.Options{Engine: engine, Memory: "off"}).
						Launch(exec.Grid{2, 2}, a, b, bias, c, M, N, K, lim, mode, 32, 32, 32)
					got := fmt.Sprint(err)
					if err == nil {
						got = fmt.Sprint(c.Buf().Bytes())
					}
					if want == "" {
						want = got
					}
					if got != want {
						t.Errorf("mode %d, size %d, lim %d, %s: got %.300s, want %.300s", mode, size, lim, engine, got, want)
					}
				}
			}
		}
	}
}
