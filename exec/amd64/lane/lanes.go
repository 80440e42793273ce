package lane

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
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
	// First says of a mask that it lets so many first lanes through and no others, most likely, or surely; all if 0.
	First  int
	Surely bool
	// Leading says of a mask that it lets no lane through behind one that it does not.
	Leading bool
	// Most says of a mask that it lets no lane through but so many first ones, if that is not 0.
	Most int
	// Count is how many first lanes a mask lets through, one at least and not all, if a register says that.
	Count lir.Reg
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
		return g.ConstMask(x.Bits != 0)
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

// Src is x's half i as a last operand: a constant stays in memory.
func (g *Vectors) Src(x Lanes, i int) lir.Arg {
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

// Each makes lanes of type d by calling f for each half; equal halves are made once.
func Each(d dtype.DType, operands []Lanes, f func(i int) lir.Reg) Lanes {
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

// Op2 is a three-operand instruction, lane by lane.
func (g *Vectors) Op2(o asm.Op, d dtype.DType, x, y Lanes) Lanes {
	return Each(d, []Lanes{x, y}, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(o, g.V(r), g.V(g.Reg(x, i)), g.Src(y, i))
		return r
	})
}

// Op1 is a two-operand instruction with an optional immediate.
func (g *Vectors) Op1(o asm.Op, d dtype.DType, x Lanes, rest ...lir.Arg) Lanes {
	return Each(d, []Lanes{x}, func(i int) lir.Reg {
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

// As is x as lanes of another type, which are held alike.
func (x Lanes) As(d dtype.DType) Lanes { x.D = d; return x }

// Quieted is x, which was computed here.
func (x Lanes) Quieted() Lanes { x.Quiet = true; return x }

// IsQuiet reports whether no lane can be a signaling NaN.
func (x Lanes) IsQuiet() bool {
	switch {
	case !x.Known:
		return x.Quiet
	case Wide(x.D):
		return x.Bits&(1<<63-1) <= 0x7ff<<52 || x.Bits&(1<<51) != 0
	}
	return x.Bits&(1<<31-1) <= 0xff<<23 || x.Bits&(1<<22) != 0
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
		z := EachHalf(d, func(i int) lir.Reg {
			r := g.NewVec()
			o := bothOps{asm.VPBLENDMD, asm.VPBLENDMQ}.of(d)
			g.Def(o, g.V(r), g.V(g.Reg(y, i)), g.Src(x, i)).Blended(m[i])
			return r
		})
		z.Quiet = x.IsQuiet() && y.IsQuiet()
		return z
	}
	m := g.MaskHalves(mask, d)
	return EachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		o := bothOps{asm.VBLENDVPS, asm.VBLENDVPD}.of(d)
		g.Def(o, g.V(r), g.V(g.Reg(y, i)), g.Src(x, i), g.V(m[i]))
		return r
	})
}

// EachHalf makes lanes of type d, every half anew.
func EachHalf(d dtype.DType, f func(i int) lir.Reg) Lanes {
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
