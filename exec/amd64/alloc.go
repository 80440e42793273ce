package amd64

import (
	"math/bits"
	"slices"
)

// Register allocation: linear scan over live intervals. Where registers run out,
// the value that is used least lives in the frame and passes through the scratch
// registers that are kept free for it.

// Registers of each class that values may live in, as bit masks by hardware number,
// and those kept for spilled operands. RSP and RBP belong to the runtime, R15 holds
// the frame; RAX, RCX and RDX also serve instructions that insist on them.
type registerFile struct {
	free    uint32
	scratch []int
	spill   int // bytes of a spill slot
}

func files(wide int, tight bool) [numClasses]registerFile {
	var fs [numClasses]registerFile
	fs[gpr] = registerFile{free: 1<<3 | 1<<6 | 1<<7 | 1<<8 | 1<<9 | 1<<10 | 1<<11 | 1<<12 | 1<<13 | 1<<14, scratch: []int{0, 2, 1}, spill: 8}
	if wide == 64 {
		fs[vec] = registerFile{free: 1<<29 - 1, scratch: []int{29, 30, 31}, spill: 64}
	} else {
		fs[vec] = registerFile{free: 1<<13 - 1, scratch: []int{13, 14, 15}, spill: 32}
	}
	if tight && wide == 32 {
		fs[vec].free, fs[vec].scratch = 1<<15-1, []int{15}
	}
	fs[kmask] = registerFile{free: 0x3e, scratch: []int{6, 7}, spill: 8}
	return fs
}

// interval is where a virtual register is live: positions are 2i for reading by
// instruction i and 2i+1 for writing.
type interval struct {
	r          reg
	start, end int
	weight     float64 // how often it is used, loops counting more
	hint       reg     // a register it is copied from
}

// allocation says where each virtual register is.
type allocation struct {
	phys  []int8 // hardware number, or -1
	slot  []int  // frame offset of a spilled one
	ivs   []interval
	bytes int // of spill slots
}

type loopRange struct{ begin, end int }

// allocate assigns registers; spill slots begin at frame offset base.
func (u *unit) allocate(base int) *allocation {
	a := &allocation{phys: make([]int8, len(u.classes)), slot: make([]int, len(u.classes))}
	for i := range a.phys {
		a.phys[i] = -1
	}
	a.ivs = u.intervals()
	order := slices.Clone(a.ivs)
	order = slices.DeleteFunc(order, func(iv interval) bool { return iv.start < 0 })
	slices.SortFunc(order, func(x, y interval) int {
		if x.start != y.start {
			return x.start - y.start
		}
		return int(x.r - y.r)
	})
	fs := files(int(u.wide), u.tight)
	var active [numClasses][]interval
	for _, iv := range order {
		c := u.classes[iv.r]
		f := &fs[c]
		act := active[c][:0]
		for _, o := range active[c] {
			if o.end < iv.start {
				f.free |= 1 << a.phys[o.r]
			} else {
				act = append(act, o)
			}
		}
		if f.free != 0 {
			a.phys[iv.r] = int8(pick(f.free, a, iv))
			f.free &^= 1 << a.phys[iv.r]
			active[c] = append(act, iv)
			continue
		}
		worst := -1
		for i, o := range act {
			if o.weight < iv.weight && (worst < 0 || o.weight < act[worst].weight) {
				worst = i
			}
		}
		victim := iv
		if worst >= 0 {
			victim = act[worst]
			a.phys[iv.r] = a.phys[victim.r]
			a.phys[victim.r] = -1
			act[worst] = iv
		}
		active[c] = act
		// Slots are aligned to their size, so that vectors never cross a line.
		a.bytes = (a.bytes + f.spill - 1) &^ (f.spill - 1)
		a.slot[victim.r] = base + a.bytes
		a.bytes += f.spill
	}
	return a
}

// pick is a free register: that of the copied value if it is free, else the lowest.
func pick(free uint32, a *allocation, iv interval) int {
	if iv.hint != 0 {
		if p := a.phys[iv.hint]; p >= 0 && free>>p&1 == 1 {
			return int(p)
		}
	}
	return bits.TrailingZeros32(free)
}

// intervals computes live intervals, indexed by register; start is -1 for one that
// never appears.
func (u *unit) intervals() []interval {
	ivs := make([]interval, len(u.classes))
	for i := range ivs {
		ivs[i] = interval{r: reg(i), start: -1}
	}
	loops := u.loopRanges()
	var inside []loopRange
	weight := 1.0
	touch := func(r reg, pos int) {
		iv := &ivs[r]
		if iv.start < 0 {
			iv.start = pos
		}
		iv.end = max(iv.end, pos)
		iv.weight += weight
		for k := len(inside) - 1; k >= 0 && iv.start < inside[k].begin; k-- {
			iv.end = max(iv.end, inside[k].end)
		}
	}
	for i, in := range u.cur.all() {
		switch in.kind {
		case loopBegin:
			inside = append(inside, loops[in.n])
			weight *= 8
		case loopEnd:
			inside = inside[:len(inside)-1]
			weight /= 8
		}
		in.reads(func(r reg) { touch(r, 2*i) })
		in.writes(func(r reg) { touch(r, 2*i+1) })
		if in.isMove() {
			ivs[in.args[0].r].hint = in.args[1].r
		}
	}
	for i := range ivs {
		// A value that lives long for its uses is the cheaper one to spill.
		ivs[i].weight /= float64(ivs[i].end - ivs[i].start + 8)
	}
	return ivs
}

// loopRanges is the positions that each loop spans, by number.
func (u *unit) loopRanges() []loopRange {
	loops := make([]loopRange, u.loops+1)
	for i, in := range u.cur.all() {
		switch in.kind {
		case loopBegin:
			loops[in.n].begin = 2 * i
		case loopEnd:
			loops[in.n].end = 2*i + 1
		}
	}
	return loops
}

// reads visits the registers that in reads: operands, addresses, its mask.
func (in *inst) reads(visit func(r reg)) {
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
func (in *inst) writes(visit func(r reg)) {
	for i := range in.args {
		if in.def>>i&1 == 1 && in.args[i].kind == regArg {
			visit(in.args[i].r)
		}
	}
}
