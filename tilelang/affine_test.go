package tilelang_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Index tiles are formulas until somebody needs their elements. Nothing may show that:
// here random expressions are computed twice, once as they are and once with every
// intermediate result written to memory and loaded back, and must agree in all bits,
// or in the fault.

// walk draws the steps of an expression; two with the same seed draw the same.
type walk struct {
	*rand.Rand
	forced bool
}

// keep is x, read back from memory if this walk forces its tiles.
func (w *walk) keep(x tl.Tile) tl.Tile {
	if !w.forced {
		return x
	}
	return bitsTile(x.DType(), x.Bits()...).Reshape(x.Shape()...)
}

// constants are Go ints that index arithmetic meets: small, negative, at and beyond
// the ends of int32.
var constants = []int{0, 1, -1, 2, 3, 7, -16, 64, 1000, 1 << 16, -(1 << 20), 1<<31 - 1, -(1 << 31), 1 << 31, 1 << 40, -(1 << 52), 1 << 62}

func (w *walk) constant() int { return constants[w.IntN(len(constants))] }

func (w *walk) leaf() tl.Tile {
	lo := []int{0, 0, 0, 5, -9, 1<<31 - 40, -(1 << 31)}[w.IntN(7)]
	x := w.keep(tl.Arange(lo, lo+1+w.IntN(12)))
	if w.IntN(4) == 0 {
		x = w.keep(x.To(tl.Int64))
	}
	return x
}

// step makes one tile of another, or of two.
func (w *walk) step(x, y tl.Tile) tl.Tile {
	switch w.IntN(21) {
	case 0, 1:
		return x.Add(w.constant())
	case 2:
		return x.Sub(w.constant())
	case 3, 4:
		return x.Mul(w.constant())
	case 5:
		return tl.Sub(w.constant(), x)
	case 6, 7:
		return x.Add(y)
	case 8:
		return x.Sub(y)
	case 9:
		return x.Mul(y)
	case 10:
		return x.Col()
	case 11:
		return x.Row()
	case 12:
		return x.T()
	case 13:
		return x.BroadcastTo(append([]int{2}, x.Shape()...)...)
	case 14:
		return x.Col().Add(y.Row())
	case 15:
		return x.To([]tl.DType{tl.Int64, tl.Int32, tl.Int8, tl.Float32}[w.IntN(4)])
	case 16:
		return tl.Sum(x, tl.Axis(w.IntN(2)), tl.KeepDims)
	case 17:
		return tl.Flip(x, w.IntN(2))
	case 18:
		return x.Ravel()
	case 19:
		return tl.Cat(0, x, y)
	}
	return x.FloorDiv(3)
}

// compare is a bool tile of x and a constant, a leaf or a multiple of x.
func (w *walk) compare(x tl.Tile) tl.Tile {
	var v any = w.constant()
	switch w.IntN(4) {
	case 0:
		v = w.leaf()
	case 1, 2:
		v = w.keep(x.Mul(2).Sub(w.IntN(20)))
	}
	return []func(tl.Tile, any) tl.Tile{tl.Tile.Lt, tl.Tile.Le, tl.Tile.Gt, tl.Tile.Ge, tl.Tile.Eq, tl.Tile.Ne}[w.IntN(6)](x, v)
}

// expression is a tile of a few steps, not too large to force.
func (w *walk) expression() tl.Tile {
	x, y := w.leaf(), w.leaf()
	for range 1 + w.IntN(6) {
		z := w.keep(w.step(x, y))
		if n := len(z.Bits()); n > 4000 {
			return x
		}
		x, y = z, x
	}
	return x
}

// outcome is what a function gives, or its fault without the place.
func outcome(f func() tl.Tile) (z tl.Tile, fault string) {
	if f := try(func() { z = f() }); f != nil {
		return z, f.Diag.Msg
	}
	return z, ""
}

// agree runs f on both kinds of walk from each of many seeds.
func agree(t *testing.T, f func(w *walk) tl.Tile) {
	t.Helper()
	faults, rounds := 0, 1000
	if os.Getenv("TILER_LONG") != "" {
		rounds = 50_000
	}
	for seed := range uint64(rounds) {
		new := func(forced bool) *walk { return &walk{rand.New(rand.NewPCG(seed, 1)), forced} }
		lazy, lazyFault := outcome(func() tl.Tile { return f(new(false)) })
		want, wantFault := outcome(func() tl.Tile { return f(new(true)) })
		if lazyFault != wantFault {
			t.Fatalf("seed %d: fault %q, want %q", seed, lazyFault, wantFault)
		}
		if lazyFault != "" {
			faults++
			continue
		}
		same(t, fmt.Sprintf("seed %d", seed), lazy, want)
		if t.Failed() {
			return
		}
	}
	if faults > rounds*3/4 {
		t.Errorf("%d of %d expressions failed: too few are compared", faults, rounds)
	}
}

