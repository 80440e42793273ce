package elementwise

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Floats of 32 and 64 bits.

func (g *Primitives) primFloat(o op.Op, d dtype.DType, in []lane.Lanes) lane.Lanes {
	row := &table[o]
	if row.float.w32 != 0 {
		if in[0].Known && !in[1].Known && (o == op.Add || o == op.Mul) {
			in[0], in[1] = in[1], in[0] // a constant goes last, where it may be in memory
		}
		return g.Op2(row.float.of(d), d, in[0], in[1]).Quieted()
	}
	signBit := uint64(1) << 31
	if lane.Wide(d) {
		signBit = 1 << 63
	}
	switch o {
	case op.Neg:
		z := g.Op2(g.Logic(op.Xor, d), d, in[0], lane.Const(d, signBit))
		z.Quiet = in[0].IsQuiet()
		return z
	case op.Abs:
		return g.Magnitude(d, in[0])
	case op.Mod:
		if d == dtype.Float32 {
			return g.modFloat32(in[0], in[1])
		}
		return g.modFloat64(in[0], in[1])
	case op.Sqrt:
		return g.Op1(lane.ByWidth(d, asm.VSQRTPS, asm.VSQRTPD), d, in[0]).Quieted()
	case op.Rint, op.Floor, op.Ceil, op.Trunc:
		return g.roundTo(d, in[0], row.round)
	case op.FMA:
		return g.fma(d, in[0], in[1], in[2]).Quieted()
	case op.Scale:
		return g.scaleBy(d, in[0], in[1])
	case op.Maximum, op.Minimum:
		return g.extremum(o == op.Maximum, d, in[0], in[1])
	case op.MaximumNaN, op.MinimumNaN:
		return g.extremumNaN(o == op.MaximumNaN, d, in[0], in[1])
	}
	return g.viaGo(lanesOp{o, d}, d, in...)
}

// fma is x*y + w in whichever of the three forms keeps a constant in memory.
func (g *Primitives) fma(d dtype.DType, x, y, w lane.Lanes) lane.Lanes {
	if x.Known && !y.Known {
		x, y = y, x
	}
	return lane.Each(d, []lane.Lanes{x, y, w}, func(i int) lir.Reg {
		r := g.NewVec()
		if w.Known && !y.Known {
			g.MoveVec(r, g.Reg(x, i))
			g.RMW(lane.ByWidth(d, asm.VFMADD213PS, asm.VFMADD213PD), g.V(r), g.V(y.R[i]), g.Src(w, i))
			return r
		}
		g.MoveVec(r, g.Reg(w, i))
		g.RMW(lane.ByWidth(d, asm.VFMADD231PS, asm.VFMADD231PD), g.V(r), g.V(g.Reg(x, i)), g.Src(y, i))
		return r
	})
}

// extremum is Maximum or Minimum: a NaN loses, +0 is above -0.
func (g *Primitives) extremum(isMax bool, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	if g.EVEX {
		// VRANGE with the sign of the comparison's result does it, but for signaling NaNs.
		x, y = g.quiet(x), g.quiet(y)
		mode := int64(4)
		if isMax {
			mode = 5
		}
		return lane.Each(d, []lane.Lanes{x, y}, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(lane.ByWidth(d, asm.VRANGEPS, asm.VRANGEPD), g.V(r), g.V(g.Reg(x, i)), g.Src(y, i), lir.Imm(mode))
			return r
		}).Quieted()
	}
	if x.Known {
		x, y = y, x
	}
	if y.Known && !x.Known && ordinary(y) {
		return g.GreaterOf(isMax, d, x, y)
	}
	return lane.Each(d, []lane.Lanes{x, y}, func(i int) lir.Reg {
		return g.extremumHalf(isMax, d, g.Reg(x, i), g.Reg(y, i))
	})
}

// extremumHalf is extremum by AVX2, of one register. MAX gives its second operand for zeros and NaNs: of two zeros the
// sum is +0 (or, negated, -0), and a NaN in the second gives way to the first.
func (g *Primitives) extremumHalf(isMax bool, d dtype.DType, x, y lir.Reg) lir.Reg {
	o, merge := lane.ByWidth(d, asm.VMINPS, asm.VMINPD), op.Or
	if isMax {
		o, merge = lane.ByWidth(d, asm.VMAXPS, asm.VMAXPD), op.And
	}
	compare := lane.ByWidth(d, asm.VCMPPS, asm.VCMPPD)
	z := g.blendHalf(d, g.three(compare, x, y, lir.Imm(lane.Equal)), g.three(g.Logic(merge, d), x, y), g.three(o, x, y))
	return g.blendHalf(d, g.three(compare, y, y, lir.Imm(lane.Unordered)), x, z)
}

