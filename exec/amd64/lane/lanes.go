package lane

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elements narrower than 32 bits are held widened: integers extended to int32 lanes
// by their own signedness, float16, bfloat16 and fp8 as the float32 of their value.
// An op works on the wide lanes and then makes them values of the narrow type again
// (normalize).

// Lanes is a value in vector registers, one block of lanes. 64-bit elements take two
// registers, equal ones if all lanes are; a bool is a mask register, or on AVX2 a
// vector of 32-bit lanes.
type Lanes struct {
	D dtype.DType
	R [2]lir.Reg
	// Known says that all lanes are the constant bits, as a lane holds it; the
	// registers are then only filled on demand.
	Known bool
	Bits  uint64
	// Quiet says that no NaN among floats is a signaling one: they were computed here. Those that
	// come from memory, or out of integers, may be.
	Quiet bool
	// NotAbove0 says that floats are known to be 0 at most, or NaN.
	NotAbove0 bool
}

// Halves is how many registers lanes of type d take.
func Halves(d dtype.DType) int {
	if Wide(d) {
		return 2
	}
	return 1
}

// laneBits is an element's bit pattern as a lane holds it.
func laneBits(d dtype.DType, bits uint64) uint64 {
	switch {
	case d == dtype.Bool:
		return bits & 1
	case d.IsNarrow():
		return uint64(math.Float32bits(float32(dtype.ToFloat(d, bits))))
	case d.IsInt() && d.Bits() < 32:
		return uint64(uint32(dtype.ToInt(d, bits)))
	}
	return bits
}

// Const is a constant in all lanes.
func Const(d dtype.DType, bits uint64) Lanes {
	return Lanes{D: d, Known: true, Bits: laneBits(d, bits)}
}

// Reg is the register of x's half i; a constant is loaded.
func (g *Vectors) Reg(x Lanes, i int) lir.Reg {
	if !x.Known {
		return x.R[i]
	}
	if x.D == dtype.Bool {
		return g.constMask(x.Bits != 0)
	}
	if r := g.Keep(x); r != 0 {
		return r
	}
	return g.LoadConst(x)
}

// LoadConst is a constant in all lanes of a register.
func (g *Vectors) LoadConst(x Lanes) lir.Reg {
	r := g.NewVec()
	switch {
	case x.Bits == 0:
		g.ZeroVec(r)
	case Wide(x.D):
		g.Def(asm.VPBROADCASTQ, g.V(r), g.Constant(x.Bits, 8))
	default:
		g.Def(asm.VPBROADCASTD, g.V(r), g.Constant(x.Bits, 4))
	}
	return r
}

// src is x's half i as a last operand: a constant stays in memory.
func (g *Vectors) src(x Lanes, i int) lir.Arg {
	switch {
	case !x.Known || x.D == dtype.Bool || x.Bits == 0:
		return g.V(g.Reg(x, i))
	case g.Keep(x) != 0:
		return g.V(g.Keep(x))
	case Wide(x.D):
		return g.Const64(x.Bits)
	}
	return g.Const32(uint32(x.Bits))
}

// same reports whether the halves of all operands are the same register, so that one
// of the result's will do.
func same(xs ...Lanes) bool {
	for _, x := range xs {
		if !x.Known && x.R[0] != x.R[1] {
			return false
		}
	}
	return true
}

// each makes lanes of type d by calling f for each half; equal halves are made once.
func each(d dtype.DType, operands []Lanes, f func(i int) lir.Reg) Lanes {
	z := Lanes{D: d}
	z.R[0] = f(0)
	if Halves(d) == 2 {
		if same(operands...) {
			z.R[1] = z.R[0]
		} else {
			z.R[1] = f(1)
		}
	}
	return z
}

// op2 is a three-operand instruction, lane by lane.
func (g *Vectors) op2(o asm.Op, d dtype.DType, x, y Lanes) Lanes {
	return each(d, []Lanes{x, y}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(o, g.V(r), g.V(g.Reg(x, i)), g.src(y, i))
		return r
	})
}

// op1 is a two-operand instruction with an optional immediate.
func (g *Vectors) op1(o asm.Op, d dtype.DType, x Lanes, rest ...lir.Arg) Lanes {
	return each(d, []Lanes{x}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(o, append([]lir.Arg{g.V(r), g.V(g.Reg(x, i))}, rest...)...)
		return r
	})
}

// bothOps is an instruction for 32-bit and one for 64-bit lanes.
type bothOps struct{ w32, w64 asm.Op }

