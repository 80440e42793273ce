package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
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
	r [2]reg
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

func (g *gen) newVec() reg { return g.newReg(vec) }

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
func (g *gen) vr(x lanes, i int) reg {
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
func (g *gen) loadConst(x lanes) reg {
	r := g.newVec()
	switch {
	case x.bits == 0:
		g.zeroVec(r)
	case wide(x.d):
		g.def(asm.VPBROADCASTQ, g.v(r), g.constant(x.bits, 8))
	default:
		g.def(asm.VPBROADCASTD, g.v(r), g.constant(x.bits, 4))
	}
	return r
}

func (g *gen) zeroVec(r reg) {
	if g.avx512 {
		g.def(asm.VPXORD, g.v(r), g.v(r), g.v(r)).use = 0
		return
	}
	g.def(asm.VPXOR, g.vw(r, 16), g.vw(r, 16), g.vw(r, 16)).use = 0
}

// src is x's half i as a last operand: a constant stays in memory.
func (g *gen) src(x lanes, i int) arg {
	switch {
	case !x.known || x.d == dtype.Bool || x.bits == 0:
		return g.v(g.vr(x, i))
	case g.hoisted(x) != 0:
		return g.v(g.hoisted(x))
	case wide(x.d):
		return g.const64(x.bits)
	}
	return g.const32(uint32(x.bits))
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
func (g *gen) each(d dtype.DType, operands []lanes, f func(i int) reg) lanes {
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
	return g.each(d, []lanes{x, y}, func(i int) reg {
		r := g.newVec()
		g.def(o, g.v(r), g.v(g.vr(x, i)), g.src(y, i))
		return r
	})
}

// op1 is a two-operand instruction with an optional immediate.
func (g *gen) op1(o asm.Op, d dtype.DType, x lanes, rest ...arg) lanes {
	return g.each(d, []lanes{x}, func(i int) reg {
		r := g.newVec()
		g.def(o, append([]arg{g.v(r), g.v(g.vr(x, i))}, rest...)...)
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
func (g *gen) splatInt(d dtype.DType, x reg) lanes {
	if d == dtype.Bool {
		return g.splatBool(x)
	}
	r := g.newVec()
	o, src := asm.VPBROADCASTD, g.r32(x)
	if wide(d) {
		o, src = asm.VPBROADCASTQ, g.r64(x)
	}
	if g.avx512 {
		g.def(o, g.v(r), src)
		return lanes{d: d, r: [2]reg{r, r}}
	}
	t := g.newVec()
	if wide(d) {
		g.def(asm.VMOVQ, g.vw(t, 16), src)
	} else {
		g.def(asm.VMOVD, g.vw(t, 16), src)
	}
	g.def(o, g.v(r), g.vw(t, 16))
	return lanes{d: d, r: [2]reg{r, r}}
}

// splatBool is a 0 or 1 as a mask of no or all lanes.
func (g *gen) splatBool(x reg) lanes {
	t := g.copyInt(x)
	g.rmw(asm.NEG, g.r64(t))
	if g.avx512 {
		k := g.newReg(kmask)
		g.def(asm.KMOVD, g.k(k), g.r32(t))
		return lanes{d: dtype.Bool, r: [2]reg{k}}
	}
	z := g.splatInt(dtype.Int32, t)
	return lanes{d: dtype.Bool, r: [2]reg{z.r[0]}}
}

// constMask is a mask register or vector of all or no lanes.
func (g *gen) constMask(on bool) reg {
	if !g.avx512 {
		r := g.newVec()
		if on {
			g.def(asm.VPCMPEQD, g.v(r), g.v(r), g.v(r)).use = 0
		} else {
			g.zeroVec(r)
		}
		return r
	}
	k := g.newReg(kmask)
	o := asm.KXORW
	if on {
		o = asm.KXNORW
	}
	g.def(o, g.k(k), g.k(k), g.k(k)).use = 0
	return k
}

// loadSplat is a scalar of type d in memory, in all lanes.
func (g *gen) loadSplat(d dtype.DType, a arg) lanes {
	r := g.newVec()
	z := lanes{d: d, r: [2]reg{r, r}}
	switch d {
	case dtype.Float64, dtype.Int64, dtype.Uint64:
		g.def(asm.VPBROADCASTQ, g.v(r), a)
	case dtype.Float32, dtype.Int32, dtype.Uint32:
		g.def(asm.VPBROADCASTD, g.v(r), a)
	case dtype.Float16:
		t := g.newVec()
		g.def(asm.VPBROADCASTW, g.vw(t, int(g.wide)/2), a)
		g.def(asm.VCVTPH2PS, g.v(r), g.vw(t, int(g.wide)/2))
		z.quiet = true
	case dtype.BFloat16:
		t := g.newVec()
		g.def(asm.VPBROADCASTW, g.v(t), a)
		g.def(asm.VPSLLD, g.v(r), g.v(t), imm(16))
	case dtype.Float8E4NV, dtype.Float8E5:
		bits := g.splatInt(dtype.Uint32, g.loadNarrow(dtype.Uint8, a))
		return g.fromFloat8(d, bits)
	default: // bytes and int16 by way of a general register
		return g.splatInt(d, g.loadNarrow(d, a))
	}
	return z
}

// loadNarrow is an integer in memory, extended to 64 bits; a bool becomes 0 or 1.
func (g *gen) loadNarrow(d dtype.DType, a arg) reg {
	r := g.newReg(gpr)
	switch d {
	case dtype.Int8:
		g.def(asm.MOVSX, g.r64(r), a.sized(1))
	case dtype.Int16:
		g.def(asm.MOVSX, g.r64(r), a.sized(2))
	case dtype.Uint16:
		g.def(asm.MOVZX, g.r32(r), a.sized(2))
	case dtype.Int32:
		g.def(asm.MOVSXD, g.r64(r), a)
	case dtype.Uint32:
		g.def(asm.MOV, g.r32(r), a)
	case dtype.Bool:
		g.def(asm.MOVZX, g.r32(r), a.sized(1))
		return g.setIf(asm.SETNE, r, imm(0))
	case dtype.Uint8:
		g.def(asm.MOVZX, g.r32(r), a.sized(1))
	default:
		g.def(asm.MOV, g.r64(r), a)
	}
	return r
}

// normalize makes wide lanes values of the narrow type d again.
func (g *gen) normalize(d dtype.DType, x lanes) lanes {
	x.d = d
	switch d {
	case dtype.Int8, dtype.Int16:
		n := imm(int64(32 - d.Bits()))
		t := g.op1(asm.VPSLLD, d, x, n)
		return g.op1(asm.VPSRAD, d, t, n)
	case dtype.Uint8, dtype.Uint16:
		return g.op2(g.logic(op.And, d), d, x, g.constLanes(dtype.Uint32, d.MaxInt())).as(d)
	case dtype.Float16:
		half := g.newVec()
		g.def(asm.VCVTPS2PH, g.vw(half, int(g.wide)/2), g.v(g.vr(x, 0)), imm(0))
		r := g.newVec()
		g.def(asm.VCVTPH2PS, g.v(r), g.vw(half, int(g.wide)/2))
		return lanes{d: d, r: [2]reg{r, r}, quiet: true}
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
	lsb := g.op2(g.logic(op.And, u), u, g.op1(asm.VPSRLD, u, x, imm(16)), g.constLanes(u, 1))
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
	if g.avx512 {
		m := g.maskHalves(mask, d)
		z := g.eachHalf(d, func(i int) reg {
			r := g.newVec()
			o := bothOps{asm.VPBLENDMD, asm.VPBLENDMQ}.of(d)
			g.def(o, g.v(r), g.v(g.vr(y, i)), g.src(x, i)).mask = m[i]
			return r
		})
		z.quiet = x.isQuiet() && y.isQuiet()
		return z
	}
	m := g.maskHalves(mask, d)
	return g.eachHalf(d, func(i int) reg {
		r := g.newVec()
		o := bothOps{asm.VBLENDVPS, asm.VBLENDVPD}.of(d)
		g.def(o, g.v(r), g.v(g.vr(y, i)), g.src(x, i), g.v(m[i]))
		return r
	})
}

// eachHalf makes lanes of type d, every half anew.
func (g *gen) eachHalf(d dtype.DType, f func(i int) reg) lanes {
	z := lanes{d: d}
	for i := range halves(d) {
		z.r[i] = f(i)
	}
	return z
}

func (g *gen) blendMasks(mask, x, y lanes) lanes {
	m, a, b := g.vr(mask, 0), g.vr(x, 0), g.vr(y, 0)
	if !g.avx512 {
		r := g.newVec()
		g.def(asm.VPBLENDVB, g.v(r), g.v(b), g.v(a), g.v(m))
		return lanes{d: dtype.Bool, r: [2]reg{r}}
	}
	in, out, r := g.newReg(kmask), g.newReg(kmask), g.newReg(kmask)
	g.def(asm.KANDW, g.k(in), g.k(m), g.k(a))
	g.def(asm.KANDNW, g.k(out), g.k(m), g.k(b))
	g.def(asm.KORW, g.k(r), g.k(in), g.k(out))
	return lanes{d: dtype.Bool, r: [2]reg{r}}
}

// maskHalves is a mask as it applies to each register of lanes of type d.
func (g *gen) maskHalves(mask lanes, d dtype.DType) (m [2]reg) {
	k := g.vr(mask, 0)
	m[0], m[1] = k, k
	if !wide(d) {
		return m
	}
	if g.avx512 {
		m[1] = g.newReg(kmask)
		g.def(asm.KSHIFTRW, g.k(m[1]), g.k(k), imm(8))
		return m
	}
	m[0], m[1] = g.newVec(), g.newVec()
	g.def(asm.VPMOVSXDQ, g.v(m[0]), g.vw(k, 16))
	hi := g.newVec()
	g.def(asm.VEXTRACTI128, g.vw(hi, 16), g.v(k), imm(1))
	g.def(asm.VPMOVSXDQ, g.v(m[1]), g.vw(hi, 16))
	return m
}
