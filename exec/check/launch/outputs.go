package launch

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// outputs adds what a launch that came to its end, without an error, has left unwritten.
func (w *watched) outputs(r *check.Report) {
	if w.ran == w.grid.Total && r.OK {
		r.Add(w.c.Unwritten(w.ran, w.meant)...)
		r.Add(w.c.ForeignStrides()...)
		w.steps(r)
	}
}

// meant reports whether an int parameter says how large a dimension of a tensor is, or
// the tensor.
func (w *watched) meant(name string, dim int) bool {
	facts := w.k.facts(w.original)
	for i, x := range w.copies {
		if x == nil || w.k.Labels[i] != name {
			continue
		}
		for j, a := range w.original {
			v, ok := a.(int)
			if ok && !facts.Fixed[j] && (facts.Sized == nil || facts.Sized[j]) && (v == x.Dim(dim) || v == x.Len()) {
				return true
			}
		}
	}
	return false
}

// unchanged adds notes about outputs that are as they were before the launch, or are
// copies of an input: nothing shows that the kernel did its work.
func (w *watched) unchanged(r *check.Report) {
	if w.ran < w.grid.Total || w.ran == 0 || !r.OK {
		return
	}
	any := len(r.Of(check.DeadLanes)) > 0

	for i, x := range w.copies {
		if x == nil || !w.written(i) {
			continue
		}
		any = true
		if x.IsVirtual() || !w.c.Stored(w.ptrs[i]) {
			continue
		}
		name := w.k.Labels[i]
		before := w.original[i].(*tensor.Tensor)
		if !before.Undefined() && tensor.Equal(x, before) && (w.c.Loaded(w.ptrs[i]) || uniform(x)) {
			r.Add(w.about(name, fmt.Sprintf("%s has the same elements after the launch as before: nothing shows that it was computed", name)))
		} else if j := w.copyOf(i); j >= 0 && w.k.Against == nil {
			r.Add(w.about(name, fmt.Sprintf("%s equals %s after the launch", name, w.k.Labels[j])))
		}
	}
	if !any {
		r.Add(w.about("", "the kernel writes to no tensor"))
	}
}

// uniform reports whether all elements are the same: that the launch has written them is
// not to be seen.
func uniform(x *tensor.Tensor) bool {
	b := x.Contiguous().Buf()
	for i := range b.Len() {
		if b.Bits(i) != b.Bits(0) {
			return false
		}
	}
	return true
}

// about is a note about an output.
func (w *watched) about(name, text string) check.Finding {
	f := check.Finding{Kind: check.Unchanged, Severity: check.Note, Tensor: name, Diagnostic: diag.Diagnostic{Pos: w.k.Begin, Msg: text}}
	f.Source = w.k.Source(f.Pos.File, f.Pos.Line)
	return f
}

// copyOf is another argument's tensor that output i is equal to, -1 if there is none.
func (w *watched) copyOf(i int) int {
	x := w.copies[i]
	if x.Len() < 2 {
		return -1
	}
	for j, y := range w.copies {
		if y != nil && j != i && !w.written(j) && !y.IsVirtual() && !y.Undefined() && x.DType() == y.DType() && tensor.Equal(x, y) {
			return j
		}
	}
	return -1
}
