package runs

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An ascent is integers of a run that are equal, or ascend by one: modulo 2^32 or 2^64, as they wrap.
type ascent struct {
	start *ir.Value // int64: of the block's first element, as if the run began there
	step  int
}

// ascends is the ascent that a value is, nil if it is none. Which of two a scalar picks is one, too: the other half of
// a row, its turn by some elements, the other side of a seam.
func (w *runWriter) ascends(v *ir.Value) *ascent {
	a, ok := w.rows[v]
	if !ok {
		a = w.ascentOf(v)
		w.rows[v] = a
	}
	return a
}

func (w *runWriter) ascentOf(v *ir.Value) *ascent {
	p := w.part(v)
	switch {
	case !counts(v.Type.D):
		return nil
	case p.one != nil:
		return &ascent{start: w.widened(p.one)}
	case p.start != nil:
		return &ascent{start: p.start, step: 1}
	case !w.copies(v):
		return nil
	}
	switch v.Op {
	case op.Add:
		return w.summed(v, 1)
	case op.Sub:
		return w.summed(v, -1)
	case op.Where:
		return w.chosen(v)
	}
	return nil
}

// summed is a sum or a difference that ascends.
func (w *runWriter) summed(v *ir.Value, sign int) *ascent {
	x, y := w.ascends(v.Args[0]), w.ascends(v.Args[1])
	if x == nil || y == nil {
		return nil
	}
	step := x.step + sign*y.step
	if step != 0 && step != 1 {
		return nil
	}
	return &ascent{start: w.Add(v.Op, wide, x.start, y.start), step: step}
}

// chosen is one of two that ascend alike.
func (w *runWriter) chosen(v *ir.Value) *ascent {
	on := w.part(v.Args[0]).one
	if on == nil {
		return nil
	}
	x, y := w.ascends(v.Args[1]), w.ascends(v.Args[2])
	if x == nil || y == nil || x.step != 1 || y.step != 1 {
		return nil
	}
	return &ascent{start: w.Add(op.Where, wide, on, x.start, y.start), step: 1}
}
