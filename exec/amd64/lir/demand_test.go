package lir

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// demanded is code of whose results only the first lanes are used, or none, and what becomes of it.
var demanded = []struct {
	name string
	code func(u *Unit, p Reg)
	want string
}{
	{"a scalar is computed in the first lanes", func(u *Unit, p Reg) {
		x, y := u.NewVec(), u.NewVec()
		u.Def(asm.VPBROADCASTD, u.V(x), Mem(p, 0))
		u.Def(asm.VADDPS, u.V(y), u.V(x), u.Const32(1))
		u.Use(asm.VMOVSS, Mem(p, 0), u.VW(y, 16))
	}, `v2:16 = vmovss [r1]
v3:16 = vaddps v2:16, [const 01000000] to all
vmovss [r1], v3:16
`},
	{"all lanes are used", func(u *Unit, p Reg) {
		x, y := u.NewVec(), u.NewVec()
		u.Def(asm.VPBROADCASTD, u.V(x), Mem(p, 0))
		u.Def(asm.VADDPS, u.V(y), u.V(x), u.V(x))
		u.Use(asm.VMOVUPS, Mem(p, 0), u.V(y))
	}, `v2 = vpbroadcastd [r1]
v3 = vaddps v2, v2
vmovups [r1], v3
`},
	{"a broadcast of four bytes is all of a lane of eight", func(u *Unit, p Reg) {
		x, y := u.NewVec(), u.NewVec()
		u.Def(asm.VPBROADCASTD, u.V(x), Mem(p, 0))
		u.Def(asm.VPADDQ, u.V(y), u.V(x), u.V(x))
		u.Use(asm.VMOVSD, Mem(p, 0), u.VW(y, 16))
	}, `v2:16 = vpbroadcastd [r1]
v3:16 = vpaddq v2:16, v2:16
vmovsd [r1], v3:16
`},
	{"halves of which the upper is not used", func(u *Unit, p Reg) {
		x, low, high, y := u.NewVec(), u.NewVec(), u.NewVec(), u.NewVec()
		u.Def(asm.VMOVUPS, u.V(x), Mem(p, 0))
		u.Def(asm.VCVTPD2PS, u.VW(low, 32), u.V(x))
		u.Def(asm.VCVTPD2PS, u.VW(high, 32), u.V(x))
		u.Def(asm.VINSERTI64X4, u.V(y), u.V(low), u.VW(high, 32), Imm(1))
		u.Use(asm.VMOVSS, Mem(p, 0), u.VW(y, 16))
	}, `v2:16 = vmovups [r1]
v3:16 = vcvtpd2ps v2:16
v5:16 = vmovaps v3:16
vmovss [r1], v5:16
`},
	{"four narrow results come from more than 16 bytes", func(u *Unit, p Reg) {
		x, y := u.NewVec(), u.NewVec()
		u.Def(asm.VMOVUPS, u.V(x), Mem(p, 0))
		u.Def(asm.VCVTPD2PS, u.VW(y, 32), u.V(x))
		u.Use(asm.VMOVUPS, Mem(p, 0), u.VW(y, 16))
	}, `v2 = vmovups [r1]
v3:32 = vcvtpd2ps v2
vmovups [r1], v3:16
`},
	{"a mask of one lane", func(u *Unit, p Reg) {
		x, y, k := u.NewVec(), u.NewVec(), u.NewReg(Mask)
		u.Def(asm.VMOVUPS, u.V(x), Mem(p, 0))
		u.Def(asm.VPCMPD, u.K(k), u.V(x), u.V(x), Imm(1))
		u.Def(asm.VPBLENDMD, u.V(y), u.V(x), u.V(x)).Blended(k)
		u.Use(asm.VMOVSS, Mem(p, 0), u.VW(y, 16))
	}, `v2:16 = vmovups [r1]
k4 = vpcmpd v2:16, v2:16, 1
v3:16 = vpblendmd {k4} v2:16, v2:16
vmovss [r1], v3:16
`},
	{"lower halves of sums are made of lower halves", func(u *Unit, p Reg) {
		x, y, z, i := u.NewReg(GPR), u.NewReg(GPR), u.NewReg(GPR), u.NewReg(GPR)
		u.Def(asm.MOVSXD, u.R64(x), Mem(p, 0))
		u.Def(asm.MOVSXD, u.R64(i), Mem(p, 4))
		u.Def(asm.LEA, u.R64(y), Mem(x, 1))
		u.Def(asm.MOVSXD, u.R64(z), u.R32(y))
		u.Use(asm.MOV, MemIndex(p, i, 4, 0), u.R32(z))
	}, `r2:4 = mov [r1]
r5 = movsxd [r1 +4]
r3 = lea [r2 +1]
r4 = mov r3
mov [r1 + r5*4], r4:4
`},
	{"flags are of all bytes", func(u *Unit, p Reg) {
		x, y, end := u.NewReg(GPR), u.NewReg(GPR), u.NewLabel()
		u.Def(asm.MOVSXD, u.R64(x), Mem(p, 0))
		u.Def(asm.MOVSXD, u.R64(y), Mem(p, 4))
		u.RMW(asm.ADD, u.R64(x), u.R64(y))
		u.Jump(asm.JE, end)
		u.Use(asm.MOV, Mem(p, 0), u.R32(x))
		u.Bind(end)
	}, `r2 = movsxd [r1]
r3 = movsxd [r1 +4]
r2 = add r2, r3
je L0
mov [r1], r2:4
L0:
`},
	{"what is shifted down is all", func(u *Unit, p Reg) {
		x := u.NewReg(GPR)
		u.Def(asm.MOVSXD, u.R64(x), Mem(p, 0))
		u.RMW(asm.SAR, u.R64(x), Imm(1))
		u.Use(asm.MOV, Mem(p, 0), u.R32(x))
	}, `r2 = movsxd [r1]
r2 = sar r2, 1
mov [r1], r2:4
`},
	{"a loop", func(u *Unit, p Reg) {
		sum, x, top := u.NewVec(), u.NewVec(), u.NewLabel()
		u.ZeroVec(sum)
		l := u.BeginLoop()
		u.Bind(top)
		u.Def(asm.VPBROADCASTQ, u.V(x), Mem(p, 0))
		u.RMW(asm.VADDPD, u.V(sum), u.V(sum), u.V(x))
		u.Jump(asm.JNE, top)
		u.EndLoop(l)
		u.Use(asm.VMOVSD, Mem(p, 0), u.VW(sum, 16))
	}, `v2:16 = vpxord
loop 1 {
	L0:
	v3:16 = vmovsd [r1]
	v2:16 = vaddpd v2:16, v2:16, v3:16
	jne L0
}
vmovsd [r1], v2:16
`},
	{"a shift by a register", func(u *Unit, p Reg) {
		x, n := u.NewVec(), u.NewVec()
		u.Def(asm.VMOVUPS, u.V(x), Mem(p, 0))
		u.Def(asm.VMOVUPS, u.V(n), Mem(p, 0))
		u.RMW(asm.VPSLLD, u.V(x), u.V(x), u.VW(n, 16))
		u.Use(asm.VMOVSS, Mem(p, 0), u.VW(x, 16))
	}, `v2 = vmovups [r1]
v3:16 = vmovups [r1]
v2 = vpslld v2, v2, v3:16
vmovss [r1], v2:16
`},
	{"what sets flags that are read stays, what nobody reads does not", func(u *Unit, p Reg) {
		r, s, v := u.NewInt(1), u.CopyInt(p), u.NewVec()
		u.RMW(asm.ADD, u.R64(r), Imm(2))
		u.Def(asm.LEA, u.R64(s), Mem(p, 1))
		u.Def(asm.VMOVUPS, u.V(v), Mem(p, 0))
		u.Jump(asm.JNE, u.NewLabel())
		u.RMW(asm.ADD, u.R64(r), Imm(3))
		u.SetIf(asm.SETE, r, Imm(3))
	}, `r2 = mov 1
r2 = add r2, 2
jne L0
r2 = add r2, 3
`},
	{"a load that widens reads half as much", func(u *Unit, p Reg) {
		x, y := u.NewVec(), u.NewVec()
		u.Def(asm.VCVTPH2PS, u.V(x), Mem(p, 0).Sized(32))
		u.Def(asm.VCVTPS2PD, u.V(y), Mem(p, 32).Sized(32))
		u.Use(asm.VMOVSS, Mem(p, 0), u.VW(x, 16))
		u.Use(asm.VMOVSD, Mem(p, 0), u.VW(y, 16))
	}, `v2:16 = vcvtph2ps [r1]
v3:16 = vcvtps2pd [r1 +32]
vmovss [r1], v2:16
vmovsd [r1], v3:16
`},
	{"what is written to memory stays", func(u *Unit, p Reg) {
		r := u.NewInt(1)
		u.Use(asm.ADD, Mem(p, 0), u.R64(r))
		s := u.NewInt(2)
		u.RMW(asm.ADD, u.R64(s), Imm(3))
	}, `r2 = mov 1
add [r1], r2
`},
}

// TestOnlyDemanded says what becomes of code of whose results only the first lanes are used, or none.
func TestOnlyDemanded(t *testing.T) {
	for _, tt := range demanded {
		u := NewUnit(AVX512)
		p := u.NewReg(GPR)
		tt.code(u, p)
		u.onlyDemanded()
		if got := u.String(); got != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
		if _, _, _, _, err := u.Assemble(false); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
