package lane

import (
	"bytes"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Masks of so many first lanes, known when code is written, as in tiles of a few elements. In AVX2 what they let
// through is moved by plain instructions: to look at a mask takes longer, and masked stores are microcode.

// FirstLanes is a mask of so many first lanes, 1 at least.
func (g *Vectors) FirstLanes(count int) Lanes {
	if g.EVEX {
		z := g.NewMask()
		g.SetFirstLanes(z, g.NewInt(int64(count)))
		return z
	}
	return Lanes{D: dtype.Bool, R: [2]lir.Reg{g.firstBytes(4 * count)}, First: count}
}

// firstBytes is a register of so many first bytes of ones, and zeros.
func (g *Vectors) firstBytes(n int) lir.Reg {
	r := g.NewVec()
	b := make([]byte, g.Bytes)
	copy(b, bytes.Repeat([]byte{255}, n))
	g.Def(asm.VMOVDQU, g.V(r), g.BytesConst(b))
	return r
}

// inRegister is how many bytes of register h so many first elements of a type take.
func (g *Vectors) inRegister(d dtype.DType, count, h int) int {
	return min(max(0, count*4*Halves(d)-h*g.Bytes), g.Bytes)
}

// loadFirst fills lanes with so many first elements of 4 or 8 bytes, and zeros.
func (g *Memory) loadFirst(z Lanes, at lir.Arg, count int) {
	for h := range Halves(z.D) {
		g.loadBytes(z.R[h], at.Plus(h*g.Bytes), g.inRegister(z.D, count, h))
	}
}

// loadBytes fills a register with n bytes, a multiple of 4, and zeros.
func (g *Memory) loadBytes(r lir.Reg, at lir.Arg, n int) {
	switch low := g.VW(r, 16); n {
	case 0:
		g.ZeroVec(r)
	case 4:
		g.Def(asm.VMOVSS, low, at.Sized(4))
	case 8:
		g.Def(asm.VMOVSD, low, at.Sized(8))
	case 16:
		g.Def(asm.VMOVUPS, low, at.Sized(16))
	case g.Bytes:
		g.LoadReg(r, at, 4, 0)
	default:
		g.LoadReg(r, at, 4, g.firstBytes(n))
	}
}

// storeFirst stores so many first elements of 4 or 8 bytes.
func (g *Memory) storeFirst(x Lanes, at lir.Arg, count int) {
	for h := range Halves(x.D) {
		if n := g.inRegister(x.D, count, h); n > 0 {
			g.storeBytes(g.Reg(x, h), at.Plus(h*g.Bytes), n)
		}
	}
}

// storeBytes stores the first n bytes of a register, a multiple of 4: a half, a quarter and an eighth of it.
func (g *Memory) storeBytes(r lir.Reg, at lir.Arg, n int) {
	if n == g.Bytes {
		g.StoreReg(at, r, 4, 0)
		return
	}
	upper := func(o asm.Op, rest ...lir.Arg) {
		z := g.NewVec()
		g.Def(o, append([]lir.Arg{g.VW(z, 16)}, rest...)...)
		r = z
	}
	if n >= 16 {
		g.Use(asm.VMOVUPS, at.Sized(16), g.VW(r, 16))
		if at, n = at.Plus(16), n-16; n > 0 {
			upper(asm.VEXTRACTI128, g.V(r), lir.Imm(1))
		}
	}
	if n >= 8 {
		g.Use(asm.VMOVQ, at.Sized(8), g.VW(r, 16))
		if at, n = at.Plus(8), n-8; n > 0 {
			upper(asm.VUNPCKHPD, g.VW(r, 16), g.VW(r, 16))
		}
	}
	if n > 0 {
		g.Use(asm.VMOVSS, at.Sized(4), g.VW(r, 16))
	}
}

// loadFirstNarrow is so many first elements of 1 or 2 bytes: eight bytes, and what is behind them, go through general
// registers.
func (g *Memory) loadFirstNarrow(d dtype.DType, at lir.Arg, count int) Lanes {
	n := count * d.Size()
	x := g.NewVec()
	g.Def(asm.VMOVQ, g.VW(x, 16), g.R64(g.word(at, min(n, 8))))
	if n > 8 {
		y := g.NewVec()
		g.Def(asm.VMOVQ, g.VW(y, 16), g.R64(g.word(at.Plus(8), n-8)))
		g.RMW(asm.VUNPCKLPD, g.VW(x, 16), g.VW(x, 16), g.VW(y, 16))
	}
	return g.Load(d, g.VW(x, 16), nil)
}

// word is a general register of so many bytes of memory, 8 at most, and zeros.
func (g *Memory) word(at lir.Arg, n int) (z lir.Reg) {
	eachPart(n, func(off, size int) {
		part := g.NewReg(lir.GPR)
		loadPart(g.Unit, part, size, at.Plus(off))
		if z == 0 {
			z = part
			return
		}
		g.RMW(asm.SHL, g.R64(part), lir.Imm(int64(8*off)))
		g.RMW(asm.OR, g.R64(z), g.R64(part))
	})
	return z
}

// storeFirstNarrow stores so many first elements of 1 or 2 bytes, by way of the frame.
func (g *Memory) storeFirstNarrow(x Lanes, at lir.Arg, count int) {
	tmp := g.Alloc(g.Bytes)
	g.Store(x, lir.Frame(tmp), nil)
	eachPart(count*x.D.Size(), func(off, size int) {
		g.CopyElement(size, g.NewReg(lir.GPR), at.Plus(off), lir.Frame(tmp+off))
	})
}

// eachPart takes n bytes apart into powers of two, 8 at most.
func eachPart(n int, f func(off, size int)) {
	off := 0
	for _, size := range []int{8, 4, 2, 1} {
		for ; n-off >= size; off += size {
			f(off, size)
		}
	}
}

// FirstBlocks is masks of so many first elements of blocks of lanes.
func (g *Vectors) FirstBlocks(count int) (z []*Lanes) {
	for ; count > 0; count -= g.Lanes {
		m := g.FirstLanes(min(count, g.Lanes))
		z = append(z, &m)
	}
	return z
}
