package gather

import (
	"slices"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// single is a block of elements, a step apart, loaded one by one.
func single(g *elementwise.Builder, d dtype.DType, at lir.Arg, step lane.Stride) lane.Lanes {
	size := d.Size()
	if size < 4 {
		return g.Load(d, packed(g, at, step, size, func(_ int, at lir.Arg) lir.Arg { return at }), nil)
	}
	var x []lir.Reg
	lane.AllLanes(g.Unit, at, step, func(_ int, at lir.Arg) { x = append(x, first(g, at, size)) })
	return Together(g, x, size).As(d)
}

// packed is a register that begins with a block's elements of 1 or 2 bytes, which lie a step apart in memory: they are
// put together in general registers, from the last one of each down. A function that is told where a lane's element
// would be says where it is.
func packed(
	g *elementwise.Builder, at lir.Arg, step lane.Stride, size int, place func(i int, at lir.Arg) lir.Arg,
) lir.Arg {
	var words []lir.Reg
	var z lir.Reg
	at, step = fromLast(g, at, step)
	lane.AllLanes(g.Unit, at, step, func(i int, at lir.Arg) {
		at = place(g.Lanes-1-i, at)
		if i*size%8 == 0 {
			z = g.NewReg(lir.GPR)
			g.Def(asm.MOVZX, g.R32(z), at.Sized(size))
		} else {
			g.RMW(asm.SHL, g.R64(z), lir.Imm(int64(8*size)))
			g.RMW(asm.OR, g.VW(z, size), at.Sized(size))
		}
		if (i+1)*size%8 == 0 {
			x := g.NewVec()
			g.Def(asm.VMOVQ, g.VW(x, 16), g.R64(z))
			words = append(words, x)
		}
	})
	slices.Reverse(words)
	for len(words) > 2 {
		words = pairs(g, asm.VUNPCKLPD, words)
	}
	switch r := g.NewVec(); {
	case len(words) == 1:
		return g.VW(words[0], 16)
	case g.Lanes*size == 16:
		return g.VW(pairs(g, asm.VUNPCKLPD, words)[0], 16)
	default:
		g.Def(asm.VINSERTF32X4, g.VW(r, 32), g.VW(words[0], 32), g.VW(words[1], 16), lir.Imm(1))
		return g.VW(r, 32)
	}
}

// partly is a block of elements, a step apart, that a mask lets through, and zeros. In AVX2 those of 1 or 2 bytes in
// other lanes are a word of the frame: there is no jump to guess, and nothing is stored that a load would wait for.
func partly(g *elementwise.Builder, d dtype.DType, at lir.Arg, step lane.Stride, mask *lane.Lanes) lane.Lanes {
	if g.EVEX || d.Size() >= 4 {
		return g.LoadOneByOne(d, at, int64(d.Size()), step, mask)
	}
	bits, zero, nowhere := g.MaskBits(mask), g.Alloc(8), g.NewReg(lir.GPR)
	g.Use(asm.MOV, lir.Frame(zero).Sized(8), lir.Imm(0))
	g.Def(asm.LEA, g.R64(nowhere), lir.Frame(zero))
	return g.Load(d, packed(g, at, step, d.Size(), func(i int, at lir.Arg) lir.Arg {
		place := g.NewReg(lir.GPR)
		g.Def(asm.LEA, g.R64(place), at)
		g.Use(asm.TEST, g.R64(bits), lir.Imm(1<<i))
		g.RMW(asm.CMOVE, g.R64(place), g.R64(nowhere))
		return lir.Mem(place, 0)
	}), nil)
}

// fromLast is where a block's last element lies, and the step back to the one before it.
func fromLast(g *elementwise.Builder, at lir.Arg, step lane.Stride) (lir.Arg, lane.Stride) {
	last := g.PlusStride(at.Base(), g.NewInt(int64(g.Lanes-1)), step)
	if step.R == 0 {
		return lir.Mem(last, 0), lane.Stride{N: -step.N}
	}
	back := g.CopyInt(step.R)
	g.RMW(asm.NEG, g.R64(back))
	return lir.Mem(last, 0), lane.Stride{R: back}
}

// singleMasked is single if a mask lets all lanes through, which most blocks' do.
func singleMasked(g *elementwise.Builder, d dtype.DType, at lir.Arg, step lane.Stride, mask *lane.Lanes) lane.Lanes {
	if d == dtype.Bool {
		u := dtype.Uint8
		return g.Compare(op.Ne, u, singleMasked(g, u, at, step, mask), lane.Const(u, 0))
	}
	part, end, bits := g.NewLabel(), g.NewLabel(), g.MaskBits(mask)
	g.Use(asm.CMP, g.R32(bits), lir.Imm(1<<g.Lanes-1))
	g.Jump(asm.JNE, part)
	all := single(g, d, at, step)
	z := all
	for h := range lane.Halves(d) {
		z.R[h] = g.NewVec()
		g.MoveVec(z.R[h], g.Reg(all, h))
	}
	g.Jump(asm.JMP, end)
	g.Bind(part)
	for h := range lane.Halves(d) {
		g.ZeroVec(z.R[h])
	}
	g.Use(asm.TEST, g.R64(bits), g.R64(bits))
	g.Jump(asm.JE, end)
	some := partly(g, d, at, step, mask)
	for h := range lane.Halves(d) {
		g.MoveVec(z.R[h], g.Reg(some, h))
	}
	g.Bind(end)
	if !lane.Wide(d) {
		z.R[1] = z.R[0]
	}
	return z
}
