package affine

import (
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Addresses that are no forms, by what they are made of.

// WhyNot says what makes the addresses of an access unpredictable.
func WhyNot(ptr *ir.Value) string {
	switch {
	case ComputedBy(ptr, func(o op.Op) bool { return o == op.Load }):
		return "the addresses depend on loaded data"
	case ComputedBy(ptr, func(o op.Op) bool { return o == op.FloorDiv || o == op.Mod || o == op.Div }):
		return "the addresses depend on divisions"
	case ComputedBy(ptr, func(o op.Op) bool { return o == op.Where }):
		return "the addresses depend on tl.Where"
	}
	return "the addresses are no sum of indices times strides"
}

// ComputedBy reports whether an operation is among those that a value is made of.
func ComputedBy(v *ir.Value, is func(op.Op) bool) bool {
	return madeOf(v, func(v *ir.Value) bool { return is(v.Op) })
}

func madeOf(v *ir.Value, is func(*ir.Value) bool) bool {
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value) bool
	visit = func(v *ir.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		return is(v) || slices.ContainsFunc(v.Args, visit)
	}
	return visit(v)
}

// Close reports whether lanes of a block are likely to lie close to each other: addresses made of indices alone, as
// behind divisions and limits, also if a loaded scalar is added, and those to which a remainder is added, as in rows
// through loaded indices.
func Close(ptr *ir.Value) bool {
	by := func(is func(*ir.Value) bool) bool { return madeOf(ptr, is) }
	return !by(func(v *ir.Value) bool { return v.Op == op.Load && v.Type.IsTile() && v.Type.Shape.Len() > 1 }) ||
		by(func(v *ir.Value) bool { return v.Op == op.Mod })
}

// Swaps reports whether neighbours may have changed places, as in i ^ 1, or i + (i+1)%2*2 - 1.
func Swaps(ptr *ir.Value) bool {
	return madeOf(ptr, func(v *ir.Value) bool {
		if v.Op != op.Mod {
			return v.Op == op.Xor
		}
		c := RepeatedConst(v.Args[1])
		return c != nil && c.Bits == 2
	})
}
