package lir

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// placed is code, and in which order its blocks stand, and how each goes on if not to the next.
var placed = []struct {
	name string
	code func(u *Unit, r Arg)
	want string
}{
	{"what leaves to Go stands last, and jumps back", func(u *Unit, r Arg) {
		more := u.NewLabel()
		u.Use(asm.CMP, r, Imm(0))
		u.Jump(asm.JG, more)
		u.CallOut(ExitYield)
		u.Bind(more)
		u.Return(0)
	}, "0 jle:1 2 1 jmp:2"},
	{"a loop runs in order", func(u *Unit, r Arg) {
		top, done := u.NewLabel(), u.NewLabel()
		u.Bind(top)
		u.Use(asm.CMP, r, Imm(9))
		u.Jump(asm.JE, done)
		u.Use(asm.CMP, r, Imm(0))
		u.Jump(asm.JMP, top)
		u.Bind(done)
		u.Return(0)
	}, "0 je:2 1 cmp r1, 9 jne:1 2"},
	{"a loop's look at the budget comes at its end again", func(u *Unit, r Arg) {
		top, done := u.NewLabel(), u.NewLabel()
		u.Bind(top)
		u.Spend(3)
		u.Poll()
		u.Use(asm.CMP, r, Imm(9))
		u.Jump(asm.JE, done)
		u.RMW(asm.ADD, r, Imm(1))
		u.Jump(asm.JMP, top)
		u.Bind(done)
		u.Return(0)
	}, "0 jle:1 2 je:4 3 sub [frame +72], 3 jg:2 jmp:1 4 1 jmp:2"},
	{"what says that it is rare", func(u *Unit, r Arg) {
		done, bad := u.NewLabel(), u.NewLabel()
		u.Use(asm.CMP, r, Imm(9))
		u.Jump(asm.JAE, bad)
		u.Use(asm.CMP, r, Imm(1))
		u.Jump(asm.JMP, done)
		u.BindCold(bad)
		u.Use(asm.CMP, r, Imm(2))
		u.Bind(done)
		u.Return(0)
	}, "0 jae:2 1 3 2 jmp:3"},
	{"what only leads to what leaves", func(u *Unit, r Arg) {
		bad := u.NewLabel()
		u.Use(asm.CMP, r, Imm(9))
		u.Jump(asm.JNE, bad)
		u.Return(0)
		u.Bind(bad)
		u.Use(asm.CMP, r, Imm(2))
		u.Jump(asm.JE, bad)
		u.Return(3)
	}, "0 jne:2 1 2 je:2 3"},
	{"all ways leave", func(u *Unit, r Arg) {
		u.Use(asm.CMP, r, Imm(9))
		u.CallOut(9)
		u.Return(0)
	}, "0"},
	{"what leaves a loop stands behind it", func(u *Unit, r Arg) {
		top, on, done := u.NewLabel(), u.NewLabel(), u.NewLabel()
		u.Bind(top)
		u.RMW(asm.ADD, r, Imm(1))
		u.Jump(asm.JE, on)
		u.RMW(asm.ADD, r, Imm(2))
		u.Jump(asm.JMP, done)
		u.Bind(on)
		u.RMW(asm.ADD, r, Imm(3))
		u.Jump(asm.JMP, top)
		u.Bind(done)
		u.Return(0)
	}, "0 jne:1 2 jmp:0 1 3"},
	{"what only jumps is jumped over", func(u *Unit, r Arg) {
		over, next, done := u.NewLabel(), u.NewLabel(), u.NewLabel()
		u.Use(asm.CMP, r, Imm(1))
		u.Jump(asm.JE, over)
		u.RMW(asm.ADD, r, Imm(2))
		u.Jump(asm.JMP, next)
		u.Bind(over)
		u.Jump(asm.JMP, done)
		u.Bind(next)
		u.RMW(asm.ADD, r, Imm(3))
		u.Bind(done)
		u.Return(0)
	}, "0 je:4 1 3 4"},
	{"a test of what has just become a constant", func(u *Unit, r Arg) {
		other, test, no := u.NewLabel(), u.NewLabel(), u.NewLabel()
		u.Use(asm.CMP, r, Imm(1))
		u.Jump(asm.JE, other)
		u.Def(asm.MOV, r, Imm(1))
		u.Jump(asm.JMP, test)
		u.Bind(other)
		u.Def(asm.MOV, r, Imm(0))
		u.Bind(test)
		u.Use(asm.TEST, r, r)
		u.Jump(asm.JE, no)
		u.RMW(asm.ADD, r, Imm(2))
		u.Bind(no)
		u.Return(0)
	}, "0 je:2 1 jmp:4 2 jmp:5 4 5"},
	{"what is never reached is dropped", func(u *Unit, r Arg) {
		u.Return(0)
		u.Use(asm.CMP, r, Imm(9))
		u.Return(0)
	}, "0"},
}

// TestPlace says in which order blocks stand, and how each goes on if not to the next.
func TestPlace(t *testing.T) {
	for _, tt := range placed {
		u := NewUnit(AVX512)
		tt.code(u, u.R64(u.NewReg(GPR)))
		all := u.blocks()
		number := map[*block]int{}
		for i, b := range all {
			number[b] = i
		}
		var got []string
		order := place(all)
		spendOnce(order)
		for _, b := range order {
			got = append(got, fmt.Sprint(number[b]))
			ways, ahead := b.ways()
			for _, in := range ahead {
				got = append(got, u.print(in))
			}
			for _, w := range ways {
				if w.to != nil {
					got = append(got, fmt.Sprintf("%v:%d", w.op, number[w.to]))
				}
			}
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, s, tt.want)
		}
	}
}

// TestSpendOnce: blocks that run equally often spend together, and so does one that only another goes on with, but not
// a loop among them.
func TestSpendOnce(t *testing.T) {
	u := NewUnit(AVX512)
	r, over, top, inner := u.R64(u.NewReg(GPR)), u.NewLabel(), u.NewLabel(), u.NewLabel()
	u.Bind(top)
	u.Spend(1)
	u.Poll()
	u.Spend(4)
	u.Use(asm.CMP, r, Imm(0))
	u.Jump(asm.JE, over)
	u.Spend(8)
	u.Bind(over)
	u.Bind(inner)
	u.Spend(32)
	u.Use(asm.CMP, r, Imm(1))
	u.Jump(asm.JNE, inner)
	u.Spend(16)
	u.Use(asm.CMP, r, Imm(0))
	u.Jump(asm.JNE, top)
	u.Return(0)
	order := place(u.blocks())
	spendOnce(order)
	var got []string
	for _, b := range order {
		for _, in := range b.code {
			if in.kind == machine {
				got = append(got, u.print(in))
			}
		}
	}
	const want = "sub [frame +72], 29; cmp r1, 0; sub [frame +72], 32; cmp r1, 1; cmp r1, 0"
	if s := strings.Join(got, "; "); s != want {
		t.Errorf("got  %s\nwant %s", s, want)
	}
}
