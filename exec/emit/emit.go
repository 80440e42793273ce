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

// A Builder appends values to the block that is being lowered. Of layers that embed one another the lowest is passed:
// a type that becomes an interface keeps all its methods, promoted ones, too.
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

// Random is a random op of a seed and an offset: the counter is the offset's low and high words
// (the high one 0 for offsets of up to 32 bits), the key the seed's, sign-extended. narrow says
// that an offset which fits 32 bits has that many.
func Random(b Builder, o op.Op, seed, off *ir.Value, narrow bool, s ir.Shape) *ir.Value {
	c0, c1 := Cast(b, off, dtype.Uint32), b.Constant(dtype.Uint32, 0)
	if off.Type.D.Bits() == 64 {
		c1 = highWord(b, off)
		if narrow {
			same := Compare(b, op.Eq, Cast(b, Cast(b, off, dtype.Int32), dtype.Int64), off)
			c1 = b.Emit(op.Where, c1.Type, same, b.Constant(dtype.Uint32, 0), c1)
		}
	}
	in := []*ir.Value{c0, c1, Cast(b, seed, dtype.Uint32), highWord(b, Cast(b, seed, dtype.Int64))}
	for i, x := range in {
		in[i] = Broadcast(b, x, s)
	}
	return b.Emit(o, ir.Type{D: o.Result(dtype.Uint32), Shape: s}, in...)
}

// highWord is the upper 32 bits of an integer of 64.
func highWord(b Builder, x *ir.Value) *ir.Value {
	x = Cast(b, x, dtype.Uint64)
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

// Indexed is an op with a number: an axis of the grid, a half, a result.
func Indexed(b Builder, o op.Op, t ir.Type, i int, xs ...*ir.Value) *ir.Value {
	v := b.Emit(o, t, xs...)
	v.Index = i
	return v
}

// Result is the i-th result of a value that has several.
func Result(b Builder, v *ir.Value, i int) *ir.Value {
	return Indexed(b, ir.Result, v.Results[i], i, v)
}

// Bitcast is x with its bits read as type d, which has as many.
func Bitcast(b Builder, x *ir.Value, d dtype.DType) *ir.Value {
	if x.Type.D == d {
		return x
	}
	return b.Emit(op.Bitcast, x.Type.As(d), x)
}

// SignedShr is an arithmetic x >> y of unsigned tiles.
func SignedShr(b Builder, x, y *ir.Value) *ir.Value {
	d := x.Type.D.WithSign(true)
	x, y, unsigned := Bitcast(b, x, d), Bitcast(b, y, d), x.Type.D
	return Bitcast(b, b.Emit(op.Shr, x.Type, x, y), unsigned)
}

// Chain is a product without an accumulator, with one.
func Chain(b Builder, product, acc *ir.Value) *ir.Value {
	v := b.Emit(op.Dot, product.Type, product.Args[0], product.Args[1], acc)
	v.Flags, v.Chain = product.Flags|ir.HasAcc, product.Chain
	return v
}
