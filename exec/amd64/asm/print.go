package asm

import (
	"fmt"
	"strconv"
	"strings"
)

func (op Op) String() string {
	if op == 0 || op >= NumOps {
		return fmt.Sprintf("op(%d)", uint16(op))
	}
	return opNames[op]
}

// Print is in in Intel syntax, as GNU as reads it under ".intel_syntax noprefix". Constants print as const0,
// const1 ..., labels as L0, L1 ...
func Print(in Inst) string {
	c, why := choose(&in)
	p := printer{in: &in}
	if why == "" {
		p.choice = &c
	}
	return p.text()
}

func (in Inst) String() string { return Print(in) }

type printer struct {
	in     *Inst
	choice *choice // nil for an instruction that does not exist
	b      strings.Builder
}

func (p *printer) text() string {
	in := p.in
	switch {
	case in.Encoding == ForceVEX:
		p.b.WriteString("{vex} ")
	case in.Encoding == ForceEVEX:
		p.b.WriteString("{evex} ")
	}
	if in.Lock {
		p.b.WriteString("lock ")
	}
	p.b.WriteString(in.Op.String())
	sep := " "
	roundAt := p.roundAt()
	for i, o := range in.Args {
		if i == roundAt && in.Round < numRoundings {
			p.b.WriteString(sep + roundingNames[in.Round])
			sep = ", "
		}
		if o == None {
			break
		}
		p.b.WriteString(sep)
		p.operand(i, o)
		if i == 0 {
			p.mask()
		}
		sep = ", "
	}
	if in.Op == MOVABS {
		fmt.Fprintf(&p.b, "%s%#x", sep, in.Imm64)
	}
	return p.b.String()
}

// roundAt is the index of the operand before which the rounding is printed: after the last register, but
// before a general register that is converted.
func (p *printer) roundAt() int {
	if p.in.Round == NoRounding {
		return -1
	}
	n := 0
	for n < len(p.in.Args) && p.in.Args[n] != None && !p.in.Args[n].IsImm() {
		n++
	}
	if n == 3 && p.in.Args[2].kind() <= kR64 {
		n--
	}
	return n
}

func (p *printer) mask() {
	switch {
	case p.in.Mask == badMask:
		p.b.WriteString("{?}")
	case p.in.Mask != 0:
		fmt.Fprintf(&p.b, "{k%d}", p.in.Mask)
	}
	if p.in.Zeroing {
		p.b.WriteString("{z}")
	}
}

func (p *printer) operand(i int, o Operand) {
	switch {
	case o.IsReg():
		p.b.WriteString(o.regName())
	case o.IsImm():
		p.b.WriteString(hexInt(o.val()))
	case o.kind() == kLabel:
		fmt.Fprintf(&p.b, "L%d", o.val())
	case o.IsMem():
		p.memory(i, o)
	default:
		p.b.WriteString("<bad operand>")
	}
}

func (o Operand) regName() string {
	switch k := o.kind(); {
	case k <= kR64:
		return regNames[k][o.num()&15]
	case k == kK:
		return "k" + strconv.Itoa(o.Num())
	case k == kT:
		return "tmm" + strconv.Itoa(o.Num())
	default:
		return string("xyz"[k-kX]) + "mm" + strconv.Itoa(o.Num())
	}
}

var sizeNames = [...]string{"byte", "word", "dword", "qword", "xmmword", "ymmword", "zmmword"}

// memory prints the size only where the instruction reads or writes memory.
func (p *printer) memory(i int, o Operand) {
	log, copies := p.memSize(i, o)
	if log >= 0 {
		p.b.WriteString(sizeNames[log] + " ptr ")
	}
	p.b.WriteString(o.address())
	if copies > 0 {
		fmt.Fprintf(&p.b, "{1to%d}", copies)
	}
}

// memSize is the log2 of the size to print, or -1, and the number of copies of a broadcast.
func (p *printer) memSize(i int, o Operand) (log, copies int) {
	if p.choice == nil {
		if o.kind() >= kMem1 && o.kind() <= kMem64 {
			return int(o.kind() - kMem1), 0
		}
		return -1, 0
	}
	c := p.choice
	row := &patRows[c.pats[i]]
	log = int(memLog[c.pats[i]][c.length])
	switch {
	case row.any:
		return -1, 0
	case row.vsib != 0 && c.deco&n4 != 0:
		return 2, 0
	case row.vsib != 0 && c.deco&n8 != 0:
		return 3, 0
	case row.vsib != 0: // the VEX rows of gathers say W and nothing else
		return 2 + int(c.enc&vw1/vw1), 0
	case c.bcast:
		elem := log2(c.deco.elem())
		return elem, 1 << (log - elem)
	}
	return log, 0
}

// address is the part in brackets.
func (o Operand) address() string {
	switch o.num() {
	case baseConst:
		return fmt.Sprintf("[rip+const%d]", o.val())
	case baseLabel:
		return fmt.Sprintf("[rip+L%d]", o.val())
	}
	var parts []string
	if o.num() != noBase {
		parts = append(parts, regNames[kR64][o.num()&15])
	}
	if o.index() != noIndex {
		parts = append(parts, o.indexName())
	}
	s := strings.Join(parts, "+")
	switch d := o.val(); {
	case d > 0:
		s += "+" + hexInt(d)
	case d < 0:
		s += hexInt(d)
	}
	return "[" + s + "]"
}

func (o Operand) indexName() string {
	name := regNames[kR64][o.index()&15]
	if o.isVSIB() {
		name = string("xyz"[o.kind()-kVX]) + "mm" + strconv.Itoa(int(o.index()&31))
	}
	return name + "*" + strconv.Itoa(1<<o.scaleLog())
}

func hexInt(v int32) string {
	if v < 0 {
		return fmt.Sprintf("-%#x", -int64(v))
	}
	return fmt.Sprintf("%#x", v)
}