func (b bothOps) of(d dtype.DType) asm.Op {
	if Wide(d) {
		return b.w64
	}
	return b.w32
}

// ByWidth is one of two instructions: that for lanes of 32 bits, or of 64.
func ByWidth(d dtype.DType, w32, w64 asm.Op) asm.Op { return bothOps{w32, w64}.of(d) }

// LoadSplat is a scalar of type d in memory, in all lanes.
func (g *Memory) LoadSplat(d dtype.DType, a lir.Arg) Lanes {
	r := g.NewVec()
	z := Lanes{D: d, R: [2]lir.Reg{r, r}}
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		g.Def(asm.VPBROADCASTQ, g.V(r), a)
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.Def(asm.VPBROADCASTD, g.V(r), a)
	case dtype.Float16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.VW(t, g.Bytes/2), a)
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(t, g.Bytes/2))
		z.Quiet = true
	case dtype.BFloat16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.V(t), a)
		g.Def(asm.VPSLLD, g.V(r), g.V(t), lir.Imm(16))
	case dtype.Float8E4NV, dtype.Float8E5:
		bits := g.SplatInt(dtype.Uint32, g.loadNarrow(dtype.Uint8, a))
		return g.fromFloat8(d, bits)
	default: // bytes and int16 by way of a general register
		return g.SplatInt(d, g.loadNarrow(d, a))
	}
	return z
}

// Normalize makes wide lanes values of the narrow type d again.
func (g *Values) Normalize(d dtype.DType, x Lanes) Lanes {
	x.D = d
	switch d {
	case dtype.Int8, dtype.Int16:
		n := lir.Imm(int64(32 - d.Bits()))
		t := g.op1(asm.VPSLLD, d, x, n)
		return g.op1(asm.VPSRAD, d, t, n)
	case dtype.Uint8, dtype.Uint16:
		return g.op2(g.logic(op.And, d), d, x, Const(dtype.Uint32, d.MaxInt())).As(d)
	case dtype.Float16:
		half := g.NewVec()
		g.Def(asm.VCVTPS2PH, g.VW(half, g.Bytes/2), g.V(g.Reg(x, 0)), lir.Imm(0))
		r := g.NewVec()
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(half, g.Bytes/2))
		return Lanes{D: d, R: [2]lir.Reg{r, r}, Quiet: true}
	case dtype.BFloat16:
		return g.roundBFloat16(x)
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.fromFloat8(d, g.toFloat8(d, x))
	}
	return x
}

// As is x as lanes of another type, which are held alike.
func (x Lanes) As(d dtype.DType) Lanes { x.D = d; return x }

// quieted is x, which was computed here.
func (x Lanes) quieted() Lanes { x.Quiet = true; return x }

// isQuiet reports whether no lane can be a signaling NaN.
func (x Lanes) isQuiet() bool {
	switch {
	case !x.Known:
		return x.Quiet
	case Wide(x.D):
		return x.Bits&(1<<63-1) <= 0x7ff<<52 || x.Bits&(1<<51) != 0
	}
	return x.Bits&(1<<31-1) <= 0xff<<23 || x.Bits&(1<<22) != 0
}

// roundBFloat16 rounds float32 lanes to the 16 bits that bfloat16 keeps.
func (g *Values) roundBFloat16(x Lanes) Lanes {
	u := dtype.Uint32
	return g.op2(g.logic(op.And, u), u, halfUp(g, x), Const(u, 0xffff0000)).As(dtype.BFloat16).quieted()
}

// halfUp is float32 lanes whose high 16 bits are rounded to nearest even: half an ulp, less one if the last bit kept is
// 0, is added; NaN becomes quiet. The low bits are not cleared.
func halfUp(g *Values, x Lanes) Lanes {
	u, f := dtype.Uint32, dtype.Float32
	nan := g.compareFloat(unordered, f, x.As(f), x.As(f))
	x = x.As(u)
	if !g.EVEX || x.Known {
		lsb := g.op2(g.logic(op.And, u), u, g.op1(asm.VPSRLD, u, x, lir.Imm(16)), Const(u, 1))
		sum := g.op2(asm.VPADDD, u, g.op2(asm.VPADDD, u, x, lsb), Const(u, 0x7fff))
		return g.Blend(nan, g.op2(g.logic(op.Or, u), u, x, Const(u, 0x00400000)), sum)
	}
	odd := g.NewMask()
	g.Def(asm.VPTESTMD, g.K(g.Reg(odd, 0)), g.V(g.Reg(x, 0)), g.src(Const(u, 0x10000), 0))
	sum := g.op2(asm.VPADDD, u, x, Const(u, 0x7fff))
	r := sum.R[0]
	g.RMW(asm.VPADDD, g.V(r), g.V(r), g.src(Const(u, 1), 0)).Masked(g.Reg(odd, 0), false)
	g.RMW(asm.VPORD, g.V(r), g.V(g.Reg(x, 0)), g.src(Const(u, 0x00400000), 0)).Masked(g.Reg(nan, 0), false)
	return sum
}

