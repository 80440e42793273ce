package amd64

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What is known of floats from how they are made, NaN aside.

// small reports whether v's elements lie within ±2^65.
func small(v *ir.Value) bool {
	switch {
	case ir.Family(v.Op) == op.Shape:
		return every(v.Args, small)
	case v.Op == op.Exp, v.Op == op.Exp2:
		return notAbove0(v.Args[0])
	}
	return v.Op == op.Sigmoid
}

// notAbove0 reports whether v's elements are 0 at most: those of a difference whose
// second operand is a maximum of the first.
func notAbove0(v *ir.Value) bool {
	if ir.Family(v.Op) == op.Shape {
		return every(v.Args, notAbove0)
	}
	if v.Op != op.Sub || !v.Type.D.IsFloat() {
		return false
	}
	m := identity(v.Type.Shape)
	return isMaximum(v.Args[1], m, v.Args[0], m)
}

func every(vs []*ir.Value, holds func(v *ir.Value) bool) bool {
	return !slices.ContainsFunc(vs, func(v *ir.Value) bool { return !holds(v) })
}

// isMaximum reports whether b's elements, read through mb, are not below a's, read
// through ma.
func isMaximum(b *ir.Value, mb axisMap, a *ir.Value, ma axisMap) bool {
	b, mb = unshaped(b, mb)
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
func alongRest(b *ir.Value, mb, ma axisMap) bool {
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

// unshaped is what v shows in another shape, and how it is read then.
func unshaped(v *ir.Value, m axisMap) (*ir.Value, axisMap) {
	for {
		next, mn := unshapedOnce(v, m)
		if next == v {
			return v, m
		}
		v, m = next, mn
	}
}

func unshapedOnce(v *ir.Value, m axisMap) (*ir.Value, axisMap) {
	if ir.Family(v.Op) != op.Shape {
		return v, m
	}
	if _, ok := dimMap(v); !ok {
		return v, m
	}
	return v.Args[0], through(v, m)
}
