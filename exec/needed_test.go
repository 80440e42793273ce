package exec_test

import (
	"fmt"
	"testing"

	"github.com/tiler-go/tiler/exec"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// shuffled puts r² planes of h rows of w into one of rows r times as long and as many: a quotient and a remainder in
// each row, needed for that row alone.
func shuffled(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	m := tl.Mask(i.Lt(n))
	y, z := i.FloorDiv(w*r), i.Mod(w*r)
	ch := y.Mod(r).Mul(r).Add(z.Mod(r))
	tl.Store(o.Add(i), tl.Load(x.Add(ch.Mul(h).Add(y.FloorDiv(r)).Mul(w).Add(z.FloorDiv(r))), m), m)
}

// neededTwice stores the elements of one index under two masks, of which neither is in the other.
func neededTwice(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := i.Mul(7).Mod(r).Mul(i.Mod(r)).Mod(n)
	tl.Store(o.Add(i), tl.Load(x.Add(k), tl.Mask(i.Lt(n-h)), tl.Other(-1)), tl.Mask(i.Lt(n-w)))
	tl.Store(o.Add(i).Add(n), k.To(tl.Float32), tl.Mask(i.Ge(w).And(i.Lt(n))))
}

// neededAsOther needs an index in the lanes that a load leaves out, and in all of them for a sum.
func neededAsOther(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := i.Mul(5).Mod(r)
	v := tl.Load(x.Add(k), tl.Mask(i.Lt(h)), tl.Other(k.To(tl.Float32)))
	tl.Store(o.Add(i), v, tl.Mask(i.Lt(n)))
	tl.Store(o.Add(n).Add(i), tl.Load(x.Add(k), tl.Mask(i.Lt(w))), tl.Mask(i.Lt(w)))
}

// neededBySum needs all of it, and in a branch.
func neededBySum(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := i.Mul(5).Mod(r)
	m := tl.Mask(i.Lt(n))
	tl.Store(o.Add(i), tl.Load(x.Add(k), m), m)
	tl.Store(o.Add(n).Add(p.ID(0)), tl.Sum(k).To(tl.Float32))
	if h > w {
		tl.Store(o.Add(i), tl.Load(x.Add(k.Mul(2)), tl.Mask(i.Lt(n).And(k.Mul(2).Lt(n)))), m)
	}
}

// neededByDivisor divides by what it loads by, so that a 0 behind the mask must be found.
func neededByDivisor(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	k := i.Add(1).Mod(r)
	m := tl.Mask(i.Lt(h))
	tl.Store(o.Add(i), tl.Load(x.Add(i.Mod(k.Add(1))), m).Add(tl.Load(x.Add(k), m)), m)
}

// neededInRuns stores one of two things, under a mask within rows.
func neededInRuns(p *tl.Program, x, o tl.Ptr, n, h, w, r int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK).Add(p.ID(0) * BLOCK)
	y, z := i.FloorDiv(w*r), i.Mod(w*r)
	m := i.Lt(n).And(z.Ge(1))
	k := z.Mul(3).Mod(r).Add(y)
	a, b := tl.Load(x.Add(k), tl.Mask(m)), tl.Load(x.Add(k.Add(z.FloorDiv(r))), tl.Mask(m.And(z.Lt(h))), tl.Other(2))
	tl.Store(o.Add(i), tl.Where(z.Lt(h), b, a), tl.Mask(m))
}

// TestNeeded: what of a tile in memory is needed in some lanes alone is computed for these, and no fewer.
func TestNeeded(t *testing.T) {
	kernels := map[string]any{
		"shuffled": shuffled, "twice": neededTwice, "as other": neededAsOther, "by sum": neededBySum,
		"by divisor": neededByDivisor, "in runs": neededInRuns,
	}
	for name, k := range kernels {
		for _, s := range [][3]int{{5, 16, 2}, {5, 13, 3}, {3, 40, 2}, {70, 3, 2}, {1, 100, 3}, {7, 5, 5}} {
			h, w, r := s[0], s[1], s[2]
			n := h * w * r * r
			x := tensor.Randn(1, tl.Float32, n)
			t.Run(fmt.Sprint(name, s), func(t *testing.T) {
				sameInEngines(t, func(o exec.Options) ([]*tensor.Tensor, error) {
					z := tensor.Zeros(tl.Float32, 2*n+512)
					return []*tensor.Tensor{z}, exec.New(k, o).Launch(exec.Grid{tl.Cdiv(n, 128)}, x, z, n, h, w, r, 128)
				})
			})
		}
	}
}

// divides0 divides by 0 in lanes that are not needed, where divisor is 0.
func divides0(p *tl.Program, x, o tl.Ptr, n, w, by int, BLOCK tl.Const) {
	i := tl.Arange(0, BLOCK)
	y, z := i.FloorDiv(w), i.Mod(w)
	m := tl.Mask(i.Lt(n))
	k := z.Mod(by).Add(y)
	tl.Store(o.Add(i), tl.Load(x.Add(k), m).Add(tl.Load(x.Add(k.Add(z.FloorDiv(by))), m)), m)
}

// TestNeededFails: a division fails, and a load outside of a tensor, at the same lane in every engine.
func TestNeededFails(t *testing.T) {
	for _, s := range [][3]int{{100, 30, 0}, {0, 30, 0}, {100, 30, 100}, {100, 30, 7}, {100, 3, 40}} {
		var want string
		for _, engine := range exec.Engines() {
			z := tensor.Zeros(tl.Float32, 128)
			err := exec.New(divides0, exec.Options{Engine: engine}).
				Launch(exec.Grid{1}, tensor.Arange(tl.Float32, 0, 25), z, s[0], s[1], s[2], 128)
			got := fmt.Sprint(err)
			if want == "" {
				want = got
			} else if got != want {
				t.Errorf("%v, %s: got\n%s\nwant\n%s", s, engine, got, want)
			}
		}
		t.Log(s, want)
	}
}
