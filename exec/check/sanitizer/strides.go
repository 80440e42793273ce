package sanitizer

import (
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// A kernel may walk a tensor by strides that are not the tensor's own: inside its memory,
// and through wrong rows. A kernel that takes a tensor for one of another shape on
// purpose covers the same elements.

// walk is how a kernel walks a tensor.
type walk struct {
	foreign []int // strides of a tile that are no steps along the tensor's dimensions
	flat    bool  // tiles of one dimension go through memory element by element
	pos     diag.Pos
	op      string
}

// walked notes the strides of an access.
func (w *visitor) walked() {
	a, v := w.a, w.v
	if !a.Affine || a.Pointers.Data != 0 || v.shadow.sparse != nil {
		return
	}
	switch {
	case len(a.Shape) == 1 && a.Shape[0] > 1 && a.Strides[0] == 1:
		v.walk.flat = true
	case len(a.Shape) < 2 || len(v.axes) < 2 || v.walk.foreign != nil || !w.foreign():
		return
	default:
		v.walk.foreign = slices.Clone(a.Strides)
	}
	if v.walk.op == "" || v.walk.foreign != nil {
		v.walk.pos, v.walk.op = w.c.pos(a.Pos), a.Op
	}
}

// foreign reports whether two axes of the tile go along one dimension of the tensor, or
// one along none, or beyond its end where memory is not in the tensor's order.
func (w *visitor) foreign() bool {
	if inRow(w) {
		return false
	}
	taken := make([]bool, len(w.v.axes))
	for k, n := range w.a.Shape {
		s := w.a.Strides[k]
		if n == 1 || s == 0 {
			continue
		}
		d, by := w.v.walks(max(s, -s))
		if d < 0 || taken[d] {
			return true
		}
		if x := w.v.base.Tensor; !x.IsContiguous() && (w.reaches(k)-1)*by >= w.v.axes[d].size {
			return true
		}
		taken[d] = true
	}
	return false
}

// inRow reports whether all lanes that are carried out lie in one row of the tensor: how
// they walk along it is the kernel's own affair.
func inRow(w *visitor) bool {
	row := int64(w.v.axes[len(w.v.axes)-2].stride)
	at := int64(-1)
	for i, off := range w.a.Offsets {
		if !w.live(i) {
			continue
		}
		if at >= 0 && off/row != at {
			return false
		}
		at = off / row
	}
	return true
}

// reaches is how many indices of a tile's axis have lanes that are carried out, from the
// first to the last.
func (w *visitor) reaches(axis int) int {
	inner := 1
	for _, n := range w.a.Shape[axis+1:] {
		inner *= n
	}
	lo, hi := w.a.Shape[axis], -1
	for i := range w.a.Offsets {
		if w.live(i) {
			k := i / inner % w.a.Shape[axis]
			lo, hi = min(lo, k), max(hi, k)
		}
	}
	return hi - lo + 1
}

// ForeignStrides is warnings about tensors that are walked by strides of others, after
// all programs have ended.
func (c *Checker) ForeignStrides() (fs []check.Finding) {
	for _, v := range c.ordered {
		x := v.base.Tensor
		touched := 0
		switch {
		case v.walk.foreign != nil && x.IsContiguous():
			if touched = c.touched(v); touched == x.Len() {
				continue
			}
		case v.walk.foreign != nil && !v.gaps && !c.Uniform(v.name):
		case v.walk.flat && !x.IsContiguous() && !v.gaps && len(v.axes) > 1 && c.alike(v, func(u *view) bool { return u.walk.flat }):
		default:
			continue
		}
		f := check.Finding{Kind: check.Strides, Severity: check.Warning, Op: v.walk.op, Tensor: v.name}
		f.Pos = v.walk.pos
		f.Msg = fmt.Sprintf("%s walks %s by strides that are not its own", v.walk.op, v.name)
		if v.walk.foreign != nil {
			f.Msg = fmt.Sprintf("%s walks %s by strides %s, and it has strides %s", v.walk.op, v.name, list(v.walk.foreign), list(x.Strides()))
		}
		f.Note("%s", v.base.Describe())
		if touched > 0 {
			f.Note("%d of its %d elements are touched", touched, x.Len())
		}
		f.Fix("pass %s.Stride(0), %s.Stride(1) as strides, or make it contiguous first: %s.Contiguous()", v.name, v.name, v.name)
		if c.Source != nil {
			f.Source = c.Source(f.Pos.File, f.Pos.Line)
		}
		fs = append(fs, f)
	}
	return fs
}

// alike reports whether another tensor of v's shape, but of other strides, is walked so.
func (c *seen) alike(v *view, so func(u *view) bool) bool {
	x := v.base.Tensor
	return slices.ContainsFunc(c.ordered, func(u *view) bool {
		y := u.base.Tensor
		return u != v && slices.Equal(y.Shape(), x.Shape()) && !slices.Equal(y.Strides(), x.Strides()) && so(u)
	})
}

// Uniform reports whether there are other tensors of the shape of one, all of its
// strides: in which order a kernel walks them all does not matter.
func (c *seen) Uniform(name string) bool {
	v := c.named(name)
	x, n := v.base.Tensor, 0
	for _, u := range c.ordered {
		if y := u.base.Tensor; u != v && slices.Equal(y.Shape(), x.Shape()) {
			if !slices.Equal(y.Strides(), x.Strides()) {
				return false
			}
			n++
		}
	}
	return n > 0
}

func (c *seen) named(name string) *view {
	return c.ordered[slices.IndexFunc(c.ordered, func(v *view) bool { return v.name == name })]
}

// Touched is how many elements of a tensor were accessed.
func (c *seen) Touched(name string) int { return c.touched(c.named(name)) }

// First is the place of the first access to a tensor, and the operation.
func (c *seen) First(name string) (pos diag.Pos, op string) {
	for _, s := range c.order {
		if s.key.name == name {
			return s.pos(), s.key.op
		}
	}
	return pos, ""
}

// touched is how many elements of a view were accessed.
func (c *seen) touched(v *view) (n int) {
	for _, off := range v.offsets() {
		if p := v.cell(off); p.Written() || p.Read != 0 {
			n++
		}
	}
	return n
}

func list(ns []int) string {
	s := check.IndexText(ns)
	return s[1 : len(s)-1]
}
