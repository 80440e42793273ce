package widen

import "github.com/tiler-go/tiler/exec/ir"

// Forced is f with n programs along an axis in one, as the first dimension of its tiles or the last, whether that is
// faster or not; nil if it cannot be written, or what is read is written, too.
func Forced(f *ir.Func, axis, n int, first bool) *ir.Func {
	if _, ok := candidates(f); !ok {
		return nil
	}
	vary := newVarying(f, axis, n)
	vary.first = first
	if len(vary.by) > 0 {
		return nil // known only with the arguments
	}
	w := newWidener(f, vary)
	if w.refused {
		return nil
	}
	return w.to
}
