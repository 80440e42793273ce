package amd64

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

// lanes is a value in vector registers, one block of lanes. 64-bit elements take two
// registers, equal ones if all lanes are; a bool is a mask register, or on AVX2 a
// vector of 32-bit lanes.
type lanes struct {
	d dtype.DType
	r [2]lir.Reg
	// known says that all lanes are the constant bits, as a lane holds it; the
	// registers are then only filled on demand.
	known bool
	bits  uint64
	// quiet says that no NaN among floats is a signaling one: they were computed here. Those that
	// come from memory, or out of integers, may be.
	quiet bool
	// notAbove0 says that floats are known to be 0 at most, or NaN.
	notAbove0 bool
}

// halves is how many registers lanes of type d take.
func halves(d dtype.DType) int {
	if wide(d) {
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

// constLanes is a constant in all lanes.
func (g *gen) constLanes(d dtype.DType, bits uint64) lanes {
	return lanes{d: d, known: true, bits: laneBits(d, bits)}
}

// vr is the register of x's half i; a constant is loaded.
func (g *gen) vr(x lanes, i int) lir.Reg {
	if !x.known {
		return x.r[i]
	}
	if x.d == dtype.Bool {
		return g.constMask(x.bits != 0)
	}
	if r := g.hoisted(x); r != 0 {
		return r
	}
	return g.loadConst(x)
}

// loadConst is a constant in all lanes of a register.
func (g *gen) loadConst(x lanes) lir.Reg {
	r := g.NewVec()
	switch {
	case x.bits == 0:
		g.ZeroVec(r)
	case wide(x.d):
		g.Def(asm.VPBROADCASTQ, g.V(r), g.Constant(x.bits, 8))
	default:
		g.Def(asm.VPBROADCASTD, g.V(r), g.Constant(x.bits, 4))
	}
	return r
}

// src is x's half i as a last operand: a constant stays in memory.
func (g *gen) src(x lanes, i int) lir.Arg {
	switch {
	case !x.known || x.d == dtype.Bool || x.bits == 0:
		return g.V(g.vr(x, i))
	case g.hoisted(x) != 0:
		return g.V(g.hoisted(x))
	case wide(x.d):
		return g.Const64(x.bits)
	}
	return g.Const32(uint32(x.bits))
}

// same reports whether the halves of all operands are the same register, so that one
// of the result's will do.
func same(xs ...lanes) bool {
	for _, x := range xs {
		if !x.known && x.r[0] != x.r[1] {
			return false
		}
	}
	return true
}

// each makes lanes of type d by calling f for each half; equal halves are made once.
func (g *gen) each(d dtype.DType, operands []lanes, f func(i int) lir.Reg) lanes {
	z := lanes{d: d}
	z.r[0] = f(0)
	if halves(d) == 2 {
		if same(operands...) {
			z.r[1] = z.r[0]
		} else {
			z.r[1] = f(1)
		}
	}
	return z
}

// op2 is a three-operand instruction, lane by lane.
func (g *gen) op2(o asm.Op, d dtype.DType, x, y lanes) lanes {
	return g.each(d, []lanes{x, y}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(o, g.V(r), g.V(g.vr(x, i)), g.src(y, i))
		return r
	})
}

// op1 is a two-operand instruction with an optional immediate.
func (g *gen) op1(o asm.Op, d dtype.DType, x lanes, rest ...lir.Arg) lanes {
	return g.each(d, []lanes{x}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(o, append([]lir.Arg{g.V(r), g.V(g.vr(x, i))}, rest...)...)
		return r
	})
}

// bothOps is an instruction for 32-bit and one for 64-bit lanes.
type bothOps struct{ w32, w64 asm.Op }

func (b bothOps) of(d dtype.DType) asm.Op {
	if wide(d) {
		return b.w64
	}
	return b.w32
}

// splatInt is a general register in all lanes.
func (g *gen) splatInt(d dtype.DType, x lir.Reg) lanes {
	if d == dtype.Bool {
		return g.splatBool(x)
	}
	r := g.NewVec()
	o, src := asm.VPBROADCASTD, g.R32(x)
	if wide(d) {
		o, src = asm.VPBROADCASTQ, g.R64(x)
	}
	if g.EVEX {
		g.Def(o, g.V(r), src)
		return lanes{d: d, r: [2]lir.Reg{r, r}}
	}
	t := g.NewVec()
	if wide(d) {
		g.Def(asm.VMOVQ, g.VW(t, 16), src)
	} else {
		g.Def(asm.VMOVD, g.VW(t, 16), src)
	}
	g.Def(o, g.V(r), g.VW(t, 16))
	return lanes{d: d, r: [2]lir.Reg{r, r}}
}

