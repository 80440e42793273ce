package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/product"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// storeResults makes results of the sums of a register block, of type d.
func (g *writer) storeResults(acc [][]lir.Reg, d dtype.DType, e product.Ending) {
	none := g.NewLabel()
	g.Use(asm.CMP, lir.Frame(WordZeros).Sized(8), lir.Imm(0))
	g.Jump(asm.JE, none)
	zero := g.NewVec()
	g.ZeroVec(zero)
	for _, sums := range acc {
		for _, x := range sums {
			g.RMW(lane.ByWidth(d, asm.VADDPS, asm.VADDPD), g.V(x), g.V(x), g.V(zero))
		}
	}
	g.Bind(none)
	row, ld := g.Word(WordResult), g.Word(WordLdResult)
	for r, sums := range acc {
		for v, x := range sums {
			at := lir.Mem(row, v*g.Bytes/d.Size()*e.As.Size())
			if e.Round == d {
				g.StoreReg(at, x, d.Size(), 0)
				continue
			}
			z := lane.Lanes{D: e.As, R: [2]lir.Reg{x, x}}
			if e.As != dtype.Float16 { // to store that rounds
				z = g.Normalize(e.Round, z).As(e.As)
			}
			g.Store(z, at, nil)
		}
		if r < len(acc)-1 {
			g.RMW(asm.ADD, g.R64(row), g.R64(ld))
		}
	}
}
