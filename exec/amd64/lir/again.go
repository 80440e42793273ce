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
	z, _ := again(l, code, other, func(in *Inst, labels map[int]int) Inst {
		to, inside := labels[in.n]
		switch {
		case in.kind == callOut, in.kind == end, in.writesMemory():
			return Inst{kind: jump, op: asm.JMP, n: abandoned}
		case in.kind == jump && !inside:
			return Inst{kind: jump, op: in.op, n: abandoned}
		case in.kind == jump:
			return Inst{kind: jump, op: in.op, n: to}
		}
		return in.rename(other)
	})
	return z
}

// WriteWithout is a copy of code, with other registers, less some instructions and what is then never reached. It does
// not spend from the budget: it takes so many nanoseconds instead. It is nil if the code jumps out of itself.
func (l *list) WriteWithout(code *Seq, other map[Reg]Reg, without map[*Inst]bool) (z *Seq, ns int) {
	leaves := false
	z, back := again(l, code, other, func(in *Inst, labels map[int]int) Inst {
		z := in.rename(other)
		switch {
		case without[in]:
			z.kind = dropped
		case in.spends():
			ns += int(in.args[1].n)
			z.kind = dropped
		case in.looks(): // and jumps if it need not leave
			z = Inst{kind: jump, op: asm.JMP, n: labels[in.next.n]}
		case in.kind == jump:
			to, inside := labels[in.n]
			leaves = leaves || !inside
			z.n = to
		}
		return z
	})
	if leaves || back {
		return nil, 0
	}
	return z, ns
}

// again is a copy of code, of what its instructions become. What is never reached is left out, as are jumps over that;
// back says that something jumps back to there.
func again(l *list, code *Seq, other map[Reg]Reg, become func(in *Inst, labels map[int]int) Inst) (z *Seq, back bool) {
	const none = -1
	labels, loops, come, lost := map[int]int{}, map[int]int{}, map[int]bool{}, map[int]bool{}
	for _, in := range code.all() {
		if in.kind == labelMark {
			labels[in.n] = l.NewLabel()
		}
	}
	z = &Seq{}
	dead, over, tag := false, none, l.Tag // over is a jump that is not written yet
	l.Into(z, func() {
		for _, in := range code.all() {
			l.Tag = in.tag
			switch n := labels[in.n]; {
			case in.kind == labelMark && dead && !come[n]:
				lost[n] = true
			case in.kind == labelMark:
				if over != none && over != n {
					l.Jump(asm.JMP, over)
				}
				l.add(Inst{kind: labelMark, n: n, cold: in.cold})
				dead, over = false, none
			case dead:
			case in.kind == loopBegin:
				loops[in.n] = l.BeginLoop()
			case in.kind == loopEnd:
				l.EndLoop(loops[in.n])
			default:
				z := become(in, labels)
				if z.kind == jump {
					come[z.n] = true
					back = back || lost[z.n]
				}
				switch {
				case z.kind == jump && z.op == asm.JMP:
					dead, over = true, z.n
				case z.kind != dropped:
					l.add(z)
					dead = z.kind == end
				}
			}
		}
		if over != none {
			l.Jump(asm.JMP, over)
		}
	})
	l.Tag = tag
	return z, back
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
