package order

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Registers of keys of 64 bits. What is chosen by a comparison is chosen by a mask register in AVX-512, and by a vector
// of all bits or none in AVX2.

// lanesOf8 is how many are in a register.
func (s *Sorter) lanesOf8() int { return s.Builder.Bytes / 8 }

// more is where x is greater than y.
func (s *Sorter) more(x, y lir.Reg) lir.Reg { return s.compared(asm.VPCMPGTQ, x, y) }

// unordered is where floats are NaN.
func (s *Sorter) unordered(x lir.Reg) lir.Reg {
	return s.compared(asm.VCMPPD, x, x, lir.Imm(lane.Unordered))
}

func (s *Sorter) compared(o asm.Op, x, y lir.Reg, predicate ...lir.Arg) lir.Reg {
	g := s.Builder
	class, mask := lir.Vec, g.V
	if g.EVEX {
		class, mask = lir.Mask, g.K
	}
	m := g.NewReg(class)
	g.Def(o, append([]lir.Arg{mask(m), g.V(x), g.V(y)}, predicate...)...)
	return m
}

// combined is one of two instructions on masks of comparisons: that for mask registers, or for vectors.
func (s *Sorter) combined(onMasks, onVectors asm.Op, x, y lir.Reg) lir.Reg {
	g := s.Builder
	if g.EVEX {
		m := g.NewReg(lir.Mask)
		g.Def(onMasks, g.K(m), g.K(x), g.K(y))
		return m
	}
	m := g.NewVec()
	g.Def(onVectors, g.V(m), g.V(x), g.V(y))
	return m
}

// blended is y where a comparison holds, else x.
func (s *Sorter) blended(x, y, where lir.Reg) lir.Reg {
	g := s.Builder
	r := g.NewVec()
	if g.EVEX {
		g.Def(asm.VPBLENDMQ, g.V(r), g.V(x), g.V(y)).Blended(where)
	} else {
		g.Def(asm.VBLENDVPD, g.V(r), g.V(x), g.V(y), g.V(where))
	}
	return r
}

// unlessAny jumps to label if a comparison holds nowhere.
func (s *Sorter) unlessAny(where lir.Reg, label int) {
	g := s.Builder
	if g.EVEX {
		g.Use(asm.KORTESTW, g.K(where), g.K(where))
	} else {
		g.Use(asm.VPTEST, g.V(where), g.V(where))
	}
	g.Jump(asm.JE, label)
}
