package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// AVX2 has no masks for bytes and halves, and on AMD's processors stores of words under masks are microcode of a dozen
// cycles. Where a mask lets all lanes through, as in most blocks, or the first ones, as at the end of a row, lanes are
// not looked at one by one: the first ones are stored in parts of four, two and one.

// loadMasked is Load of bytes or halves under a mask in AVX2.
func loadMasked(g *Memory, d dtype.DType, at lir.Arg, mask *Lanes) Lanes {
	size, x := d.Size(), g.NewVec()
	byLanes(g.Vectors, mask, func(n int) { loadStart(g, x, at, n*size) }, func(count lir.Reg) {
		rest, part := g.NewInt(0), g.NewReg(lir.GPR)
		four, two := behindParts(g.Unit, at, count, size)
		ifBit(g.Unit, count, 1, func() { loadPart(g.Unit, rest, size, two) })
		ifBit(g.Unit, count, 2, func() {
			loadPart(g.Unit, part, 2*size, four)
			g.RMW(asm.SHL, g.R64(rest), lir.Imm(int64(16*size)))
			g.RMW(asm.OR, g.R64(rest), g.R64(part))
		})
		if size == 1 {
			ifBit(g.Unit, count, 4, func() {
				loadPart(g.Unit, part, 4, at)
				g.RMW(asm.SHL, g.R64(rest), lir.Imm(32))
				g.RMW(asm.OR, g.R64(rest), g.R64(part))
			})
		}
		g.Def(asm.VMOVQ, g.VW(x, 16), g.R64(rest))
		if size == 2 {
			ifBit(g.Unit, count, 4, func() {
				y := g.NewVec()
				g.Def(asm.VMOVQ, g.VW(y, 16), at.Sized(8))
				g.RMW(asm.VUNPCKLPD, g.VW(x, 16), g.VW(y, 16), g.VW(x, 16))
			})
		}
	}, func(bits lir.Reg) { loadWhere(g, x, at, size, bits) })
	return g.Load(d, g.VW(x, 16), nil)
}

// storeMasked is Store of normal elements of a type of 1 or 2 bytes under a mask in AVX2.
func storeMasked(g *Memory, x Lanes, at lir.Arg, mask *Lanes) {
	size, z := x.D.Size(), elements(g, x)
	byLanes(g.Vectors, mask, func(n int) { storeStart(g, at, z, n*size) }, func(count lir.Reg) {
		rest := g.NewReg(lir.GPR)
		g.Def(asm.VMOVQ, g.R64(rest), g.VW(z, 16))
		four, two := behindParts(g.Unit, at, count, size)
		ifBit(g.Unit, count, 4, func() {
			if size == 1 {
				g.Use(asm.MOV, at.Sized(4), g.R32(rest))
				g.RMW(asm.SHR, g.R64(rest), lir.Imm(32))
				return
			}
			g.Use(asm.MOV, at.Sized(8), g.R64(rest))
			g.Def(asm.VMOVQ, g.R64(rest), g.VW(secondHalf(g, z), 16))
		})
		ifBit(g.Unit, count, 2, func() {
			g.Use(asm.MOV, four.Sized(2*size), g.VW(rest, 2*size))
			g.RMW(asm.SHR, g.R64(rest), lir.Imm(int64(16*size)))
		})
		ifBit(g.Unit, count, 1, func() { g.Use(asm.MOV, two.Sized(size), g.VW(rest, size)) })
	}, func(bits lir.Reg) { storeNarrowWhere(g, z, at, size, bits) })
}

// secondHalf is the second 8 bytes of a register.
func secondHalf(g *Memory, x lir.Reg) lir.Reg {
	z := g.NewVec()
	g.Def(asm.VUNPCKHPD, g.VW(z, 16), g.VW(x, 16), g.VW(x, 16))
	return z
}

// loadWhere fills a register with elements of 1 or 2 bytes, zeros where a lane has no bit.
func loadWhere(g *Memory, x lir.Reg, at lir.Arg, size int, bits lir.Reg) {
	together(g, x, size, g.Lanes, placesWhere(g, at, size, bits))
}

// storeNarrowWhere writes those elements of 1 or 2 bytes, which a register begins with, that have a bit.
func storeNarrowWhere(g *Memory, x lir.Reg, at lir.Arg, size int, bits lir.Reg) {
	place, rest := placesWhere(g, at, size, bits), g.NewReg(lir.GPR)
	for i := range g.Lanes {
		switch i * size {
		case 0:
			g.Def(asm.VMOVQ, g.R64(rest), g.VW(x, 16))
		case 8:
			g.Def(asm.VMOVQ, g.R64(rest), g.VW(secondHalf(g, x), 16))
		default:
			g.RMW(asm.SHR, g.R64(rest), lir.Imm(int64(8*size)))
		}
		g.StoreInt(size, place(i), rest)
	}
}

// placesWhere is where a block's elements are: those of lanes without a bit are a word of the frame, of zeros, so that
// there is no jump to guess.
func placesWhere(g *Memory, at lir.Arg, size int, bits lir.Reg) func(lane int) lir.Arg {
	aside, nowhere := g.Alloc(8), g.NewReg(lir.GPR)
	g.Use(asm.MOV, lir.Frame(aside).Sized(8), lir.Imm(0))
	g.Def(asm.LEA, g.R64(nowhere), lir.Frame(aside))
	return func(i int) lir.Arg {
		place := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(place), at.Plus(i*size))
		g.Use(asm.TEST, g.R64(bits), lir.Imm(1<<i))
		g.RMW(asm.CMOVE, g.R64(place), g.R64(nowhere))
		return lir.Mem(place, 0).Sized(size)
	}
}

