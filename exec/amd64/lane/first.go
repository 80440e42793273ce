package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// So many first lanes of a block, where the number is known: moves of 32, 16, 8, 4, 2 and 1 bytes, without masks. With
// AVX-512 they are those of whole parts of registers, of 32, 16 or 8 bytes.

// wholeParts reports whether a mask of AVX-512 lets through, for sure, elements of 4 or 8 bytes that fill a register or
// its first 32, 16 or 8 bytes. What a masked store covers, also where it writes nothing, delays the next row's load.
func wholeParts(g *Memory, mask *Lanes, size int) bool {
	if !g.EVEX || mask == nil || !mask.Surely {
		return false
	}
	bytes := mask.First * size
	return bytes == 8 || bytes == 16 || bytes == 32 || bytes == 64
}

// packed is 32-bit lanes of bit patterns as elements of 1 or 2 bytes, which a register begins with.
func packed(g *Memory, size int, bits Lanes) lir.Reg {
	w := g.NewVec()
	g.packWords(w, g.Reg(bits, 0))
	if size == 2 {
		return w
	}
	b := g.NewVec()
	g.Def(asm.VPACKUSWB, g.VW(b, 16), g.VW(w, 16), g.VW(w, 16))
	return b
}

// elements is lanes of a type of 1 or 2 bytes as they lie in memory.
func elements(g *Memory, x Lanes) lir.Reg {
	switch r := g.Reg(x, 0); x.D {
	case dtype.Bool:
		one := g.Op1(asm.VPSRLD, dtype.Uint32, Lanes{D: dtype.Uint32, R: [2]lir.Reg{r, r}}, lir.Imm(31))
		return packed(g, 1, one)
	case dtype.Float16:
		half := g.NewVec()
		g.Def(asm.VCVTPS2PH, g.VW(half, 16), g.V(r), lir.Imm(0))
		return half
	}
	return packed(g, x.D.Size(), g.pattern(x))
}

// storeStart writes so many bytes that a register begins with, 16 at most, or 32.
func storeStart(g *Memory, at lir.Arg, x lir.Reg, bytes int) {
	switch bytes {
	case 16, 32:
		g.Use(asm.VMOVUPS, at.Sized(bytes), g.VW(x, bytes))
		return
	case 8:
		g.Use(asm.VMOVQ, at.Sized(8), g.VW(x, 16))
		return
	}
	if bytes > 8 {
		high := g.NewVec()
		g.Use(asm.VMOVQ, at.Sized(8), g.VW(x, 16))
		g.Def(asm.VUNPCKHPD, g.VW(high, 16), g.VW(x, 16), g.VW(x, 16))
		at, x, bytes = at.Plus(8), high, bytes-8
	}
	rest := g.NewReg(lir.GPR)
	g.Def(asm.VMOVQ, g.R64(rest), g.VW(x, 16))
	for size := 4; size > 0; size /= 2 {
		if bytes&size == 0 {
			continue
		}
		g.StoreInt(size, at.Sized(size), rest)
		at, bytes = at.Plus(size), bytes-size
		if bytes > 0 {
			g.RMW(asm.SHR, g.R64(rest), lir.Imm(int64(8*size)))
		}
	}
}

// loadStart fills the first bytes of a register, 16 at most, or 32; the others are 0.
func loadStart(g *Memory, x lir.Reg, at lir.Arg, bytes int) {
	switch {
	case bytes == 16 || bytes == 32:
		g.Def(asm.VMOVUPS, g.VW(x, bytes), at.Sized(bytes))
	case bytes == 8:
		g.Def(asm.VMOVQ, g.VW(x, 16), at.Sized(8))
	case bytes == 4:
		g.Def(asm.VMOVD, g.VW(x, 16), at.Sized(4))
	case bytes > 8:
		low, high := g.NewVec(), g.NewVec()
		g.Def(asm.VMOVQ, g.VW(low, 16), at.Sized(8))
		loadStart(g, high, at.Plus(8), bytes-8)
		g.Def(asm.VUNPCKLPD, g.VW(x, 16), g.VW(low, 16), g.VW(high, 16))
	default:
		g.Def(asm.VMOVQ, g.VW(x, 16), g.R64(loadInt(g.Unit, at, bytes)))
	}
}

// loadInt is less than 8 bytes of memory, and zeros.
func loadInt(g *lir.Unit, at lir.Arg, bytes int) lir.Reg {
	rest := lir.Reg(0)
	for _, size := range []int{1, 2, 4} { // the last ones first, each at the end of what is left
		if bytes&size == 0 {
			continue
		}
		part := g.NewReg(lir.GPR)
		bytes -= size
		loadPart(g, part, size, at.Plus(bytes))
		if rest != 0 {
			g.RMW(asm.SHL, g.R64(rest), lir.Imm(int64(8*size)))
			g.RMW(asm.OR, g.R64(part), g.R64(rest))
		}
		rest = part
	}
	return rest
}

// loadFirst fills lanes of 4 or 8 bytes with so many elements, and zeros; a mask lets just these through.
func loadFirst(g *Memory, z Lanes, at lir.Arg, n int, mask *Lanes) {
	size, halves := z.D.Size(), [2]lir.Reg{}
	each := g.Bytes / size
	for h := range Halves(z.D) {
		switch c, at := n-h*each, at.Plus(h*g.Bytes); {
		case c <= 0:
			g.ZeroVec(z.R[h])
		case c >= each:
			g.LoadReg(z.R[h], at, size, 0)
		case c&(c-1) == 0:
			loadStart(g, z.R[h], at, c*size)
		default:
			if halves[h] == 0 {
				halves = g.MaskHalves(*mask, z.D)
			}
			g.LoadReg(z.R[h], at, size, halves[h])
		}
	}
}

// storeFirst writes so many elements of 4 or 8 bytes.
func storeFirst(g *Memory, x Lanes, at lir.Arg, n int) {
	size := x.D.Size()
	each := g.Bytes / size
	for h := 0; h*each < n; h++ {
		r, bytes, at := g.Reg(x, h), min(n-h*each, each)*size, at.Plus(h*g.Bytes)
		if bytes == g.Bytes {
			g.StoreReg(at, r, size, 0)
			continue
		}
		if bytes > 16 && !g.EVEX {
			high := g.NewVec()
			storeStart(g, at, r, 16)
			g.Def(asm.VEXTRACTF128, g.VW(high, 16), g.V(r), lir.Imm(1))
			r, at, bytes = high, at.Plus(16), bytes-16
		}
		storeStart(g, at, r, bytes)
	}
}

// together fills a register with so many elements of 1 or 2 bytes, and zeros: they are put together in general
// registers, from the last one of each down.
func together(g *Memory, x lir.Reg, size, n int, place func(i int) lir.Arg) {
	word := func(from, to int) lir.Reg {
		z, w := g.NewReg(lir.GPR), g.NewVec()
		g.Def(asm.MOVZX, g.R32(z), place(to-1))
		for i := to - 2; i >= from; i-- {
			g.RMW(asm.SHL, g.R64(z), lir.Imm(int64(8*size)))
			g.RMW(asm.OR, g.VW(z, size), place(i))
		}
		g.Def(asm.VMOVQ, g.VW(w, 16), g.R64(z))
		return w
	}
	each := 8 / size
	low := word(0, min(n, each))
	if n <= each {
		g.MoveVec(x, low)
		return
	}
	g.Def(asm.VUNPCKLPD, g.VW(x, 16), g.VW(low, 16), g.VW(word(each, n), 16))
}
