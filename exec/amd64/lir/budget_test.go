package lir

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestLongLoops: a loop looks at the budget, once a round, exactly if it takes longer
// altogether than may go unseen; what it does not spend itself is spent behind it, and
// looked at there when it has become much.
func TestLongLoops(t *testing.T) {
	for _, tt := range []struct {
		name   string
		code   func(u *Unit)
		inside int // looks in the code
		left   int // nanoseconds unseen at its end
	}{
		{"a short loop", func(u *Unit) { u.UpTo(100, 1, plain) }, 0, 100},
		{"a long loop", func(u *Unit) { u.UpTo(100*MaxUnseen, 1, plain) }, 1, 0},
		{"many short loops", func(u *Unit) {
			for range 25 {
				u.UpTo(MaxUnseen/10, 1, plain)
			}
		}, 2, 3 * MaxUnseen / 10},
		{"a loop around a long loop", func(u *Unit) {
			u.UpTo(4, 1, func(Reg) { u.UpTo(100*MaxUnseen, 1, plain) })
		}, 1, 4},
		{"a long loop around a short one", func(u *Unit) {
			u.UpTo(100*MaxUnseen, 1, func(Reg) { u.UpTo(10, 1, plain) })
		}, 1, 0},
	} {
		u := NewUnit(AVX512)
		tt.code(u)
		looks := 0
		for _, in := range u.Cur.all() {
			if in.kind == callOut && in.n == ExitYield {
				looks++
			}
		}
		if looks != tt.inside || u.unseen != tt.left {
			t.Errorf("%s: %d looks, %d ns unseen, want %d and %d", tt.name, looks, u.unseen, tt.inside, tt.left)
		}
	}
}

// plain is code of a nanosecond.
func plain(Reg) {}

// TestWork: what code is taken for. Loops count as often as one says.
func TestWork(t *testing.T) {
	u := NewUnit(AVX512)
	v, p := u.NewReg(Vec), u.NewReg(GPR)
	u.Def(asm.VMOVUPS, u.V(v), Mem(p, 0)) // 3 ns
	l := u.BeginLoop()
	u.RMW(asm.VDIVPS, u.V(v), u.V(v), u.V(v)) // 5 ns
	u.EndLoop(l)
	for rounds, want := range map[int]int{0: 3, 1: 8, 8: 43} {
		if got := u.Cur.Work(rounds) - 1; got != want {
			t.Errorf("%d rounds: %d ns, want %d", rounds, got, want)
		}
	}
}
