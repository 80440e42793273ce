package regalloc

import (
	"math/bits"
	"slices"
)

// A File is the registers of one class.
type File struct {
	Free    uint32 // bit n: values may live in register n
	Scratch []int8 // registers kept for operands that live in memory
	Slot    int    // bytes of a slot in memory, and what it is aligned to
}

// An Allocation says where each virtual register is.
type Allocation struct {
	Phys      []int8 // the number of a hardware register, or -1
	Slot      []int  // offset of a spilled one
	Intervals []Interval
	Bytes     int // of slots
}

// Allocate assigns registers; slots begin at offset base. Where registers run out, the value that is used least lives
// in memory.
func Allocate(l *Liveness, classes []Class, table []File, base int) *Allocation {
	a := &Allocation{Phys: make([]int8, len(classes)), Slot: make([]int, len(classes)), Intervals: l.intervals()}
	for i := range a.Phys {
		a.Phys[i] = -1
	}
	free := make([]uint32, len(table))
	for i, f := range table {
		free[i] = f.Free
	}
	active := make([][]Interval, len(table))
	for _, iv := range a.inOrder() {
		c := classes[iv.Reg]
		live := active[c][:0]
		for _, o := range active[c] {
			if o.End < iv.Start {
				free[c] |= 1 << a.Phys[o.Reg]
			} else {
				live = append(live, o)
			}
		}
		if free[c] != 0 {
			a.Phys[iv.Reg] = int8(a.pick(free[c], iv))
			free[c] &^= 1 << a.Phys[iv.Reg]
			active[c] = append(live, iv)
			continue
		}
		a.spill(iv, live, base, table[c].Slot)
		active[c] = live
	}
	return a
}

// Spills reports whether a register of a class lives in memory.
func (a *Allocation) Spills(classes []Class, c Class) bool {
	return slices.ContainsFunc(a.Intervals, func(iv Interval) bool {
		return iv.Start >= 0 && classes[iv.Reg] == c && a.Phys[iv.Reg] < 0
	})
}

// inOrder is the intervals of registers that appear, by where they start, then by register: a counting sort.
func (a *Allocation) inOrder() []Interval {
	end := 0
	for _, iv := range a.Intervals {
		end = max(end, iv.Start+1)
	}
	at := make([]int, end+1) // where the intervals that start at a place go
	for _, iv := range a.Intervals {
		at[iv.Start+1]++ // at[0] counts those that do not appear
	}
	at[0] = 0
	for i := range end {
		at[i+1] += at[i]
	}
	order := make([]Interval, at[end])
	for _, iv := range a.Intervals {
		if iv.Start >= 0 {
			order[at[iv.Start]] = iv
			at[iv.Start]++
		}
	}
	return order
}

// spill puts the least used of iv and the live ones into a slot; iv takes its register.
func (a *Allocation) spill(iv Interval, live []Interval, base, size int) {
	worst := -1
	for i, o := range live {
		if o.weight < iv.weight && (worst < 0 || o.weight < live[worst].weight) {
			worst = i
		}
	}
	victim := iv
	if worst >= 0 {
		victim = live[worst]
		a.Phys[iv.Reg] = a.Phys[victim.Reg]
		a.Phys[victim.Reg] = -1
		live[worst] = iv
	}
	// Slots are aligned to their size, so that vectors never cross a line.
	a.Bytes = (a.Bytes + size - 1) &^ (size - 1)
	a.Slot[victim.Reg] = base + a.Bytes
	a.Bytes += size
}

// pick is a free register: that of the copied value if it is free, else the lowest.
func (a *Allocation) pick(free uint32, iv Interval) int {
	if iv.hint != 0 {
		if p := a.Phys[iv.hint]; p >= 0 && free>>p&1 == 1 {
			return int(p)
		}
	}
	return bits.TrailingZeros32(free)
}
