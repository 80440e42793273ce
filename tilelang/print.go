package tilelang

import "github.com/tiler-go/tiler/tilelang/tensor"

// String shows the elements as a tensor's are shown: tile([[0, 1], [2, 3]],
// dtype=int16). A pointer tile shows element offsets from the start of its tensor.
func (x Tile) String() string {
	if x.t == nil {
		return "tile without a value"
	}
	t := x.t
	b := t.elems()
	at := func(i int) tensor.Value { return tensor.BitsValue(t.dt, b.Bits(i)) }
	if t.dt.IsPointer() {
		return t.base.name() + " + " + tensor.FormatNamed("tile", Int64, t.shape.Dims(), func(i int) tensor.Value {
			return tensor.IntValue(int64(b.Bits(i)))
		}, tensor.FormatOptions{})
	}
	return tensor.FormatNamed("tile", t.dt, t.shape.Dims(), at, tensor.FormatOptions{})
}
