package woven

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Rows may lie over each other: then what the second store leaves is there in the end, in whichever row, and what a
// later row leaves is not. If all places of the first store are odd, or all are even, no element is stored to by both.

// besides reports whether pointers are known to be an even number of elements apart.
func (w *weaver) besides(v *ir.Value) bool {
	if v.Op == ir.PtrAdd {
		return w.besides(v.Args[0]) && w.besides(v.Args[1])
	}
	if one(v) || shifted(v) {
		return true
	}
	if !w.more() {
		return false
	}
	switch v.Op {
	case op.Broadcast, op.Reshape, op.Cast:
		return kept(v) && w.besides(v.Args[0])
	case op.Mul:
		if w.twofold(v.Args[0]) || w.twofold(v.Args[1]) {
			return true
		}
		fallthrough
	case op.Add, op.Sub:
		return w.besides(v.Args[0]) && w.besides(v.Args[1])
	}
	return false
}

// twofold reports whether integers are known to be even.
func (w *weaver) twofold(v *ir.Value) bool {
	if shifted(v) {
		return true
	}
	if !w.more() {
		return false
	}
	switch v.Op {
	case op.Const:
		return v.Type.D.IsInt() && dtype.ToInt(v.Type.D, v.Bits)%2 == 0
	case op.Broadcast, op.Reshape, op.Cast, ir.Fits:
		return kept(v) && w.twofold(v.Args[0])
	case op.Mul:
		return w.twofold(v.Args[0]) || w.twofold(v.Args[1])
	case op.Add, op.Sub:
		return w.twofold(v.Args[0]) && w.twofold(v.Args[1])
	}
	return false
}

// one reports whether a value is one element, which may be repeated.
func one(v *ir.Value) bool { return !v.Type.IsTile() || v.Type.Shape.Len() == 1 }

// shifted reports whether integers are shifted by a constant.
func shifted(v *ir.Value) bool {
	if v.Op != op.Shl {
		return false
	}
	c := constant(v.Args[1])
	return c != nil && c.Bits > 0 && c.Bits < 32
}

// kept reports whether v changes neither pointers nor whether integers are even.
func kept(v *ir.Value) bool {
	return v.Op != op.Cast || v.Type.D.IsInt() && v.Type.D != dtype.Bool && v.Args[0].Type.D.IsInt()
}
