package asm

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

// decodeAt decodes the instruction at off and returns its length and the target of its relative operand, if any.
func decodeAt(t *testing.T, code []byte, off int) (inst x86asm.Inst, target int) {
	t.Helper()
	inst, err := x86asm.Decode(code[off:], 64)
	if err != nil {
		t.Fatalf("%x: %v", code[off:min(off+16, len(code))], err)
	}
	for _, arg := range inst.Args {
		switch arg := arg.(type) {
		case x86asm.Rel:
			return inst, off + inst.Len + int(arg)
		case x86asm.Mem:
			// The decoder names no base for AVX instructions, which have no absolute addresses here.
			if arg.Base == x86asm.RIP || arg.Base == 0 && arg.Index == 0 {
				return inst, off + inst.Len + int(int32(arg.Disp))
			}
		}
	}
	return inst, -1
}

// TestJumpBack: jumps back are short as far as a byte reaches.
func TestJumpBack(t *testing.T) {
	for _, op := range []Op{JMP, JNE, JO, JG} {
		for pad := 120; pad < 135; pad++ {
			var a Assembler
			a.Emit(CQO)
			l := a.NewLabel()
			a.Bind(l)
			for range pad {
				a.Emit(NOP)
			}
			off := a.Len()
			a.Emit(op, To(l))
			code, err := a.Finish()
			if err != nil {
				t.Fatal(err)
			}
			inst, target := decodeAt(t, code, off)
			if short := inst.Len == 2; target != 2 || short != (pad <= 126) || len(code) != off+inst.Len {
				t.Errorf("%v over %d bytes: %x goes to %d, want 2", op, pad, code[off:], target)
			}
		}
	}
}

func TestJumpForward(t *testing.T) {
	var a Assembler
	end, table := a.NewLabel(), a.NewLabel()
	jumps := []Op{JMP, JE, JA}
	var offs []int
	for _, op := range jumps {
		offs = append(offs, a.Len())
		a.Emit(op, To(end))
	}
	offs = append(offs, a.Len())
	a.Emit(LEA, RAX, At(end))
	a.Emit(JMP, RAX)
	a.Emit(JMP, At(table).Size(8))
	a.Bind(end)
	want := a.Len()
	a.Emit(RET)
	a.Bind(table)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for i, off := range offs {
		if inst, target := decodeAt(t, code, off); target != want {
			t.Errorf("jump %d: %v goes to %d, want %d", i, inst, target, want)
		}
	}
}

func TestAlign(t *testing.T) {
	for before := range 70 {
		for _, n := range []int{1, 2, 4, 8, 16, 32, 64} {
			var a Assembler
			for range before {
				a.Emit(RET)
			}
			a.Align(n)
			code, err := a.Finish()
			if err != nil || len(code)%n != 0 || len(code)-before >= n {
				t.Fatalf("align %d at %d: %d bytes, %v", n, before, len(code), err)
			}
			for off := before; off < len(code); {
				inst, _ := decodeAt(t, code, off)
				if inst.Op != x86asm.NOP {
					t.Fatalf("align %d at %d: pads with %v", n, before, inst)
				}
				off += inst.Len
			}
		}
	}
}

func TestMovImm(t *testing.T) {
	for v, want := range map[uint64]string{
		0:                  "mov ecx, 0x0",
		1:                  "mov ecx, 0x1",
		0x7fffffff:         "mov ecx, 0x7fffffff",
		0x80000000:         "mov ecx, -0x80000000",
		0xffffffff:         "mov ecx, -0x1",
		0x100000000:        "mov rcx, 0x100000000",
		0xffffffff80000000: "mov rcx, -0x80000000",
		0xffffffffffffffff: "mov rcx, -0x1",
		0xffffffff7fffffff: "mov rcx, 0xffffffff7fffffff",
	} {
		var a Assembler
		a.MovImm(RCX, v)
		code, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		inst, _ := decodeAt(t, code, 0)
		if got := x86asm.IntelSyntax(inst, 0, nil); inst.Len != len(code) || got != want {
			t.Errorf("%#x: got %s (%x), want %s", v, got, code, want)
		}
	}
}

