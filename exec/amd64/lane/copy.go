package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Copies of bytes and words as they lie in memory, without lanes.

// CopyBlock copies up to a register of bytes or words, those that a mask lets through if there is one, as there may be
// with AVX-512.
func (g *Memory) CopyBlock(size, count int, to, from lir.Arg, mask *Lanes) {
	g.copyUnder(size, count, to, from, g.MaskReg(mask))
}

// copyUnder is CopyBlock under a mask register, or 0.
func (g *Memory) copyUnder(size, count int, to, from lir.Arg, k lir.Reg) {
	bytes := count * size
	r, move := g.VW(g.NewVec(), max(bytes, 16)), asm.VMOVUPS
	switch {
	case k != 0 && size == 1:
		move = asm.VMOVDQU8
	case k != 0:
		move = asm.VMOVDQU16
	case bytes == 8:
		move = asm.VMOVQ
	}
	g.Def(move, r, from.Sized(bytes)).ZeroMasked(k)
	g.Use(move, to.Sized(bytes), r).Masked(k, false)
}

// CopyFirst copies so many first ones, at least one, of up to a register of bytes or words: without masks by two moves
// of the largest power of two that there are, the second one of the last bytes. All is read before anything is written.
func CopyFirst(g *Memory, size, most int, to, from lir.Arg, count lir.Reg) {
	if g.EVEX {
		bits, k := g.NewReg(lir.GPR), g.NewReg(lir.Mask)
		g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(count))
		g.Def(asm.KMOVQ, g.K(k), g.R64(bits))
		g.copyUnder(size, most, to, from, k)
		return
	}
	bytes, x, z := g.CopyInt(count), g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	if size == 2 {
		g.RMW(asm.ADD, g.R64(bytes), g.R64(bytes))
	}
	g.Def(asm.LEA, g.R64(x), from)
	g.Def(asm.LEA, g.R64(z), to)
	done := g.NewLabel()
	for _, part := range []int{16, 8, 4, 2, 1} {
		if part >= size*most || part < size {
			continue
		}
		fewer := g.NewLabel()
		if part > size {
			g.Use(asm.CMP, g.R64(bytes), lir.Imm(int64(part)))
			g.Jump(asm.JL, fewer)
		}
		store := copyPart(g, part, lir.Mem(x, 0))
		if part > size {
			last := copyPart(g, part, lir.MemIndex(x, bytes, 1, -part))
			last(lir.MemIndex(z, bytes, 1, -part))
		}
		store(lir.Mem(z, 0))
		g.Jump(asm.JMP, done)
		g.Bind(fewer)
	}
	g.Bind(done)
}

// copyPart reads so many bytes, and gives what writes them.
func copyPart(g *Memory, bytes int, from lir.Arg) (store func(to lir.Arg)) {
	if bytes >= 8 {
		r := g.NewVec()
		loadStart(g, r, from, bytes)
		return func(to lir.Arg) { storeStart(g, to, r, bytes) }
	}
	r := g.NewReg(lir.GPR)
	loadPart(g.Unit, r, bytes, from)
	return func(to lir.Arg) { g.StoreInt(bytes, to.Sized(bytes), r) }
}

// OrZeros is where elements lie, or as many bytes of zeros as a register has, if there is a mask and it does not hold.
func OrZeros(g *Memory, from lir.Arg, on *Lanes) lir.Arg {
	if on == nil {
		return from
	}
	at, zeros, bits := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.MaskBits(on)
	g.Def(asm.LEA, g.R64(at), from)
	g.Def(asm.LEA, g.R64(zeros), g.BytesConst(make([]byte, g.Bytes)))
	g.Use(asm.TEST, g.R64(bits), g.R64(bits))
	g.RMW(asm.CMOVE, g.R64(at), g.R64(zeros))
	return lir.Mem(at, 0)
}
