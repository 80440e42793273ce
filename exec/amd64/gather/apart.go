package gather

import (
	"bytes"
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Full blocks of elements that lie a constant stride apart. A small stride is loads of all that lies between, and
// permutations; a larger one is a gather. Nothing ahead of the first element or behind the last one is touched.

// MayGather reports whether lanes so many bytes apart are reached by offsets of 32 bits.
func MayGather(stride int64) bool { return stride > -math.MaxInt32/32 && stride < math.MaxInt32/32 }

// mostMerged is the greatest stride, in elements, that is permuted.
const mostMerged = 4

// Apart is a block of elements of 4 or 8 bytes, by elements apart. It is masked only if MayMaskApart.
func Apart(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	if d.Size() == 4 && by > 1 && by <= mostMerged {
		return merge(g, d, at, by, mask)
	}
	if d.Size() == 4 && Slow() {
		return Single(g, d, at, lane.Stride{N: int64(4 * by)})
	}
	return g.GatherCells(d, g.Multiples(by), at)
}

// Single is a block of elements of 4 bytes, a step apart, loaded one by one.
func Single(g *elementwise.Builder, d dtype.DType, at lir.Arg, step lane.Stride) lane.Lanes {
	var x []lir.Reg
	lane.AllLanes(g.Unit, at, step, func(_ int, at lir.Arg) { x = append(x, first(g, at, 4)) })
	return Together(g, x, 4).As(d)
}

// SingleMasked is Single if a mask lets all lanes through, which most blocks' do.
func SingleMasked(g *elementwise.Builder, d dtype.DType, at lir.Arg, step lane.Stride, mask *lane.Lanes) lane.Lanes {
	r, part, end := g.NewVec(), g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, g.R32(g.MaskBits(mask)), lir.Imm(1<<g.Lanes-1))
	g.Jump(asm.JNE, part)
	g.MoveVec(r, Single(g, d, at, step).R[0])
	g.Jump(asm.JMP, end)
	g.Bind(part)
	g.MoveVec(r, g.LoadOneByOne(d, at, 4, step, mask).R[0])
	g.Bind(end)
	return lane.Lanes{D: d, R: [2]lir.Reg{r, r}}
}

// merge loads by registers, the last of which ends at the block's last element, and picks every by-th element.
func merge(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	z := g.NewVec()
	there := func(int) lir.Reg { return 0 }
	if mask != nil {
		on := elements(g, by, mask)
		there = func(first int) lir.Reg {
			k, bits := g.NewMask().R[0], g.CopyInt(on)
			g.RMW(asm.SHR, g.R64(bits), lir.Imm(int64(first)))
			g.Def(asm.KMOVW, g.K(k), g.R32(bits))
			return k
		}
	}
	g.LoadReg(z, at, 4, there(0))
	for k := 1; k < by; k++ {
		first := k * g.Lanes
		if k == by-1 {
			first = (g.Lanes - 1) * (by - 1)
		}
		next := g.NewVec()
		g.LoadReg(next, at.Plus(4*first), 4, there(first))
		if !g.EVEX {
			if k == 1 {
				z = pick(g, z, by, 0)
			}
			var lanes int64 // those that are in this register, or come later
			for i := range g.Lanes {
				if i*by >= k*g.Lanes {
					lanes |= 1 << i
				}
			}
			both := g.NewVec()
			g.Def(asm.VPBLENDD, g.V(both), g.V(z), g.V(pick(g, next, by, first)), lir.Imm(lanes))
			z = both
			continue
		}
		index := lir.Words(g.Unit, func(i int) int {
			switch e := i * by; {
			case e >= k*g.Lanes:
				return g.Lanes + min(e-first, g.Lanes-1) // of what is not in this register anything
			case k == 1:
				return e
			}
			return i // what has been picked
		})
		g.RMW(asm.VPERMT2D, g.V(z), g.V(index), g.V(next))
	}
	return lane.Lanes{D: d, R: [2]lir.Reg{z, z}}
}

// MayMaskApart reports whether elements of size bytes, by elements apart, are loaded under masks by Apart, and stored
// by StoreApart.
func MayMaskApart(g *elementwise.Builder, size, by int) bool {
	return g.EVEX && size == 4 && by > 1 && by <= mostMerged
}

