package check

import (
	"fmt"
	"slices"
)

// duplicates finds lanes of one store that have one address.
func (w *visitor) duplicates() {
	a := w.a
	if a.Affine && injective(a.Shape, a.Strides) {
		return
	}
	seen := make(map[int64]int, len(a.Offsets))
	n, first, before, differ := 0, -1, -1, false
	for i, off := range a.Offsets {
		if !w.live(i) {
			continue
		}
		if k, ok := seen[off]; ok {
			if n++; first < 0 {
				first, before = i, k
			}
			differ = differ || a.Values.Bits(i) != a.Values.Bits(k)
		}
		seen[off] = i
	}
	if n == 0 {
		return
	}
	f := w.finding(DuplicateStore, "", first, n, func(f *Finding) {
		f.Severity = Note
		f.Msg = fmt.Sprintf("%s: %s and lane %s both write %s", a.Op, w.lane(first), IndexText(w.coord(before)), a.Base.Place(a.Offsets[first]))
		f.Note("here the last lane in row-major order wins; on a GPU any of them may")
		f.Fix("give each lane its own address, or reduce first")
	})
	if differ && f.Severity == Note {
		f.Severity = Error
		f.Note("the values differ")
	}
}

// injective reports whether tiles of these strides have no address twice, for sure.
func injective(shape, strides []int) bool {
	var axes []axis
	for k, n := range shape {
		if n > 1 {
			axes = append(axes, axis{size: n, stride: max(strides[k], -strides[k])})
		}
	}
	slices.SortFunc(axes, func(a, b axis) int { return a.stride - b.stride })
	reach := 0
	for _, x := range axes {
		if x.stride <= reach {
			return false
		}
		reach += (x.size - 1) * x.stride
	}
	return true
}
