// Package emit appends to a block the values that every front end appends alike.
//
// It knows types, shapes and addresses, and no source language: which value an argument
// is, and what a message about it says, the front ends decide.
package emit

import (
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/diag"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/rule"
)

// A Builder appends values to the block that is being lowered.
type Builder interface {
	Emit(o op.Op, t ir.Type, args ...*ir.Value) *ir.Value
	Constant(d dtype.DType, bits uint64) *ir.Value
}

// Cast is x with elements of type d.
func Cast(b Builder, x *ir.Value, d dtype.DType) *ir.Value {
	switch {
	case x.Type.D == d:
		return x
	case x.Op == op.Const:
		return b.Constant(d, dtype.Convert(d, x.Type.D, x.Bits, false))
	}
	return b.Emit(op.Cast, x.Type.As(d), x)
}

// Broadcast is x repeated to a shape that it broadcasts to.
func Broadcast(b Builder, x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape == s {
		return x
	}
	return b.Emit(op.Broadcast, ir.Type{D: x.Type.D, Shape: s}, x)
}

// Reshape is x's elements in another shape of as many.
func Reshape(b Builder, x *ir.Value, s ir.Shape) *ir.Value {
	if x.Type.Shape == s {
		return x
	}
	return b.Emit(op.Reshape, ir.Type{D: x.Type.D, Shape: s}, x)
}

// Compare is a comparison of operands of one type.
func Compare(b Builder, o op.Op, x, y *ir.Value) *ir.Value {
	return b.Emit(o, x.Type.As(dtype.Bool), x, y)
}

// HighWord is the upper 32 bits of a uint64.
func HighWord(b Builder, x *ir.Value) *ir.Value {
	if x.Op == op.Const {
		return b.Constant(dtype.Uint32, x.Bits>>32)
	}
	by := Broadcast(b, b.Constant(dtype.Uint64, 32), x.Type.Shape)
	return Cast(b, b.Emit(op.Shr, x.Type, x, by), dtype.Uint32)
}

// Shape is the common shape of operands, or why they have none.
func Shape(xs ...*ir.Value) (s ir.Shape, wrong *diag.Diagnostic) {
	types := make([]ir.Type, len(xs))
	for i, x := range xs {
		types[i] = x.Type
	}
	s = types[0].Shape
	for i, t := range types[1:] {
		z, ok := s.Broadcast(t.Shape)
		if !ok {
			return s, rule.DoNotBroadcast(types[:i+2]...)
		}
		s = z
	}
	return s, ir.Type{D: types[0].D, Shape: s}.Check()
}

// Flattened is x for a reduction of all its elements, and the shape of the result; keep
// leaves it the axes of x, each of one element.
func Flattened(b Builder, x *ir.Value, keep bool) (flat *ir.Value, result ir.Shape) {
	s := x.Type.Shape
	flat = Reshape(b, x, ir.ShapeOf(s.Len()))
	if !keep {
		return flat, ir.Shape{}
	}
	for i := range s.N {
		s.D[i] = 1
	}
	return flat, s
}
