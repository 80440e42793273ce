package tilelang

import "github.com/tiler-go/tiler/tilelang/dtype"

// TileOf is a tile over elements in row-major order, which it does not copy: for
// engines that hand tiles to code of the host. Without dims it is a scalar.
func TileOf(elems dtype.Buf, shape ...int) Tile {
	s := shapeArg("tl.TileOf", shape)
	if elems.Len() != s.Len() {
		fault("tl.TileOf", "%d elements for the shape %s", elems.Len(), s).Fix("pass as many elements as the shape has").raise()
	}
	return tile(&node{dt: elems.DType(), shape: s, strides: s.Dense(), dense: true, buf: elems})
}
