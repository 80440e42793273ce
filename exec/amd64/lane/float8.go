package lane

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Floats of 8 bits, which lanes hold as float32. Processors have no instructions for them: they
// are taken apart as integers.

// fromFloat8 is 32-bit lanes of bit patterns as values of type d.
func (g *Values) fromFloat8(d dtype.DType, x Lanes) Lanes {
	u, f := dtype.Uint32, dtype.Float32
	if d == dtype.Float8E5 { // a float16 without its last eight bits
		return g.fromPattern(dtype.Float16, g.Op1(asm.VPSLLD, u, g.BitsOf(x, 0xff), lir.Imm(8))).As(d)
	}
	fraction, bias, _, nan := dtype.NarrowFields(d)
	sign := g.Op1(asm.VPSLLD, u, g.BitsOf(x, 0x80), lir.Imm(24))
	size := g.BitsOf(x, 0x7f)
	rebias := Const(u, uint64(127-bias)<<23)
	z := g.Op2(asm.VPADDD, u, g.Op1(asm.VPSLLD, u, size, lir.Imm(int64(23-fraction))), rebias)
	unit := Const(f, uint64(math.Float32bits(float32(math.Ldexp(1, 1-bias-fraction)))))
	small := g.Op2(asm.VMULPS, f, g.Op1(asm.VCVTDQ2PS, f, size), unit).As(u)
	z = g.Blend(g.Compare(op.Lt, dtype.Int32, size.As(dtype.Int32), Const(dtype.Int32, 1<<fraction)), small, z)
	z = g.Blend(g.Compare(op.Eq, u, size, Const(u, uint64(nan))), Const(u, 0x7fc00000), z)
	return g.Op2(g.Logic(op.Or, u), u, z, sign).As(d)
}

// toFloat8 is float32 lanes as bit patterns of type d, rounded once, to nearest even.
func (g *Values) toFloat8(d dtype.DType, x Lanes) Lanes {
	fraction, bias, overflow, nan := dtype.NarrowFields(d)
	u, i, f := dtype.Uint32, dtype.Int32, dtype.Float32
	x = x.As(u)
	sign := g.BitsOf(g.Op1(asm.VPSRLD, u, x, lir.Imm(24)), 0x80)
	size := g.BitsOf(x, 0x7fffffff)
	shift := 23 - fraction
	// Half a unit is added, less one bit if the last bit that is kept is 0; it carries into the
	// exponent by itself.
	last := g.BitsOf(g.Op1(asm.VPSRLD, u, size, lir.Imm(int64(shift))), 1)
	half := Const(u, uint64(uint32(1<<(shift-1)-1-(127-bias)<<23)))
	z := g.Op2(asm.VPADDD, u, g.Op2(asm.VPADDD, u, size, last), half)
	z = g.Op1(asm.VPSRLD, u, z, lir.Imm(int64(shift)))
	z = g.ExtremumInt(false, i, z.As(i), Const(i, uint64(overflow))).As(u)
	// What is below the normal numbers is a count of units, which an addition puts at the end.
	end := Const(f, uint64(math.Float32bits(float32(math.Ldexp(1, 1-bias-fraction+23)))))
	small := g.Op2(asm.VPSUBD, u, g.Op2(asm.VADDPS, f, size.As(f), end).As(u), end.As(u))
	z = g.Blend(g.Compare(op.Lt, i, size.As(i), Const(i, uint64(128-bias)<<23)), small, z)
	z = g.Blend(g.CompareFloat(ne, f, x.As(f), x.As(f)), Const(u, uint64(nan)), z)
	return g.Op2(g.Logic(op.Or, u), u, z, sign)
}
