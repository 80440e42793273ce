package sanitizer

import (
	"fmt"

	"github.com/tiler-go/tiler/exec/check"
	"github.com/tiler-go/tiler/exec/check/layout"
)

// duplicates finds lanes of one store that have one address.
func (w *visitor) duplicates() {
	a := w.a
	if a.Affine && layout.Injective(a.Shape, a.Strides) {
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
	f := w.finding(check.DuplicateStore, "", first, n, func(f *check.Finding) {
		f.Severity = check.Note
		f.Msg = fmt.Sprintf("%s: %s and lane %s both write %s", a.Op, w.lane(first), check.IndexText(w.coord(before)), a.Base.Place(a.Offsets[first]))
		f.Note("here the last lane in row-major order wins; on a GPU any of them may")
		f.Fix("give each lane its own address, or reduce first")
	})
	if differ && f.Severity == check.Note {
		f.Severity = check.Error
		f.Note("the values differ")
	}
}
