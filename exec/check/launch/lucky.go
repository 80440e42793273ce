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

// Results may be right by the luck of the data: what a maximum begins with does not
// matter as long as all numbers are positive. Where there is a reference, it is asked
// about other data, too: of no greater size, so that rounding is no worse.

// others is what is made of each element.
var others = []inputs{
	{label: "negative inputs", of: func(v float64) float64 { return -math.Abs(v) - 65.0/64 }},
	{label: "inputs above 1", of: func(v float64) float64 { return math.Abs(v) + 65.0/64 }},
	{label: "inputs of zeros", of: func(float64) float64 { return 0 }},
	{label: "elements in another order", turn: true},
	{label: "inputs 64 times as large", of: func(v float64) float64 { return 64 * v }, says: strays},
	{label: "inputs near the smallest number", tiny: true, says: strays},
	{label: "NaN among the inputs", put: []float64{math.NaN(), math.NaN()}, says: loses},
	{label: "infinities among the inputs", put: []float64{math.Inf(1), math.Inf(-1)}, says: strays},
}

// An inputs is other data: what each element becomes, and whether they change places, in
// each tensor in its own way.
type inputs struct {
	label string
	of    func(v float64) float64 // nil: the element
	turn  bool
	tiny  bool      // scaled, so that the largest is near the smallest number that is not subnormal
	put   []float64 // in place of a few elements
	says  says
}

// A says is what a difference from the reference says.
type says uint8

const (
	differs says = iota // that the kernel is wrong
	strays              // nothing, because rounding may be worse; but numbers are to stay numbers
	loses               // likewise, and what is no number is to stay none
)

// lucky compares with the reference on other data. What only that finds are warnings, or
// notes where a kernel may be meant so.
func (k *Kernel) lucky(ctx context.Context, r *check.Report, w *watched, budget time.Duration) {
	if k.Against == nil || !r.OK || w.ran < w.grid.Total || w.c.Coverage().Lanes >= costly {
		return
	}
	for _, o := range others {
		args, changed := w.with(o)
		if !changed || ctx.Err() != nil {
			continue
		}
		want, ok := k.answer(args)
		if !ok || o.says == differs && !numbers(args, want) {
			continue
		}
		again := k.watch(ctx, w.grid, args, io.Discard)
		again.runSome(order{w.grid.Total, func(i int) int { return i }}, budget)
		one := check.NewReport(k.Name, nil, w.grid.Total)
		one.Ran = again.ran
		r.Varied.Tried = append(r.Varied.Tried, o.label)
		if o.says == differs {
			k.compare(one, again)
		} else if !slices.ContainsFunc(again.c.Findings(), declines) {
			k.compareKinds(one, again, want, o)
		}
		again.close()
		for _, f := range one.Findings {
			if declines(f) || known(r, f) || said(r, f) {
				continue
			}
			if f.Variation = o.label; o.says == differs {
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
func (k *Kernel) compareKinds(r *check.Report, w *watched, want []*tensor.Tensor, o inputs) {
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
			made := finite(wanted[j]) && !finite(got[j])
			lost := o.says == loses && math.IsNaN(wanted[j]) && !math.IsNaN(got[j])
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

func (k *Kernel) otherKind(r *check.Report, w *watched, arg, n, first int, got, want float64, o inputs) {
	x, name := w.copies[arg], k.Labels[arg]
	at := check.IndexOf(x.Shape(), first)
	f := check.Finding{Kind: check.NotFinite, Severity: check.Note, Tensor: name, Index: at, Lanes: n}
	f.Msg = fmt.Sprintf("with %s, %s is %.6g, and the reference says %.6g", o.label, name+check.IndexText(at), got, want)
	if n > 1 {
		f.Msg += fmt.Sprintf("; so are %d of %d elements", n, x.Len())
	}
	switch {
	case math.IsNaN(want):
		f.Fix("tl.Max and tl.Maximum prefer numbers to NaN, comparisons with it are false: see tl.PropagateNaN")
	case o.tiny:
		f.Fix("squares and products of tiny numbers are 0: add a small number before you divide, or take a root")
	case len(o.put) > 0:
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

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// with is the arguments with other elements in the float tensors that are only loaded.
func (w *watched) with(o inputs) (args []any, changed bool) {
	args = slices.Clone(w.original)
	index := w.indices()
	for i, x := range w.copies {
		if x == nil || !x.DType().IsFloat() || index[i] || x.IsVirtual() || x.Undefined() || x.Len() == 0 {
			continue
		}
		if w.written(i) || !w.c.Loaded(w.ptrs[i]) {
			continue
		}
		y := tensor.Copies(x)[0] // with its strides, which may be arguments
		b := y.Buf()
		was := make([]float64, b.Len())
		for k := range was {
			was[k] = dtype.ToFloat(y.DType(), b.Bits(k))
		}
		for k, v := range o.made(was, y.DType(), i) {
			b.SetBits(k, dtype.FromFloat(y.DType(), v))
		}
		args[i], changed = y, true
	}
	return args, changed
}

// made is what becomes of the elements of argument arg.
func (o inputs) made(was []float64, d dtype.DType, arg int) []float64 {
	of, shift := o.of, 0
	if of == nil {
		of = func(v float64) float64 { return v }
	}
	if o.turn {
		shift = 7*arg + 3
	}
	scale := 1.0
	if o.tiny {
		most := 0.0
		for _, v := range was {
			if finite(v) {
				most = max(most, math.Abs(v))
			}
		}
		_, up := math.Frexp(most)
		scale = math.Ldexp(smallest(d), 1-up)
	}
	is := make([]float64, len(was))
	for k := range is {
		is[k] = scale * of(was[(k+shift)%len(was)])
	}
	for n, v := range o.put { // not where other arguments have it
		is[(len(is)*(n+1)/3+5*arg)%len(is)] = v
	}
	return is
}

// smallest is the smallest number of a dtype that is not subnormal.
func smallest(d dtype.DType) float64 {
	switch d {
	case dtype.Float64:
		return 0x1p-1022
	case dtype.Float32, dtype.BFloat16:
		return 0x1p-126
	case dtype.Float16, dtype.Float8E5:
		return 0x1p-14
	}
	return 0x1p-6
}

// answer is what the reference makes of arguments, if it takes them.
func (k *Kernel) answer(args []any) (want []*tensor.Tensor, ok bool) {
	want = Copies(args)
	return want, CallReference(*k.Against, args, want) == nil
}

// numbers reports whether a reference has made numbers, and nothing else.
func numbers(args []any, want []*tensor.Tensor) bool {
	for i, x := range want {
		if x == nil || !x.DType().IsFloat() || tensor.Equal(x, args[i].(*tensor.Tensor)) {
			continue
		}
		if slices.ContainsFunc(x.Contiguous().Floats(), func(v float64) bool { return !finite(v) }) {
			return false
		}
	}
	return true
}
