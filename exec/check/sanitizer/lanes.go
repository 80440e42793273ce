package sanitizer

import (
	"fmt"
	"slices"

	"github.com/tiler-go/tiler/exec/check"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/diag"
)

// The lanes of a program are threads of their own on a GPU. What one of them stores,
// another one may load only after a barrier; here they run in order.

// A stored is a store of the running instance, since the last barrier.
type stored struct {
	base    *tl.Base
	s       *site
	offsets []int64
}

// maxStored is how many stores of an instance are remembered.
const maxStored = 64

// remember keeps a store, for loads of what it writes.
func (w *visitor) remember() {
	c := w.c
	if len(c.stored) < maxStored {
		c.stored = append(c.stored, stored{w.a.Base, w.s, slices.Clone(w.a.Offsets)})
	}
}

// handed notes that lane i loads what another lane of the same program has stored.
func (w *visitor) handed(lanes []int) {
	c := w.c
	if now := tl.Barriers(); now != c.barriers {
		c.barriers, c.stored = now, nil
		return
	}
	for _, i := range lanes {
		off := w.a.Offsets[i]
		for _, s := range slices.Backward(c.stored) {
			if s.base.Tensor.Storage() != w.a.Base.Tensor.Storage() {
				continue
			}
			shift := int64(s.base.Tensor.Offset() - w.a.Base.Tensor.Offset())
			if i < len(s.offsets) && len(s.offsets) == len(w.a.Offsets) && s.offsets[i]+shift == off {
				break
			}
			if k := slices.Index(s.offsets, off-shift); k >= 0 {
				w.crossed(i, k, s, len(lanes))
				return
			}
		}
	}
}

func (w *visitor) crossed(i, k int, s stored, lanes int) {
	w.finding(check.NotPortable, "lanes", i, lanes, func(f *check.Finding) {
		f.Severity = check.Note
		f.Msg = fmt.Sprintf("%s: %s loads %s, which another lane of the program has stored: Triton does not order them", w.a.Op, w.lane(i), w.a.Base.Place(w.a.Offsets[i]))
		f.NoteAt(s.s.pos(), "lane %d stores it at %s", k, diag.Here)
		f.Fix("call tl.DebugBarrier() between the store and the load, or keep the tile in a variable")
	})
}
