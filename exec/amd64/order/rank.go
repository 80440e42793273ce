package order

import (
	"encoding/binary"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Ranks: an element's place is how many stand ahead of it: those with a lesser key, and of those with an equal one the
// earlier. That is stable, needs no indices beside the keys, and is fast where rows are short.

// A ranking is the code of that for elements of 64 bits.
type ranking struct {
	*Sorter
	keys, places, order int // in the frame: a row's keys, their places, and numbers of elements by place
	regs                int // of a group, whose keys are in registers
	groups              int
	lanes               int     // keys in a register
	minusOne            lir.Reg // in all lanes, for AVX-512
}

func (s *Sorter) ranks() *ranking {
	r := &ranking{Sorter: s, lanes: s.lanesOf8()}
	r.regs = min((s.N+r.lanes-1)/r.lanes, 4)
	r.groups = (s.N + r.group() - 1) / r.group()
	size := 8 * (r.groups*r.group() + s.Lanes)
	r.keys, r.places, r.order = s.Alloc(size), s.Alloc(size), s.Alloc(size)
	if s.EVEX {
		r.minusOne = s.SplatInt(dtype.Int64, s.NewInt(-1)).R[0]
	}
	return r
}

// group is how many keys are in registers together.
func (r *ranking) group() int { return r.regs * r.lanes }

// row sorts a row.
func (r *ranking) row(number lir.Reg) {
	from := r.cells(number, r.N)
	r.overKeys(from, 0, func(_, key lane.Lanes, j lir.Reg) { r.Store(key, lir.FrameIndex(j, 8, r.keys), nil) })
	last := r.Reg(r.last(), 0)
	for i := (r.N + r.Lanes - 1) / r.Lanes * r.Lanes; i < r.groups*r.group(); i += r.lanes {
		r.StoreReg(lir.Frame(r.keys+8*i), last, 4, 0)
	}
	r.UpTo(r.groups*r.group(), r.group(), r.rank)
	r.UpTo(r.N, 1, func(j lir.Reg) {
		place := r.LoadInt(lir.FrameIndex(j, 8, r.places))
		r.Use(asm.MOV, lir.FrameIndex(place, 4, r.order), r.R32(j))
	})
	to := r.BinInt(asm.IMUL, number, lir.Imm(int64(r.Keep)))
	unroll := 1
	if r.Keep%2 == 0 {
		unroll = 2
	}
	r.UpTo(r.Keep, unroll, func(j lir.Reg) {
		for i := range unroll {
			k := r.NewReg(lir.GPR)
			r.Def(asm.MOV, r.R32(k), lir.FrameIndex(j, 4, r.order+4*i))
			r.pickWide(k, to, from, i)
		}
		r.RMW(asm.ADD, r.R64(to), lir.Imm(int64(unroll)))
	})
}

// rank counts for a group of keys, the first of which has a number in a register.
func (r *ranking) rank(first lir.Reg) {
	keys, counts := make([]lir.Reg, r.regs), make([]lir.Reg, r.regs)
	begin := r.SplatInt(dtype.Int64, first).R[0]
	for i := range keys {
		keys[i], counts[i] = r.NewVec(), r.NewVec()
		r.LoadReg(keys[i], lir.FrameIndex(first, 8, r.keys+i*r.Bytes), 4, 0)
		r.Def(asm.VPADDQ, r.V(counts[i]), r.V(begin), r.ascending(i*r.lanes))
	}
	if r.groups > 1 {
		j := r.NewInt(0)
		r.Onward(j, r.R64(first), 1, r.N, func(j lir.Reg) {
			x := r.key64(lir.FrameIndex(j, 8, r.keys))
			for i := range keys {
				r.earlier(counts[i], keys[i], x)
			}
		})
	}
	r.within(first, keys, counts)
	if r.groups > 1 {
		j := r.CopyInt(first)
		r.AddConst(j, int64(r.group()))
		r.Onward(j, r.R64(r.NewInt(int64(r.N))), 1, r.N, func(j lir.Reg) {
			x := r.key64(lir.FrameIndex(j, 8, r.keys))
			for i := range keys {
				r.later(counts[i], keys[i], x)
			}
		})
	}
	for i := range counts {
		r.StoreReg(lir.FrameIndex(first, 8, r.places+i*r.Bytes), counts[i], 4, 0)
	}
}

// within compares the keys of a group with each other.
func (r *ranking) within(first lir.Reg, keys, counts []lir.Reg) {
	for j := range min(r.group(), r.N) {
		x := r.key64(lir.FrameIndex(first, 8, r.keys+8*j))
		for i := range keys {
			switch own := j / r.lanes; {
			case i > own:
				r.earlier(counts[i], keys[i], x)
			case i < own:
				r.later(counts[i], keys[i], x)
			default:
				r.beside(counts[i], keys[i], x, j%r.lanes)
			}
		}
	}
}

// beside compares a register's keys with that of one of its lanes, which is earlier than those behind.
func (r *ranking) beside(count, key, x lir.Reg, own int) {
	more, less := r.more(x, key), r.more(key, x)
	if r.EVEX {
		ahead, behind := make([]int, r.lanes), make([]int, r.lanes)
		for i := range r.lanes {
			if ahead[i] = 1; i > own {
				ahead[i], behind[i] = 0, -1
			}
		}
		r.RMW(asm.VPADDQ, r.V(count), r.V(count), r.perLane(behind)).Masked(more, false)
		r.RMW(asm.VPADDQ, r.V(count), r.V(count), r.perLane(ahead)).Masked(less, false)
		return
	}
	behind, zero := lir.Imm(int64(int8(-1)<<(2*(own+1)))), r.NewVec()
	r.ZeroVec(zero)
	r.RMW(asm.VPBLENDD, r.V(more), r.V(zero), r.V(more), behind)
	r.RMW(asm.VPBLENDD, r.V(less), r.V(less), r.V(zero), behind)
	r.step(asm.VPADDQ, count, more)
	r.step(asm.VPSUBQ, count, less)
}

// key64 is a key in all lanes.
func (r *ranking) key64(at lir.Arg) lir.Reg {
	x := r.NewVec()
	r.Def(asm.VPBROADCASTQ, r.V(x), at.Sized(8))
	return x
}

// earlier uncounts an earlier key that is greater: all earlier ones are counted to begin with.
func (r *ranking) earlier(count, key, x lir.Reg) { r.step(asm.VPADDQ, count, r.more(x, key)) }

// later counts a later key that is less.
func (r *ranking) later(count, key, x lir.Reg) { r.step(asm.VPSUBQ, count, r.more(key, x)) }

// step adds or subtracts -1 where a comparison holds.
func (r *ranking) step(o asm.Op, count, where lir.Reg) {
	if r.EVEX {
		r.RMW(o, r.V(count), r.V(count), r.V(r.minusOne)).Masked(where, false)
		return
	}
	r.RMW(o, r.V(count), r.V(count), r.V(where))
}

// perLane is a number of 64 bits for each lane.
func (r *ranking) perLane(numbers []int) lir.Arg {
	b := make([]byte, 0, r.Bytes)
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return r.BytesConst(b)
}

// ascending is numbers from the first of a register.
func (r *ranking) ascending(first int) lir.Arg {
	n := make([]int, r.lanes)
	for i := range n {
		n[i] = first + i
	}
	return r.perLane(n)
}
