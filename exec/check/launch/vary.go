package launch

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/data"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Variations try the kernel on sizes that the caller did not: what works on multiples of
// the block alone is caught even if only those were tried.

// A trial is a launch that was derived from the caller's.
type trial struct {
	grid Grid
	args []any
	ch   change
	then *trial // if this one is clean: another size, under the same meaning
}

// A variation is a size changed. Where several dimensions may be that size there are
// several trials: what one of them finds was not meant if another one is clean.
type variation struct {
	label  string
	trials []trial
	few    bool // the corners of the grid are enough
}

// vary checks variations of the arguments, and adds what only they find as warnings.
func (k *Kernel) vary(ctx context.Context, r *check.Report, w *watched) {
	switch {
	case k.Options.NoVariations:
		return
	case !r.OK || r.Ran < r.Programs:
		r.Varied.Why = "other sizes not tried: fix the errors above first"
		return
	}
	s, why := k.sizes(w.original, w.indices())
	if why != "" {
		r.Varied.Why = "other sizes not tried: " + why
	}
	if s == nil {
		return
	}
	s.follows = s.following(w.grid)
	s.whole, s.written, s.read = w.each(w.c.Whole), w.each(w.c.Written), w.each(w.c.Read)
	start := time.Now()
	defer func() { r.Times.Variations = time.Since(start) }()
	for _, c := range s.classes {
		r.Varied.Sizes = append(r.Varied.Sizes, c.Size)
	}
	r.Varied.Order = "shuffled"
	vs := s.variations(w.grid, w.c.Coverage().Lanes >= costly)
	budget := k.Options.Time()
	for i, v := range vs {
		left := budget - time.Since(start)
		if left <= 0 || ctx.Err() != nil {
			r.Varied.Why = fmt.Sprintf("%d of %d other sizes were not tried: out of time", len(vs)-i, len(vs))
			return
		}
		k.try(ctx, r, s, v, left/time.Duration(len(vs)-i))
	}
	if r.Count(check.Warning) == 0 {
		k.varyApart(ctx, r, s, w.grid, budget-time.Since(start))
	}
	if len(r.Varied.Tried) == 0 && r.Varied.Why == "" {
		r.Varied.Why = "none tried: the grid fits no others"
	}
}

// costly is from how many lanes on a launch is tried on small sizes only.
const costly = 1 << 18

// indices is which arguments' elements decide where the kernel goes.
func (w *watched) indices() []bool {
	out := make([]bool, len(w.copies))
	from, n := w.c.Directing(), 0
	for i, x := range w.copies {
		if x != nil {
			out[i] = from&(1<<(n%64)) != 0
			n++
		}
	}
	return out
}

// each is of which arguments' tensors something holds.
func (w *watched) each(holds func(p tl.Ptr) bool) []bool {
	out := make([]bool, len(w.copies))
	for i, x := range w.copies {
		out[i] = x != nil && holds(w.ptrs[i])
	}
	return out
}

// try checks the trials of a variation until one is clean, which it gives. If none is it adds what was found by
// the likeliest, of equals the first.
func (k *Kernel) try(ctx context.Context, r *check.Report, s *sizes, v variation, budget time.Duration) *trial {
	var likely *outcome
	for i, t := range v.trials {
		one := k.checkTrial(ctx, s, t, v.few, budget/time.Duration(len(v.trials)))
		part := one.part
		for next := t.then; next != nil && !one.shows(r); next = next.then {
			one = k.checkTrial(ctx, s, *next, v.few, budget/time.Duration(len(v.trials)))
			part = part || one.part
		}
		if i == 0 {
			label := v.label
			if one.Ran < one.Programs {
				label += fmt.Sprintf(" (%d of %d programs)", one.Ran, one.Programs)
			}
			r.Varied.Tried = append(r.Varied.Tried, label)
		}
		if !part && !one.shows(r) {
			return &v.trials[i]
		}
		if likely == nil || one.likelier(likely) {
			likely = &one
		}
	}
	for _, f := range likely.Findings {
		if against(f) && !known(r, f) && !declines(f) && s.means(likely.trial, f.Data) {
			f.Severity, f.Variation = check.Warning, v.label
			r.Add(f)
		}
	}
	return nil
}

// An outcome is what came of a trial.
type outcome struct {
	*check.Report
	trial trial
	part  bool // of an input only a part was loaded, and all of it before: a dimension was not what it was taken for
}

