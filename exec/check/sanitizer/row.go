package sanitizer

// A tile of one dimension has rows if programs say so: where each program begins at the
// same column of another row, and the rows they read overlap, what goes beyond the end
// of a row was not meant. A sweep over memory does not read its elements twice.

// sweep is the tiles of one dimension of a site, the n-th time that instances come to it.
type sweep struct {
	instance uint32
	start    int64 // of the first active lane
	rows     bool  // another instance's tile began rows away, and overlapped
}

// row finds the lanes of a tile of one dimension that lie beyond the end of its row.
func (w *visitor) row() {
	a := w.a
	inner, outer := w.v.axes[len(w.v.axes)-1], w.v.axes[len(w.v.axes)-2]
	first, last := -1, -1
	for i := range a.Offsets {
		if w.live(i) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if !a.Affine || first < 0 || a.Strides[0] != inner.stride || w.s.now > maxVisits {
		return
	}
	for len(w.s.sweeps) < w.s.now {
		w.s.sweeps = append(w.s.sweeps, sweep{})
	}
	was := &w.s.sweeps[w.s.now-1]
	begin, span := a.Offsets[first], a.Offsets[last]-a.Offsets[first]+int64(inner.stride)
	if was.instance != 0 && was.instance != w.c.instance {
		apart := max(begin-was.start, was.start-begin)
		was.rows = was.rows || apart > 0 && apart%int64(outer.stride) == 0 && apart < span && span%int64(outer.stride) != 0
	}
	was.instance, was.start = w.c.instance, begin
	loop := w.s.stretches.Extend(w.c.instance, begin, begin+span, int64(outer.stride))
	column := int(begin%int64(outer.stride)) / inner.stride
	if !was.rows && !loop || column+last-first < inner.size {
		return
	}
	w.astray(0, inner.size, nil, func(i int) bool { return column+i-first >= inner.size })
}
