package launch

import (
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// What a launch passes as strides of a tensor is known from the kernel: it multiplies by
// them in the tensor's addresses, and does nothing else with them. Strides of another
// tensor are a warning.

// steps adds warnings about tensors that are walked by strides of others.
func (w *watched) steps(r *check.Report) {
	facts := w.k.facts(w.original)
	if facts.Steps == nil || facts.Sized == nil {
		return
	}
	for i, x := range w.copies {
		if x == nil || x.IsVirtual() || x.Rank() < 2 || !w.c.Loaded(w.ptrs[i]) && !w.written(i) || slices.ContainsFunc(r.Findings, func(f check.Finding) bool { return f.Kind == check.Strides && f.Tensor == w.k.Labels[i] }) {
			continue
		}
		if wrong := w.strangeStep(facts, i, x); wrong != "" {
			r.Add(w.stepped(i, x, wrong))
		}
	}
}

// strangeStep names the parameters of i's addresses that are strides of another tensor, ""
// if there are none.
func (w *watched) strangeStep(facts *Facts, i int, x *tensor.Tensor) string {
	name := w.k.Labels[i]
	dense := contiguous(x.Shape())
	var passed []int
	wrong := ""
	for _, p := range facts.Steps[i] {
		v, ok := w.original[p].(int)
		if !ok || facts.Sized[p] || facts.Fixed[p] {
			continue
		}
		passed = append(passed, v)
		if v > 1 && !slices.Contains(x.Strides(), v) && (slices.Contains(dense, v) || w.strideOfAnother(i, v)) && wrong == "" {
			wrong = fmt.Sprintf("%s = %d", w.k.Labels[p], v)
		}
	}
	switch {
	case x.IsContiguous():
		if w.c.Touched(name) == x.Len() {
			return ""
		}
	case w.c.Uniform(name):
		return ""
	case wrong == "" && slices.Equal(passed, dense):
		return "strides " + list(passed)
	}
	return wrong
}

// strideOfAnother reports whether another tensor has a stride.
func (w *watched) strideOfAnother(i, v int) bool {
	for j, y := range w.copies {
		if y != nil && j != i && slices.Contains(y.Strides(), v) {
			return true
		}
	}
	return false
}

func (w *watched) stepped(i int, x *tensor.Tensor, wrong string) check.Finding {
	name := w.k.Labels[i]
	pos, op := w.c.First(name)
	f := check.Finding{Kind: check.Strides, Severity: check.Warning, Tensor: name, Op: op}
	f.Pos = pos
	f.Msg = fmt.Sprintf("%s walks %s by %s, and %s has strides %s", op, name, wrong, name, list(x.Strides()))
	f.Fix("pass %s.Stride(0), %s.Stride(1) as strides", name, name)
	f.Source = w.k.Source(pos.File, pos.Line)
	return f
}

// contiguous is the strides of a contiguous tensor.
func contiguous(shape []int) []int {
	strides, n := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		strides[d] = n
		n *= shape[d]
	}
	return strides
}

// list is numbers in a sentence.
func list(ns []int) string {
	s := check.IndexText(ns)
	return s[1 : len(s)-1]
}
