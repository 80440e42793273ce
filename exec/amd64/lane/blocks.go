package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Lanes that change places: interleaved, reversed, shifted.

// Interleaved is the lanes of x and y by turns: the first half of them, and the second.
func (g *Memory) Interleaved(x, y Lanes) (low, high Lanes) {
	low, high = Lanes{D: x.D}, Lanes{D: x.D}
	switch {
	case x.D == dtype.Bool && g.EVEX:
		low.R[0], high.R[0] = g.interleavedBits(g.Reg(x, 0), g.Reg(y, 0))
	case Wide(x.D):
		low.R[0], low.R[1] = g.interleavedRegs(8, g.Reg(x, 0), g.Reg(y, 0))
		high.R[0], high.R[1] = g.interleavedRegs(8, g.Reg(x, 1), g.Reg(y, 1))
	default:
		a, b := g.interleavedRegs(4, g.Reg(x, 0), g.Reg(y, 0))
		low.R, high.R = [2]lir.Reg{a, a}, [2]lir.Reg{b, b}
	}
	return low, high
}

// interleavedRegs is that for registers of elements of so many bytes.
func (g *Memory) interleavedRegs(size int, x, y lir.Reg) (low, high lir.Reg) {
	o := bothOps{asm.VPERMI2D, asm.VPERMI2Q}
	if !g.EVEX {
		return g.interleavedAVX2(size, x, y)
	}
	pick := func(first int) lir.Reg {
		order := make([]byte, 64)
		for i := range 64 / size { // the bit above an element's number says that it is y's
			order[size*i] = byte(first + i/2 + i%2*64/size)
		}
		z := g.NewVec()
		g.LoadReg(z, g.BytesConst(order), 4, 0)
		op := o.w32
		if size == 8 {
			op = o.w64
		}
		g.RMW(op, g.V(z), g.V(x), g.V(y))
		return z
	}
	return pick(0), pick(32 / size)
}

func (g *Memory) interleavedAVX2(size int, x, y lir.Reg) (low, high lir.Reg) {
	pair := func(o asm.Op, rest ...lir.Arg) lir.Reg {
		z := g.NewVec()
		g.Def(o, append([]lir.Arg{g.V(z)}, rest...)...)
		return z
	}
	first, second := asm.VUNPCKLPS, asm.VUNPCKHPS
	if size == 8 {
		first, second = asm.VUNPCKLPD, asm.VUNPCKHPD
	}
	a, b := pair(first, g.V(x), g.V(y)), pair(second, g.V(x), g.V(y))
	return pair(asm.VPERM2F128, g.V(a), g.V(b), lir.Imm(0x20)), pair(asm.VPERM2F128, g.V(a), g.V(b), lir.Imm(0x31))
}

// interleavedBits is that for masks.
func (g *Memory) interleavedBits(x, y lir.Reg) (low, high lir.Reg) {
	spread := func(k lir.Reg, to int64) lir.Reg {
		bits, z := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
		g.Def(asm.KMOVW, g.R32(bits), g.K(k))
		g.Def(asm.PDEP, g.R64(z), g.R64(bits), g.R64(g.NewInt(to)))
		return z
	}
	bits := spread(x, 0x55555555)
	g.RMW(asm.OR, g.R64(bits), g.R64(spread(y, 0xaaaaaaaa)))
	low, high = g.NewReg(lir.Mask), g.NewReg(lir.Mask)
	g.Def(asm.KMOVW, g.K(low), g.R32(bits))
	g.RMW(asm.SHR, g.R64(bits), lir.Imm(16))
	g.Def(asm.KMOVW, g.K(high), g.R32(bits))
	return low, high
}

// reversed is lanes in the opposite order.
func (g *Memory) reversed(x Lanes) Lanes {
	i := dtype.Int32
	switch {
	case x.Known:
		return x
	case x.D == dtype.Bool && g.EVEX:
		return g.Compare(op.Ne, i, g.reversed(g.Blend(x, Const(i, 1), Const(i, 0))), Const(i, 0))
	case x.D == dtype.Bool:
		return g.reversed(x.As(i)).As(x.D)
	}
	size := 4 * Halves(x.D)
	order := make([]byte, g.Bytes)
	for i := 0; i < len(order); i += 4 {
		from := len(order) - size - i + 2*(i%size)
		order[i] = byte(from / 4)
	}
	index := g.NewVec()
	g.LoadReg(index, g.BytesConst(order), 4, 0)
	turn := func(r lir.Reg) lir.Reg {
		z := g.NewVec()
		g.Def(asm.VPERMD, g.V(z), g.V(index), g.V(r))
		return z
	}
	z := x
	z.First, z.Surely, z.Leading, z.Most, z.Count = 0, false, false, 0, 0
	z.R[0] = turn(x.R[Halves(x.D)-1])
	z.R[1] = z.R[0]
	if Wide(x.D) {
		z.R[1] = turn(x.R[0])
	}
	return z
}

// ShiftDown is lane i+d in lane i; the upper lanes are anything.
func (g *Vectors) ShiftDown(x Lanes, d int) Lanes {
	switch {
	case x.D == dtype.Bool && g.EVEX:
		k := g.NewReg(lir.Mask)
		g.Def(asm.KSHIFTRW, g.K(k), g.K(g.Reg(x, 0)), lir.Imm(int64(d)))
		return Lanes{D: x.D, R: [2]lir.Reg{k}}
	case Wide(x.D):
		half := g.Lanes / 2
		if d == half {
			return Lanes{D: x.D, R: [2]lir.Reg{x.R[1], x.R[1]}, Quiet: x.Quiet}
		}
		return g.shiftReg(x, 2*d)
	}
	return g.shiftReg(x, d)
}

// shiftReg moves the first register down by d 32-bit lanes, and is in both halves.
func (g *Vectors) shiftReg(x Lanes, d int) Lanes {
	r := g.NewVec()
	src := g.Reg(x, 0)
	if g.EVEX {
		g.Def(asm.VALIGND, g.V(r), g.V(src), g.V(src), lir.Imm(int64(d)))
	} else {
		b := make([]byte, 32)
		for i := range 8 {
			b[4*i] = byte((i + d) % 8)
		}
		idx := g.NewVec()
		g.Def(asm.VMOVDQU, g.V(idx), g.BytesConst(b))
		g.Def(asm.VPERMD, g.V(r), g.V(idx), g.V(src))
	}
	return Lanes{D: x.D, R: [2]lir.Reg{r, r}, Quiet: x.Quiet}
}

// BroadcastFirst is lane 0 in all lanes.
func (g *Vectors) BroadcastFirst(x Lanes) Lanes {
	if x.D == dtype.Bool {
		return g.SplatBool(g.FirstInt(x))
	}
	r := g.NewVec()
	o := bothOps{asm.VPBROADCASTD, asm.VPBROADCASTQ}.of(x.D)
	g.Def(o, g.V(r), g.VW(g.Reg(x, 0), 16))
	return Lanes{D: x.D, R: [2]lir.Reg{r, r}}
}
