package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// coalesce drops copies: of a result that is copied at once, and used for nothing else, which is written to where it is
// copied to; and of a register to one that is worked on and copied back.
func (l *list) coalesce() {
	c := copies{l.classes, make([]uint8, len(l.classes)), make([]uint8, len(l.classes))}
	for _, in := range l.Cur.all() {
		in.reads(func(r Reg) { c.reads[r] = min(3, c.reads[r]+1) })
		in.writes(func(r Reg) { c.writes[r] = min(3, c.writes[r]+1) })
	}
	var before, prev *Inst
	for in := l.Cur.first; in != nil; in = in.next {
		switch {
		case prev == nil || !in.isMove():
		case c.backAndForth(before, prev, in):
			t, h := in.args[1].r, in.args[0].r
			*before = Inst{kind: dropped, next: before.next}
			*prev = prev.rename(map[Reg]Reg{t: h})
			prev.next = in.next
			continue
		case c.atOnce(prev, in):
			prev.args[0].r = in.args[0].r
			prev.next = in.next
			continue
		}
		before, prev = prev, in
	}
	l.Cur.last = prev
}

// copies knows how often registers are read and written, up to 3.
type copies struct {
	classes       []regalloc.Class
	reads, writes []uint8
}

// atOnce reports whether in copies what prev computes, which nothing else reads.
func (c *copies) atOnce(prev, in *Inst) bool {
	t, from, to := in.args[1].r, &prev.args[0], &in.args[0]
	return prev.kind == machine && prev.def == 1 && prev.use&1 == 0 && from.kind == regArg && from.r == t &&
		c.reads[t] == 1 && c.writes[t] == 1 && (from.width == to.width || c.classes[t] == Vec && from.width > to.width)
}

// backAndForth reports whether a register is copied, its copy worked on, and copied back.
func (c *copies) backAndForth(before, prev, in *Inst) bool {
	t, h := in.args[1].r, in.args[0].r
	return before != nil && before.isMove() && before.args[0].r == t && before.args[1].r == h &&
		prev.kind == machine && prev.def == 1 && prev.use&1 == 1 && prev.args[0].kind == regArg && prev.args[0].r == t &&
		c.reads[t] == 2 && c.writes[t] == 2 && prev.args[0].width == in.args[0].width && before.args[0].width == in.args[0].width
}
