// Package transpose is code that transposes: squares of registers, and matrices in the frame.
package transpose

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
)

// Block is four columns of a band, given by where its rows begin, as four vectors.
// Register a first holds, in its 128-bit lanes, rows a, a+4, ... of the block.
func Block(g *lir.Unit, row func(i int) lir.Arg) []lir.Reg {
	var r [4]lir.Reg
	for a := range r {
		r[a] = g.NewVec()
		g.Def(asm.VMOVUPS, g.VW(r[a], 16), row(a))
		for l := 1; l < g.Bytes/16; l++ {
			x := g.NewVec()
			if g.EVEX {
				g.Def(asm.VINSERTF32X4, g.V(x), g.V(r[a]), row(a+4*l), lir.Imm(int64(l)))
			} else {
				g.Def(asm.VINSERTF128, g.V(x), g.V(r[a]), row(a+4*l), lir.Imm(int64(l)))
			}
			r[a] = x
		}
	}
	return inLanes(g, r[:])
}

// inLanes transposes a square in each 128-bit lane: of four registers of elements of 4 bytes,
// or two of 8 bytes.
func inLanes(g *lir.Unit, r []lir.Reg) []lir.Reg {
	pair := func(o asm.Op, x, y lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.V(z), g.V(x), g.V(y))
		return z
	}
	if len(r) == 2 {
		return []lir.Reg{pair(asm.VUNPCKLPD, r[0], r[1]), pair(asm.VUNPCKHPD, r[0], r[1])}
	}
	low, high := pair(asm.VUNPCKLPS, r[0], r[1]), pair(asm.VUNPCKHPS, r[0], r[1])
	low2, high2 := pair(asm.VUNPCKLPS, r[2], r[3]), pair(asm.VUNPCKHPS, r[2], r[3])
	return []lir.Reg{
		pair(asm.VUNPCKLPD, low, low2), pair(asm.VUNPCKHPD, low, low2),
		pair(asm.VUNPCKLPD, high, high2), pair(asm.VUNPCKHPD, high, high2),
	}
}

// lanes transposes a square of 128-bit lanes.
func lanes(g *lir.Unit, r []lir.Reg) []lir.Reg {
	pair := func(o asm.Op, x, y lir.Reg, lanes int64) lir.Reg {
		z := g.NewVec()
		g.Def(o, g.V(z), g.V(x), g.V(y), lir.Imm(lanes))
		return z
	}
	if len(r) == 2 {
		return []lir.Reg{pair(asm.VPERM2F128, r[0], r[1], 0x20), pair(asm.VPERM2F128, r[0], r[1], 0x31)}
	}
	const even, odd = 0x88, 0xdd // lanes of each
	shuffle := func(x, y lir.Reg, lanes int64) lir.Reg { return pair(asm.VSHUFF32X4, x, y, lanes) }
	low, low2 := shuffle(r[0], r[1], even), shuffle(r[0], r[1], odd)
	high, high2 := shuffle(r[2], r[3], even), shuffle(r[2], r[3], odd)
	return []lir.Reg{shuffle(low, high, even), shuffle(low2, high2, even), shuffle(low, high, odd), shuffle(low2, high2, odd)}
}

// Square transposes as many registers as each of them has elements of so many bytes.
func Square(g *lir.Unit, r []lir.Reg, size int) []lir.Reg {
	in := 16 / size // a lane
	var x []lir.Reg
	for i := 0; i < len(r); i += in {
		x = append(x, inLanes(g, r[i:i+in])...)
	}
	z := make([]lir.Reg, len(r))
	for c := range in {
		var column []lir.Reg
		for i := c; i < len(r); i += in {
			column = append(column, x[i])
		}
		for l, y := range lanes(g, column) {
			z[in*l+c] = y
		}
	}
	return z
}

// Frame transposes a matrix of 4-byte cells in the frame, whose rows are a multiple of the lanes of a vector,
// and columns of 4: by bands of rows, one per lane, and through these by four columns.
func Frame(g *lir.Unit, to, from, rows, cols int) {
	source, z := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(source), lir.Frame(from))
	g.Def(asm.LEA, g.R64(z), lir.Frame(to))
	bands := g.NewInt(int64(rows / g.Lanes))
	band := g.NewLabel()
	outer := g.BeginLoop()
	g.Bind(band)
	p, q, left := g.CopyInt(source), g.CopyInt(z), g.NewInt(int64(cols/4))
	top := g.NewLabel()
	inner := g.BeginLoop()
	g.Bind(top)
	before := g.Here()
	for i, x := range Block(g, func(row int) lir.Arg { return lir.Mem(p, row*4*cols) }) {
		g.Use(asm.VMOVUPS, lir.Mem(q, i*4*rows), g.V(x))
	}
	once := g.WorkSince(before)
	g.AddConst(p, 16)
	g.AddConst(q, int64(16*rows))
	g.RMW(asm.SUB, g.R64(left), lir.Imm(1))
	g.Jump(asm.JNE, top)
	g.EndLoop(inner)
	g.AddConst(source, int64(4*cols*g.Lanes))
	g.AddConst(z, int64(g.Bytes))
	later := g.SpendRound(once*cols/4, rows/g.Lanes)
	g.RMW(asm.SUB, g.R64(bands), lir.Imm(1))
	g.Jump(asm.JNE, band)
	g.EndLoop(outer)
	g.Spent(later)
}
