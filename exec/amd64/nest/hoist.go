package nest

import (
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// maxHoisted is how many constants a nest keeps in registers, where there are enough.
const maxHoisted = 14

// hoisted is the register in which the nest that is open keeps a constant that its
// loops use, 0 if it does not.
func (g *Nests) hoisted(x lane.Lanes) lir.Reg {
	n := g.nesting
	if n == nil || !g.EVEX || !n.InLoop() {
		return 0
	}
	key := constKey{lane.Wide(x.D), x.Bits}
	if r, ok := n.consts[key]; ok {
		return r
	}
	if len(n.consts) == maxHoisted {
		return 0
	}
	n.At(0, func() { n.consts[key] = g.LoadConst(x) })
	return n.consts[key]
}

type constKey struct {
	wide bool
	bits uint64
}