// StoreApart stores a block of elements of 4 bytes by elements apart: as vectors of all that lies between, under masks
// that leave that as it is.
func StoreApart(g *elementwise.Builder, x lane.Lanes, at lir.Arg, by int, mask *lane.Lanes) {
	on := elements(g, by, mask)
	for k := range by {
		index := lir.Words(g.Unit, func(i int) int { return (k*g.Lanes + i) / by })
		z, there := g.NewVec(), g.NewMask().R[0]
		g.Def(asm.VPERMD, g.V(z), g.V(index), g.V(g.Reg(x, 0)))
		g.Def(asm.KMOVW, g.K(there), g.R32(on))
		g.StoreReg(at.Plus(k*g.Bytes), z, 4, there)
		if k < by-1 {
			g.RMW(asm.SHR, g.R64(on), lir.Imm(int64(g.Lanes)))
		}
	}
}

// elements is a bit for each element of a block, by elements apart, that a mask lets through.
func elements(g *elementwise.Builder, by int, mask *lane.Lanes) lir.Reg {
	var places int64
	for i := range g.Lanes {
		places |= 1 << (i * by)
	}
	on := g.NewInt(places)
	if mask != nil {
		g.Def(asm.PDEP, g.R64(on), g.R64(g.MaskBits(mask)), g.R64(g.NewInt(places)))
	}
	return on
}

// pick moves every by-th element to its lane, of a register that begins with element first; other lanes are anything.
func pick(g *elementwise.Builder, from lir.Reg, by, first int) lir.Reg {
	index := lir.Words(g.Unit, func(i int) int { return i*by - first }) // its last three bits count
	z := g.NewVec()
	g.Def(asm.VPERMD, g.V(z), g.V(index), g.V(from))
	return z
}

// MaySpread reports whether a block of elements of size bytes, by elements apart, is one that Spread loads.
func MaySpread(g *elementwise.Builder, size, by int) bool {
	if by < 2 || size > 2 {
		return false
	}
	if g.EVEX {
		return by*size*(g.Lanes-1) < g.Bytes
	}
	return by*size*(g.Lanes/2-1)+size <= 16
}

// Spread is a block of elements of 1 or 2 bytes, by elements apart, that lies within a register's bytes: the words
// that hold them are permuted, shifted into place and narrowed in the frame.
func Spread(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int) lane.Lanes {
	size := d.Size()
	spans := (g.Lanes-1)*by*size + size
	if !g.EVEX {
		return spreadBytes(g, d, at, by, spans)
	}
	k, z := g.NewReg(lir.Mask), g.NewVec()
	g.Def(asm.KMOVQ, g.K(k), g.R64(g.NewInt(int64(uint64(math.MaxUint64)>>(64-spans)))))
	g.Def(asm.VMOVDQU8, g.V(z), at).ZeroMasked(k)
	index := lir.Words(g.Unit, func(i int) int { return i * by * size / 2 })
	r, tmp := g.NewVec(), g.Alloc(g.Lanes*size)
	g.Def(asm.VPERMW, g.V(r), g.V(index), g.V(z))
	if size == 2 {
		g.Use(asm.VPMOVDW, lir.Frame(tmp).Sized(g.Lanes*size), g.V(r))
		return g.Load(d, lir.Frame(tmp), nil)
	}
	right, shifted := lir.Words(g.Unit, func(i int) int { return i * by * size % 2 * 8 }), g.NewVec()
	g.Def(asm.VPSRLVD, g.V(shifted), g.V(r), g.V(right))
	g.Use(asm.VPMOVDB, lir.Frame(tmp).Sized(g.Lanes*size), g.V(shifted))
	return g.Load(d, lir.Frame(tmp), nil)
}

// spreadBytes is Spread by two loads, of 8 or 16 bytes, one from the first element on and one that ends with the
// last: each has half of the elements.
func spreadBytes(g *elementwise.Builder, d dtype.DType, at lir.Arg, by, spans int) lane.Lanes {
	size, part, load := d.Size(), 16, asm.VMOVUPS
	if spans < part {
		part, load = 8, asm.VMOVQ
	}
	tmp, all := g.Alloc(16), lir.Reg(0)
	for half := range 2 {
		b := bytes.Repeat([]byte{0x80}, 16) // what gives 0
		for i := half * g.Lanes / 2; i < (half+1)*g.Lanes/2; i++ {
			for j := range size {
				b[i*size+j] = byte(i*by*size + j - half*(spans-part))
			}
		}
		x, z := g.NewVec(), g.NewVec()
		g.Def(load, g.VW(x, 16), at.Plus(half*(spans-part)).Sized(part))
		g.Def(asm.VPSHUFB, g.VW(z, 16), g.VW(x, 16), g.BytesConst(b).Sized(16))
		if all != 0 {
			g.RMW(asm.VPOR, g.VW(all, 16), g.VW(all, 16), g.VW(z, 16))
			continue
		}
		all = z
	}
	g.Use(asm.VMOVUPS, lir.Frame(tmp).Sized(16), g.VW(all, 16))
	return g.Load(d, lir.Frame(tmp), nil)
}
