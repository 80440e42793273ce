package scalar

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
)

// Accesses of known width: their range is checked by one comparison, with a word that is set once a call.

// A room is where accesses may begin whose last element lies so many elements further on in a tensor, or, if narrow, in
// as much of it as an int32 counts; or the last element there.
type room struct {
	tensor       int
	word         int // the span: ArgSpan or ArgOwn
	width        int64
	narrow, last bool
}

// UnlessStreamed jumps if a tensor is too small for non-temporal stores.
func UnlessStreamed(g *Scalars, tensor, normal int) {
	g.Use(asm.CMP, lir.Frame(ArgOffset(tensor)+ArgStream).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, normal)
}

// mostWidth bounds widths, so that they are operands of instructions.
const mostWidth = 1 << 30

// widthOf is how far an access's last element lies behind its first, which is its lowest one.
func widthOf(f *affine.Form, shape ir.Shape) (width int64, ok bool) {
	for i, c := range f.Coef {
		switch {
		case c == nil || shape.D[i] == 1:
		case c.Kind != affine.Const || c.N < 0 || c.N > mostWidth/int64(shape.D[i]):
			return 0, false
		default:
			width += c.N * int64(shape.D[i]-1)
		}
	}
	return width, width <= mostWidth
}

// roomFor is a word of the frame, below which accesses may begin: 0 if the tensor has no room for any; or the number of
// the last element, -1 if there is none.
func roomFor(g *Scalars, r room) (off int) {
	span := ArgOffset(r.tensor) + r.word
	if !r.narrow && r.width == 0 && !r.last {
		return span
	}
	if off, ok := g.rooms[r]; ok {
		return off
	}
	off = g.Alloc(8)
	g.rooms[r] = off
	g.Into(g.Once, func() {
		most := g.LoadInt(lir.Frame(span))
		if r.narrow {
			limit := g.NewInt(1 << 31)
			g.Use(asm.CMP, g.R64(most), g.R64(limit))
			g.RMW(asm.CMOVG, g.R64(most), g.R64(limit))
		}
		if r.last {
			g.AddConst(most, -1)
		} else if r.width > 0 {
			most = g.AtLeastZero(most, int(r.width))
		}
		g.Use(asm.MOV, lir.Frame(off).Sized(8), g.R64(most))
	})
	return off
}
