package lane

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Lanes that change places: transposed, interleaved, reversed, shifted.

// TransposeBlock is four columns of a band, given by where its rows begin, as four vectors.
// Register a first holds, in its 128-bit lanes, rows a, a+4, ... of the block.
func (g *Builder) TransposeBlock(row func(i int) lir.Arg) []lir.Reg {
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
	return g.transposeInLanes(r[:])
}

// transposeInLanes transposes a square in each 128-bit lane: of four registers of elements of 4 bytes,
// or two of 8 bytes.
func (g *Builder) transposeInLanes(r []lir.Reg) []lir.Reg {
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

// transposeLanes transposes a square of 128-bit lanes.
func (g *Builder) transposeLanes(r []lir.Reg) []lir.Reg {
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

// TransposeSquare transposes as many registers as each of them has elements of so many bytes.
func (g *Builder) TransposeSquare(r []lir.Reg, size int) []lir.Reg {
	in := 16 / size // a lane
	var x []lir.Reg
	for i := 0; i < len(r); i += in {
		x = append(x, g.transposeInLanes(r[i:i+in])...)
	}
	z := make([]lir.Reg, len(r))
	for c := range in {
		var column []lir.Reg
		for i := c; i < len(r); i += in {
			column = append(column, x[i])
		}
		for l, y := range g.transposeLanes(column) {
			z[in*l+c] = y
		}
	}
	return z
}

// Interleaved is the lanes of x and y by turns: the first half of them, and the second.
func (g *Builder) Interleaved(x, y Lanes) (low, high Lanes) {
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
func (g *Builder) interleavedRegs(size int, x, y lir.Reg) (low, high lir.Reg) {
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

func (g *Builder) interleavedAVX2(size int, x, y lir.Reg) (low, high lir.Reg) {
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
func (g *Builder) interleavedBits(x, y lir.Reg) (low, high lir.Reg) {
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
func (g *Builder) reversed(x Lanes) Lanes {
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
	z.R[0] = turn(x.R[Halves(x.D)-1])
	z.R[1] = z.R[0]
	if Wide(x.D) {
		z.R[1] = turn(x.R[0])
	}
	return z
}

// ShiftDown is lane i+d in lane i; the upper lanes are anything.
func (g *Builder) ShiftDown(x Lanes, d int) Lanes {
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
func (g *Builder) shiftReg(x Lanes, d int) Lanes {
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
func (g *Builder) BroadcastFirst(x Lanes) Lanes {
	if x.D == dtype.Bool {
		return g.SplatBool(g.FirstInt(x))
	}
	r := g.NewVec()
	o := bothOps{asm.VPBROADCASTD, asm.VPBROADCASTQ}.of(x.D)
	g.Def(o, g.V(r), g.VW(g.Reg(x, 0), 16))
	return Lanes{D: x.D, R: [2]lir.Reg{r, r}}
}
