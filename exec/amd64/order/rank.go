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
	g := s.Builder
	r := &ranking{Sorter: s, lanes: s.lanesOf8()}
	r.regs = min((s.N+r.lanes-1)/r.lanes, 4)
	r.groups = (s.N + r.group() - 1) / r.group()
	size := 8 * (r.groups*r.group() + g.Lanes)
	r.keys, r.places, r.order = g.Alloc(size), g.Alloc(size), g.Alloc(size)
	if g.EVEX {
		r.minusOne = g.SplatInt(dtype.Int64, g.NewInt(-1)).R[0]
	}
	return r
}

// group is how many keys are in registers together.
func (r *ranking) group() int { return r.regs * r.lanes }

// row sorts a row.
func (r *ranking) row(number lir.Reg) {
	g := r.Builder
	from := r.cells(number, r.N)
	r.overKeys(from, 0, func(_, key lane.Lanes, j lir.Reg) { g.Store(key, lir.FrameIndex(j, 8, r.keys), nil) })
	last := g.Reg(r.last(), 0)
	for i := (r.N + g.Lanes - 1) / g.Lanes * g.Lanes; i < r.groups*r.group(); i += r.lanes {
		g.StoreReg(lir.Frame(r.keys+8*i), last, 4, 0)
	}
	g.UpTo(r.groups*r.group(), r.group(), r.rank)
	g.UpTo(r.N, 1, func(j lir.Reg) {
		place := g.LoadInt(lir.FrameIndex(j, 8, r.places))
		g.Use(asm.MOV, lir.FrameIndex(place, 4, r.order), g.R32(j))
	})
	to := g.BinInt(asm.IMUL, number, lir.Imm(int64(r.Keep)))
	unroll := 1
	if r.Keep%2 == 0 {
		unroll = 2
	}
	g.UpTo(r.Keep, unroll, func(j lir.Reg) {
		for i := range unroll {
			k := g.NewReg(lir.GPR)
			g.Def(asm.MOV, g.R32(k), lir.FrameIndex(j, 4, r.order+4*i))
			r.pickWide(k, to, from, i)
		}
		g.RMW(asm.ADD, g.R64(to), lir.Imm(int64(unroll)))
	})
}

// rank counts for a group of keys, the first of which has a number in a register.
func (r *ranking) rank(first lir.Reg) {
	g := r.Builder
	keys, counts := make([]lir.Reg, r.regs), make([]lir.Reg, r.regs)
	begin := g.SplatInt(dtype.Int64, first).R[0]
	for i := range keys {
		keys[i], counts[i] = g.NewVec(), g.NewVec()
		g.LoadReg(keys[i], lir.FrameIndex(first, 8, r.keys+i*g.Bytes), 4, 0)
		g.Def(asm.VPADDQ, g.V(counts[i]), g.V(begin), r.ascending(i*r.lanes))
	}
	if r.groups > 1 {
		j := g.NewInt(0)
		g.Onward(j, g.R64(first), 1, r.N, func(j lir.Reg) {
			x := r.key64(lir.FrameIndex(j, 8, r.keys))
			for i := range keys {
				r.earlier(counts[i], keys[i], x)
			}
		})
	}
	r.within(first, keys, counts)
	if r.groups > 1 {
		j := g.CopyInt(first)
		g.AddConst(j, int64(r.group()))
		g.Onward(j, g.R64(g.NewInt(int64(r.N))), 1, r.N, func(j lir.Reg) {
			x := r.key64(lir.FrameIndex(j, 8, r.keys))
			for i := range keys {
				r.later(counts[i], keys[i], x)
			}
		})
	}
	for i := range counts {
		g.StoreReg(lir.FrameIndex(first, 8, r.places+i*g.Bytes), counts[i], 4, 0)
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
	g := r.Builder
	more, less := r.more(x, key), r.more(key, x)
	if g.EVEX {
		ahead, behind := make([]int, r.lanes), make([]int, r.lanes)
		for i := range r.lanes {
			if ahead[i] = 1; i > own {
				ahead[i], behind[i] = 0, -1
			}
		}
		g.RMW(asm.VPADDQ, g.V(count), g.V(count), r.perLane(behind)).Masked(more, false)
		g.RMW(asm.VPADDQ, g.V(count), g.V(count), r.perLane(ahead)).Masked(less, false)
		return
	}
	behind, zero := lir.Imm(int64(int8(-1)<<(2*(own+1)))), g.NewVec()
	g.ZeroVec(zero)
	g.RMW(asm.VPBLENDD, g.V(more), g.V(zero), g.V(more), behind)
	g.RMW(asm.VPBLENDD, g.V(less), g.V(less), g.V(zero), behind)
	r.step(asm.VPADDQ, count, more)
	r.step(asm.VPSUBQ, count, less)
}

// key64 is a key in all lanes.
func (r *ranking) key64(at lir.Arg) lir.Reg {
	g := r.Builder
	x := g.NewVec()
	g.Def(asm.VPBROADCASTQ, g.V(x), at.Sized(8))
	return x
}

// earlier uncounts an earlier key that is greater: all earlier ones are counted to begin with.
func (r *ranking) earlier(count, key, x lir.Reg) { r.step(asm.VPADDQ, count, r.more(x, key)) }

// later counts a later key that is less.
func (r *ranking) later(count, key, x lir.Reg) { r.step(asm.VPSUBQ, count, r.more(key, x)) }

// step adds or subtracts -1 where a comparison holds.
func (r *ranking) step(o asm.Op, count, where lir.Reg) {
	g := r.Builder
	if g.EVEX {
		g.RMW(o, g.V(count), g.V(count), g.V(r.minusOne)).Masked(where, false)
		return
	}
	g.RMW(o, g.V(count), g.V(count), g.V(where))
}

// perLane is a number of 64 bits for each lane.
func (r *ranking) perLane(numbers []int) lir.Arg {
	b := make([]byte, 0, r.Builder.Bytes)
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return r.Builder.BytesConst(b)
}

// ascending is numbers from the first of a register.
func (r *ranking) ascending(first int) lir.Arg {
	n := make([]int, r.lanes)
	for i := range n {
		n[i] = first + i
	}
	return r.perLane(n)
}
