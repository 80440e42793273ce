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
	size := d.Size()
	tmp, x := g.Alloc(max(g.Lanes*size, g.Bytes)), g.NewVec()
	byLanes(g.Vectors, mask, func() {
		move, wide := narrowMove(g.Unit, size)
		g.Def(move, g.VW(x, 16), at.Sized(wide))
		g.Use(move, lir.Frame(tmp).Sized(wide), g.VW(x, 16))
	}, func(count lir.Reg) {
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
		g.Use(asm.VMOVUPS, lir.Frame(tmp).Sized(16), g.VW(x, 16))
	}, func() { copyMasked(g, tmp, at, size, Stride{N: int64(size)}, mask) })
	return g.Load(d, lir.Frame(tmp), nil)
}

// storeMasked is Store of normal elements of a type of 1 or 2 bytes under a mask in AVX2.
func storeMasked(g *Memory, x Lanes, at lir.Arg, mask *Lanes) {
	size := x.D.Size()
	tmp := g.Alloc(g.Bytes)
	byLanes(g.Vectors, mask, func() { g.Store(x, at, nil) }, func(count lir.Reg) {
		g.Store(x, lir.Frame(tmp), nil)
		rest := g.LoadInt(lir.Frame(tmp))
		four, two := behindParts(g.Unit, at, count, size)
		ifBit(g.Unit, count, 4, func() {
			if size == 1 {
				g.Use(asm.MOV, at.Sized(4), g.R32(rest))
				g.RMW(asm.SHR, g.R64(rest), lir.Imm(32))
				return
			}
			g.Use(asm.MOV, at.Sized(8), g.R64(rest))
			g.Def(asm.MOV, g.R64(rest), lir.Frame(tmp+8).Sized(8))
		})
		ifBit(g.Unit, count, 2, func() {
			g.Use(asm.MOV, four.Sized(2*size), g.VW(rest, 2*size))
			g.RMW(asm.SHR, g.R64(rest), lir.Imm(int64(16*size)))
		})
		ifBit(g.Unit, count, 1, func() { g.Use(asm.MOV, two.Sized(size), g.VW(rest, size)) })
	}, func() { g.StoreOneByOne(x, at, Stride{N: int64(size)}, mask) })
}

// storeWhere is Store of elements of 4 or 8 bytes under a mask in AVX2.
func storeWhere(g *Memory, x Lanes, at lir.Arg, mask *Lanes) {
	byLanes(g.Vectors, mask, func() { g.storeRegs(x, at, nil) }, func(count lir.Reg) { storeFirst(g, x, at, count) },
		func() { g.storeRegs(x, at, mask) })
}

// storeFirst writes so many first lanes of elements of 4 or 8 bytes, which are less than all.
func storeFirst(g *Memory, x Lanes, at lir.Arg, count lir.Reg) {
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

// ifAll runs one of two: a mask lets all lanes through, or not. On AMD's processors masked loads in AVX2 come from far
// caches at half the speed of others.
func ifAll(g *Vectors, mask *Lanes, all, some func()) {
	other, done := g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, g.R64(g.MaskBits(mask)), lir.Imm(1<<g.Lanes-1))
	g.Jump(asm.JNE, other)
	all()
	g.Jump(asm.JMP, done)
	g.Bind(other)
	some()
	g.Bind(done)
}

// byLanes runs one of three: all lanes are let through, so many first ones, which are less than all, or others.
func byLanes(g *Vectors, mask *Lanes, all func(), first func(count lir.Reg), others func()) {
	bits, next := g.MaskBits(mask), g.NewReg(lir.GPR)
	some, scattered, done := g.NewLabel(), g.NewLabel(), g.NewLabel()
	g.Use(asm.CMP, g.R64(bits), lir.Imm(1<<g.Lanes-1))
	g.Jump(asm.JNE, some)
	all()
	g.Jump(asm.JMP, done)
	g.Bind(some)
	g.Def(asm.LEA, g.R64(next), lir.Mem(bits, 1))
	g.Use(asm.TEST, g.R64(next), g.R64(bits))
	g.Jump(asm.JNE, scattered)
	count := g.NewReg(lir.GPR)
	g.Def(asm.TZCNT, g.R64(count), g.R64(next))
	first(count)
	g.Jump(asm.JMP, done)
	g.Bind(scattered)
	others()
	g.Bind(done)
}

// narrowMove moves a block of elements of 1 or 2 bytes, which are so many bytes.
func narrowMove(g *lir.Unit, size int) (move asm.Op, wide int) {
	return map[int]asm.Op{1: asm.VMOVQ, 2: asm.VMOVUPS}[size], g.Lanes * size
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
