package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// A Lane is one of a tile in the frame: so many behind one whose number is in a register, or behind the first.
type Lane struct {
	from lir.Reg
	Plus int
}

// Behind is the lane so many behind l.
func (l Lane) Behind(n int) Lane { return Lane{l.from, l.Plus + n} }

// In is where its cell is in a tile that begins at an offset.
func (l Lane) In(cell, off int) lir.Arg {
	if l.from == 0 {
		return lir.Frame(off + l.Plus*cell)
	}
	return lir.FrameIndex(l.from, cell, off+l.Plus*cell)
}

// Rounds writes a loop over n lanes, several in a round, the first of which it gives.
func Rounds(g *elementwise.Builder, n int, body func(first Lane, lanes int)) {
	unroll := 1
	for unroll < 8 && n%(2*unroll) == 0 {
		unroll *= 2
	}
	g.UpTo(n, unroll, func(j lir.Reg) { body(Lane{j, 0}, unroll) })
}

// Each runs f for lanes in order, with what a tile in the frame, of cells of 4 bytes, holds for them: two come by one
// load, which waits less for a store of many than two loads do.
func Each(g *elementwise.Builder, l Lane, lanes, off int, f func(l Lane, x lir.Reg)) {
	for i := 0; i < lanes; i += 2 {
		l, r := l.Behind(i), g.NewReg(lir.GPR)
		if i+1 == lanes {
			g.Def(asm.MOV, g.R32(r), l.In(4, off))
			f(l, r)
			return
		}
		next := g.LoadInt(l.In(4, off))
		g.Def(asm.MOV, g.R32(r), g.R32(next))
		f(l, r)
		g.RMW(asm.SHR, g.R64(next), lir.Imm(32))
		f(l.Behind(1), next)
	}
}
