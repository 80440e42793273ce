package regalloc

// A Reg is a virtual register; 0 is none.
type Reg int32

// A Class numbers the file of registers that a virtual register lives in.
type Class uint8

// An Interval is where a virtual register is live: positions are 2i for reading by instruction i and 2i+1 for writing.
type Interval struct {
	Reg        Reg
	Start, End int     // Start is -1 if the register never appears
	weight     float64 // how often it is used, loops counting more
	hint       Reg     // a register it is copied from
}

// A Loop is the positions that a loop spans.
type Loop struct{ Begin, End int }

// A Liveness finds the intervals of registers 0 to n-1. A register that is live into a loop and used there stays live
// to its end.
type Liveness struct {
	ivs    []Interval
	inside []Loop
	weight float64
	Rare   bool // what is touched now seldom is
}

// rarely is the weight of what seldom happens, against 1.
const rarely = 1.0 / 4096

// NewLiveness is the Liveness of n registers.
func NewLiveness(n int) *Liveness {
	l := &Liveness{ivs: make([]Interval, n), weight: 1}
	for i := range l.ivs {
		l.ivs[i] = Interval{Reg: Reg(i), Start: -1}
	}
	return l
}

// Enter says that a loop begins, Leave that the innermost one ends.
func (l *Liveness) Enter(loop Loop) {
	l.inside = append(l.inside, loop)
	l.weight *= 8
}

// Leave says that the innermost loop ends.
func (l *Liveness) Leave() {
	l.inside = l.inside[:len(l.inside)-1]
	l.weight /= 8
}

// Touch says that r is read or written at a position.
func (l *Liveness) Touch(r Reg, pos int) {
	iv := &l.ivs[r]
	if iv.Start < 0 {
		iv.Start = pos
	}
	iv.End = max(iv.End, pos)
	if l.Rare {
		iv.weight += l.weight * rarely
	} else {
		iv.weight += l.weight
	}
	for k := len(l.inside) - 1; k >= 0 && iv.Start < l.inside[k].Begin; k-- {
		iv.End = max(iv.End, l.inside[k].End)
	}
}

// Copied says that dst is a copy of src: one hardware register may do for both.
func (l *Liveness) Copied(dst, src Reg) { l.ivs[dst].hint = src }

// intervals are those of all registers, by number.
func (l *Liveness) intervals() []Interval {
	for i := range l.ivs {
		// A value that lives long for its uses is the cheaper one to spill.
		l.ivs[i].weight /= float64(l.ivs[i].End - l.ivs[i].Start + 8)
	}
	return l.ivs
}
