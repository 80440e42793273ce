package lir

import (
	"strings"
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

// TestHeldOperands: a spilled value that a scratch register has is not loaded again, but behind a label.
func TestHeldOperands(t *testing.T) {
	const place = "[r15+0x400]" // of what becomes the value, which is spilled
	for _, tt := range []struct {
		name    string
		between func(u *Unit, other Reg)
		loads   int
	}{
		{"nothing", func(*Unit, Reg) {}, 1},
		{"another spilled value", func(u *Unit, other Reg) { u.RMW(asm.ADD, u.R64(other), Imm(1)) }, 2},
		{"a label", func(u *Unit, _ Reg) {
			again := u.NewLabel()
			u.Bind(again)
			u.Use(asm.CMP, Frame(8).Sized(8), Imm(0))
			u.Jump(asm.JNE, again)
		}, 2},
	} {
		u := NewUnit(AVX2)
		u.FrameSize = 2048
		var rs []Reg
		for i := range 16 {
			r := u.NewReg(GPR)
			u.Def(asm.MOV, u.R64(r), Frame(1024+8*i))
			rs = append(rs, r)
		}
		for i := range 10 * 14 { // these are used more often, and not spilled, as far as there are registers
			u.RMW(asm.ADD, u.R64(rs[2+i%14]), Imm(1))
		}
		u.RMW(asm.ADD, u.R64(rs[0]), Imm(7))
		tt.between(u, rs[1])
		u.RMW(asm.ADD, u.R64(rs[0]), Imm(9))
		for i := range len(rs) {
			u.Use(asm.MOV, Frame(16), u.R64(rs[i%len(rs)]))
		}
		_, _, _, lines, err := u.Assemble(true)
		if err != nil {
			t.Fatal(err)
		}
		var slot string
		loads, list := 0, lines.Listing()
		for i, l := range list {
			text := l.Inst.String()
			if strings.HasSuffix(text, ", 0x9") {
				break
			}
			switch {
			case strings.HasSuffix(text, place):
				slot, _ = strings.CutSuffix(list[i+1].Inst.String(), ", rax")
			case slot != "" && strings.HasSuffix(text, ", "+strings.TrimPrefix(slot, "mov ")):
				loads++
			}
		}
		if !strings.HasPrefix(slot, "mov qword ptr") || loads != tt.loads {
			t.Errorf("%s: %d loads of %q, want %d in\n%v", tt.name, loads, slot, tt.loads, list)
		}
	}
}
