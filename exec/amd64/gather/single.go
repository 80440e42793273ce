package gather

import (
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/elementwise"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/cpu"
	"github.com/tiler-go/tiler/tilelang/dtype"
)

// Slow reports whether gather instructions take longer than single loads, as on all processors of AMD with AVX-512,
// which have AVX-512 BF16, too: a machine where that is switched off does as others do.
func Slow() bool { return cpu.Detected().Has(cpu.HasAVX512BF16) && cpu.Vendor() == "AuthenticAMD" }

// OneByOne is elements of size bytes from base on, of fewer bytes than 4 the 4 that they begin with, loaded one by one
// and put together. Lanes that are masked off are 0; they load their elements all the same.
func OneByOne(g *elementwise.Builder, index lane.Lanes, mask *lane.Lanes, base lir.Reg, size int) lane.Lanes {
	var x []lir.Reg
	numbers(g, g.Reg(index, 0), func(place lir.Reg) {
		x = append(x, first(g, lir.MemIndex(base, place, size, 0), size))
	})
	z := Together(g, x, size)
	if mask != nil {
		return g.Blend(*mask, z, lane.Const(z.D, 0))
	}
	return z
}

// FromMemory is OneByOne for numbers that lie in memory side by side, which is faster than to take them out of a vector.
// It goes to outside if one is not below count: others may change that memory, so what is compared is what is used.
func FromMemory(g *elementwise.Builder, numbers lir.Arg, base, count lir.Reg, size, outside int) lane.Lanes {
	var x []lir.Reg
	one := func(place lir.Reg) {
		g.Use(asm.CMP, g.R32(place), g.R32(count))
		g.Jump(asm.JAE, outside)
		x = append(x, first(g, lir.MemIndex(base, place, size, 0), size))
	}
	for i := 0; i < g.Lanes; i += 2 {
		both, low := g.LoadInt(numbers.Plus(4*i)), g.NewReg(lir.GPR)
		g.Def(asm.MOV, g.R32(low), g.R32(both))
		one(low)
		g.RMW(asm.SHR, g.R64(both), lir.Imm(32))
		one(both)
	}
	return Together(g, x, size)
}

// Narrow is elements of 1 or 2 bytes, with AVX2: each is inserted into a register, so that no more is touched than it
// has. Lanes that are masked off are 0; they load their elements all the same.
func Narrow(g *elementwise.Builder, index lane.Lanes, mask *lane.Lanes, base lir.Reg, size int) lane.Lanes {
	z, insert, number, u := g.NewVec(), asm.VPINSRB, int64(0), unsigned(size)
	if size == 2 {
		insert = asm.VPINSRW
	}
	g.ZeroVec(z)
	numbers(g, g.Reg(index, 0), func(place lir.Reg) {
		at := lir.MemIndex(base, place, size, 0).Sized(size)
		g.RMW(insert, g.VW(z, 16), g.VW(z, 16), at, lir.Imm(number))
		number++
	})
	x := g.Load(u, g.VW(z, 16), nil)
	if mask != nil {
		return g.Blend(*mask, x, lane.Const(u, 0))
	}
	return x
}

// first is a register that begins with an element of 8 bytes in memory, or with 4 bytes.
func first(g *elementwise.Builder, at lir.Arg, size int) lir.Reg {
	r := g.NewVec()
	if size == 8 {
		g.Def(asm.VMOVQ, g.VW(r, 16), at.Sized(8))
	} else {
		g.Def(asm.VMOVD, g.VW(r, 16), at.Sized(4))
	}
	return r
}

// Together is a block of elements of 8 bytes, or of 4 for all other sizes, each the first of a register.
func Together(g *elementwise.Builder, x []lir.Reg, size int) lane.Lanes {
	if size == 8 {
		half := func(x []lir.Reg) lir.Reg { return wide(g, pairs(g, asm.VUNPCKLPD, x)) }
		return lane.Lanes{D: dtype.Uint64, R: [2]lir.Reg{half(x[:len(x)/2]), half(x[len(x)/2:])}}
	}
	z := wide(g, pairs(g, asm.VUNPCKLPD, pairs(g, asm.VUNPCKLPS, x)))
	return lane.Lanes{D: dtype.Uint32, R: [2]lir.Reg{z, z}}
}

// pairs is what an instruction makes of each two registers of 16 bytes.
func pairs(g *elementwise.Builder, o asm.Op, x []lir.Reg) (z []lir.Reg) {
	for i := 0; i < len(x); i += 2 {
		r := g.NewVec()
		g.Def(o, g.VW(r, 16), g.VW(x[i], 16), g.VW(x[i+1], 16))
		z = append(z, r)
	}
	return z
}

// wide is a vector of registers of 16 bytes.
func wide(g *elementwise.Builder, x []lir.Reg) lir.Reg {
	insert := asm.VINSERTF128
	if g.EVEX {
		insert = asm.VINSERTF32X4
	}
	halves := make([]lir.Reg, len(x)/2)
	for i := range halves {
		halves[i] = g.NewVec()
		g.Def(insert, g.VW(halves[i], 32), g.VW(x[2*i], 32), g.VW(x[2*i+1], 16), lir.Imm(1))
	}
	if len(halves) == 1 {
		return halves[0]
	}
	z := g.NewVec()
	g.Def(asm.VINSERTF64X4, g.V(z), g.V(halves[0]), g.VW(halves[1], 32), lir.Imm(1))
	return z
}

// numbers runs f for the lanes of a vector of 4-byte integers, in general registers; two come by each move.
func numbers(g *elementwise.Builder, index lir.Reg, f func(lir.Reg)) {
	for k := range g.Bytes / 16 {
		four, upper := quarter(g, index, k), g.NewVec()
		g.Def(asm.VUNPCKHPD, g.VW(upper, 16), g.VW(four, 16), g.VW(four, 16))
		for _, two := range []lir.Reg{four, upper} {
			both, low := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
			g.Def(asm.VMOVQ, g.R64(both), g.VW(two, 16))
			g.Def(asm.MOV, g.R32(low), g.R32(both))
			f(low)
			g.RMW(asm.SHR, g.R64(both), lir.Imm(32))
			f(both)
		}
	}
}

// quarter is a register that begins with 16 bytes of another, from byte 16·k on.
func quarter(g *elementwise.Builder, x lir.Reg, k int) lir.Reg {
	if k == 0 {
		return x
	}
	z := g.NewVec()
	if g.EVEX {
		g.Def(asm.VSHUFF32X4, g.V(z), g.V(x), g.V(x), lir.Imm(int64(k)))
	} else {
		g.Def(asm.VEXTRACTI128, g.VW(z, 16), g.V(x), lir.Imm(1))
	}
	return z
}
