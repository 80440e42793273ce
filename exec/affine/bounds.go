package affine

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What is known of floats from how they are made, NaN aside.

// Small reports whether v's elements lie within ±2^65.
func Small(v *ir.Value) bool {
	switch {
	case ir.Family(v.Op) == op.Shape:
		return every(v.Args, Small)
	case v.Op == op.Exp, v.Op == op.Exp2:
		return NotAbove0(v.Args[0])
	}
	return v.Op == op.Sigmoid
}

// NotAbove0 reports whether v's elements are 0 at most: those of a difference whose
// second operand is a maximum of the first.
func NotAbove0(v *ir.Value) bool {
	if ir.Family(v.Op) == op.Shape {
		return every(v.Args, NotAbove0)
	}
	if v.Op != op.Sub || !v.Type.D.IsFloat() {
		return false
	}
	m := Identity(v.Type.Shape)
	return isMaximum(v.Args[1], m, v.Args[0], m)
}

func every(vs []*ir.Value, holds func(v *ir.Value) bool) bool {
	return !slices.ContainsFunc(vs, func(v *ir.Value) bool { return !holds(v) })
}

// isMaximum reports whether b's elements, read through mb, are not below a's, read
// through ma.
func isMaximum(b *ir.Value, mb Axes, a *ir.Value, ma Axes) bool {
	b, mb = Unshaped(b, mb)
	switch b.Op {
	case op.Maximum, op.MaximumNaN:
		return isMaximum(b.Args[0], mb, a, ma) || isMaximum(b.Args[1], mb, a, ma)
	case op.Max:
		// The maximum may be one of a itself, or of what a shows in another shape.
		for {
			if a == b.Args[0] {
				return alongRest(b, mb, ma)
			}
			next, m := unshapedOnce(a, ma)
			if next == a {
				return false
			}
			a, ma = next, m
		}
	}
	return false
}

// alongRest reports whether the dimensions of a reduction's result are read as those of
// its operand are, of which one is missing.
func alongRest(b *ir.Value, mb, ma Axes) bool {
	j := 0
	for i := range b.Args[0].Type.Shape.N {
		if i == b.Axis {
			continue
		}
		if ma[i] != mb[j] {
			return false
		}
		j++
	}
	return true
}

// Unshaped is what v shows in another shape, and how it is read then.
func Unshaped(v *ir.Value, m Axes) (*ir.Value, Axes) {
	for {
		next, mn := unshapedOnce(v, m)
		if next == v {
			return v, m
		}
		v, m = next, mn
	}
}

func unshapedOnce(v *ir.Value, m Axes) (*ir.Value, Axes) {
	if ir.Family(v.Op) != op.Shape {
		return v, m
	}
	if _, ok := DimMap(v); !ok {
		return v, m
	}
	return v.Args[0], Through(v, m)
}
