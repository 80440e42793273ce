package sanitizer

import "github.com/tiler-go/tiler/exec/check/layout"

// outer is the step along rows that may be those of one matrix, nil if there is none: along a dimension that is
// not the first, and together with those before it has no gaps.
func outer(v *view, steps []step) *step {
	if len(steps) != 2 {
		return nil
	}
	s := &steps[0]
	if steps[1].dim < s.dim {
		s = &steps[1]
	}
	if s.by != 1 || s.dim == 0 {
		return nil
	}
	for d := range s.dim {
		if v.axes[d].stride != v.axes[d+1].size*v.axes[d+1].stride {
			return nil
		}
	}
	return s
}

// cover remembers the rows that the tile has; anchor is its first active lane. It gives those of all tiles.
func cover(w *visitor, s *step, anchor int) *layout.Rows {
	if s == nil {
		return nil
	}
	r := w.s.spans
	if r == nil {
		r = &layout.Rows{Total: 1}
		for _, x := range w.v.axes[:s.dim+1] {
			r.Total *= int64(x.size)
		}
		w.s.spans = r
	}
	width := 1 // lanes of a row of the tile
	for _, n := range w.a.Shape[s.tile+1:] {
		width *= n
	}
	row := anchor / width % w.a.Shape[s.tile]
	last := row
	for k := row; k < w.a.Shape[s.tile]; k++ {
		if w.live(anchor + (k-row)*width) {
			last = k
		}
	}
	begin := w.a.Offsets[anchor] / int64(w.v.axes[s.dim].stride)
	r.Add(begin, begin+int64(last-row)+1)
	return r
}
