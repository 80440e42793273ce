package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Accumulators of a matrix product: rows of vectors.

// NewBlock is registers for sums.
func (g *Vectors) NewBlock(rows, vecs int) [][]lir.Reg {
	acc := make([][]lir.Reg, rows)
	for r := range acc {
		acc[r] = make([]lir.Reg, vecs)
		for v := range acc[r] {
			acc[r][v] = g.NewVec()
		}
	}
	return acc
}

func (g *Vectors) ZeroBlock(acc [][]lir.Reg) {
	for _, row := range acc {
		for _, x := range row {
			g.ZeroVec(x)
		}
	}
}

// AddBlock adds registers of other to those of acc.
func (g *Vectors) AddBlock(acc, other [][]lir.Reg) {
	for r, row := range acc {
		for v, x := range row {
			g.RMW(asm.VADDPS, g.V(x), g.V(x), g.V(other[r][v]))
		}
	}
}

// AddZero is a step that multiplies zeros.
func (g *Vectors) AddZero(acc [][]lir.Reg) {
	zero := g.NewVec()
	g.ZeroVec(zero)
	for _, row := range acc {
		for _, x := range row {
			g.RMW(asm.VADDPS, g.V(x), g.V(x), g.V(zero))
		}
	}
}
