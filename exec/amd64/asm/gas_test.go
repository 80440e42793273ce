package asm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const gasFile = "testdata/gas.txt.gz"

// TestGas compares the systematic list with what GNU as makes of its printed form. The bytes are
// committed; UPDATE=1 asks the assembler again.
func TestGas(t *testing.T) {
	list := slices.DeleteFunc(slices.Clone(sweep()), gasDiffers)
	lines := make([]string, len(list))
	for i, in := range list {
		lines[i] = Print(in)
	}
	if os.Getenv("UPDATE") != "" && haveGas(t) {
		writeGas(t, lines, gnuAssemble(t, lines))
	}
	want := readGas(t)
	if len(want) != len(lines) {
		t.Fatalf("%s has %d lines, the list has %d: run with UPDATE=1", gasFile, len(want), len(lines))
	}
	bad := 0
	for i := range want {
		text, code, _ := strings.Cut(want[i], " # ")
		got := encodeHex(list[i])
		if text == lines[i] && got == code {
			continue
		}
		t.Errorf("%s: got %s, want %s %s", lines[i], got, code, strings.TrimPrefix(text, lines[i]))
		if bad++; bad > 40 {
			t.FailNow()
		}
	}
}

// TestHazards does the same for a list written by hand.
func TestHazards(t *testing.T) {
	const file = "testdata/hazards.txt"
	if os.Getenv("UPDATE") != "" && haveGas(t) {
		updateHazards(t, file)
	}
	for _, l := range dataLines(t, file) {
		text, want, _ := strings.Cut(l, " # ")
		in, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := encodeHex(in); got != want || Print(in) != text {
			t.Errorf("%s: got %s %s, want %s", text, Print(in), got, want)
		}
	}
}

// TestGasRandom asks GNU as, where there is one, about instructions that nobody chose.
func TestGasRandom(t *testing.T) {
	if os.Getenv("TILER_LONG") == "" || !haveGas(t) {
		t.Skip("needs TILER_LONG=1 and GNU as")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var list []Inst
	var lines []string
	for len(list) < 200000 {
		data := make([]byte, 24)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		data[2] = data[2]&0x89 | 0x40 // by row, few decorations
		g := generator(data)
		in, _ := g.inst()
		if encodable(in) && !gasDiffers(in) && in.Op != XCHG {
			list = append(list, in)
			lines = append(lines, Print(in))
		}
	}
	for i, code := range gnuAssemble(t, lines) {
		if got, want := encodeHex(list[i]), hex.EncodeToString(code); got != want {
			t.Errorf("%s: got %s, want %s", lines[i], got, want)
		}
	}
}

func encodable(in Inst) bool {
	var a Assembler
	a.Append(&in)
	return a.Err() == nil
}

func updateHazards(t *testing.T, file string) {
	t.Helper()
	var texts []string
	for _, l := range dataLines(t, file) {
		text, _, _ := strings.Cut(l, " # ")
		texts = append(texts, text)
	}
	code := gnuAssemble(t, texts)
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for l := range strings.Lines(string(old)) {
		if text, _, _ := strings.Cut(strings.TrimSpace(l), " # "); text != "" && !strings.HasPrefix(text, "#") {
			l = fmt.Sprintf("%s # %x\n", text, code[0])
			code = code[1:]
		}
		b.WriteString(l)
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// gasDiffers tells the instructions that have two encodings of one length, of which GNU as takes the other:
// EVEX vmovq between xmm and memory.
func gasDiffers(in Inst) bool {
	c, _ := choose(&in)
	return in.Op == VMOVQ && c.evex && (in.Args[0].IsMem() || in.Args[1].IsMem())
}

func encodeHex(in Inst) string {
	var a Assembler
	a.Append(&in)
	code, err := a.Finish()
	if err != nil {
		return err.Error()
	}
	return hex.EncodeToString(code)
}

// haveGas reports whether there is an assembler to ask; committed bytes serve where there is none.
func haveGas(t *testing.T) bool {
	t.Helper()
	out, err := osexec.Command("as", "--version").Output()
	if err != nil || !bytes.HasPrefix(out, []byte("GNU assembler")) {
		t.Log("no GNU as on this machine")
		return false
	}
	return true
}

// gnuAssemble is the code of each line according to GNU as.
func gnuAssemble(t *testing.T, lines []string) [][]byte {
	t.Helper()
	var src bytes.Buffer
	src.WriteString(".intel_syntax noprefix\n")
	for i, l := range lines {
		fmt.Fprintf(&src, "at%d: %s\n", i, l)
	}
	fmt.Fprintf(&src, "at%d:\n", len(lines))
	dir := t.TempDir()
	in, obj := filepath.Join(dir, "list.s"), filepath.Join(dir, "list.o")
	if err := os.WriteFile(in, src.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := osexec.Command("as", "--64", in, "-o", obj).CombinedOutput(); err != nil {
		t.Fatalf("as: %v\n%s", err, annotate(out, lines))
	}
	f, err := elf.Open(obj)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := f.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	off := make([]uint64, len(lines)+1)
	for _, s := range syms {
		var n int
		if _, err := fmt.Sscanf(s.Name, "at%d", &n); err == nil {
			off[n] = s.Value
		}
	}
	code := make([][]byte, len(lines))
	for i := range lines {
		code[i] = text[off[i]:off[i+1]]
	}
	return code
}

// annotate adds to the first messages of as the lines that they are about.
func annotate(out []byte, lines []string) string {
	var b strings.Builder
	for i, l := range strings.SplitN(string(out), "\n", 60) {
		var n int
		if _, rest, ok := strings.Cut(l, ".s:"); ok && i < 50 {
			if _, err := fmt.Sscanf(rest, "%d:", &n); err == nil && n >= 2 && n-2 < len(lines) {
				l = rest + "   " + lines[n-2]
			}
			b.WriteString(l + "\n")
		}
	}
	return b.String()
}

func writeGas(t *testing.T, lines []string, code [][]byte) {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range lines {
		fmt.Fprintf(z, "%s # %x\n", l, code[i])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(gasFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d instructions, %d bytes", len(lines), b.Len())
}

func readGas(t *testing.T) []string {
	t.Helper()
	f, err := os.Open(gasFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	s := bufio.NewScanner(z)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	if err := s.Err(); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return lines
}
