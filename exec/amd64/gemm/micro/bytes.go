package micro

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/transpose"
	"github.com/tiler-go/tiler/exec/cpu"
)

// Products of int8 matrices, summed in int32, where the machine multiplies and adds
// four bytes at once. The instruction takes one of them unsigned: B's bytes are moved
// up by 128 when they are packed, and -128 times the sum of A's row makes up for it, modulo
// 2^32 as all of it is. A step of K is a group of four: panels of B hold the four
// bytes of a column side by side.

// GroupBytes is how many bytes make up a step.
const GroupBytes = 4

// A Grouping is where a panel has its groups: those of 16 columns lie side by side, in rows of
// 64 bytes.
type Grouping struct {
	Parts int // of 16 columns
	row   int // bytes from the row of one step to that of the next
	Part  int // to that of the next 16 columns
	Rows  int // that lie so, before the next part
}

// PartRow is the bytes of a step in a part of a panel.
const PartRow = 64

// Groups is the grouping that a kernel takes of panels with so many registers of columns:
// vectors a step of the whole panel, tiles so many steps of each half.
func Groups(tiles bool, vecs int) Grouping {
	if tiles {
		return Grouping{Parts: vecs, row: TileBytes, Part: tileSize, Rows: tileRows}
	}
	return Grouping{Parts: vecs, row: vecs * PartRow, Part: PartRow, Rows: BlockK}
}

// At is where a panel has the row of a step.
func (y Grouping) At(step int) int {
	return step/y.Rows*y.Rows*y.Parts*PartRow + step%y.Rows*y.row
}

// packBytesCode writes whole panels of B: WordK groups of four rows that lie side by side there,
// WordLdK bytes from row to row, WordCount panels. Bytes are moved up, if they are to be.
func packBytesCode(y Grouping, moved bool) *writer {
	g := newWriter(lir.AVX512, false)
	group := g.packGroup
	if cpu.Detected().Has(cpu.HasAVX512VBMI) {
		group = g.packPermuted()
	}
	up := g.moveUp(moved)
	src, dst, ld := g.Word(WordA), g.Word(WordB), g.Word(WordLdK)
	g.repeat(WordK, []int{4, 1}, func(n int) {
		p, q, left := g.CopyInt(src), g.CopyInt(dst), g.Word(WordCount)
		top := g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		low, high := g.CopyInt(p), g.NewReg(lir.GPR)
		for i := range n {
			g.Def(asm.LEA, g.R64(high), lir.MemIndex(low, ld, 2, 0))
			for part := range y.Parts {
				from := 16 * part
				rows := [4]lir.Arg{lir.Mem(low, from), lir.MemIndex(low, ld, 1, from), lir.Mem(high, from), lir.MemIndex(high, ld, 1, from)}
				group(rows, func(x lir.Reg, bytes, off int) {
					g.Use(asm.VMOVUPS, lir.Mem(q, i*y.row+part*y.Part+off), g.VW(up(x), bytes))
				})
			}
			g.Def(asm.LEA, g.R64(low), lir.MemIndex(low, ld, 4, 0))
		}
		g.AddConst(p, int64(16*y.Parts))
		g.RMW(asm.ADD, g.R64(q), lir.Frame(WordStepB))
		g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
		g.Jump(asm.JNE, top)
		g.EndLoop(l)
		for range n {
			g.Def(asm.LEA, g.R64(src), lir.MemIndex(src, ld, 4, 0))
		}
		g.AddConst(dst, int64(n*y.row))
	})
	g.Return(0)
	return g
}

// moveUp moves bytes of a register up by 128, if moved is set.
func (g *writer) moveUp(moved bool) func(x lir.Reg) lir.Reg {
	if !moved {
		return func(x lir.Reg) lir.Reg { return x }
	}
	up := g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(up), g.Constant(0x80808080, 4))
	return func(x lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(asm.VPXORD, g.V(z), g.V(x), g.V(up))
		return z
	}
}

