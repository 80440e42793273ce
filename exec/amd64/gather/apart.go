package gather

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Blocks of elements that lie a stride apart. A small constant stride is loads of all that lies between, and
// permutations; for others elements are loaded one by one, or gathered. Nothing ahead of the first element or behind
// the last one is touched.

// A Block is elements of a tensor from an address on, a step apart.
type Block struct {
	D    dtype.DType
	At   lir.Arg
	Step lane.Stride
}

// Strided is a block whose step is not one element. Elements that a mask excludes are 0 and not touched; tail says that
// it does exclude some.
func Strided(g *elementwise.Builder, b Block, on *lane.Lanes, tail bool) lane.Lanes {
	d, at, step, size := b.D, b.At, b.Step, b.D.Size()
	by := int(step.N) / size
	switch {
	case by == -1:
		return g.LoadBackwards(d, size, at, on)
	case on != nil && step.R == 0 && mayMaskApart(g, by):
		return permuted(g, d, at, by, on)
	case on != nil && tail && (g.EVEX || size >= 4 || on.First > 0):
		return g.LoadOneByOne(d, at, int64(size), step, on)
	case on != nil:
		return singleMasked(g, d, at, step, on)
	case step.R == 0 && mayPermute(g, size, by):
		return permuted(g, d, at, by, nil)
	case step.R == 0 && g.EVEX && size >= 4 && !Slow() && MayGather(step.N):
		return g.GatherCells(d, g.Multiples(by), at)
	}
	return single(g, d, at, step)
}

// MayGather reports whether lanes so many bytes apart are reached by offsets of 32 bits.
func MayGather(stride int64) bool { return stride > -math.MaxInt32/32 && stride < math.MaxInt32/32 }

// mostMerged is the greatest stride, in elements, that is permuted.
const mostMerged = 4

// mayMaskApart reports whether elements by elements apart are permuted under masks, too, and stored by storeApart.
func mayMaskApart(g *elementwise.Builder, by int) bool { return g.EVEX && by > 1 && by <= mostMerged }

// mayPermute reports whether a whole block of elements of size bytes, by elements apart, is loads of all that lies
// between, and permutations, which is faster than elements one by one.
func mayPermute(g *elementwise.Builder, size, by int) bool {
	switch {
	case by < 2 || by > mostMerged:
		return false
	case g.EVEX && size == 8:
		return by == 2 || !Slow()
	case g.EVEX || size == 4:
		return true
	}
	return size < 4 && by*size*(g.Lanes/2-1)+size <= 16
}

// Near reports whether cells of a tile in the frame, of size bytes, lie so near each other that permutations are faster
// than gathers, which AVX2 does not have but as loads of single lanes.
func Near(g *elementwise.Builder, size int, step lane.Stride) bool {
	return !g.EVEX && size == 4 && step.R == 0 && step.N > 0 && mayPermute(g, size, int(step.N)/size)
}

// permuted is a block that mayPermute, or under a mask one that mayMaskApart.
func permuted(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	switch size := d.Size(); {
	case size >= 4:
		return merge(g, d, at, by, mask)
	case !g.EVEX:
		return spreadBytes(g, d, at, by)
	case size == 2:
		return spreadWords(g, d, at, by, mask)
	}
	return spread(g, d, at, by, mask)
}

// merge is elements of 4 or 8 bytes, by elements apart: a register of them at a time.
func merge(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	m := merging{g, d.Size(), by, g.Bytes / d.Size()}
	z := lane.Lanes{D: d}
	for h := range lane.Halves(d) {
		z.R[h] = m.register(at.Plus(h*m.lanes*m.size*by), m.places(mask, h))
	}
	if !lane.Wide(d) {
		z.R[1] = z.R[0]
	}
	return z
}

// A merging is elements of 4 or 8 bytes, by elements apart, as vectors of all that lies between.
type merging struct {
	g        *elementwise.Builder
	size, by int
	lanes    int // of a register
}

// places is a bit for each element from register h's first on that a mask lets through; 0 without a mask.
func (m merging) places(mask *lane.Lanes, h int) lir.Reg {
	if mask == nil {
		return 0
	}
	return places(m.g, mask, h*m.lanes, m.lanes, m.by)
}

