package asm

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// parse reads what Print writes, so that test data is text.
func parse(text string) (in Inst, err error) {
	s := text
	switch {
	case strings.HasPrefix(s, "{vex} "):
		in.Encoding = ForceVEX
	case strings.HasPrefix(s, "{evex} "):
		in.Encoding = ForceEVEX
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "{vex} "), "{evex} ")
	if rest, ok := strings.CutPrefix(s, "lock "); ok {
		in.Lock, s = true, rest
	}
	name, rest, _ := strings.Cut(s, " ")
	if in.Op = opsByName[name]; in.Op == 0 {
		return in, fmt.Errorf("no op %q", name)
	}
	n := 0
	for i, part := range strings.Split(rest, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if r := roundingByName(part); r != NoRounding {
			in.Round = r
			continue
		}
		part = in.parseMask(i, part)
		if n == len(in.Args) {
			return in, fmt.Errorf("%s: too many operands", text)
		}
		if in.Op == MOVABS && n == 1 {
			in.Imm64, err = strconv.ParseUint(part, 0, 64)
			return in, err
		}
		if in.Args[n], err = parseOperand(part); err != nil {
			return in, fmt.Errorf("%s: %w", text, err)
		}
		n++
	}
	return in, nil
}

var opsByName = func() map[string]Op {
	m := map[string]Op{}
	for op := Op(1); op < NumOps; op++ {
		m[op.String()] = op
	}
	return m
}()

func roundingByName(s string) Rounding {
	for r, name := range roundingNames {
		if s == name {
			return Rounding(r)
		}
	}
	return NoRounding
}

// parseMask strips {k} and {z} from an operand.
func (in *Inst) parseMask(i int, s string) string {
	if rest, ok := strings.CutSuffix(s, "{z}"); ok {
		in.Zeroing, s = true, rest
	}
	if j := strings.Index(s, "{k"); i == 0 && j >= 0 {
		in.Mask = s[j+2] - '0'
		if in.Mask == 0 {
			in.Mask = badMask
		}
		s = s[:j]
	}
	return s
}

var registersByName = func() map[string]Operand {
	m := map[string]Operand{}
	for n := range 32 {
		for _, o := range []Operand{X(n), Y(n), Z(n), K(n), T(n), GPR(8, n), GPR(16, n), GPR(32, n), GPR(64, n)} {
			if o != invalid {
				m[o.regName()] = o
			}
		}
	}
	return m
}()

func parseOperand(s string) (Operand, error) {
	if r, ok := registersByName[s]; ok {
		return r, nil
	}
	if strings.Contains(s, "[") {
		return parseMemory(s)
	}
	v, err := strconv.ParseInt(s, 0, 64)
	return Imm(v), err
}

func parseMemory(s string) (Operand, error) {
	size := -1
	for i, name := range sizeNames {
		if rest, ok := strings.CutPrefix(s, name+" ptr "); ok {
			size, s = i, rest
			break
		}
	}
	addr, tail, ok := strings.Cut(strings.TrimPrefix(s, "["), "]")
	if !ok {
		return None, fmt.Errorf("bad memory operand %q", s)
	}
	base, index, scale, disp := None, None, 1, int64(0)
	for _, term := range strings.FieldsFunc(strings.ReplaceAll(addr, "-", "+-"), func(r rune) bool { return r == '+' }) {
		name, times, scaled := strings.Cut(term, "*")
		switch r, isReg := registersByName[name]; {
		case isReg && scaled:
			index, scale = r, int(times[0]-'0')
		case isReg:
			base = r
		default:
			var err error
			if disp, err = strconv.ParseInt(term, 0, 64); err != nil {
				return None, err
			}
		}
	}
	m := Idx(base, index, scale, int(disp))
	if size >= 0 && !m.isVSIB() {
		m = m.Size(1 << size)
	}
	if n, bcast := strings.CutPrefix(tail, "{1to"); bcast {
		copies, err := strconv.Atoi(strings.TrimSuffix(n, "}"))
		return m.BcastTo(copies), err
	}
	return m, nil
}

// TestPrintParses: the text says everything that the encoding depends on.
func TestPrintParses(t *testing.T) {
	for _, in := range sample() {
		back, err := parse(Print(in))
		if err != nil {
			t.Fatal(err)
		}
		if Print(back) != Print(in) || encodeHex(back) != encodeHex(in) {
			t.Errorf("%s: parsed back as %s", Print(in), Print(back))
		}
	}
}