// packGroup makes 64 bytes of a panel of 16 columns of four rows, piece by piece.
func (g *writer) packGroup(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
	pair := func(o asm.Op, x, y lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.VW(z, 16), g.VW(x, 16), g.VW(y, 16))
		return z
	}
	var r [4]lir.Reg
	for i := range r {
		r[i] = g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(r[i], 16), rows[i])
	}
	low, high := pair(asm.VPUNPCKLBW, r[0], r[1]), pair(asm.VPUNPCKHBW, r[0], r[1])
	low2, high2 := pair(asm.VPUNPCKLBW, r[2], r[3]), pair(asm.VPUNPCKHBW, r[2], r[3])
	for i, x := range []lir.Reg{
		pair(asm.VPUNPCKLWD, low, low2), pair(asm.VPUNPCKHWD, low, low2),
		pair(asm.VPUNPCKLWD, high, high2), pair(asm.VPUNPCKHWD, high, high2),
	} {
		store(x, 16, 16*i)
	}
}

// packPermuted is packGroup with one permutation of all 64 bytes: the four rows are
// loaded side by side.
func (g *writer) packPermuted() func(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
	var at [64]byte
	for i := range at {
		at[i] = byte(i%4*16 + i/4)
	}
	places := g.NewVec()
	g.Def(asm.VMOVUPS, g.V(places), g.BytesConst(at[:]))
	var quarter [4]lir.Reg
	for i := 1; i < len(quarter); i++ {
		quarter[i] = g.NewReg(lir.Mask)
		g.Def(asm.KMOVW, g.K(quarter[i]), g.R32(g.NewInt(0xf<<(4*i))))
	}
	return func(rows [4]lir.Arg, store func(x lir.Reg, bytes, off int)) {
		x := g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(x, 16), rows[0])
		for i := 1; i < len(rows); i++ {
			g.Def(asm.VBROADCASTI32X4, g.V(x), rows[i]).Masked(quarter[i], false)
		}
		z := g.NewVec()
		g.Def(asm.VPERMB, g.V(z), g.V(places), g.V(x))
		store(z, 64, 0)
	}
}

// TurnCols and TurnBytes are the block of B that packTurnedCode turns at a time.
const TurnCols, TurnBytes = 16, 16

// packTurnedCode writes a part of a panel of B from columns that each have their elements side by
// side: WordK times 16 bytes of them. They begin WordA bytes after the places at WordRows.
// They are moved up, if they are to be.
func packTurnedCode(y Grouping, moved bool) *writer {
	g := newWriter(lir.AVX512, false)
	up := g.moveUp(moved)
	off, dst := g.Word(WordA), g.Word(WordB)
	column := func(i int) lir.Arg { return lir.MemIndex(g.Word(WordRows+8*i), off, 1, 0) }
	const steps = TurnBytes / GroupBytes
	g.repeat(WordK, []int{tileRows / steps, 1}, func(n int) {
		for range n {
			for i, x := range transpose.Block(g.Unit, column) {
				g.Use(asm.VMOVUPS, lir.Mem(dst, i*y.row), g.V(up(x)))
			}
			g.AddConst(off, TurnBytes)
			g.AddConst(dst, int64(steps*y.row))
		}
		if n > 1 { // other parts lie in between
			g.AddConst(dst, int64(y.At(tileRows)-tileRows*y.row))
		}
	})
	g.Return(0)
	return g
}

