package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/frame"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements in the frame, as Go has them.

// Elements is a tile of type d in the frame, in the elements' own bit patterns.
func Elements(f *frame.Frame, d dtype.DType, off, n int) dtype.Buf {
	z := dtype.Alloc("an operand of Go beside machine code", d, n)
	convert(z, f.Region(CellType(d), off, n))
	return z
}

// SetElements is the opposite.
func SetElements(f *frame.Frame, off int, x dtype.Buf) {
	convert(f.Region(CellType(x.DType()), off, x.Len()), x)
}

// convert copies elements to cells, or cells to elements.
func convert(z, x dtype.Buf) {
	if z.DType() == x.DType() {
		copy(z.Bytes(), x.Bytes())
		return
	}
	op.CastLoop(z.DType(), x.DType())(z, x, dtype.Buf{}, dtype.Buf{})
}
