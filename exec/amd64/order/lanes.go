package order

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Registers of keys of 64 bits. What is chosen by a comparison is chosen by a mask register in AVX-512, and by a vector
// of all bits or none in AVX2.

// lanesOf8 is how many are in a register.
func (s *Sorter) lanesOf8() int { return s.Bytes / 8 }

// more is where x is greater than y.
func (s *Sorter) more(x, y lir.Reg) lir.Reg { return s.compared(asm.VPCMPGTQ, x, y) }

// unordered is where floats are NaN.
func (s *Sorter) unordered(x lir.Reg) lir.Reg {
	return s.compared(asm.VCMPPD, x, x, lir.Imm(lane.Unordered))
}

func (s *Sorter) compared(o asm.Op, x, y lir.Reg, predicate ...lir.Arg) lir.Reg {
	class, mask := lir.Vec, s.V
	if s.EVEX {
		class, mask = lir.Mask, s.K
	}
	m := s.NewReg(class)
	s.Def(o, append([]lir.Arg{mask(m), s.V(x), s.V(y)}, predicate...)...)
	return m
}

// combined is one of two instructions on masks of comparisons: that for mask registers, or for vectors.
func (s *Sorter) combined(onMasks, onVectors asm.Op, x, y lir.Reg) lir.Reg {
	if s.EVEX {
		m := s.NewReg(lir.Mask)
		s.Def(onMasks, s.K(m), s.K(x), s.K(y))
		return m
	}
	m := s.NewVec()
	s.Def(onVectors, s.V(m), s.V(x), s.V(y))
	return m
}

// blended is y where a comparison holds, else x.
func (s *Sorter) blended(x, y, where lir.Reg) lir.Reg {
	r := s.NewVec()
	if s.EVEX {
		s.Def(asm.VPBLENDMQ, s.V(r), s.V(x), s.V(y)).Blended(where)
	} else {
		s.Def(asm.VBLENDVPD, s.V(r), s.V(x), s.V(y), s.V(where))
	}
	return r
}

// unlessAny jumps to label if a comparison holds nowhere.
func (s *Sorter) unlessAny(where lir.Reg, label int) {
	if s.EVEX {
		s.Use(asm.KORTESTW, s.K(where), s.K(where))
	} else {
		s.Use(asm.VPTEST, s.V(where), s.V(where))
	}
	s.Jump(asm.JE, label)
}