// Blend is x where the mask holds and y elsewhere.
func (g *Vectors) Blend(mask, x, y Lanes) Lanes {
	d := x.D
	if mask.Known {
		if mask.Bits != 0 {
			return x
		}
		return y
	}
	if d == dtype.Bool {
		return g.blendMasks(mask, x, y)
	}
	if g.EVEX {
		m := g.MaskHalves(mask, d)
		z := eachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			o := bothOps{asm.VPBLENDMD, asm.VPBLENDMQ}.of(d)
			g.Def(o, g.V(r), g.V(g.Reg(y, i)), g.src(x, i)).Blended(m[i])
			return r
		})
		z.Quiet = x.isQuiet() && y.isQuiet()
		return z
	}
	m := g.MaskHalves(mask, d)
	return eachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		o := bothOps{asm.VBLENDVPS, asm.VBLENDVPD}.of(d)
		g.Def(o, g.V(r), g.V(g.Reg(y, i)), g.src(x, i), g.V(m[i]))
		return r
	})
}

// eachHalf makes lanes of type d, every half anew.
func eachHalf(d dtype.DType, f func(i int) lir.Reg) Lanes {
	z := Lanes{D: d}
	for i := range Halves(d) {
		z.R[i] = f(i)
	}
	return z
}

func (g *Vectors) blendMasks(mask, x, y Lanes) Lanes {
	m, a, b := g.Reg(mask, 0), g.Reg(x, 0), g.Reg(y, 0)
	if !g.EVEX {
		r := g.NewVec()
		g.Def(asm.VPBLENDVB, g.V(r), g.V(b), g.V(a), g.V(m))
		return Lanes{D: dtype.Bool, R: [2]lir.Reg{r}}
	}
	in, out, r := g.NewReg(lir.Mask), g.NewReg(lir.Mask), g.NewReg(lir.Mask)
	g.Def(asm.KANDW, g.K(in), g.K(m), g.K(a))
	g.Def(asm.KANDNW, g.K(out), g.K(m), g.K(b))
	g.Def(asm.KORW, g.K(r), g.K(in), g.K(out))
	return Lanes{D: dtype.Bool, R: [2]lir.Reg{r}}
}

// Wide reports whether elements of type d take 64-bit lanes.
func Wide(d dtype.DType) bool { return d.Size() == 8 }

// CellSize is the bytes that an element takes in scratch memory: that of its lane,
// except that a bool takes one byte.
func CellSize(d dtype.DType) int {
	switch {
	case d == dtype.Bool:
		return 1
	case Wide(d):
		return 8
	}
	return 4
}

// Variable is a copy of lanes in registers that may be assigned.
func (g *Vectors) Variable(x Lanes) Lanes {
	z := Lanes{D: x.D}
	if x.D == dtype.Bool {
		z.R[0] = g.NewMask().R[0]
	} else {
		for h := range Halves(x.D) {
			z.R[h] = g.NewVec()
		}
		if Halves(x.D) == 1 {
			z.R[1] = z.R[0]
		}
	}
	g.Assign(z, x)
	return z
}

// Assign copies lanes into the registers of others.
func (g *Vectors) Assign(dst, src Lanes) {
	if dst.D == dtype.Bool && g.EVEX {
		g.Def(asm.KMOVW, g.K(dst.R[0]), g.K(g.Reg(src, 0)))
		return
	}
	for h := range Halves(dst.D) {
		g.MoveVec(dst.R[h], g.Reg(src, h))
	}
}

// RawInt is lanes' bits as unsigned integers.
func (x Lanes) RawInt() Lanes {
	if Wide(x.D) {
		x.D = dtype.Uint64
	} else {
		x.D = dtype.Uint32
	}
	return x
}

// CellType is the dtype that a kept tile's memory has: that of its lanes.
func CellType(d dtype.DType) dtype.DType {
	switch {
	case d.IsPointer():
		return dtype.Int64
	case d.IsNarrow():
		return dtype.Float32
	case d.IsInt() && d != dtype.Bool && d.Bits() < 32:
		return dtype.Int32
	}
	return d
}
