package lir

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestSpilledOperands: there are two scratch registers for masks, and instructions with three operands.
func TestSpilledOperands(t *testing.T) {
	u := NewUnit(AVX512)
	var ms []Reg
	for range 12 {
		m := u.NewReg(Mask)
		u.Def(asm.KMOVQ, u.K(m), Frame(0))
		ms = append(ms, m)
	}
	for i := range 12 {
		m := u.NewReg(Mask)
		u.Def(asm.KANDW, u.K(m), u.K(ms[i]), u.K(ms[(i+5)%12]))
		ms = append(ms, m)
	}
	for _, m := range ms {
		u.Use(asm.KMOVQ, Frame(8), u.K(m))
	}
	if _, _, _, _, err := u.Assemble(false); err != nil {
		t.Error(err)
	}
}
