package lir

import (
	"fmt"
	"strings"

	"github.com/tiler-go/tiler/exec/regalloc"
)

// String is the code at hand, an instruction on each line: general registers are r1 ..., vectors v1 ..., masks k1 ...,
// with :n behind a part of n bytes.
func (l *list) String() string {
	var b strings.Builder
	indent := ""
	for _, in := range l.Cur.all() {
		if in.kind == loopEnd {
			indent = indent[1:]
		}
		fmt.Fprintf(&b, "%s%s\n", indent, l.print(in))
		if in.kind == loopBegin {
			indent += "\t"
		}
	}
	return b.String()
}

func (l *list) print(in *Inst) string {
	switch in.kind {
	case labelMark:
		return fmt.Sprintf("L%d:", in.n)
	case jump:
		return fmt.Sprintf("%s L%d", in.op, in.n)
	case loopBegin:
		return fmt.Sprintf("loop %d {", in.n)
	case loopEnd:
		return "}"
	case callOut:
		return fmt.Sprintf("call out %d", in.n)
	case end:
		return fmt.Sprintf("return %d", in.n)
	case divide:
		return l.printArgs([]string{"quotient", "remainder", "unsigned quotient"}[in.n], in)
	case exchange:
		return l.printArgs(fmt.Sprintf("compare and exchange %d", in.n), in)
	}
	name := in.op.String()
	if in.lock {
		name = "lock " + name
	}
	return l.printArgs(name, in)
}

// printArgs writes what is written ahead of the name, and then what is read.
func (l *list) printArgs(name string, in *Inst) string {
	var written, read []string
	for i := range in.args {
		a := &in.args[i]
		if a.kind == noArg {
			break
		}
		if in.def>>i&1 == 1 {
			written = append(written, l.printArg(a))
		}
		if a.kind != regArg || in.use>>i&1 == 1 {
			read = append(read, l.printArg(a))
		}
	}
	text := name
	if in.mask != 0 {
		text += " {" + l.printReg(in.mask) + "}"
		if in.zero {
			text += "{z}"
		}
	}
	if len(read) > 0 {
		text += " " + strings.Join(read, ", ")
	}
	if len(written) > 0 {
		text = strings.Join(written, ", ") + " = " + text
	}
	return text
}

func (l *list) printReg(r Reg) string {
	return fmt.Sprintf("%c%d", "rvk"[l.classes[r]], r)
}

func (l *list) printArg(a *Arg) string {
	switch a.kind {
	case regArg:
		full := map[regalloc.Class]int{GPR: 8, Vec: l.Bytes, Mask: 2}[l.classes[a.r]]
		if int(a.width) != full {
			return fmt.Sprintf("%s:%d", l.printReg(a.r), a.width)
		}
		return l.printReg(a.r)
	case immArg:
		return fmt.Sprint(a.n)
	case tileArg:
		return fmt.Sprintf("tile%d", a.n)
	}
	text := ""
	switch a.kind {
	case constArg:
		text = fmt.Sprintf("[const %x]", l.consts[a.n].data[:l.consts[a.n].size])
	case frameArg:
		text = "[frame" + l.printIndex(a)
	default:
		text = "[" + l.printReg(a.r) + l.printIndex(a)
	}
	if a.bcast {
		text += " to all"
	}
	return text
}

// printIndex is the rest of an address.
func (l *list) printIndex(a *Arg) string {
	text := ""
	if a.index != 0 {
		text = fmt.Sprintf(" + %s*%d", l.printReg(a.index), max(1, a.scale))
	}
	if a.n != 0 {
		text += fmt.Sprintf(" %+d", a.n)
	}
	return text + "]"
}