// three is an instruction of three registers.
func (g *Primitives) three(o asm.Op, x, y lir.Reg, rest ...lir.Arg) lir.Reg {
	r := g.NewVec()
	g.Def(o, append([]lir.Arg{g.V(r), g.V(x), g.V(y)}, rest...)...)
	return r
}

// blendHalf is x where a comparison of lanes as wide has set a register's, and y elsewhere.
func (g *Primitives) blendHalf(d dtype.DType, mask, x, y lir.Reg) lir.Reg {
	return g.three(lane.ByWidth(d, asm.VBLENDVPS, asm.VBLENDVPD), y, x, g.V(mask))
}

// ordinary reports whether a float constant is a number other than zero, of which MAX
// and MIN are what one expects.
func ordinary(x lane.Lanes) bool {
	f := floatOf(x)
	return f != 0 && f == f
}

// floatOf is the number that constant lanes are.
func floatOf(x lane.Lanes) float64 {
	if lane.Wide(x.D) {
		return math.Float64frombits(x.Bits)
	}
	return float64(math.Float32frombits(uint32(x.Bits)))
}

// GreaterOf is the instruction for the greater or lesser operand: the second one where neither is, or one is NaN.
func (g *Primitives) GreaterOf(isMax bool, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	o := lane.ByWidth(d, asm.VMINPS, asm.VMINPD)
	if isMax {
		o = lane.ByWidth(d, asm.VMAXPS, asm.VMAXPD)
	}
	z := g.Op2(o, d, x, y)
	z.Quiet = x.IsQuiet() && y.IsQuiet()
	return z
}

// quiet makes signaling NaNs quiet ones.
func (g *Casts) quiet(x lane.Lanes) lane.Lanes {
	if x.IsQuiet() {
		return x
	}
	one := uint64(math.Float32bits(1))
	if lane.Wide(x.D) {
		one = math.Float64bits(1)
	}
	times := table[op.Mul].float.of(x.D)
	return g.Op2(times, x.D, x, lane.Lanes{D: x.D, Known: true, Bits: one}).Quieted()
}

func (g *Primitives) extremumNaN(isMax bool, d dtype.DType, x, y lane.Lanes) lane.Lanes {
	if x.Known {
		x, y = y, x
	}
	if y.Known && !isMax && x.NotAbove0 && floatOf(y) > 0 {
		return x
	}
	if y.Known && !x.Known && ordinary(y) {
		return g.GreaterOf(isMax, d, y, x) // of a NaN and a number, MAX gives its second operand
	}
	if !g.EVEX {
		return lane.Each(d, []lane.Lanes{x, y}, func(i int) lir.Reg {
			return g.extremumNaNHalf(isMax, d, g.Reg(x, i), g.Reg(y, i))
		})
	}
	z := g.extremum(isMax, d, x, y)
	nan := g.CompareFloat(lane.Unordered, d, x, y)
	return g.Blend(nan, g.Prim(op.Add, d, x, y), z)
}

// extremumNaNHalf is extremumNaN by AVX2, of one register. MIN of the operands one way and the other differ in the sign
// of zeros, and where one is NaN: ORed they are -0, and NaN. Of MAX what differs is subtracted again: -0 - -0 is +0.
func (g *Primitives) extremumNaNHalf(isMax bool, d dtype.DType, x, y lir.Reg) lir.Reg {
	if !isMax {
		o := lane.ByWidth(d, asm.VMINPS, asm.VMINPD)
		return g.three(g.Logic(op.Or, d), g.three(o, x, y), g.three(o, y, x))
	}
	o := lane.ByWidth(d, asm.VMAXPS, asm.VMAXPD)
	z := g.three(o, x, y)
	differs := g.three(g.Logic(op.Xor, d), z, g.three(o, y, x))
	return g.three(lane.ByWidth(d, asm.VSUBPS, asm.VSUBPD), g.three(g.Logic(op.Or, d), z, differs), differs)
}
