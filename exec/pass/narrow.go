package pass

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What narrow is about: rows of so few elements at most, of more where they combine by many instructions, and so many
// rows at least.
const (
	maxNarrow = 8
	maxSlow   = 16
	minRows   = 16
)

// narrow reduces along short rows across them: the last two dimensions change places, so that a vector holds an element
// each of as many rows. The order in which a row's elements combine stays.
func narrow(f *ir.Func) {
	var list []*ir.Value
	f.Values(func(v *ir.Value) {
		if ir.Family(v.Op) == op.Reducing && isNarrow(v) {
			list = append(list, v)
		}
	})
	for _, v := range list {
		turned := make([]*ir.Value, len(v.Args))
		for i, x := range v.Args {
			turned[i] = turn(f, x, v)
		}
		insert(f, v, 0, turned...)
		v.Args = turned
		v.Axis--
	}
}

// isNarrow reports whether a reduction is along many short rows.
func isNarrow(v *ir.Value) bool {
	s := v.Args[0].Type.Shape
	last, most := s.N-1, maxNarrow
	switch v.Op {
	case op.Reduce, op.ArgMax, op.ArgMin, op.MaxIndex, op.MinIndex:
		most = maxSlow
	}
	return last > 0 && v.Axis == last && s.D[last] > 1 && s.D[last] <= most && s.D[last-1] >= minRows
}

// turn is x with its last two dimensions exchanged.
func turn(f *ir.Func, x, at *ir.Value) *ir.Value {
	n := x.Type.Shape.N
	z := f.NewValue(op.Permute, x.Type, at.Pos, x)
	for i := range n {
		z.Axes = append(z.Axes, i)
	}
	z.Axes[n-1], z.Axes[n-2] = n-2, n-1
	z.Type.Shape, _ = x.Type.Shape.Permute(z.Axes)
	return z
}
