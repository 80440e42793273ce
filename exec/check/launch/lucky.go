package launch

import (
	"context"
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
	{"negative inputs", func(v float64) float64 { return -math.Abs(v) - 1.0/64 }, false, false},
	{"inputs of zeros", func(float64) float64 { return 0 }, false, false},
	{"elements in another order", func(v float64) float64 { return v }, true, false},
	{"inputs 64 times as large", func(v float64) float64 { return 64 * v }, false, true},
}

// An inputs is other data: what each element becomes, and whether they change places, in
// each tensor in its own way. Of large ones rounding may be worse: what matters is that
// numbers stay numbers, and a note says where they do not.
type inputs struct {
	label string
	of    func(v float64) float64
	turn  bool
	large bool
}

// lucky compares with the reference on other data, and adds what only that finds as
// warnings.
func (k *Kernel) lucky(ctx context.Context, r *check.Report, w *watched, budget time.Duration) {
	if k.Against == nil || !r.OK || w.ran < w.grid.Total || w.c.Coverage().Lanes >= costly {
		return
	}
	for _, o := range others {
		args, changed := w.with(o)
		if !changed || ctx.Err() != nil || !k.answers(args) {
			continue
		}
		again := k.watch(ctx, w.grid, args, io.Discard)
		again.runSome(order{w.grid.Total, func(i int) int { return i }}, budget)
		one := check.NewReport(k.Name, nil, w.grid.Total)
		one.Ran = again.ran
		k.compare(one, again)
		again.close()
		r.Varied.Tried = append(r.Varied.Tried, o.label)
		for _, f := range one.Findings {
			switch {
			case declines(f) || known(r, f):
			case !o.large:
				f.Severity, f.Variation = check.Warning, o.label
				r.Add(f)
			case again.strange(f.Tensor):
				f.Kind, f.Severity, f.Variation = check.NotFinite, check.Note, o.label
				r.Add(f)
			}
		}
	}
}

// strange reports whether an output has elements that are no numbers.
func (w *watched) strange(name string) bool {
	for i, x := range w.copies {
		if x == nil || w.k.Labels[i] != name || !x.DType().IsFloat() {
			continue
		}
		return slices.ContainsFunc(x.Contiguous().Floats(), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	}
	return false
}

// with is the arguments with other elements in the float tensors that are only loaded.
func (w *watched) with(o inputs) (args []any, changed bool) {
	args = slices.Clone(w.original)
	index := w.indices()
	for i, x := range w.copies {
		if x == nil || !x.DType().IsFloat() || w.written(i) || index[i] || x.IsVirtual() || x.Undefined() || !w.c.Loaded(w.ptrs[i]) {
			continue
		}
		y := tensor.Copies(x)[0] // with its strides, which may be arguments
		b := y.Buf()
		was := make([]float64, b.Len())
		for k := range was {
			was[k] = dtype.ToFloat(y.DType(), b.Bits(k))
		}
		for k := range was {
			at := k
			if o.turn {
				at = (k + 7*i + 3) % len(was)
			}
			b.SetBits(k, dtype.FromFloat(y.DType(), o.of(was[at])))
		}
		args[i], changed = y, true
	}
	return args, changed
}

// answers reports whether the reference has numbers, and nothing else, to say about
// arguments.
func (k *Kernel) answers(args []any) bool {
	want := Copies(args)
	if CallReference(*k.Against, args, want) != nil {
		return false
	}
	for i, x := range want {
		if x == nil || !x.DType().IsFloat() || tensor.Equal(x, args[i].(*tensor.Tensor)) {
			continue
		}
		for _, v := range x.Contiguous().Floats() {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return false
			}
		}
	}
	return true
}
