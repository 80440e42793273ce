package lir

import "github.com/tiler-go/tiler/exec/regalloc"

// A Unit is the code of one Func in the making.
type Unit struct {
	*Tier
	classes []regalloc.Class // by reg
	labels  int
	loops   int
	Tag     int32  // ID of the IR value that code is being written for
	Cur     *Seq   // where it goes
	room    []Inst // for those to come
	pool    []poolConst
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
	return &Unit{Tier: t, classes: make([]regalloc.Class, 1, 256), Cur: &Seq{}}
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
func (u *Unit) NewReg(c regalloc.Class) Reg {
	u.classes = append(u.classes, c)
	return Reg(len(u.classes) - 1)
}

// NewLabel is a label to be bound.
func (u *Unit) NewLabel() int { u.labels++; return u.labels - 1 }

// Into makes code go to another sequence while f runs.
func (u *Unit) Into(s *Seq, f func()) {
	saved := u.Cur
	u.Cur = s
	f()
	u.Cur = saved
}

// Append moves the instructions of s, which is empty then.
func (u *Unit) Append(s *Seq) {
	u.Cur.link(s.first, s.last)
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

func (u *Unit) add(i Inst) *Inst {
	if len(u.room) == 0 {
		u.room = make([]Inst, 56) // 8 KiB
	}
	in := &u.room[0]
	u.room = u.room[1:]
	*in = i
	in.tag = u.Tag
	u.Cur.link(in, in)
	return in
}
