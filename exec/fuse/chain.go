package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dot"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements of a product's chain that are zeros of both operands change its sum once at most: what is -0 becomes +0.
// They are what lies beyond a head's size, in tiles whose sizes are powers of two.

// Summed is bounds of which one lets through, along K, whatever of a product's operands is not +0 in both; none if that
// may be anything. They are there when control comes to the product.
func Summed(p *Schedule, v *ir.Value) (bounds []Bound) {
	if v.Chain != dot.Ascending || v.Type.D.Compute() != dtype.Float32 {
		return nil
	}
	n := v.Type.Shape.N
	for i, dim := range []int{n - 1, n - 2} {
		b, ok := zeroBeyond(v.Args[i], dim)
		if !ok || !before(p, b.Mask, v) {
			return nil
		}
		if !slices.Contains(bounds, b) {
			bounds = append(bounds, b)
		}
	}
	return bounds
}

// zeroBeyond is a bound of a tile along a dimension, beyond which all elements are +0.
func zeroBeyond(v *ir.Value, dim int) (b Bound, ok bool) {
	switch {
	case v.Op == op.Load:
		mem := v.Memory()
		return Bound{mem.Mask, dim, true}, mem.Mask != nil && (mem.Other == nil || affine.IsZeros(mem.Other))
	case v.Op == op.Where:
		return Bound{v.Args[0], dim, true}, affine.IsZeros(v.Args[2])
	case v.Op == op.Cast:
		return zeroBeyond(v.Args[0], dim)
	case ir.Family(v.Op) == op.Shape:
		to, ok := affine.DimMap(v)
		for i := range v.Args[0].Type.Shape.N {
			if ok && to[i] == dim {
				return zeroBeyond(v.Args[0], i)
			}
		}
	}
	return b, false
}
