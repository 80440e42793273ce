package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// A list is the registers, labels and instructions so far: most of its methods append an instruction.
type list struct {
	pool
	classes []regalloc.Class // by reg
	labels  int
	loops   int
	Tag     int32  // ID of the IR value that code is being written for
	Cur     *Seq   // where it goes
	room    []Inst // for those to come
}

// A Unit is the code of one Func in the making: it adds what takes a few instructions, the frame and the budget.
type Unit struct {
	list
	// Streaming says that there are non-temporal stores; leaving waits for them.
	Streaming bool
	// Tight gives up scratch registers for spills: for code that needs all registers
	// and is known to need no more.
	Tight bool

	FrameSize int // bytes of the frame so far
	unseen    int // nanoseconds of work in the code so far since it looked at the budget
	flushed   int // where the control word is that flushing replaced; 0: it did not
}

// NewUnit is an empty unit.
func NewUnit(t *Tier) *Unit {
	return &Unit{list: list{pool: pool{Tier: t}, classes: make([]regalloc.Class, 1, 256), Cur: &Seq{}}}
}

// Alloc reserves frame memory.
func (u *Unit) Alloc(bytes int) int {
	u.FrameSize = aligned(u.FrameSize)
	off := u.FrameSize
	// A block of lanes may reach past the end of a tile's last row.
	u.FrameSize += bytes + 2*frameAlign
	return off
}

func aligned(n int) int { return (n + frameAlign - 1) &^ (frameAlign - 1) }

// NewReg is a new virtual register.
func (l *list) NewReg(class regalloc.Class) Reg {
	l.classes = append(l.classes, class)
	return Reg(len(l.classes) - 1)
}

// NewLabel is a label to be bound.
func (l *list) NewLabel() int { l.labels++; return l.labels - 1 }

// Into makes code go to another sequence while f runs.
func (l *list) Into(s *Seq, f func()) {
	saved := l.Cur
	l.Cur = s
	f()
	l.Cur = saved
}

// Append moves the instructions of s, which is empty then.
func (l *list) Append(s *Seq) {
	l.Cur.link(s.first, s.last)
	*s = Seq{}
}

func (s *Seq) link(first, last *Inst) {
	switch {
	case first == nil:
		return
	case s.last == nil:
		s.first = first
	default:
		s.last.next = first
	}
	s.last = last
}

func (l *list) add(i Inst) *Inst {
	if len(l.room) == 0 {
		l.room = make([]Inst, 56) // 8 KiB
	}
	in := &l.room[0]
	l.room = l.room[1:]
	*in = i
	in.tag = l.Tag
	l.Cur.link(in, in)
	return in
}
