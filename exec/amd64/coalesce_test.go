package amd64

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestCoalesce says which copies disappear: those of a result that is used for nothing
// else, straight after it.
func TestCoalesce(t *testing.T) {
	for _, tt := range []struct {
		name string
		code func(u *unit, x, y reg)
		want int // instructions left
	}{
		{"a result for the accumulator", func(u *unit, x, acc reg) {
			r := u.newReg(vec)
			u.def(asm.VADDPS, u.v(r), u.v(acc), u.v(x))
			u.def(asm.VMOVAPS, u.v(acc), u.v(r))
		}, 1},
		{"a result that is used again", func(u *unit, x, acc reg) {
			r := u.newReg(vec)
			u.def(asm.VADDPS, u.v(r), u.v(acc), u.v(x))
			u.def(asm.VMOVAPS, u.v(acc), u.v(r))
			u.use(asm.VMOVUPS, frameAt(0), u.v(r))
		}, 3},
		{"a copy behind a label", func(u *unit, x, acc reg) {
			r := u.newReg(vec)
			u.def(asm.VADDPS, u.v(r), u.v(acc), u.v(x))
			u.bind(u.newLabel())
			u.def(asm.VMOVAPS, u.v(acc), u.v(r))
		}, 3},
		{"a result that is written twice", func(u *unit, x, acc reg) {
			r := u.newReg(vec)
			u.def(asm.VMOVAPS, u.v(r), u.v(x))
			u.rmw(asm.VFMADD231PS, u.v(r), u.v(x), u.v(x))
			u.def(asm.VMOVAPS, u.v(acc), u.v(r))
		}, 3},
		{"a mask from a general register is no copy", func(u *unit, x, acc reg) {
			r, k := u.newReg(gpr), u.newReg(kmask)
			u.def(asm.LEA, u.r64(r), frameAt(0))
			u.def(asm.KMOVQ, u.k(k), u.r64(r))
		}, 2},
	} {
		u := newUnit(64)
		tt.code(u, u.newReg(vec), u.newReg(vec))
		u.coalesce()
		got := 0
		for range u.cur.all() {
			got++
		}
		if got != tt.want {
			t.Errorf("%s: %d instructions, want %d", tt.name, got, tt.want)
		}
	}
}
