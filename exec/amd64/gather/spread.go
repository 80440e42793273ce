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

// spread is elements of 1 byte, by elements apart, which lie within a register's bytes: the words that hold them are
// permuted, shifted into place and narrowed.
func spread(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	z, r, b := loadBytes(g, at, spanned(g, by, mask)), g.NewVec(), g.NewVec()
	index := lir.Words(g.Unit, func(i int) int { return i * by / 2 })
	g.Def(asm.VPERMW, g.V(r), g.V(index), g.V(z))
	if by%2 != 0 {
		right, shifted := lir.Words(g.Unit, func(i int) int { return i * by % 2 * 8 }), g.NewVec()
		g.Def(asm.VPSRLVD, g.V(shifted), g.V(r), g.V(right))
		r = shifted
	}
	g.Def(asm.VPMOVDB, g.VW(b, 16), g.V(r))
	return g.Load(d, g.VW(b, 16), nil)
}

// spreadWords is elements of 2 bytes, by elements apart: of one register, or of two, the second of which ends with the
// last element.
func spreadWords(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int, mask *lane.Lanes) lane.Lanes {
	most, last := g.Bytes/2, (g.Lanes-1)*by
	second := last - (most - 1)
	place := func(i int) int {
		if e := i * by; i < g.Lanes && e >= most {
			return most + e - second
		}
		return i * by % most
	}
	index := lir.Words(g.Unit, func(i int) int { return place(2*i) | place(2*i+1)<<16 })
	if last < most {
		z, r := loadWords(g, at, spanned(g, by, mask), 0), g.NewVec()
		g.Def(asm.VPERMW, g.V(r), g.V(index), g.V(z))
		return g.Load(d, g.VW(r, g.Bytes/2), nil)
	}
	var on lir.Reg
	if mask != nil {
		on = places(g, mask, 0, g.Lanes, by)
	}
	z, next := loadWords(g, at, on, 0), loadWords(g, at.Plus(2*second), on, second)
	g.RMW(asm.VPERMT2W, g.V(z), g.V(index), g.V(next))
	return g.Load(d, g.VW(z, g.Bytes/2), nil)
}

// spanned is a bit for each element of a block that lies between its lanes, by elements apart, or for each that a mask
// lets through.
func spanned(g *elementwise.Builder, by int, mask *lane.Lanes) lir.Reg {
	if mask == nil {
		return g.NewInt(int64(uint64(math.MaxUint64) >> (63 - (g.Lanes-1)*by)))
	}
	return places(g, mask, 0, g.Lanes, by)
}

// loadBytes is a register of those elements that have a bit.
func loadBytes(g *elementwise.Builder, at lir.Arg, on lir.Reg) lir.Reg {
	k, z := g.NewReg(lir.Mask), g.NewVec()
	g.Def(asm.KMOVQ, g.K(k), g.R64(on))
	g.Def(asm.VMOVDQU8, g.V(z), at).ZeroMasked(k)
	return z
}

// loadWords is a register of elements of 2 bytes, of those only that have a bit from one on if there are bits.
func loadWords(g *elementwise.Builder, at lir.Arg, on lir.Reg, from int) lir.Reg {
	z := g.NewVec()
	if on == 0 {
		g.Def(asm.VMOVUPS, g.V(z), at)
		return z
	}
	if from != 0 {
		on = g.CopyInt(on)
		g.RMW(asm.SHR, g.R64(on), lir.Imm(int64(from)))
	}
	k := g.NewReg(lir.Mask)
	g.Def(asm.KMOVD, g.K(k), g.R32(on))
	g.Def(asm.VMOVDQU16, g.V(z), at).ZeroMasked(k)
	return z
}

// spreadBytes is elements of 1 or 2 bytes, by elements apart, by two loads, of 8 or 16 bytes, one from the first
// element on and one that ends with the last: each has half of the elements.
func spreadBytes(g *elementwise.Builder, d dtype.DType, at lir.Arg, by int) lane.Lanes {
	size, part, load := d.Size(), 16, asm.VMOVUPS
	spans := (g.Lanes-1)*by*size + size
	if spans < part {
		part, load = 8, asm.VMOVQ
	}
	all := lir.Reg(0)
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
	return g.Load(d, g.VW(all, 16), nil)
}