// storeWhere is Store of elements of 4 or 8 bytes under a mask in AVX2.
func storeWhere(g *Memory, x Lanes, at lir.Arg, mask *Lanes) {
	byLanes(g.Vectors, mask, func(n int) { storeFirst(g, x, at, n) }, func(count lir.Reg) { storeParts(g, x, at, count) },
		func(lir.Reg) { g.storeRegs(x, at, mask) })
}

// storeParts writes so many first elements of 4 or 8 bytes, less than all: four, two and one.
func storeParts(g *Memory, x Lanes, at lir.Arg, count lir.Reg) {
	size, rest, to := x.D.Size(), g.NewVec(), g.NewReg(lir.GPR)
	g.MoveVec(rest, g.Reg(x, 0))
	g.Def(asm.LEA, g.R64(to), at)
	behind := func(lanes int) { g.RMW(asm.ADD, g.R64(to), lir.Imm(int64(lanes*size))) }
	upper := func(r lir.Reg) { g.RMW(asm.VEXTRACTI128, g.VW(rest, 16), g.V(r), lir.Imm(1)) }
	ifBit(g.Unit, count, 4, func() {
		g.Use(asm.VMOVUPS, lir.Mem(to, 0), g.VW(rest, 4*size))
		behind(4)
		if size == 8 {
			g.RMW(asm.VMOVUPS, g.V(rest), g.V(g.Reg(x, 1)))
			return
		}
		upper(rest)
	})
	ifBit(g.Unit, count, 2, func() {
		if size == 8 {
			g.Use(asm.VMOVUPS, lir.Mem(to, 0), g.VW(rest, 16))
			behind(2)
			upper(rest)
			return
		}
		g.Use(asm.VMOVQ, lir.Mem(to, 0), g.VW(rest, 16))
		behind(2)
		g.RMW(asm.VUNPCKHPD, g.VW(rest, 16), g.VW(rest, 16), g.VW(rest, 16))
	})
	ifBit(g.Unit, count, 1, func() {
		g.Use(map[int]asm.Op{4: asm.VMOVD, 8: asm.VMOVQ}[size], lir.Mem(to, 0), g.VW(rest, 16))
	})
}

// ifFirst runs one of two: a mask lets as many first lanes through as is most likely, or not. On AMD's processors
// masked stores in AVX2 are microcode of a dozen cycles, and masked loads come from far caches at half the speed of
// others; most masks let all lanes through. The other is told the mask's bits, or its count if it has one.
func ifFirst(g *Vectors, mask *Lanes, likely func(n int), other func(bits lir.Reg)) {
	n, bits := firstOf(g, mask), mask.Count
	most := int64(n)
	switch {
	case mask.Surely:
		likely(n)
		return
	case bits != 0 && n == g.Lanes:
		other(bits)
		return
	case bits == 0:
		bits, most = g.MaskBits(mask), 1<<n-1
	}
	not, done := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, g.R64(bits), lir.Imm(most))
	g.Jump(asm.JNE, not)
	likely(n)
	g.Jump(asm.JMP, done)
	g.Bind(not)
	other(bits)
	g.Bind(done)
}

// byLanes runs one of three: as many first lanes are let through as is most likely, or all, another number of first
// ones, or others.
func byLanes(g *Vectors, mask *Lanes, likely func(n int), first func(count lir.Reg), others func(bits lir.Reg)) {
	rest := func(bits lir.Reg) {
		next, count, scattered, done := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.NewLabel(), g.NewLabel()
		g.Def(asm.LEA, g.R64(next), lir.Mem(bits, 1))
		if !mask.Leading {
			g.Use(asm.TEST, g.R64(next), g.R64(bits))
			g.Jump(asm.JNE, scattered)
		}
		g.Def(asm.TZCNT, g.R64(count), g.R64(next))
		first(count)
		if mask.Leading {
			return
		}
		g.Jump(asm.JMP, done)
		g.Bind(scattered)
		others(bits)
		g.Bind(done)
	}
	ifFirst(g, mask, likely, func(bits lir.Reg) {
		switch {
		case mask.Count != 0:
			first(bits)
			return
		case firstOf(g, mask) == g.Lanes:
			rest(bits)
			return
		}
		ifFirst(g, &Lanes{D: mask.D, R: mask.R}, likely, rest)
	})
}

// behindParts is where elements are behind four, if there are as many, and behind two more.
func behindParts(g *lir.Unit, at lir.Arg, count lir.Reg, size int) (four, two lir.Arg) {
	behind := func(base lir.Arg, bit int64) lir.Arg {
		r, to := g.CopyInt(count), g.NewReg(lir.GPR)
		g.RMW(asm.AND, g.R64(r), lir.Imm(bit))
		g.Def(asm.LEA, g.R64(to), base)
		return lir.MemIndex(to, r, size, 0)
	}
	four = behind(at, 4)
	return four, behind(four, 2)
}

// ifBit runs f if a bit of r is set.
func ifBit(g *lir.Unit, r lir.Reg, bit int64, f func()) {
	clear := g.NewLabel()
	g.Use(asm.TEST, g.R64(r), lir.Imm(bit))
	g.Jump(asm.JE, clear)
	f()
	g.Bind(clear)
}

// loadPart makes r so many bytes of memory, and zeros.
func loadPart(g *lir.Unit, r lir.Reg, size int, at lir.Arg) {
	switch size {
	case 1, 2:
		g.Def(asm.MOVZX, g.R32(r), at.Sized(size))
	case 4:
		g.Def(asm.MOV, g.R32(r), at.Sized(4))
	default:
		g.Def(asm.MOV, g.R64(r), at.Sized(8))
	}
}
