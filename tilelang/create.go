package tilelang

import (
	"math"

	"github.com/tiler-go/tiler/tilelang/op"
	"github.com/tiler-go/tiler/tilelang/shape"
)

// Arange is lo, lo+1, ... hi-1 as int32, of any length.
func Arange(lo, hi int) Tile {
	const name = "tl.Arange"
	if hi <= lo {
		fault(name, "Arange(%d, %d) is empty: the end must be above the start", lo, hi).Fix("pass the start first: tl.Arange(0, n)").raise()
	}
	if lo < math.MinInt32 || hi-1 > math.MaxInt32 {
		fault(name, "Arange(%d, %d) does not fit int32", lo, hi).Fix("use a smaller range and add an int64 tile").as(RangeFault).raise()
	}
	one := shape.Of(1)
	checkSize(name, Int32, shape.Of(hi-lo))
	return tile(newAffine(Int32, shape.Of(hi-lo), int64(lo), one, nil))
}

// Full is a tile of one value, which may be an int, float64, bool or scalar tile;
// without dims it is a scalar.
func Full(d DType, v any, shape ...int) Tile { return full("tl.Full", d, v, shape) }

func full(name string, d DType, v any, shape []int) Tile {
	checkType(name, d)
	checkOperand(name, v)
	s := shapeArg(name, shape)
	if t, ok := v.(Tile); ok {
		if t.t.shape.N != 0 {
			fault(name, "%s as the value", t.t).Fix("use BroadcastTo to repeat a tile").raise()
		}
		refusePointer(name, t.t)
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
	must(name, op.Element(d))
}

// shapeArg checks a shape that the kernel gives.
func shapeArg(name string, sizes []int) shape.Shape {
	if d := op.Rank(len(sizes)); d != nil {
		broken(name, d).Fix("merge some of them").raise()
	}
	if d := op.Sizes(sizes); d != nil {
		broken(name, d).Fix("leave out empty tiles, or use a mask").raise()
	}
	return shape.Of(sizes...)
}
