package show

import (
	"github.com/tiler-go/tiler/repl/picture"
	tl "github.com/tiler-go/tiler/tilelang"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/tensor"
)

// Heat is a tile or tensor as a map of its values: the last two dimensions, of the first
// matrix if there are more. ok is false for what has no elements.
func Heat(v any, o Options) (p picture.Picture, ok bool) {
	o = o.WithDefaults()
	var a array
	var caption string
	switch v := v.(type) {
	case tl.Tile:
		if !valid(v) {
			return p, false
		}
		a, caption = tileArray(v), typeText(v.DType(), v.Shape())
	case *tensor.Tensor:
		if v == nil {
			return p, false
		}
		a, caption = tensorArray(v), "tensor "+typeText(v.DType(), v.Shape())
	default:
		return p, false
	}
	if a.len() == 0 {
		return p, false
	}
	rank := len(a.shape)
	r := &picture.Raster{Rows: 1, Cols: 1, Width: o.Width, Height: o.Rows}
	if rank > 0 {
		r.Cols = a.shape[rank-1]
	}
	if rank > 1 {
		r.Rows = a.shape[rank-2]
	}
	if rank > 2 && a.len() > r.Rows*r.Cols {
		caption += ", its part " + sliceName(a.shape[:rank-2], 0)
	}
	r.At = func(row, col int) float64 { return a.float(row*r.Cols + col) }
	r.FindScale()
	p.Add(picture.Name, caption, picture.Head, "  "+r.Says())
	p.Blocks = append(p.Blocks, picture.Block{Raster: r})
	return p, true
}

// valueOf is an element of any type as a number.
func valueOf(d dtype.DType, bits uint64) float64 {
	switch {
	case d.IsFloat():
		return dtype.ToFloat(d, bits)
	case d.IsSigned():
		return float64(dtype.ToInt(d, bits))
	}
	return float64(bits)
}
