package reach

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Wrap reports whether scalars are made of integers of less than 64 bits that may wrap, and depend on a program id: they
// may be the same for some of its numbers, and others in between.
func Wrap(list []*ir.Value, axis int) bool {
	w := wraps{axis: axis, known: map[*ir.Value]wrap{}}
	return slices.ContainsFunc(list, func(v *ir.Value) bool { return w.of(v).may })
}

type wrap struct{ depends, may bool }

type wraps struct {
	axis  int
	known map[*ir.Value]wrap
}

func (w *wraps) of(v *ir.Value) wrap {
	x, known := w.known[v]
	if known {
		return x
	}
	x.depends = v.Op == op.ProgramID && v.Index == w.axis
	for _, a := range v.Args {
		y := w.of(a)
		x.depends, x.may = x.depends || y.depends, x.may || y.may
	}
	x.may = x.may || x.depends && v.Op != ir.Fits && v.Type.D.Bits() < 64
	w.known[v] = x
	return x
}
