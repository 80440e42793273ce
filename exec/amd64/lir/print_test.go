package lir

import (
	"testing"

	"github.com/tiler-go/tiler/exec/amd64/asm"
)

// TestPrint: code prints with what it writes and reads, loops indented.
func TestPrint(t *testing.T) {
	u := NewUnit(AVX512)
	x, p, k := u.NewVec(), u.Word(128), u.NewReg(Mask)
	u.Def(asm.KMOVD, u.K(k), u.R32(p))
	u.Def(asm.VMOVUPS, u.V(x), MemIndex(p, p, 4, 64)).Masked(k, true)
	u.RMW(asm.VFMADD231PS, u.V(x), u.V(x), u.Const32(0x3f800000))
	l, top := u.BeginLoop(), u.NewLabel()
	u.Bind(top)
	u.Divide64(p, p, u.NewInt(3), 1)
	u.DivideUnsigned(p, p, p, p)
	u.Jump(asm.JNE, top)
	u.EndLoop(l)
	u.CompareExchange(p, p, p, p, 4)
	u.ExchangeAdd(Mem(p, 0), u.R64(p))
	u.CallOut(8)
	u.Return(0)
	const want = `r2 = mov [frame +128]
k3 = kmovd r2:4
v1 = vmovups {k3}{z} [r2 + r2*4 +64]
v1 = vfmadd231ps v1, v1, [const 0000803f] to all
loop 1 {
	L0:
	r4 = mov 3
	r2 = remainder r2, r4
	r2 = unsigned quotient r2, r2, r2
	jne L0
}
r2 = compare and exchange 4 r2, r2, r2
r2 = lock xadd [r2], r2
call out 8
return 0
`
	if got := u.String(); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
