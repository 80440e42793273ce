package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// liveness is where the unit's registers are live.
func (u *Unit) liveness() *regalloc.Liveness {
	l := regalloc.NewLiveness(len(u.classes))
	loops := u.loopRanges()
	for i, in := range u.Cur.all() {
		switch in.kind {
		case loopBegin:
			l.Enter(loops[in.n])
		case loopEnd:
			l.Leave()
		}
		in.reads(func(r Reg) { l.Touch(r, 2*i) })
		in.writes(func(r Reg) { l.Touch(r, 2*i+1) })
		if in.isMove() {
			l.Copied(in.args[0].r, in.args[1].r)
		}
	}
	return l
}

// loopRanges is the positions that each loop spans, by number.
func (u *Unit) loopRanges() []regalloc.Loop {
	loops := make([]regalloc.Loop, u.loops+1)
	for i, in := range u.Cur.all() {
		switch in.kind {
		case loopBegin:
			loops[in.n].Begin = 2 * i
		case loopEnd:
			loops[in.n].End = 2*i + 1
		}
	}
	return loops
}

// reads visits the registers that in reads: operands, addresses, its mask.
func (in *Inst) reads(visit func(r Reg)) {
	for i := range in.args {
		a := &in.args[i]
		switch a.kind {
		case regArg:
			if in.use>>i&1 == 1 {
				visit(a.r)
			}
		case memArg, frameArg:
			if a.kind == memArg && a.r != 0 {
				visit(a.r)
			}
			if a.index != 0 {
				visit(a.index)
			}
		}
	}
	if in.mask != 0 {
		visit(in.mask)
	}
}

// writes visits the registers that in writes.
func (in *Inst) writes(visit func(r Reg)) {
	for i := range in.args {
		if in.def>>i&1 == 1 && in.args[i].kind == regArg {
			visit(in.args[i].r)
		}
	}
}