// splatBool is a 0 or 1 as a mask of no or all lanes.
func (g *gen) splatBool(x lir.Reg) lanes {
	t := g.CopyInt(x)
	g.RMW(asm.NEG, g.R64(t))
	if g.EVEX {
		k := g.NewReg(lir.Mask)
		g.Def(asm.KMOVD, g.K(k), g.R32(t))
		return lanes{d: dtype.Bool, r: [2]lir.Reg{k}}
	}
	z := g.splatInt(dtype.Int32, t)
	return lanes{d: dtype.Bool, r: [2]lir.Reg{z.r[0]}}
}

// constMask is a mask register or vector of all or no lanes.
func (g *gen) constMask(on bool) lir.Reg {
	if !g.EVEX {
		r := g.NewVec()
		if on {
			g.Idiom(asm.VPCMPEQD, g.V(r))
		} else {
			g.ZeroVec(r)
		}
		return r
	}
	k := g.NewReg(lir.Mask)
	o := asm.KXORW
	if on {
		o = asm.KXNORW
	}
	g.Idiom(o, g.K(k))
	return k
}

// loadSplat is a scalar of type d in memory, in all lanes.
func (g *gen) loadSplat(d dtype.DType, a lir.Arg) lanes {
	r := g.NewVec()
	z := lanes{d: d, r: [2]lir.Reg{r, r}}
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		g.Def(asm.VPBROADCASTQ, g.V(r), a)
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.Def(asm.VPBROADCASTD, g.V(r), a)
	case dtype.Float16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.VW(t, g.Bytes/2), a)
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(t, g.Bytes/2))
		z.quiet = true
	case dtype.BFloat16:
		t := g.NewVec()
		g.Def(asm.VPBROADCASTW, g.V(t), a)
		g.Def(asm.VPSLLD, g.V(r), g.V(t), lir.Imm(16))
	case dtype.Float8E4NV, dtype.Float8E5:
		bits := g.splatInt(dtype.Uint32, g.loadNarrow(dtype.Uint8, a))
		return g.fromFloat8(d, bits)
	default: // bytes and int16 by way of a general register
		return g.splatInt(d, g.loadNarrow(d, a))
	}
	return z
}

// loadNarrow is an integer in memory, extended to 64 bits; a bool becomes 0 or 1.
func (g *gen) loadNarrow(d dtype.DType, a lir.Arg) lir.Reg {
	r := g.NewReg(lir.GPR)
	switch d {
	case dtype.Int8:
		g.Def(asm.MOVSX, g.R64(r), a.Sized(1))
	case dtype.Int16:
		g.Def(asm.MOVSX, g.R64(r), a.Sized(2))
	case dtype.Uint16:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(2))
	case dtype.Int32:
		g.Def(asm.MOVSXD, g.R64(r), a)
	case dtype.Uint32:
		g.Def(asm.MOV, g.R32(r), a)
	case dtype.Bool:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(1))
		return g.SetIf(asm.SETNE, r, lir.Imm(0))
	case dtype.Uint8:
		g.Def(asm.MOVZX, g.R32(r), a.Sized(1))
	default:
		g.Def(asm.MOV, g.R64(r), a)
	}
	return r
}

// normalize makes wide lanes values of the narrow type d again.
func (g *gen) normalize(d dtype.DType, x lanes) lanes {
	x.d = d
	switch d {
	case dtype.Int8, dtype.Int16:
		n := lir.Imm(int64(32 - d.Bits()))
		t := g.op1(asm.VPSLLD, d, x, n)
		return g.op1(asm.VPSRAD, d, t, n)
	case dtype.Uint8, dtype.Uint16:
		return g.op2(g.logic(op.And, d), d, x, g.constLanes(dtype.Uint32, d.MaxInt())).as(d)
	case dtype.Float16:
		half := g.NewVec()
		g.Def(asm.VCVTPS2PH, g.VW(half, g.Bytes/2), g.V(g.vr(x, 0)), lir.Imm(0))
		r := g.NewVec()
		g.Def(asm.VCVTPH2PS, g.V(r), g.VW(half, g.Bytes/2))
		return lanes{d: d, r: [2]lir.Reg{r, r}, quiet: true}
	case dtype.BFloat16:
		return g.roundBFloat16(x)
	case dtype.Float8E4NV, dtype.Float8E5:
		return g.fromFloat8(d, g.toFloat8(d, x))
	}
	return x
}

func (x lanes) as(d dtype.DType) lanes { x.d = d; return x }

// quieted is x, which was computed here.
func (x lanes) quieted() lanes { x.quiet = true; return x }