// TestPool: constants are aligned, equal ones shared, and every instruction reaches its own, whatever follows
// the displacement.
func TestPool(t *testing.T) {
	wide := bytes.Repeat([]byte{7, 1}, 32)
	half := bytes.Repeat([]byte{5}, 32)
	small := []byte{1, 2, 3, 4}
	var a Assembler
	type use struct {
		off  int
		data []byte
	}
	var uses []use
	emit := func(op Op, data []byte, args ...Operand) {
		uses = append(uses, use{a.Len(), data})
		a.Emit(op, args...)
	}
	for range 2 {
		emit(VADDPS, small, Z(1), Z(2), a.Const(small).Bcast())
		emit(VPADDD, wide, Z(1), Z(20), a.Const(wide))
		emit(VPERMILPS, half, Y(1), a.Const(half), Imm(27))
		emit(CMP, small, a.Const(small), Imm(0x12345))
		emit(MOV, []byte{9}, AL, a.Const([]byte{9}))
		emit(MOV, small, ECX, a.Const32(0x04030201))
		emit(MOV, []byte{8, 7, 6, 5, 4, 3, 2, 1}, RCX, a.Const64(0x0102030405060708))
	}
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for _, u := range uses {
		inst, target := decodeAt(t, code, u.off)
		n := len(u.data)
		if target%n != 0 || !bytes.Equal(code[target:target+n], u.data) {
			t.Errorf("%v at %d reaches %d: %x, want %x", inst, u.off, target, code[target:target+n], u.data)
		}
		if first, ok := at[string(u.data)]; ok && first != target {
			t.Errorf("constant %x is at %d and %d", u.data, first, target)
		}
		at[string(u.data)] = target
	}
	if again, err := a.Finish(); err != nil || !bytes.Equal(again, code) {
		t.Errorf("second Finish differs: %v", err)
	}
}

// TestReset: a reset assembler makes the same code again, and remembers nothing.
func TestReset(t *testing.T) {
	var a Assembler
	build := func(n int) []byte {
		a.Reset()
		l := a.NewLabel()
		for i := range n {
			a.Emit(VADDPS, Z(1), Z(2), a.Const32(uint32(i)).Bcast())
		}
		a.Emit(JMP, To(l))
		a.Bind(l)
		code, err := a.Finish()
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Clone(code)
	}
	one := build(3)
	build(50)
	if two := build(3); !bytes.Equal(one, two) {
		t.Errorf("got %x, want %x", two, one)
	}
}

func TestListing(t *testing.T) {
	a := Assembler{KeepListing: true}
	loop := a.NewLabel()
	a.Emit(MOV, ECX, Imm(10))
	a.Align(8)
	a.Bind(loop)
	a.SetTag(1)
	a.EmitMasked(VMOVUPS, K(1), true, Z(0), Mem(RSI, 64))
	a.SetTag(2)
	a.Emit(VADDPS, Z(0), Z(0), a.Const32(0x3f800000).Bcast())
	a.Emit(DEC, ECX)
	a.Emit(JNE, To(loop))
	a.Emit(RET)
	var b strings.Builder
	if err := a.WriteListing(&b, func(tag int32) string { return []string{"", "load", "add 1"}[tag] }); err != nil {
		t.Fatal(err)
	}
	want := `     0  b90a000000              mov ecx, 0xa
     5  0f1f00                  nop
L0:
     8  62f17cc9104601          vmovups zmm0{k1}{z}, zmmword ptr [rsi+0x40]      ; load
     f  62f17c58580507000000    vaddps zmm0, zmm0, dword ptr [rip+const0]{1to16} ; add 1
    19  ffc9                    dec ecx
    1b  75eb                    jne L0
    1d  c3                      ret
    20  const0: 0000803f
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	code, _ := a.Finish()
	lines := a.Listing()
	end := lines[len(lines)-1]
	if len(lines) != 7 || end.Off+end.Len != 0x1e || code[end.Off] != 0xc3 || end.Tag != 2 {
		t.Errorf("listing ends with %+v", end)
	}
}

// TestGrowth: a long program survives the growth of its buffer.
func TestGrowth(t *testing.T) {
	var a Assembler
	l := a.NewLabel()
	for i := range 5000 {
		a.Emit(JMP, To(l))
		a.Emit(MOV, RAX, Imm(int64(i)))
	}
	a.Bind(l)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5000 {
		off := i * 12
		if _, target := decodeAt(t, code, off); target != len(code) {
			t.Fatalf("jump %d goes to %d, want %d", i, target, len(code))
		}
		if v := binary.LittleEndian.Uint32(code[off+8:]); v != uint32(i) {
			t.Fatalf("move %d has %d", i, v)
		}
	}
}
