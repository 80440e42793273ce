package launch

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// A row may get other bits alone than in a batch, with another block, or with programs in
// another order: sums are rounded otherwise. Results that differ by more are not compared:
// there the number meant something else.

// steady is up to how many lanes a launch is tried so, unless it is asked for.
const steady = 1 << 14

// invariance adds what the bits of the outputs depend on.
func (k *Kernel) invariance(ctx context.Context, r *check.Report, w *watched) {
	asked := k.Options.Invariance
	if !r.OK || w.ran < w.grid.Total || !asked && (k.Options.NoVariations || w.c.Coverage().Lanes > steady) {
		return
	}
	end := time.Now().Add(min(time.Second, k.Options.Time()))
	try := func(label string, g Grid, args []any, reverse bool) {
		if time.Now().After(end) || ctx.Err() != nil || len(r.Of(check.Invariance)) > 0 {
			return
		}
		if f := w.other(label, g, args, reverse); f != nil {
			if asked {
				f.Severity = check.Error
			}
			r.Add(*f)
		}
	}
	if w.c.Updates() {
		try("programs in reverse order", w.grid, w.original, true)
	}
	s, _ := k.sizes(w.original, w.indices())
	if s == nil {
		return
	}
	for i, a := range w.original {
		if b, ok := a.(int); ok && s.facts.Fixed[i] && b > 1 && b%2 == 0 {
			args := slices.Clone(w.original)
			args[i] = b / 2
			if g, ok := s.halved(w.grid, args, b); ok {
				try(fmt.Sprintf("%s = %d in place of %d", k.Labels[i], b/2, b), g, args, false)
			}
		}
	}
	s.follows, s.whole = s.following(w.grid), w.each(w.c.Whole)
	for _, c := range s.classes {
		if t, ok := s.trial(s.args, w.grid, change{params: c.params, dims: c.dims, from: c.Value, to: 1}); ok && c.Value > 1 {
			try(fmt.Sprintf("%s = 1 in place of %d", c.label(), c.Value), t.grid, t.args, false)
		}
	}
}

// halved is the grid of half a block.
func (s *sizes) halved(was Grid, args []any, b int) (g Grid, ok bool) {
	if g, err := s.k.Grid(args); err != nil || g.Num != was.Num {
		return g, err == nil
	}
	g = was
	g.Total = 1
	for a := range g.Axes {
		for _, arg := range s.args {
			x, isTensor := arg.(*tensor.Tensor)
			if !isTensor {
				continue
			}
			for _, n := range x.Shape() {
				if n > b && blocksOf(n, b) == was.Num[a] {
					g.Num[a] = blocksOf(n, b/2)
				}
			}
		}
		g.Total *= g.Num[a]
	}
	return g, true
}

// other is what differs in the bits of a launch that should give the same, nil if nothing
// does, or the launch means something else.
func (w *watched) other(label string, g Grid, args []any, reverse bool) *check.Finding {
	again := w.k.watch(w.ctx, g, args, io.Discard)
	defer again.close()
	n := g.Total
	again.runSome(order{n, func(i int) int {
		if reverse {
			return n - 1 - i
		}
		return i
	}}, time.Second)
	if again.ran < n || slices.ContainsFunc(again.c.Findings(), against) {
		return nil
	}
	var found *check.Finding
	for i, x := range w.copies {
		if x == nil || x.IsVirtual() || !w.written(i) {
			continue
		}
		f, same := w.bits(label, i, again.copies[i])
		if !same {
			return nil
		}
		if found == nil {
			found = f
		}
	}
	return found
}

// bits compares an output with that of another launch, as far as that has rows; same is
// whether it is the same but for rounding.
func (w *watched) bits(label string, i int, y *tensor.Tensor) (f *check.Finding, same bool) {
	x := w.copies[i]
	if x.Rank() != y.Rank() || x.Rank() > 0 && !slices.Equal(x.Shape()[1:], y.Shape()[1:]) || x.Undefined() || y.Undefined() {
		return nil, false
	}
	a, b, d := x.Contiguous().Buf(), y.Contiguous().Buf(), x.DType()
	allowed := tensor.DefaultTolerance(d)
	differ, first := 0, -1
	for k := range min(a.Len(), b.Len()) {
		if a.Bits(k) == b.Bits(k) {
			continue
		}
		was, is := dtype.ToFloat(d, a.Bits(k)), dtype.ToFloat(d, b.Bits(k))
		if !d.IsFloat() || !(math.Abs(was-is) <= allowed.Abs+allowed.Rel*math.Abs(was)) {
			return nil, false
		}
		if differ++; first < 0 {
			first = k
		}
	}
	if differ == 0 {
		return nil, true
	}
	name := w.k.Labels[i]
	z := w.about(name, fmt.Sprintf("%d of %d elements of %s have other bits with %s: the first is element %d", differ, min(a.Len(), b.Len()), name, label, first))
	z.Kind = check.Invariance
	z.Note("it is %v, and %v with %s", dtype.ToFloat(d, a.Bits(first)), dtype.ToFloat(d, b.Bits(first)), label)
	return &z, true
}
