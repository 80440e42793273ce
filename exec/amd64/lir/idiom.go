package lir

import "github.com/tiler-go/tiler/exec/amd64/asm"

// What takes an instruction or a few.

// NewVec is a new vector register, NewInt a general one that is n, CopyInt one that is what src is.
func (u *Unit) NewVec() Reg         { return u.NewReg(Vec) }
func (u *Unit) NewInt(n int64) Reg  { r := u.NewReg(GPR); u.SetImm(r, n); return r }
func (u *Unit) CopyInt(src Reg) Reg { r := u.NewReg(GPR); u.Move64(r, src); return r }

// Move64 copies a general register, SetImm fills one.
func (u *Unit) Move64(dst, src Reg)     { u.Def(asm.MOV, u.R64(dst), u.R64(src)) }
func (u *Unit) SetImm(dst Reg, n int64) { u.Def(asm.MOV, u.R64(dst), Imm(n)) }

// BinInt is a new register with the result of a two-operand instruction on x and y.
func (u *Unit) BinInt(o asm.Op, x Reg, y Arg) Reg {
	if o == asm.IMUL && y.kind == immArg {
		r := u.NewReg(GPR)
		u.Def(o, u.R64(r), u.R64(x), y)
		return r
	}
	r := u.CopyInt(x)
	u.RMW(o, u.R64(r), y)
	return r
}

// MoveVec copies a vector register, ZeroVec clears one.
func (u *Unit) MoveVec(dst, src Reg) { u.Def(asm.VMOVAPS, u.V(dst), u.V(src)) }

func (u *Unit) ZeroVec(r Reg) {
	if u.EVEX {
		u.Idiom(asm.VPXORD, u.V(r))
		return
	}
	u.Idiom(asm.VPXOR, u.VW(r, 16))
}

// LoadInt is a register with the 64 bits in memory.
func (u *Unit) LoadInt(a Arg) Reg {
	r := u.NewReg(GPR)
	u.Def(asm.MOV, u.R64(r), a)
	return r
}

// Word is a word of the frame in a register.
func (u *Unit) Word(off int) Reg { return u.LoadInt(Frame(off)) }

// AddConst adds n to r.
func (u *Unit) AddConst(r Reg, n int64) {
	switch {
	case n == 0:
	case n == int64(int32(n)):
		u.RMW(asm.ADD, u.R64(r), Imm(n))
	default:
		u.RMW(asm.ADD, u.R64(r), u.R64(u.NewInt(n)))
	}
}

// Move puts a constant or register into r.
func (u *Unit) Move(r Reg, a Arg) {
	if n, ok := a.IsImm(); ok {
		u.SetImm(r, n)
		return
	}
	u.Def(asm.MOV, u.R64(r), a)
}

// InReg is an integer operand in a register.
func (u *Unit) InReg(a Arg) Reg {
	if r, ok := a.isReg(); ok {
		return r
	}
	r := u.NewReg(GPR)
	u.Move(r, a)
	return r
}

// Below reports whether operands are constants in order.
func Below(lo, hi Arg) bool {
	x, ok := lo.IsImm()
	y, both := hi.IsImm()
	return ok && both && x < y
}

// SetIf is 1 if the comparison of x with y has the condition, else 0.
func (u *Unit) SetIf(cc asm.Op, x Reg, y Arg) Reg {
	r := u.NewInt(0)
	u.Use(asm.CMP, u.R64(x), y)
	u.RMW(cc, u.R8(r))
	return r
}

// Log2 is the exponent of a power of two.
func Log2(n int64) int {
	k := 0
	for n > 1 {
		n >>= 1
		k++
	}
	return k
}

// AtLeastZero is max(0, x - n).
func (u *Unit) AtLeastZero(x Reg, n int) Reg {
	r := u.BinInt(asm.SUB, x, Imm(int64(n)))
	zero := u.NewInt(0)
	u.Use(asm.CMP, u.R64(r), Imm(0))
	u.RMW(asm.CMOVL, u.R64(r), u.R64(zero))
	return r
}
