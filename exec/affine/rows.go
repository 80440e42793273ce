package affine

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rows of elements that lie in runs: reductions over several dimensions number elements through, take rows and columns
// apart, and address x/y*pitch + x%y. Along such a row the quotient is the same, and the address ascends by one, up to
// where x is the next multiple of y.

// InRuns is how values lie along a dimension.
type InRuns struct {
	X    *ir.Value // what is divided, which ascends by one
	M    Axes      // how it is read
	Y    *ir.Value // the divisor, a scalar
	Jump *Sym      // by how much more than one values grow from the last one of a run to the next run's first
}

// What pays: rows of so many elements at least, and runs, which is looked at when code runs, too.
const (
	minRow = 32
	MinRun = 16
)

// InRuns is nil if integers of 32 or 64 bits, or pointers, do not lie so along a dimension of several elements, but for
// multiples of 2^32 or 2^64. They are read through m.
func (fs *Forms) InRuns(v *ir.Value, dim int, m Axes) *InRuns {
	d := v.Type.D
	if d != dtype.Int32 && d != dtype.Int64 && !d.IsPointer() || v.Type.Shape.D[dim] < minRow {
		return nil
	}
	s := runSearch{Forms: fs, left: 64}
	g, ok := s.growth(v, dim, m)
	if !ok || s.found.X == nil || !g.each.IsConst(1) {
		return nil
	}
	s.found.Jump = g.jump
	return &s.found
}

// A runSearch looks at so many values still.
type runSearch struct {
	*Forms
	found InRuns
	left  int
}

// A growth is by how much a value grows from one element to the next, and by how much more where a run ends.
type growth struct{ each, jump *Sym }

func (g growth) none() bool { return g.each.IsConst(0) && g.jump.IsConst(0) }

// line reports whether numbers ascend by one.
func (g growth) line() bool { return g.each.IsConst(1) && g.jump.IsConst(0) }

// growth is v's; ok is false if it is not known.
func (s *runSearch) growth(v *ir.Value, dim int, m Axes) (g growth, ok bool) {
	fs := s.Forms
	grows := func(each, jump int64) growth { return growth{fs.Constant(each), fs.Constant(jump)} }
	none := grows(0, 0)
	if s.left--; s.left < 0 {
		return none, false
	}
	switch {
	case !v.Type.IsTile() || v.Type.Shape.D[dim] == 1 || Repeated(v) != nil:
		return none, true
	case v.Op == op.Arange:
		return grows(1, 0), true
	case ir.Family(v.Op) == op.Shape:
		to, ok := DimMap(v)
		for i := range v.Args[0].Type.Shape.N {
			if ok && to[i] == dim {
				return s.growth(v.Args[0], i, Through(v, m))
			}
		}
		return none, ok
	case !LaneByLane(v):
		return none, false
	}
	args, still := make([]growth, len(v.Args)), true
	for i, a := range v.Args {
		if args[i], ok = s.growth(a, dim, m); !ok {
			return none, false
		}
		still = still && args[i].none()
	}
	if still {
		return none, true
	}
	switch v.Op {
	case op.Add, ir.PtrAdd:
		if d := v.Args[1].Type.D; v.Op == ir.PtrAdd && d != dtype.Int64 {
			return none, false
		}
		return growth{fs.Add(args[0].each, args[1].each), fs.Add(args[0].jump, args[1].jump)}, true
	case op.Sub:
		return growth{fs.Sub(args[0].each, args[1].each), fs.Sub(args[0].jump, args[1].jump)}, true
	case op.Mul:
		for i, by := range v.Args {
			if by := Repeated(by); by != nil {
				k := fs.Value(by)
				return growth{fs.Mul(args[1-i].each, k), fs.Mul(args[1-i].jump, k)}, true
			}
		}
	case op.FloorDiv, op.Mod:
		y := Repeated(v.Args[1])
		if y == nil || !args[0].line() || !s.divided(v.Args[0], y, m) {
			return none, false
		}
		if v.Op == op.FloorDiv {
			return grows(0, 1), true
		}
		return growth{fs.Constant(1), fs.Mul(fs.Value(y), fs.Constant(-1))}, true
	}
	return none, false
}

// divided reports whether x and y, integers with a sign, are those of all divisions.
func (s *runSearch) divided(x, y *ir.Value, m Axes) bool {
	d := x.Type.D
	if d != dtype.Int32 && d != dtype.Int64 || y.Op == op.Const && dtype.ToInt(d, y.Bits) < MinRun {
		return false
	}
	z := &s.found
	if z.X == nil {
		z.X, z.Y, z.M = x, y, m
	}
	return z.X == x && z.Y == y && z.M == m
}
