package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Swizzle moves lanes that lie so many apart: both are the first one, the second, or each is the other.
func Swizzle(g *lane.Vectors, x lane.Lanes, apart, which int) lane.Lanes {
	size := 4
	if lane.Wide(x.D) {
		size = 8
	}
	ofTwo := int64([]int{0b01_00_01_00, 0b11_10_11_10, 0b01_00_11_10}[which])
	switch bytes := apart * size; {
	case bytes == g.Bytes:
		z := lane.Lanes{D: x.D, R: [2]lir.Reg{g.NewVec(), g.NewVec()}} // not the same ones, which are of equal lanes
		g.MoveVec(z.R[0], x.R[[]int{0, 1, 1}[which]])
		g.MoveVec(z.R[1], x.R[[]int{0, 1, 0}[which]])
		return z
	case bytes == 32:
		return lane.Each(x.D, []lane.Lanes{x}, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(asm.VSHUFF32X4, g.V(r), g.V(x.R[i]), g.V(x.R[i]), lir.Imm(int64(int8(ofTwo))))
			return r
		})
	case bytes == 16:
		return g.Op1(asm.VPERMQ, x.D, x, lir.Imm(int64(int8(ofTwo))))
	case bytes == 8:
		return g.Op1(asm.VPSHUFD, x.D, x, lir.Imm(int64(int8(ofTwo))))
	}
	ofOne := int64([]int{0b10_10_00_00, 0b11_11_01_01, 0b10_11_00_01}[which])
	return g.Op1(asm.VPSHUFD, x.D, x, lir.Imm(int64(int8(ofOne))))
}
