package sanitizer

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
	tl "github.com/tiler-go/tiler/tilelang"
)

// rows finds the lanes that lie in the tensor, but in another row than their tile's
// steps mean: a pointer tile of several dimensions that walks along the tensor's own
// dimensions and beyond the end of one. The first active lane is taken to be where it
// was meant to be. A sweep over memory as one long row has no rows.
func (w *visitor) rows() {
	if len(w.v.axes) < 2 {
		return
	}
	if len(w.a.Shape) == 1 {
		w.row()
		return
	}
	if len(w.a.Shape) < 2 {
		return
	}
	anchor := -1
	for i := range w.a.Offsets {
		if w.live(i) {
			anchor = i
			break
		}
	}
	if anchor < 0 {
		return
	}
	if w.a.Affine {
		if steps := w.steps(); steps != nil {
			w.beyond(steps, anchor)
		}
		return
	}
	w.gathered()
}

// A step is how an axis of a tile walks along a dimension of the tensor.
type step struct {
	tile int // axis of the tile
	dim  int // place in view.axes
	by   int // elements of that dimension
}

// steps is how the tile's axes walk, nil if they are not the tensor's own.
func (w *visitor) steps() (steps []step) {
	taken := make([]bool, len(w.v.axes))
	flat := 1 // what the axes so far cover without a gap; 0 if there is one
	for k := len(w.a.Shape) - 1; k >= 0; k-- {
		n, s := w.a.Shape[k], w.a.Strides[k]
		if n == 1 || s == 0 {
			continue
		}
		d, by := w.v.walks(s)
		if d < 0 || taken[d] {
			return nil
		}
		taken[d] = true
		if len(steps) == 0 {
			flat = s * n
		} else if s == flat {
			flat *= n
		} else {
			flat = 0
		}
		steps = append(steps, step{k, d, by})
	}
	if len(steps) < 2 || flat != 0 {
		return nil
	}
	return steps
}

// walks is the dimension along which a stride goes, and by how many elements; -1 if it
// goes along none or several.
func (v *view) walks(stride int) (dim, by int) {
	dim = -1
	for d, x := range v.axes {
		q := stride / x.stride
		if stride -= q * x.stride; q == 0 {
			continue
		}
		if dim >= 0 {
			return -1, 0
		}
		dim, by = d, q
	}
	if stride != 0 {
		return -1, 0
	}
	return dim, by
}

// coordinates is an offset's index along each of v's axes.
func (v *view) coordinates(off int64) []int {
	at := make([]int, len(v.axes))
	for d, x := range v.axes {
		at[d] = int(off / int64(x.stride))
		off %= int64(x.stride)
	}
	return at
}

// beyond finds the lanes whose place in the tile is beyond the end of a dimension.
func (w *visitor) beyond(steps []step, anchor int) {
	from, base := w.coord(anchor), w.v.coordinates(w.a.Offsets[anchor])
	outer := outer(w.v, steps)
	spans := cover(w, outer, anchor)
	bad := make([][]bool, len(w.a.Shape)) // by axis of the tile and index
	any := false
	for _, s := range steps {
		outside := make([]bool, w.a.Shape[s.tile])
		size := w.v.axes[s.dim].size
		for _, outer := range steps { // of several rows, one after the other, taken as one
			if outer.dim == s.dim-1 {
				size *= max(outer.by, -outer.by)
			}
		}
		for i := range outside {
			c := base[s.dim] + (i-from[s.tile])*s.by
			outside[i] = c < 0 || c >= size
			any = any || outside[i]
		}
		bad[s.tile] = outside
	}
	if !any {
		return
	}
	axis, size := 0, 0 // the last that goes beyond
	for _, s := range steps {
		if s.tile >= axis && along(w, s.tile, bad[s.tile]) {
			axis, size = s.tile, w.v.axes[s.dim].size
		}
	}
	if outer == nil || axis != outer.tile {
		spans = nil
	}
	w.astray(axis, size, spans, func(i int) bool {
		for k := len(w.a.Shape) - 1; k >= 0; k-- {
			n := w.a.Shape[k]
			if bad[k] != nil && bad[k][i%n] {
				return true
			}
			i /= n
		}
		return false
	})
}

// along reports whether lanes with one of some indices along an axis of the tile are carried out.
func along(w *visitor, axis int, which []bool) bool {
	inner := 1
	for _, n := range w.a.Shape[axis+1:] {
		inner *= n
	}
	for i := range w.a.Offsets {
		if which[i/inner%w.a.Shape[axis]] && w.live(i) {
			return true
		}
	}
	return false
}

// gathered is rows for tiles whose rows were looked up: the last axis walks along the
// tensor's innermost dimension, and all rows begin in one column.
func (w *visitor) gathered() {
	n := w.a.Shape[len(w.a.Shape)-1]
	inner, outer := w.v.axes[len(w.v.axes)-1], w.v.axes[len(w.v.axes)-2]
	offs := w.a.Offsets
	if n < 2 || len(offs) == n {
		return
	}
	for lo := 0; lo < len(offs); lo += n {
		if (offs[lo]-offs[0])%int64(outer.stride) != 0 {
			return
		}
		for i := lo + 1; i < lo+n; i++ {
			if offs[i]-offs[i-1] != int64(inner.stride) {
				return
			}
		}
	}
	col := make([]int, len(offs)/n) // of index 0 of each row, where its first active lane is right
	for r := range col {
		for i := range n {
			if w.live(r*n + i) {
				col[r] = int(offs[r*n+i]%int64(outer.stride))/inner.stride - i
				break
			}
		}
	}
	w.astray(len(w.a.Shape)-1, inner.size, nil, func(i int) bool {
		c := col[i/n] + i%n
		return c < 0 || c >= inner.size
	})
}

// astray reports the lanes that are carried out and in the wrong row, and marks them: an
// axis of the tile goes beyond a size. They may be right if the spans turn out to be a sweep.
func (w *visitor) astray(axis, size int, spans *layout.Rows, wrong func(i int) bool) {
	a := w.a
	n, first := 0, -1
	for i := range a.Offsets {
		if w.live(i) && wrong(i) {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n == 0 {
		return
	}
	extra := ""
	if spans != nil {
		extra = "outer"
	}
	f := w.finding(check.WrongRow, extra, first, n, func(f *check.Finding) {
		f.Msg = fmt.Sprintf("%s: %s is %s: inside %s, but past the end of its row", a.Op, w.lane(first), a.Base.Place(a.Offsets[first]), a.Base.Name)
		f.Note("%s", a.Base.Describe())
		f.Picture = w.picture(first, signWrongRow, func(i int) bool { return w.live(i) && wrong(i) })
		f.Fix("%s", hint{w}.row(axis, size))
		if a.Kind == tl.Loads {
			f.Severity = check.Note
		}
	})
	f.spans = spans
	if a.Kind != tl.Loads {
		return
	}
	o := w.s.origin(&w.s.misplaced, tl.Misplaced, "read from another row")
	o.Data = f
	for i := range a.Offsets {
		if w.live(i) && wrong(i) {
			w.mark(i, tl.Misplaced, o)
		}
	}
}
