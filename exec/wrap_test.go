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

// wrappedIndex has a loop whose index wraps, once or twice: what it stores goes to numbers, or to where the index says.
func wrappedIndex(p *tl.Program, z tl.Ptr, n int, OP string) {
	switch OP {
	case "quotients":
		k := 0
		for i := 0; i < min(n, 1<<62+2); i += 1<<62 + 1 {
			tl.Store(z.Add(k), i/1024+min(i%8, 7))
			k++
		}
	case "fits":
		lane := tl.Arange(0, 128)
		for i := 5; i < min(n, 64); i += 1<<63 - 3 {
			tl.Store(z.Add(lane.Add(i-5)), lane, tl.Mask(lane.Lt(n%128)))
		}
	case "outside": // just ahead of the tensor, if addresses wrap, too
		lane := tl.Arange(0, 128)
		for i := 5; i < min(n, 64); i += 1<<63 - 3 {
			tl.Store(z.Add(i-5).Add(lane), lane, tl.Mask(lane.Lt(n%128)))
		}
	}
}

// TestWrappedIndex: an index that wraps lies ahead of its loop's beginning.
func TestWrappedIndex(t *testing.T) {
	for _, c := range []struct {
		op string
		n  int
	}{{"quotients", 1}, {"quotients", 1<<63 - 1}, {"fits", 100}, {"outside", 100}} {
		want := ""
		for _, engine := range exec.Engines() {
			all := tensor.Zeros(tl.Int64, 200)
			err := exec.New(wrappedIndex, exec.Options{Engine: engine, Memory: "off"}).
				Launch(exec.Grid{1}, all.Slice(0, 50, 150), c.n, c.op)
			if got := fmt.Sprint(err, all.Buf().Bytes()); want == "" {
				want = got
			} else if got != want {
				t.Errorf("%v, %s: got %s\nwant %s", c, engine, got, want)
			}
		}
	}
}
