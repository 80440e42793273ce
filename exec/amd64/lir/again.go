package lir

import "github.com/tiler-go/tiler/exec/amd64/asm"

// Code that is written twice, with other registers: what software pipelining is made of.

// EachRead visits the registers that code reads, EachWrite those that it writes.
func (s *Seq) EachRead(visit func(r Reg)) {
	for _, in := range s.all() {
		in.reads(visit)
	}
}

// EachWrite visits the registers that code writes.
func (s *Seq) EachWrite(visit func(r Reg)) {
	for _, in := range s.all() {
		in.writes(visit)
	}
}

// CutBehind takes off what follows an instruction.
func (s *Seq) CutBehind(at *Inst) *Seq {
	rest := &Seq{at.next, s.last}
	if at.next == nil {
		rest.last = nil
	}
	at.next, s.last = nil, at
	return rest
}

// Renamed gives another register for each that code writes.
func (l *list) Renamed(code *Seq) map[Reg]Reg {
	other := map[Reg]Reg{}
	code.EachWrite(func(r Reg) {
		if other[r] == 0 {
			other[r] = l.NewReg(l.classes[r])
		}
	})
	return other
}

// WriteAgain is a copy of code, with other registers, which jumps to a label instead of
// leaving or writing to memory.
func (l *list) WriteAgain(code *Seq, other map[Reg]Reg, abandoned int) *Seq {
	labels, loops := map[int]int{}, map[int]int{}
	for _, in := range code.all() {
		if in.kind == labelMark {
			labels[in.n] = l.NewLabel()
		}
	}
	z, dead := &Seq{}, false // dead says that the code at hand is never reached
	tag := l.Tag
	l.Into(z, func() {
		for _, in := range code.all() {
			l.Tag = in.tag
			switch {
			case in.kind == loopBegin:
				loops[in.n] = l.BeginLoop()
			case in.kind == loopEnd:
				l.EndLoop(loops[in.n])
			case in.kind == labelMark:
				l.add(Inst{kind: labelMark, n: labels[in.n], cold: in.cold})
				dead = false
			case dead:
			case in.kind == callOut, in.kind == end, in.writesMemory():
				l.Jump(asm.JMP, abandoned)
				dead = true
			case in.kind == jump:
				to, inside := labels[in.n]
				if !inside {
					to = abandoned
				}
				l.Jump(in.op, to)
			default:
				l.add(in.rename(other))
			}
		}
	})
	l.Tag = tag
	return z
}

// writesMemory reports whether an instruction does, other than to count the budget down.
func (in *Inst) writesMemory() bool {
	a := in.args[0]
	if in.kind == exchange {
		return true
	}
	if in.kind != machine || a.kind != memArg && a.kind != frameArg {
		return false
	}
	switch in.op {
	case asm.CMP, asm.TEST, asm.PREFETCHT0, asm.PREFETCHT1, asm.PREFETCHW:
		return false
	}
	return a.kind != frameArg || a.n != BudgetWord || in.op != asm.SUB
}

// rename is a copy of an instruction with other registers.
func (in *Inst) rename(other map[Reg]Reg) Inst {
	z := *in
	z.next = nil
	name := func(r *Reg) {
		if to := other[*r]; to != 0 {
			*r = to
		}
	}
	for i := range z.args {
		name(&z.args[i].r)
		name(&z.args[i].index)
	}
	name(&z.mask)
	return z
}

// CopyReg copies a register to another of its class.
func (u *Unit) CopyReg(dst, src Reg) {
	switch u.classes[dst] {
	case GPR:
		u.Move64(dst, src)
	case Vec:
		u.MoveVec(dst, src)
	case Mask:
		u.Def(asm.KMOVW, u.K(dst), u.K(src))
	}
}

// Clear makes a register 0.
func (u *Unit) Clear(r Reg) {
	switch u.classes[r] {
	case GPR:
		u.SetImm(r, 0)
	case Vec:
		u.ZeroVec(r)
	case Mask:
		u.Idiom(asm.KXORW, u.K(r))
	}
}
