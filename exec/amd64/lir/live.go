package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// liveness is where the unit's registers are live.
func (l *list) liveness() *regalloc.Liveness {
	live := regalloc.NewLiveness(len(l.classes))
	loops := l.loopRanges()
	for i, in := range l.Cur.all() {
		switch in.kind {
		case loopBegin:
			live.Enter(loops[in.n])
		case loopEnd:
			live.Leave()
		}
		live.Rare = in.rare
		in.reads(func(r Reg) { live.Touch(r, 2*i) })
		in.writes(func(r Reg) { live.Touch(r, 2*i+1) })
		if in.isMove() {
			live.Copied(in.args[0].r, in.args[1].r)
		}
	}
	return live
}

// loopRanges is the positions that each loop spans, by number.
func (l *list) loopRanges() []regalloc.Loop {
	loops := make([]regalloc.Loop, l.loops+1)
	for i, in := range l.Cur.all() {
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
