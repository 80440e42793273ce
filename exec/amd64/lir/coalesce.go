package lir

// coalesce makes an instruction whose result is copied at once, and used for nothing
// else, write to where it is copied to.
func (l *list) coalesce() {
	uses, defs := make([]uint8, len(l.classes)), make([]uint8, len(l.classes))
	for _, in := range l.Cur.all() {
		in.reads(func(r Reg) { uses[r] = min(2, uses[r]+1) })
		in.writes(func(r Reg) { defs[r] = min(2, defs[r]+1) })
	}
	var prev *Inst
	for _, in := range l.Cur.all() {
		if prev != nil && in.isMove() {
			t := in.args[1].r
			if prev.kind == machine && prev.def == 1 && prev.use&1 == 0 && prev.args[0].kind == regArg && prev.args[0].r == t &&
				uses[t] == 1 && defs[t] == 1 && (prev.args[0].width == in.args[0].width || l.classes[t] == Vec && prev.args[0].width > in.args[0].width) {
				prev.args[0].r = in.args[0].r
				prev.next = in.next
				continue
			}
		}
		prev = in
	}
	l.Cur.last = prev
}
