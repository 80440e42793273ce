package asm

import (
	"os"
	"strings"
	"testing"
)

// TestErrors: every line of errors.txt is refused for the reason that it gives, by an error that
// names the instruction.
func TestErrors(t *testing.T) {
	for _, l := range dataLines(t, "testdata/errors.txt") {
		text, want, ok := strings.Cut(l, ` # ERROR "`)
		want = strings.TrimSuffix(want, `"`)
		in, err := parse(text)
		if !ok || err != nil {
			t.Errorf("%s: bad test line: %v", l, err)
			continue
		}
		var a Assembler
		a.Append(&in)
		code, err := a.Finish()
		switch {
		case err == nil:
			t.Errorf("%s: encoded as %x, want error %q", text, code, want)
		case !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), in.Op.String()):
			t.Errorf("%s: got error %q, want %q", text, err, want)
		}
	}
}

// dataLines reads the lines of a file that are neither empty nor comments.
func dataLines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for l := range strings.Lines(string(data)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	return lines
}

func TestErrorsAreSticky(t *testing.T) {
	var a Assembler
	a.Emit(RET)
	a.Emit(VADDPS, Z(0), Z(1))
	first := a.Err()
	a.Emit(MOV, EAX, RCX)
	a.Emit(RET)
	if first == nil || a.Err() != first {
		t.Errorf("got error %v, want %v", a.Err(), first)
	}
	if _, err := a.Finish(); err != first {
		t.Errorf("Finish: got error %v, want %v", err, first)
	}
	a.Reset()
	a.Emit(RET)
	if code, err := a.Finish(); err != nil || string(code) != "\xc3" {
		t.Errorf("after Reset: got %x, %v", code, err)
	}
}

// TestMisuse: nonsense that text cannot express.
func TestMisuse(t *testing.T) {
	for name, f := range map[string]func(a *Assembler){
		"op 0":              func(a *Assembler) { a.Emit(0) },
		"op beyond":         func(a *Assembler) { a.Emit(NumOps, RAX) },
		"op far beyond":     func(a *Assembler) { a.Emit(0xffff) },
		"five operands":     func(a *Assembler) { a.Emit(VADDPS, Z(0), Z(1), Z(2), Z(3), Z(4)) },
		"register 32":       func(a *Assembler) { a.Emit(VADDPS, Z(0), Z(1), Z(32)) },
		"register -1":       func(a *Assembler) { a.Emit(VADDPS, Z(0), Z(1), Z(-1)) },
		"mask 8":            func(a *Assembler) { a.Emit(KNOTW, K(8), K(1)) },
		"mask is zmm":       func(a *Assembler) { a.EmitMasked(VADDPS, Z(1), false, Z(0), Z(1), Z(2)) },
		"width":             func(a *Assembler) { a.Emit(ADD, RAX.Width(128), RAX) },
		"size of register":  func(a *Assembler) { a.Emit(ADD, RAX.Size(8), RAX) },
		"size 3":            func(a *Assembler) { a.Emit(INC, Mem(RAX, 0).Size(3)) },
		"size 128":          func(a *Assembler) { a.Emit(INC, Mem(RAX, 0).Size(128)) },
		"broadcast of 3":    func(a *Assembler) { a.Emit(VADDPS, Z(0), Z(1), Mem(RAX, 0).BcastTo(3)) },
		"constant of 3":     func(a *Assembler) { a.Const([]byte{1, 2, 3}) },
		"constant of 0":     func(a *Assembler) { a.Const(nil) },
		"constant of 128":   func(a *Assembler) { a.Const(make([]byte, 128)) },
		"foreign label":     func(a *Assembler) { a.Emit(JMP, To(7)) },
		"negative label":    func(a *Assembler) { a.Emit(JMP, To(-1)) },
		"unbound label":     func(a *Assembler) { a.Emit(JMP, To(a.NewLabel())) },
		"unbound memory":    func(a *Assembler) { a.Emit(LEA, RAX, At(a.NewLabel())) },
		"tile of the pool":  func(a *Assembler) { a.Emit(TILELOADD, T(0), a.Const32(1)) },
		"tile at a label":   func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(TILESTORED, At(l), T(0)) },
		"tile 8":            func(a *Assembler) { a.Emit(TILEZERO, T(8)) },
		"foreign memory":    func(a *Assembler) { a.Emit(LEA, RAX, At(9)) },
		"bind foreign":      func(a *Assembler) { a.Bind(3) },
		"bind twice":        func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) },
		"align 3":           func(a *Assembler) { a.Align(3) },
		"align 128":         func(a *Assembler) { a.Align(128) },
		"after Finish":      func(a *Assembler) { a.Finish(); a.Emit(RET) },
		"rounding 99":       func(a *Assembler) { in := New(VADDPS, Z(0), Z(1), Z(2)).WithRounding(99); a.Append(&in) },
		"encoding 99":       func(a *Assembler) { in := New(VADDPS, Z(0), Z(1), Z(2)).WithEncoding(99); a.Append(&in) },
		"movabs of 32 bits": func(a *Assembler) { a.MovImm(ECX, 1<<40) },
	} {
		var a Assembler
		f(&a)
		if _, err := a.Finish(); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

func TestOnly(t *testing.T) {
	avx2 := HasAVX | HasAVX2 | HasFMA | HasF16C | HasBMI1 | HasBMI2 | HasLZCNT | HasPOPCNT
	for _, c := range []struct {
		text string
		need Feature
	}{
		{"add rax, rcx", 0},
		{"shlx rax, rcx, rdx", HasBMI2},
		{"vaddps ymm1, ymm2, ymm3", HasAVX},
		{"vpaddd ymm1, ymm2, ymm3", HasAVX2},
		{"vfmadd231ps ymm1, ymm2, ymm3", HasFMA},
		{"vaddps zmm1, zmm2, zmm3", HasAVX512F},
		{"vaddps ymm17, ymm2, ymm3", HasAVX512F | HasAVX512VL},
		{"vaddss xmm17, xmm2, xmm3", HasAVX512F},
		{"vpaddw zmm1, zmm2, zmm3", HasAVX512BW},
		{"kmovq k1, rax", HasAVX512BW},
		{"vpmullq zmm1, zmm2, zmm3", HasAVX512DQ},
		{"vdpbf16ps zmm1, zmm2, zmm3", HasAVX512BF16},
		{"{vex} vpdpbusd ymm1, ymm2, ymm3", HasAVXVNNI},
		{"vpdpbusd ymm1, ymm2, ymm3", HasAVX512VNNI | HasAVX512VL},
	} {
		in, err := parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := in.Needs(); err != nil || got != c.need {
			t.Errorf("%s: needs %v, %v, want %v", c.text, got, err, c.need)
		}
		a := Assembler{Only: avx2}
		a.Append(&in)
		if refused := a.Err() != nil; refused != (c.need&^avx2 != 0) {
			t.Errorf("%s: under avx2: %v", c.text, a.Err())
		}
	}
}
