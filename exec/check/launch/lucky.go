package launch

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/data"
	"github.com/tiler-go/tiler/exec/check/layout"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Results may be right by the luck of the data: what a maximum begins with does not
// matter as long as all numbers are positive. Where there is a reference, it is asked
// about other data, too: of no greater size, so that rounding is no worse.

// lucky compares with the reference on other data. What only that finds are warnings, or
// notes where a kernel may be meant so.
func (k *Kernel) lucky(ctx context.Context, r *check.Report, w *watched, budget time.Duration) {
	if k.Against == nil || !r.OK || w.ran < w.grid.Total || w.c.Coverage().Lanes >= costly {
		return
	}
	for _, o := range data.Others {
		args, changed := w.with(o)
		if !changed || ctx.Err() != nil {
			continue
		}
		want, ok := k.answer(args)
		if !ok || o.Says == data.Differs && !w.numbers(want) || o.Far != 0 && !w.chosen(args, want) {
			continue
		}
		again := k.watch(ctx, w.grid, args, io.Discard)
		again.runSome(order{w.grid.Total, func(i int) int { return i }}, budget)
		one := check.NewReport(k.Name, nil, w.grid.Total)
		one.Ran = again.ran
		r.Varied.Tried = append(r.Varied.Tried, o.Label)
		if o.Says == data.Differs {
			k.compare(one, again)
		} else if !slices.ContainsFunc(again.c.Findings(), declines) {
			k.compareKinds(one, again, want, o)
		}
		again.close()
		for _, f := range one.Findings {
			if declines(f) || known(r, f) || said(r, f) {
				continue
			}
			if f.Variation = o.Label; o.Says == data.Differs {
				f.Severity = check.Warning
			}
			r.Add(f)
		}
	}
}

// said reports whether a report has a note of the same kind about the same store.
func said(r *check.Report, f check.Finding) bool {
	return slices.ContainsFunc(r.Findings, func(g check.Finding) bool {
		return g.Kind == f.Kind && g.Pos == f.Pos && g.Tensor == f.Tensor
	})
}

// compareKinds notes where an output has NaN or an infinity in place of the reference's
// numbers, or the reverse.
func (k *Kernel) compareKinds(r *check.Report, w *watched, want []*tensor.Tensor, o data.Inputs) {
	if r.Ran < r.Programs {
		return
	}
	for i, y := range want {
		if y == nil || !y.DType().IsFloat() || !w.written(i) {
			continue
		}
		got, wanted := w.copies[i].Contiguous().Floats(), y.Contiguous().Floats()
		n, first := 0, -1
		for j := range got {
			made := data.Finite(wanted[j]) && !data.Finite(got[j])
			lost := o.Says == data.Loses && math.IsNaN(wanted[j]) && !math.IsNaN(got[j])
			if !made && !lost {
				continue
			}
			if n++; first < 0 {
				first = j
			}
		}
		if n > 0 {
			k.otherKind(r, w, i, n, first, got[first], wanted[first], o)
		}
	}
}

func (k *Kernel) otherKind(r *check.Report, w *watched, arg, n, first int, got, want float64, o data.Inputs) {
	x, name := w.copies[arg], k.Labels[arg]
	at := layout.IndexOf(x.Shape(), first)
	f := check.Finding{Kind: check.NotFinite, Severity: check.Note, Tensor: name, Index: at, Lanes: n}
	f.Msg = fmt.Sprintf("with %s, %s is %.6g, and the reference says %.6g", o.Label, name+check.IndexText(at), got, want)
	if n > 1 {
		f.Msg += fmt.Sprintf("; so are %d of %d elements", n, x.Len())
	}
	switch {
	case math.IsNaN(want):
		f.Fix("tl.Max and tl.Maximum prefer numbers to NaN, comparisons with it are false: " +
			"tl.Maximum takes tl.PropagateNaN, and tl.Reduce such a tl.Maximum in place of tl.Max")
	case o.Tiny:
		f.Fix("squares and products of tiny numbers are 0: add a small number before you divide, or take a root")
	case len(o.Put) > 0:
		f.Fix("0 times NaN or an infinity is NaN: leave elements out by tl.Where or by a mask, not by a product")
	default:
		f.Fix("subtract the maximum before tl.Exp, or divide before you square")
	}
	if pid, pos, ok := w.c.Writer(w.ptrs[arg], offset(x, at)); ok {
		f.PID, f.Pos = pid, pos
	} else {
		f.Pos.File, f.Pos.Line = k.Begin.File, k.Begin.Line
	}
	f.Source = k.Source(f.Pos.File, f.Pos.Line)
	r.Add(f)
}

// with is the arguments with other elements in the tensors of floats that are only loaded, or of integers
// that are data and decide nothing.
func (w *watched) with(o data.Inputs) (args []any, changed bool) {
	args = slices.Clone(w.original)
	index := w.indices()
	for i, x := range w.copies {
		if x == nil || !o.Takes(x.DType()) || index[i] || x.IsVirtual() || x.Undefined() || x.Len() == 0 {
			continue
		}
		if w.written(i) || !w.c.Loaded(w.ptrs[i]) {
			continue
		}
		y := tensor.Copies(x)[0] // with its strides, which may be arguments
		o.Change(y.Buf(), i)
		args[i], changed = y, true
	}
	return args, changed
}

// chosen reports whether all numbers that a reference has made are among its inputs, so that none of them is rounded.
func (w *watched) chosen(args []any, want []*tensor.Tensor) bool {
	among := map[float64]bool{}
	for _, a := range args {
		if x, ok := a.(*tensor.Tensor); ok && x.DType().IsFloat() {
			for _, v := range x.Contiguous().Floats() {
				among[v] = true
			}
		}
	}
	return w.made(want, func(v float64) bool { return among[v] })
}

// answer is what the reference makes of arguments, if it takes them.
func (k *Kernel) answer(args []any) (want []*tensor.Tensor, ok bool) {
	want = Copies(args)
	return want, CallReference(*k.Against, args, want) == nil
}

// numbers reports whether a reference has made numbers, and nothing else.
func (w *watched) numbers(want []*tensor.Tensor) bool { return w.made(want, data.Finite) }

// made reports whether something holds of all floats that a reference has made where the kernel writes.
func (w *watched) made(want []*tensor.Tensor, holds func(v float64) bool) bool {
	for i, x := range want {
		if x == nil || !x.DType().IsFloat() || !w.written(i) {
			continue
		}
		if slices.ContainsFunc(x.Contiguous().Floats(), func(v float64) bool { return !holds(v) }) {
			return false
		}
	}
	return true
}