// likelier reports whether o says more of what is wrong than what did until now. Strides and nothing else may come of
// an unlikely meaning, where one of several parameters may have other dimensions.
func (o *outcome) likelier(than *outcome) bool {
	if !slices.ContainsFunc(than.Findings, against) {
		return true
	}
	return o.trial.ch.alone && o.trial.ch.dims.count() == than.trial.ch.dims.count() && than.strides() && !o.strides()
}

// strides reports whether all that speaks against the kernel is strides.
func (o *outcome) strides() bool {
	return !slices.ContainsFunc(o.Findings, func(f check.Finding) bool { return against(f) && f.Kind != check.Strides })
}

// shows reports whether a trial shows something new against the kernel.
func (o *outcome) shows(r *check.Report) bool {
	return slices.ContainsFunc(o.Findings, func(f check.Finding) bool { return against(f) && !known(r, f) })
}

// against reports whether a finding under other sizes speaks against the kernel. Loops
// and masks that do nothing there are no faults.
func against(f check.Finding) bool { return f.Severity != check.Note && f.Kind != check.DeadLanes }

// means reports whether the data that a finding depends on still mean the same after a
// change: not if they are numbers beyond a size that has shrunk, or counters, which may
// begin at places in what has shrunk.
func (s *sizes) means(t trial, from tl.Sources) bool {
	n := 0
	for i, a := range t.args {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		bit := tl.Sources(1) << (n % 64)
		n++
		if from&bit == 0 || !x.DType().IsInt() || x.Len() == 0 || t.ch.to > t.ch.from {
			continue
		}
		if s.written[i] {
			return false
		}
		if slices.Max(data.Integers(x.Contiguous().Buf())) > int64(t.ch.to) {
			return false
		}
	}
	return true
}

// checkTrial makes one trial.
func (k *Kernel) checkTrial(ctx context.Context, s *sizes, t trial, few bool, budget time.Duration) outcome {
	w := k.watch(ctx, t.grid, t.args, io.Discard)
	defer w.close()
	for i, whole := range s.whole {
		if whole {
			w.c.Expect(w.ptrs[i])
		}
	}
	defer context.AfterFunc(ctx, func() { w.cancelled.Store(true) })()
	quiet := *k
	if quiet.Options.At = nil; few {
		quiet.Options.Programs = min(len(corners(t.grid)), t.grid.Total)
	}
	o := quiet.order(t.grid, false)
	if o.count == t.grid.Total && o.count <= 1<<16 {
		o.at = k.Host.Order(o.count, 1)
	}
	w.runSome(o, budget)
	r := check.NewReport(k.Name, nil, t.grid.Total)
	r.Ran = w.ran
	if w.stalled.Load() {
		return outcome{Report: r, trial: t} // it may wait for what comes later: nothing is known
	}
	r.Add(w.c.Findings()...)
	w.outputs(r)
	if !t.ch.alone { // an output whose size does not change with this one may get less
		r.Findings = slices.DeleteFunc(r.Findings, func(f check.Finding) bool {
			arg := slices.Index(k.Labels, f.Tensor)
			fewer := f.Kind == check.Unwritten || f.Kind == check.WrongRow
			return fewer && arg >= 0 && s.written[arg] && t.ch.to < t.ch.from && !t.ch.touches(arg)
		})
	}
	if k.Against != nil && len(r.Of(check.Unwritten)) == 0 && !slices.ContainsFunc(r.Findings, declines) {
		k.compare(r, w)
	}
	return outcome{r, t, t.ch.alone && r.Ran == r.Programs && s.reads(w)}
}

// reads reports whether a trial loads only a part of an input that the launch loads in full, and whose shape may change.
func (s *sizes) reads(w *watched) bool {
	for i, whole := range s.read {
		if whole && s.args[i].(*tensor.Tensor).IsContiguous() && w.c.Loaded(w.ptrs[i]) && !w.c.Read(w.ptrs[i]) {
			return true
		}
	}
	return false
}

// declines reports whether it is the kernel itself, or the reference, that does not take
// the size.
func declines(f check.Finding) bool {
	return f.Kind == check.Fault && (f.Op == "p.Assert" || f.Op == "tl.StaticAssert") || f.Kind == check.Reference && f.Tensor == ""
}

