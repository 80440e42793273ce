package regalloc

import "testing"

// TestAllocate has values in two registers: what is used least lives in memory, a copy takes the register of what ends
// with it, and what a loop uses stays to its end.
func TestAllocate(t *testing.T) {
	table := []File{{Free: 0b110, Slot: 8}}
	for _, tt := range []struct {
		name string
		code func(l *Liveness)
		regs int
		want []int8 // of registers 1 ...
	}{
		{"one after the other", func(l *Liveness) {
			l.Touch(1, 1)
			l.Touch(1, 2)
			l.Touch(2, 3)
			l.Touch(2, 4)
		}, 3, []int8{1, 1}},
		{"the least used of three", func(l *Liveness) {
			for r := Reg(1); r <= 3; r++ {
				l.Touch(r, int(2*r-1))
			}
			for _, r := range []Reg{1, 3, 1, 3, 2} {
				l.Touch(r, 20)
			}
		}, 4, []int8{1, -1, 2}},
		{"a copy", func(l *Liveness) {
			l.Touch(1, 1)
			l.Touch(2, 3)
			l.Touch(1, 4)
			l.Touch(2, 4)
			l.Touch(3, 5)
			l.Copied(3, 2)
		}, 4, []int8{1, 2, 2}},
		{"live into a loop", func(l *Liveness) {
			l.Touch(1, 1)
			l.Enter(Loop{2, 9})
			l.Touch(1, 4)
			l.Touch(2, 5)
			l.Touch(2, 6)
			l.Leave()
		}, 3, []int8{1, 2}},
	} {
		l := NewLiveness(tt.regs)
		tt.code(l)
		a := Allocate(l, make([]Class, tt.regs), table, 64)
		for i, want := range tt.want {
			if got := a.Phys[i+1]; got != want {
				t.Errorf("%s: value %d is in %d, want %d", tt.name, i+1, got, want)
			}
			if want < 0 && a.Slot[i+1] != 64 {
				t.Errorf("%s: value %d has slot %d, want 64", tt.name, i+1, a.Slot[i+1])
			}
		}
	}
}
