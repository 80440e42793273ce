package lir

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestCoalesce says which copies disappear: those of a result that is used for nothing
// else, straight after it.
func TestCoalesce(t *testing.T) {
	for _, tt := range []struct {
		name string
		code func(u *Unit, x, y Reg)
		want int // instructions left
	}{
		{"a result for the accumulator", func(u *Unit, x, acc Reg) {
			r := u.NewReg(Vec)
			u.Def(asm.VADDPS, u.V(r), u.V(acc), u.V(x))
			u.Def(asm.VMOVAPS, u.V(acc), u.V(r))
		}, 1},
		{"a result that is used again", func(u *Unit, x, acc Reg) {
			r := u.NewReg(Vec)
			u.Def(asm.VADDPS, u.V(r), u.V(acc), u.V(x))
			u.Def(asm.VMOVAPS, u.V(acc), u.V(r))
			u.Use(asm.VMOVUPS, Frame(0), u.V(r))
		}, 3},
		{"a copy behind a label", func(u *Unit, x, acc Reg) {
			r := u.NewReg(Vec)
			u.Def(asm.VADDPS, u.V(r), u.V(acc), u.V(x))
			u.Bind(u.NewLabel())
			u.Def(asm.VMOVAPS, u.V(acc), u.V(r))
		}, 3},
		{"a result that is written twice", func(u *Unit, x, acc Reg) {
			r := u.NewReg(Vec)
			u.Def(asm.VMOVAPS, u.V(r), u.V(x))
			u.RMW(asm.VFMADD231PS, u.V(r), u.V(x), u.V(x))
			u.Def(asm.VMOVAPS, u.V(acc), u.V(r))
		}, 3},
		{"a mask from a general register is no copy", func(u *Unit, x, acc Reg) {
			r, k := u.NewReg(GPR), u.NewReg(Mask)
			u.Def(asm.LEA, u.R64(r), Frame(0))
			u.Def(asm.KMOVQ, u.K(k), u.R64(r))
		}, 2},
	} {
		u := NewUnit(AVX512)
		tt.code(u, u.NewReg(Vec), u.NewReg(Vec))
		u.coalesce()
		got := 0
		for range u.Cur.all() {
			got++
		}
		if got != tt.want {
			t.Errorf("%s: %d instructions, want %d", tt.name, got, tt.want)
		}
	}
}