// known reports whether a report has a finding already, of other programs, or what it
// follows from: strides of another tensor.
func known(r *check.Report, f check.Finding) bool {
	for _, g := range r.Findings {
		if g.Kind == check.Strides && g.Tensor == f.Tensor {
			return true
		}
		if g.Kind == f.Kind && g.Pos == f.Pos && g.Tensor == f.Tensor && g.Severity != check.Note {
			return true
		}
	}
	return false
}

// variations is the arguments with each size changed in turn, as far as the grid goes
// with it. Of a costly launch small sizes are enough.
func (s *sizes) variations(g Grid, costly bool) (vs []variation) {
	for _, c := range s.classes {
		var own []variation
		for _, to := range s.candidates(c) {
			if v := s.variation(g, c, to); len(v.trials) > 0 {
				own = append(own, v)
			}
		}
		small := func(v variation) bool { return 2*v.trials[0].ch.to <= c.Value }
		some := slices.ContainsFunc(own, small)
		if costly && some {
			own = slices.DeleteFunc(own, func(v variation) bool { return !small(v) })
		}
		for i := range own {
			own[i].few = costly && !some
		}
		vs = append(vs, own...)
	}
	return vs
}

// variation is one size changed, in all ways that it may have been meant.
func (s *sizes) variation(g Grid, c *class, to int) variation {
	v := variation{label: fmt.Sprintf("%s: %d → %d", c.label(), c.Value, to)}
	whole := change{params: c.params, dims: c.dims, from: c.Value, to: to}
	changes := append([]change{whole}, c.others(whole)...)
	for _, ch := range slices.Clone(changes) {
		if more, any := s.withDerived(ch); any && !c.given {
			if _, ok := s.trial(s.args, g, more); !ok {
				return v // what follows from the size is not known to stay
			}
			changes = append(changes, more)
		}
	}
	for _, ch := range changes {
		if t, ok := s.trial(s.args, g, ch); ok {
			v.trials = append(v.trials, t)
		} else if len(v.trials) == 0 {
			return v
		}
	}
	return v
}

// others is the changes that may have been meant in place of all: of one dimension of
// each tensor, where some has several; of a parameter that decides a shape, too.
func (c *class) others(whole change) (chs []change) {
	if c.given {
		return nil
	}
	several := false
	one, last := dims{}, dims{}
	for arg, ds := range c.dims {
		several = several || len(ds) > 1
		one[arg], last[arg] = ds[:1], ds[len(ds)-1:]
	}
	if several {
		for _, ds := range []dims{one, last} {
			chs = append(chs, change{params: whole.params, dims: ds, from: whole.from, to: whole.to})
		}
	}
	if several {
		for _, i := range c.rivals {
			chs = append(chs, change{params: append(slices.Clone(whole.params), i), dims: whole.dims, from: whole.from, to: whole.to})
		}
	}
	return chs
}

// trial is the launch that a change of base makes.
func (s *sizes) trial(base []any, was Grid, ch change) (t trial, ok bool) {
	args := s.changed(base, ch)
	g, ok := s.grid(base, was, args, ch)
	if !ok || s.outgrows(was, g, ch) || s.passes(base, ch) || s.fills(was, g, ch) || !s.fill(base, ch, args) {
		return t, false
	}
	return trial{grid: g, args: args, ch: ch}, true
}

// candidates are other values of a size: its neighbours, those of the blocks, and 1.
func (s *sizes) candidates(c *class) (to []int) {
	divisors := s.divisors(c)
	add := func(v int) {
		for _, d := range divisors {
			v -= v % d
		}
		if v < 1 || v == c.Value || v > 2*c.Value+1 || slices.Contains(to, v) {
			return
		}
		if v > c.Value && !s.grows(c) || !s.divides(c, v) {
			return
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
// multiple of it, or a part, nor if one of what is written has no name: it may be a size
// less something.
func (s *sizes) grows(c *class) bool {
	for arg, a := range s.args {
		x, ok := a.(*tensor.Tensor)
		if !ok {
			continue
		}
		for d, n := range x.Shape() {
			if n > 1 && s.written[arg] && n < c.Value && c.Value-n <= maxHalo && !s.named(n) && !s.isArgument(n) {
				return false
			}
			if n > 1 && !slices.Contains(c.dims[arg], d) && (n%c.Value == 0 || c.Value%n == 0 && !s.named(n)) {
				return false
			}
		}
	}
	return true
}

// maxHalo is by how much an output may be smaller than what it is made of: a window.
const maxHalo = 16

// keys is the arguments of dims, in order.
func (d dims) keys() []int { return slices.Sorted(maps.Keys(d)) }