// rowSumsCode puts into WordC, for each of WordCount rows of A that are WordLdA bytes apart, -128
// times the sum of its WordK bytes.
func rowSumsCode() *writer {
	g := newWriter(lir.AVX512, false)
	ones, zero := g.NewVec(), g.NewVec()
	g.Def(asm.VPBROADCASTD, g.V(ones), g.Constant(0x01010101, 4))
	g.ZeroVec(zero)
	src, dst := g.Word(WordA), g.Word(WordC)
	bits, mask := g.NewReg(lir.GPR), g.NewReg(lir.Mask)
	rest := g.Word(WordK)
	g.RMW(asm.AND, g.R64(rest), lir.Imm(63))
	g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(rest))
	g.Def(asm.KMOVQ, g.K(mask), g.R64(bits))
	g.repeat(WordCount, []int{1}, func(int) {
		p, sum, last := g.CopyInt(src), g.NewVec(), g.NewVec()
		g.ZeroVec(sum)
		g.repeat(WordK, []int{64}, func(int) {
			g.RMW(asm.VPDPBUSD, g.V(sum), g.V(ones), lir.Mem(p, 0))
			g.AddConst(p, 64)
		})
		g.Def(asm.VMOVDQU8, g.V(last), lir.Mem(p, 0)).Masked(mask, true)
		g.RMW(asm.VPDPBUSD, g.V(sum), g.V(ones), g.V(last))
		half := func(o asm.Op, from, bytes int, which int64) { // added to the other half
			x, y := g.NewVec(), g.NewVec()
			g.Def(o, g.VW(x, bytes), g.VW(sum, from), lir.Imm(which))
			g.Def(asm.VPADDD, g.VW(y, bytes), g.VW(x, bytes), g.VW(sum, bytes))
			sum = y
		}
		half(asm.VEXTRACTI64X4, 64, 32, 1)
		half(asm.VEXTRACTI128, 32, 16, 1)
		half(asm.VPSHUFD, 16, 16, 0x4e)
		half(asm.VPSHUFD, 16, 16, 0xb1)
		x, y := g.NewVec(), g.NewVec()
		g.Def(asm.VPSLLD, g.VW(x, 16), g.VW(sum, 16), lir.Imm(7))
		g.Def(asm.VPSUBD, g.VW(y, 16), g.VW(zero, 16), g.VW(x, 16))
		g.Use(asm.VMOVD, lir.Mem(dst, 0), g.VW(y, 16))
		g.RMW(asm.ADD, g.R64(src), lir.Frame(WordLdA))
		g.AddConst(dst, 4)
	})
	g.Return(0)
	return g
}

// stripBytesCode copies WordCount rows of WordK bytes of a to rows WordStepB bytes apart. What is
// left of the last 64 bytes is zeros.
func stripBytesCode() *writer {
	g := newWriter(lir.AVX512, false)
	src, dst, by := g.Word(WordA), g.Word(WordB), g.Word(WordLdA)
	g.repeat(WordCount, []int{1}, func(int) {
		p, q, left := g.CopyInt(src), g.CopyInt(dst), g.Word(WordK)
		top, done := g.NewLabel(), g.NewLabel()
		l := g.BeginLoop()
		g.Bind(top)
		g.Use(asm.CMP, g.R64(left), lir.Imm(0))
		g.Jump(asm.JLE, done)
		mask, x := g.NewReg(lir.Mask), g.NewVec()
		bits, most := g.NewReg(lir.GPR), g.NewInt(64)
		n := g.CopyInt(left)
		g.Use(asm.CMP, g.R64(n), lir.Imm(64))
		g.RMW(asm.CMOVG, g.R64(n), g.R64(most))
		g.Def(asm.BZHI, g.R64(bits), g.R64(g.NewInt(-1)), g.R64(n))
		g.Def(asm.KMOVQ, g.K(mask), g.R64(bits))
		g.Def(asm.VMOVDQU8, g.V(x), lir.Mem(p, 0)).Masked(mask, true)
		g.Use(asm.VMOVUPS, lir.Mem(q, 0), g.V(x)) // rows of the copy have room for whole vectors
		g.AddConst(p, 64)
		g.AddConst(q, 64)
		g.AddConst(left, -64)
		g.Jump(asm.JMP, top)
		g.EndLoop(l)
		g.Bind(done)
		g.RMW(asm.ADD, g.R64(src), g.R64(by))
		g.RMW(asm.ADD, g.R64(dst), lir.Frame(WordStepB))
	})
	g.Return(0)
	return g
}
