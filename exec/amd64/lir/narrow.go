package lir

import "github.com/tiler-go/tiler/exec/amd64/asm"

// NarrowSince lets the instructions that follow one, or all of a sequence if that is nil, work on the first 16 bytes of
// registers, where no lane behind them is wanted. It does nothing if some move lanes about. A chain of them takes a
// cycle less each on processors that work on a register of 64 bytes in two halves.
func (l *list) NarrowSince(before *Inst) {
	first := l.Cur.first
	if before != nil {
		first = before.next
	}
	for in := first; in != nil; in = in.next {
		if in.kind == machine && in.wide() && !inLanes[in.op] {
			return
		}
	}
	for in := first; in != nil; in = in.next {
		for i := range in.args {
			if in.args[i].width > 16 {
				in.args[i].width = 16
			}
		}
	}
}

// wide reports whether an operand is longer than 16 bytes.
func (in *Inst) wide() bool {
	for _, a := range in.args {
		if a.width > 16 {
			return true
		}
	}
	return false
}

// inLanes is instructions whose lanes depend on the same lanes of their operands.
var inLanes = map[asm.Op]bool{
	asm.VADDPS: true, asm.VSUBPS: true, asm.VMULPS: true, asm.VDIVPS: true, asm.VMINPS: true, asm.VMAXPS: true,
	asm.VPADDD: true, asm.VPSUBD: true, asm.VPMULLD: true, asm.VPMINSD: true, asm.VPMAXSD: true, asm.VPMINUD: true,
	asm.VPMAXUD: true, asm.VPANDD: true, asm.VPORD: true, asm.VPXORD: true,
	asm.VMOVUPS: true, asm.VMOVAPS: true, asm.VMOVDQU32: true, asm.VPBROADCASTD: true,
	asm.VPBLENDMD: true, asm.VCMPPS: true, asm.VPCMPD: true, asm.VPCMPUD: true, asm.VPSLLD: true, asm.VPSRLD: true,
}
