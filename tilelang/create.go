package tilelang

import (
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/rule"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Arange is lo, lo+1, ... hi-1 as int32, of any length.
func Arange(lo, hi int) Tile {
	const name = "tl.Arange"
	t, d := rule.Range(lo, hi)
	if d != nil && t.D == dtype.Invalid && hi > lo {
		broken(name, d).as(RangeFault).raise()
	}
	must(name, d)
	return tile(newAffine(Int32, t.Shape, int64(lo), shape.Of(1), nil))
}

// Full is a tile of one value, which may be an int, float64, bool or scalar tile;
// without dims it is a scalar.
func Full(d DType, v any, shape ...int) Tile { return full("tl.Full", d, v, shape) }

func full(name string, d DType, v any, shape []int) Tile {
	checkType(name, d)
	checkOperand(name, v)
	s := shapeArg(name, shape)
	if t, ok := v.(Tile); ok {
		must(name, t.t.typ().Repeated())
		return rearranged(tile(t.t.converted(d).broadcastTo(s)), v.(Tile), func(m Tile) Tile { return tile(m.t.broadcastTo(s)) })
	}
	checkSize(name, d, s)
	return tile(literal(name, d, v, cast).broadcastTo(s))
}

// Zeros is a tile of zeros.
func Zeros(d DType, shape ...int) Tile { return full("tl.Zeros", d, 0, shape) }

// ZerosLike is zeros of x's dtype and shape.
func ZerosLike(x Tile) Tile {
	t := x.node("tl.ZerosLike")
	refusePointer("tl.ZerosLike", t)
	return tile(newScalar(t.dt, 0).broadcastTo(t.shape))
}

func checkType(name string, d DType) {
	must(name, rule.Element(d))
}

// shapeArg checks a shape that the kernel gives.
func shapeArg(name string, sizes []int) shape.Shape {
	if d := rule.Rank(len(sizes)); d != nil {
		broken(name, d).Fix("merge some of them").raise()
	}
	if d := rule.Sizes(sizes); d != nil {
		broken(name, d).Fix("leave out empty tiles, or use a mask").raise()
	}
	return shape.Of(sizes...)
}
