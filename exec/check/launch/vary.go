package launch

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Variations try the kernel on sizes that the caller did not: what works on multiples of
// the block alone is caught even if only those were tried.

// A variation is the arguments with one size changed.
type variation struct {
	label string
	grid  Grid
	args  []any
	// The same with a compile-time parameter changed along, for each that may be what the
	// size is: where that makes the kernel right, the variation alone was not meant.
	along []variation
}

// vary checks variations of the arguments, and adds what only they find as warnings.
func (k *Kernel) vary(ctx context.Context, r *check.Report, args []any) {
	switch {
	case k.Options.NoVariations:
		return
	case !r.OK || r.Ran < r.Programs:
		r.Varied.Why = "other sizes not tried: fix the errors above first"
		return
	}
	s, why := k.sizes(args)
	if why != "" {
		r.Varied.Why = "other sizes not tried: " + why
	}
	if s == nil {
		return
	}
	start := time.Now()
	defer func() { r.Times.Variations = time.Since(start) }()
	for _, c := range s.classes {
		r.Varied.Sizes = append(r.Varied.Sizes, c.Size)
	}
	r.Varied.Order = "shuffled"
	vs := s.variations()
	budget := k.Options.Time()
	for i, v := range vs {
		left := budget - time.Since(start)
		if left <= 0 || ctx.Err() != nil {
			r.Varied.Why = fmt.Sprintf("%d of %d other sizes were not tried: out of time", len(vs)-i, len(vs))
			return
		}
		k.tryVariation(ctx, r, v, left/time.Duration(len(vs)-i))
	}
	if len(vs) == 0 && r.Varied.Why == "" {
		r.Varied.Why = "none tried: the grid fits no others"
	}
}

// tryVariation checks one variation, and adds what it finds.
func (k *Kernel) tryVariation(ctx context.Context, r *check.Report, v variation, budget time.Duration) {
	one := k.checkVariation(ctx, v, budget)
	label := v.label
	if one.Ran < one.Programs {
		label += fmt.Sprintf(" (%d of %d programs)", one.Ran, one.Programs)
	}
	r.Varied.Tried = append(r.Varied.Tried, label)
	if !one.OK {
		for _, w := range v.along {
			if k.checkVariation(ctx, w, budget).OK {
				return
			}
		}
	}
	for _, f := range one.Findings {
		if f.Severity == check.Error && !known(r, f) && !declines(f) {
			f.Severity, f.Variation = check.Warning, v.label
			r.Add(f)
		}
	}
}

// checkVariation is the report of one variation.
func (k *Kernel) checkVariation(ctx context.Context, v variation, budget time.Duration) *check.Report {
	w := k.watch(ctx, v.grid, v.args, io.Discard)
	defer w.close()
	defer context.AfterFunc(ctx, func() { w.cancelled.Store(true) })()
	quiet := *k
	quiet.Options.At = nil
	o := quiet.order(v.grid, false)
	if o.count == v.grid.Total && o.count <= 1<<16 {
		o.at = k.Host.Order(o.count, 1)
	}
	w.runSome(o, budget)
	r := check.NewReport(k.Name, nil, v.grid.Total)
	r.Ran = w.ran
	r.Add(w.c.Findings()...)
	w.outputs(r)
	if k.Against != nil && len(r.Of(check.Unwritten)) == 0 {
		k.compare(r, w)
	}
	return r
}

// declines reports whether it is the kernel itself, or the reference, that does not take
// the size.
func declines(f check.Finding) bool {
	return f.Kind == check.Fault && (f.Op == "p.Assert" || f.Op == "tl.StaticAssert") || f.Kind == check.Reference && f.Tensor == ""
}

// known reports whether a report has a finding already, of other programs.
func known(r *check.Report, f check.Finding) bool {
	for _, g := range r.Findings {
		if g.Kind == f.Kind && g.Pos == f.Pos && g.Tensor == f.Tensor && g.Severity != check.Note {
			return true
		}
	}
	return false
}

// variations is the arguments with each size changed in turn, as far as the grid goes
// with it.
func (s *sizes) variations() (vs []variation) {
	for _, c := range s.classes {
		for _, to := range s.candidates(c) {
			args := s.changed(c, to)
			e, err := s.k.Grid(args)
			if err != nil || e.Total == 0 || e == s.extent() && !s.keeps(e, c.Value, to) {
				continue
			}
			s.fill(c, to, args)
			v := variation{label: fmt.Sprintf("%s: %d → %d", c.label(), c.Value, to), grid: e, args: args}
			if c.doubt {
				v.along = s.along(c, to, args)
			}
			vs = append(vs, v)
		}
	}
	return vs
}

// along is a variation with each compile-time parameter of the size's value changed in
// turn.
func (s *sizes) along(c *class, to int, args []any) (vs []variation) {
	for _, i := range c.rivals {
		with := slices.Clone(args)
		with[i] = to
		if e, err := s.k.Grid(with); err == nil && e.Total > 0 {
			vs = append(vs, variation{grid: e, args: with})
		}
	}
	return vs
}

// extent is the grid of the caller's own arguments.
func (s *sizes) extent() Grid {
	e, _ := s.k.Grid(s.args)
	return e
}

// candidates are other values of a size: its neighbours, those of the blocks, and 1.
func (s *sizes) candidates(c *class) (to []int) {
	add := func(v int) {
		if v < 1 || v == c.Value || v > 2*c.Value+1 || v > c.Value && !s.grows(c) {
			return
		}
		for _, have := range to {
			if have == v {
				return
			}
		}
		to = append(to, v)
	}
	add(c.Value - 1)
	add(c.Value + 1)
	for _, b := range s.blocks {
		add(b - 1)
		add(b + 1)
	}
	add(1)
	return to[:min(len(to), 6)]
}

// grows reports whether a size may become larger: not if a dimension that stays may be a
// multiple of it.
func (s *sizes) grows(c *class) bool {
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		for d, n := range x.Shape() {
			if n > 1 && !slices.Contains(c.dims[arg], d) && n%c.Value == 0 {
				return false
			}
		}
	}
	return true
}

// keeps reports whether a grid that does not change is right for another size: it has as
// many blocks as before, or the grid does not depend on it.
func (s *sizes) keeps(e Grid, from, to int) bool {
	for _, n := range e.Num {
		if n > 1 && n == from {
			return false
		}
	}
	for _, b := range s.blocks {
		blocks := (from + b - 1) / b
		if e.Total%blocks == 0 && (to+b-1)/b != blocks {
			return false
		}
	}
	return e.Total != from
}

// fill gives a variation's tensors their data: the caller's, repeated.
func (s *sizes) fill(c *class, to int, args []any) {
	done := map[*tensor.Tensor]*tensor.Tensor{}
	for i, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		if done[x] == nil {
			done[x] = c.resized(x, i, to)
		}
		args[i] = done[x]
	}
}