func TestIndexTilesAsValues(t *testing.T) {
	agree(t, func(w *walk) tl.Tile { return w.expression() })
}

func TestIndexTilesCompared(t *testing.T) {
	agree(t, func(w *walk) tl.Tile {
		x := w.expression()
		m := w.keep(w.compare(x))
		if w.IntN(2) == 0 {
			m = m.And(w.keep(w.compare(x)))
		}
		return tl.Where(m, w.keep(tl.Arange(0, 1)), -5)
	})
}

func TestIndexTilesAsPointers(t *testing.T) {
	const n = 3000
	agree(t, func(w *walk) tl.Tile {
		x := tensor.Arange(tl.Float32, 0, n)
		offs := w.expression()
		if w.IntN(3) > 0 { // bring most of them inside
			offs = w.keep(offs.Mod(n).Add(n).Mod(n))
		}
		p := ptr(x).Add(offs)
		if w.IntN(2) == 0 {
			p = p.Add(w.IntN(20) - 10)
		}
		inside := w.keep(offs.Ge(10).And(offs.Lt(n - 10)))
		v := tl.Load(p, tl.Mask(inside), tl.Other(-1))
		if w.IntN(2) == 0 {
			v = tl.Load(p)
		}
		tl.Store(p, v.Mul(2.0).Add(w.keep(tl.Arange(0, 1))), tl.Mask(inside))
		old := tl.AtomicAdd(p, 0.5, tl.Mask(inside))
		return tl.Cat(0, old.Ravel(), tileOf(x))
	})
}

// TestRunsOfComparisons is every comparison of every short ramp with 0.
func TestRunsOfComparisons(t *testing.T) {
	ops := map[string]func(v int) bool{
		"lt": func(v int) bool { return v < 0 }, "le": func(v int) bool { return v <= 0 }, "gt": func(v int) bool { return v > 0 },
		"ge": func(v int) bool { return v >= 0 }, "eq": func(v int) bool { return v == 0 }, "ne": func(v int) bool { return v != 0 },
	}
	methods := map[string]func(x tl.Tile, y any) tl.Tile{
		"lt": tl.Tile.Lt, "le": tl.Tile.Le, "gt": tl.Tile.Gt, "ge": tl.Tile.Ge, "eq": tl.Tile.Eq, "ne": tl.Tile.Ne,
	}
	for name, holds := range ops {
		for start := -9; start <= 9; start++ {
			for step := -4; step <= 4; step++ {
				x := tl.Arange(0, 6).Mul(step).Add(start)
				for i, v := range methods[name](x, 0).Bits() {
					if (v != 0) != holds(start+i*step) {
						t.Fatalf("%d %s 0 is %v", start+i*step, name, v != 0)
					}
				}
			}
		}
	}
}

// TestIndexTilesWrap is int32 arithmetic at its ends, where a formula must give way to
// elements that wrap.
func TestIndexTilesWrap(t *testing.T) {
	const top = 1<<31 - 1
	a := tl.Arange(top-2, top+1)
	same(t, "add", a.Add(2), ints(tl.Int32, top, -(1<<31), -(1<<31)+1))
	same(t, "add back", a.Add(2).Sub(2), ints(tl.Int32, top-2, top-1, top))
	same(t, "mul", a.Mul(3), ints(tl.Int32, top-8, top-5, top-2))
	same(t, "neg", tl.Arange(-1<<31, -1<<31+2).Mul(-1), ints(tl.Int32, -1<<31, top))
	same(t, "sub", tl.Sub(-2, a), ints(tl.Int32, -top, -top-1, top))
	same(t, "col+row", a.Col().Add(tl.Arange(0, 2).Row()), ints(tl.Int32, top-2, top-1, top-1, top, top, -1<<31).Reshape(3, 2))
	same(t, "int64", a.To(tl.Int64).Add(2), ints(tl.Int64, top, top+1, top+2))
	same(t, "int64 wrap", ints(tl.Int64, 1<<62).Add(tl.Arange(0, 2)).Mul(2), bitsTile(tl.Int64, 1<<63, 1<<63+2))
	same(t, "wrapped compare", a.Add(2).Lt(0), bitsTile(tl.Bool, 0, 1, 1))
}