// isQuiet reports whether no lane can be a signaling NaN.
func (x lanes) isQuiet() bool {
	switch {
	case !x.known:
		return x.quiet
	case wide(x.d):
		return x.bits&(1<<63-1) <= 0x7ff<<52 || x.bits&(1<<51) != 0
	}
	return x.bits&(1<<31-1) <= 0xff<<23 || x.bits&(1<<22) != 0
}

// roundBFloat16 rounds float32 lanes to the 16 bits that bfloat16 keeps, to nearest
// even: half an ulp, less one if the last bit kept is 0, is added; NaN stays.
func (g *gen) roundBFloat16(x lanes) lanes {
	u, f := dtype.Uint32, dtype.Float32
	x = x.as(u)
	lsb := g.op2(g.logic(op.And, u), u, g.op1(asm.VPSRLD, u, x, lir.Imm(16)), g.constLanes(u, 1))
	sum := g.op2(asm.VPADDD, u, g.op2(asm.VPADDD, u, x, lsb), g.constLanes(u, 0x7fff))
	sum = g.op2(g.logic(op.And, u), u, sum, g.constLanes(u, 0xffff0000))
	nan := g.compareFloat(ne, f, x.as(f), x.as(f))
	quiet := g.op2(g.logic(op.Or, u), u, x, g.constLanes(u, 0x00400000))
	quiet = g.op2(g.logic(op.And, u), u, quiet, g.constLanes(u, 0xffff0000))
	return g.blend(nan, quiet, sum).as(dtype.BFloat16).quieted()
}

// blend is x where the mask holds and y elsewhere.
func (g *gen) blend(mask, x, y lanes) lanes {
	d := x.d
	if mask.known {
		if mask.bits != 0 {
			return x
		}
		return y
	}
	if d == dtype.Bool {
		return g.blendMasks(mask, x, y)
	}
	if g.EVEX {
		m := g.maskHalves(mask, d)
		z := g.eachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			o := bothOps{asm.VPBLENDMD, asm.VPBLENDMQ}.of(d)
			g.Def(o, g.V(r), g.V(g.vr(y, i)), g.src(x, i)).Blended(m[i])
			return r
		})
		z.quiet = x.isQuiet() && y.isQuiet()
		return z
	}
	m := g.maskHalves(mask, d)
	return g.eachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		o := bothOps{asm.VBLENDVPS, asm.VBLENDVPD}.of(d)
		g.Def(o, g.V(r), g.V(g.vr(y, i)), g.src(x, i), g.V(m[i]))
		return r
	})
}

// eachHalf makes lanes of type d, every half anew.
func (g *gen) eachHalf(d dtype.DType, f func(i int) lir.Reg) lanes {
	z := lanes{d: d}
	for i := range halves(d) {
		z.r[i] = f(i)
	}
	return z
}

func (g *gen) blendMasks(mask, x, y lanes) lanes {
	m, a, b := g.vr(mask, 0), g.vr(x, 0), g.vr(y, 0)
	if !g.EVEX {
		r := g.NewVec()
		g.Def(asm.VPBLENDVB, g.V(r), g.V(b), g.V(a), g.V(m))
		return lanes{d: dtype.Bool, r: [2]lir.Reg{r}}
	}
	in, out, r := g.NewReg(lir.Mask), g.NewReg(lir.Mask), g.NewReg(lir.Mask)
	g.Def(asm.KANDW, g.K(in), g.K(m), g.K(a))
	g.Def(asm.KANDNW, g.K(out), g.K(m), g.K(b))
	g.Def(asm.KORW, g.K(r), g.K(in), g.K(out))
	return lanes{d: dtype.Bool, r: [2]lir.Reg{r}}
}

// maskHalves is a mask as it applies to each register of lanes of type d.
func (g *gen) maskHalves(mask lanes, d dtype.DType) (m [2]lir.Reg) {
	k := g.vr(mask, 0)
	m[0], m[1] = k, k
	if !wide(d) {
		return m
	}
	if g.EVEX {
		m[1] = g.NewReg(lir.Mask)
		g.Def(asm.KSHIFTRW, g.K(m[1]), g.K(k), lir.Imm(8))
		return m
	}
	m[0], m[1] = g.NewVec(), g.NewVec()
	g.Def(asm.VPMOVSXDQ, g.V(m[0]), g.VW(k, 16))
	hi := g.NewVec()
	g.Def(asm.VEXTRACTI128, g.VW(hi, 16), g.V(k), lir.Imm(1))
	g.Def(asm.VPMOVSXDQ, g.V(m[1]), g.VW(hi, 16))
	return m
}