// register loads by registers, the last of which ends at the last element, and picks every by-th element.
func (m merging) register(at lir.Arg, on lir.Reg) lir.Reg {
	g := m.g
	z := m.load(at, on, 0)
	if g.EVEX {
		for k := 1; k < m.by; k++ {
			from := m.begin(k)
			next := m.load(at, on, from)
			index := m.numbers(func(i int) int {
				switch e := i * m.by; {
				case e >= k*m.lanes:
					return m.lanes + min(e-from, m.lanes-1) // of what is not in this register anything
				case k == 1:
					return e
				}
				return i // what has been picked
			})
			g.RMW(m.either(asm.VPERMT2D, asm.VPERMT2Q), g.V(z), g.V(index), g.V(next))
		}
		return z
	}
	z = m.pick(z, 0)
	for k := 1; k < m.by; k++ {
		var lanes int64 // those that are in this register, or come later
		for i := range m.lanes {
			if i*m.by >= k*m.lanes {
				lanes |= 1 << i
			}
		}
		from, both := m.begin(k), g.NewVec()
		next := m.pick(m.load(at, on, from), from)
		g.Def(asm.VPBLENDD, g.V(both), g.V(z), g.V(next), lir.Imm(lanes))
		z = both
	}
	return z
}

// begin is the element that load k begins with.
func (m merging) begin(k int) int {
	if k == m.by-1 {
		return (m.lanes - 1) * (m.by - 1)
	}
	return k * m.lanes
}

// load is a register's elements from one on, those that have a bit if on is one.
func (m merging) load(at lir.Arg, on lir.Reg, from int) lir.Reg {
	z, there := m.g.NewVec(), lir.Reg(0)
	if on != 0 {
		there = m.mask(on, from)
	}
	m.g.LoadReg(z, at.Plus(m.size*from), m.size, there)
	return z
}

// mask is a mask of bits from one on.
func (m merging) mask(bits lir.Reg, from int) lir.Reg {
	g := m.g
	k := g.NewMask().R[0]
	if from != 0 {
		bits = g.CopyInt(bits)
		g.RMW(asm.SHR, g.R64(bits), lir.Imm(int64(from)))
	}
	g.Def(asm.KMOVW, g.K(k), g.R32(bits))
	return k
}

// either is the instruction for elements of the size.
func (m merging) either(four, eight asm.Op) asm.Op {
	if m.size == 8 {
		return eight
	}
	return four
}

// numbers is a register of indices of elements.
func (m merging) numbers(of func(i int) int) lir.Reg {
	if m.size == 4 {
		return lir.Words(m.g.Unit, of)
	}
	return lir.Words(m.g.Unit, func(i int) int { return of(i/2) * (1 - i%2) })
}

// pick moves every by-th element to its lane, of a register that begins with element first; other lanes are anything.
func (m merging) pick(from lir.Reg, first int) lir.Reg {
	g := m.g
	index := lir.Words(g.Unit, func(i int) int { return i*m.by - first }) // its last three bits count
	z := g.NewVec()
	g.Def(asm.VPERMD, g.V(z), g.V(index), g.V(from))
	return z
}

// places is a bit for each of so many lanes from one on, by places apart, that a mask lets through.
func places(g *elementwise.Builder, mask *lane.Lanes, first, lanes, by int) lir.Reg {
	all := g.NewInt(everyNth(lanes, by))
	if mask == nil {
		return all
	}
	bits := g.MaskBits(mask)
	if first != 0 {
		bits = g.CopyInt(bits)
		g.RMW(asm.SHR, g.R64(bits), lir.Imm(int64(first)))
	}
	z := g.NewReg(lir.GPR)
	g.Def(asm.PDEP, g.R64(z), g.R64(bits), g.R64(all))
	return z
}

// everyNth is so many bits, by places apart.
func everyNth(lanes, by int) (bits int64) {
	for i := range lanes {
		bits |= 1 << (i * by)
	}
	return bits
}
