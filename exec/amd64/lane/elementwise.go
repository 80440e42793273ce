package lane

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Elementwise is an op on lanes of element type d, narrow floats included.
func (g *Builder) Elementwise(o op.Op, d dtype.DType, in ...Lanes) Lanes {
	row := o.Row()
	switch {
	case d.IsPointer():
		return g.Elementwise(o, dtype.Int64, in...)
	case row.Progs[d] != nil:
		return g.program(row.Progs[d], in)
	case d.IsNarrow():
		return g.narrow(o, d, in)
	}
	return g.Prim(o, d, in...)
}

// narrow is an op on narrow floats: on their float32 values, and back unless the
// result is one of the operands, or one's opposite.
func (g *Builder) narrow(o op.Op, d dtype.DType, in []Lanes) Lanes {
	if o == op.FMA {
		return g.fmaNarrow(d, in)
	}
	f := dtype.Float32
	wideIn := make([]Lanes, len(in))
	for i, x := range in {
		if x.D == d {
			x.D = f
		}
		wideIn[i] = x
	}
	z := g.Elementwise(o, f, wideIn...)
	switch {
	case o.IsCompare():
		return z
	case o == op.Neg || o == op.Abs || o == op.Where || o >= op.Maximum && o <= op.MinimumNaN:
		return z.As(d)
	}
	return g.Normalize(d, z)
}

// program writes a math function's instructions into the loop.
func (g *Builder) program(p *op.Prog, in []Lanes) Lanes {
	vals := make([]Lanes, len(p.In)+len(p.Body))
	clamp, nonzero := -1, Lanes{}
	if g.EVEX {
		clamp = vanishingClamp(p)
	}
	copy(vals, in)
	skipTo, skipLabel := -1, 0
	for i := range p.Body {
		if i == skipTo {
			g.Bind(skipLabel)
			skipTo = -1
		}
		inst := &p.Body[i]
		z := &vals[len(p.In)+i]
		arg := func(k int) Lanes { return vals[inst.Args[k]] }
		switch {
		case i == clamp:
			*z, nonzero = arg(0), g.compareFloat(notLe, inst.D, arg(0), arg(1))
			continue
		case clamp >= 0 && len(p.In)+i == p.Out:
			*z = g.scaleWhere(inst.D, nonzero, arg(0), arg(1))
			continue
		}
		switch inst.Op {
		case op.Const:
			*z = Lanes{D: inst.Type, Known: true, Bits: laneBits(inst.Type, inst.Bits)}
		case op.SkipUnless:
			if inst.Bits > 0 && skipTo < 0 {
				skipTo, skipLabel = i+1+int(inst.Bits), g.NewLabel()
				g.SkipUnlessAny(arg(0), skipLabel)
			}
		case op.Lookup:
			*z = g.lookup(inst, arg(0))
		case op.Cast:
			*z = g.Cast(inst.Type, arg(0))
		case op.Bitcast:
			*z = g.bitcast(inst.Type, arg(0))
		default:
			a := make([]Lanes, inst.Op.Row().Arity)
			for k := range a {
				a[k] = arg(k)
			}
			*z = g.Prim(inst.Op, inst.D, a...)
		}
	}
	if skipTo == len(p.Body) {
		g.Bind(skipLabel)
	}
	return vals[p.Out]
}

// vanishingClamp is the number of the instruction of a program that raises its operand
// to where the result, which is a Scale, is +0; -1 if there is none. Lanes below need
// not be computed then: to scale them down to nothing would be slow.
func vanishingClamp(p *op.Prog) int {
	if n, ok := clamps.Load(p); ok {
		return n.(int)
	}
	n := -1
	if last := p.Out - len(p.In); len(p.In) == 1 && last >= 0 && p.Body[last].Op == op.Scale {
		for i := range p.Body {
			if inst := &p.Body[i]; inst.Op == op.MaximumNaN && clampsInput(p, inst) {
				n = i
			}
		}
	}
	clamps.Store(p, n)
	return n
}

var clamps sync.Map // of int, by *op.Prog

// clampsInput reports whether an instruction raises the input, which may have been
// lowered before, to a constant at which the program gives +0.
func clampsInput(p *op.Prog, inst *op.Inst) bool {
	body := func(v int) *op.Inst {
		if v < len(p.In) {
			return nil
		}
		return &p.Body[v-len(p.In)]
	}
	x, c := body(inst.Args[0]), body(inst.Args[1])
	if c == nil || c.Op != op.Const || x != nil && (x.Op != op.MinimumNaN || x.Args[0] != 0) {
		return false
	}
	in, out := dtype.NewBuf(inst.D, 1), dtype.NewBuf(inst.D, 1)
	in.SetBits(0, c.Bits)
	p.Run(out, in)
	return out.Bits(0) == 0
}

// scaleWhere is x·2^n where a mask holds and +0 elsewhere.
func (g *Builder) scaleWhere(d dtype.DType, mask, x, n Lanes) Lanes {
	m := g.MaskHalves(mask, d)
	return eachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(bothOps{asm.VSCALEFPS, asm.VSCALEFPD}.of(d), g.V(r), g.V(g.Reg(x, i)), g.src(n, i)).Masked(m[i], true)
		return r
	}).doubled()
}

// doubled has one register stand for both halves where lanes take only one.
func (x Lanes) doubled() Lanes {
	if Halves(x.D) == 1 {
		x.R[1] = x.R[0]
	}
	return x
}

// logic is a bitwise instruction.
func (g *Vectors) logic(o op.Op, d dtype.DType) asm.Op {
	if g.EVEX {
		return table[o].evex.of(d)
	}
	return table[o].vex
}

// Prim is a primitive op on lanes of type d: bool, integers of any width, float32 or
// float64.
func (g *Primitives) Prim(o op.Op, d dtype.DType, in ...Lanes) Lanes {
	switch {
	case o == op.Where:
		return g.Blend(in[0], in[1], in[2])
	case o.IsCompare():
		return g.Compare(o, d, in[0], in[1])
	case d == dtype.Bool:
		return g.PrimBool(o, in)
	case d.IsFloat():
		return g.primFloat(o, d, in)
	}
	return g.primInt(o, d, in)
}

// PrimBool is a primitive op on masks.
func (g *Vectors) PrimBool(o op.Op, in []Lanes) Lanes {
	b := dtype.Bool
	switch o {
	case op.Neg, op.Abs, op.FloorDiv: // by true: who divides by false has failed
		return in[0]
	case op.Mod:
		return Const(b, 0)
	case op.Not:
		return g.PrimBool(op.Xor, []Lanes{in[0], {D: b, Known: true, Bits: 1}})
	case op.Shl, op.Shr:
		in = []Lanes{in[1], in[0]}
	}
	row := &table[o]
	x, y := g.Reg(in[0], 0), g.Reg(in[1], 0)
	if g.EVEX {
		r := g.NewReg(lir.Mask)
		g.Def(row.mask, g.K(r), g.K(x), g.K(y))
		return Lanes{D: b, R: [2]lir.Reg{r}}
	}
	r := g.NewVec()
	g.Def(row.vex, g.V(r), g.V(x), g.V(y))
	return Lanes{D: b, R: [2]lir.Reg{r}}
}

func (g *Primitives) primFloat(o op.Op, d dtype.DType, in []Lanes) Lanes {
	row := &table[o]
	if row.float.w32 != 0 {
		if in[0].Known && !in[1].Known && (o == op.Add || o == op.Mul) {
			in[0], in[1] = in[1], in[0] // a constant goes last, where it may be in memory
		}
		return g.op2(row.float.of(d), d, in[0], in[1]).quieted()
	}
	signBit := uint64(1) << 31
	if Wide(d) {
		signBit = 1 << 63
	}
	switch o {
	case op.Neg:
		z := g.op2(g.logic(op.Xor, d), d, in[0], Lanes{D: d, Known: true, Bits: signBit})
		z.Quiet = in[0].isQuiet()
		return z
	case op.Abs:
		return g.magnitude(d, in[0])
	case op.Mod:
		if d == dtype.Float32 {
			return g.modFloat32(in[0], in[1])
		}
	case op.Sqrt:
		return g.op1(bothOps{asm.VSQRTPS, asm.VSQRTPD}.of(d), d, in[0]).quieted()
	case op.Rint, op.Floor, op.Ceil, op.Trunc:
		return g.roundTo(d, in[0], row.round)
	case op.FMA:
		return g.fma(d, in[0], in[1], in[2]).quieted()
	case op.Scale:
		return g.scaleBy(d, in[0], in[1])
	case op.Maximum, op.Minimum:
		return g.extremum(o == op.Maximum, d, in[0], in[1])
	case op.MaximumNaN, op.MinimumNaN:
		return g.extremumNaN(o == op.MaximumNaN, d, in[0], in[1])
	}
	return g.viaGo(lanesOp{o, d}, d, in...)
}

func (g *Casts) roundTo(d dtype.DType, x Lanes, mode int64) Lanes {
	if g.EVEX {
		return g.op1(bothOps{asm.VRNDSCALEPS, asm.VRNDSCALEPD}.of(d), d, x, lir.Imm(mode)).quieted()
	}
	return g.op1(bothOps{asm.VROUNDPS, asm.VROUNDPD}.of(d), d, x, lir.Imm(mode))
}

// fma is x*y + w in whichever of the three forms keeps a constant in memory.
func (g *Primitives) fma(d dtype.DType, x, y, w Lanes) Lanes {
	if x.Known && !y.Known {
		x, y = y, x
	}
	return each(d, []Lanes{x, y, w}, func(i int) lir.Reg {
		r := g.NewVec()
		if w.Known && !y.Known {
			g.MoveVec(r, g.Reg(x, i))
			g.RMW(bothOps{asm.VFMADD213PS, asm.VFMADD213PD}.of(d), g.V(r), g.V(y.R[i]), g.src(w, i))
			return r
		}
		g.MoveVec(r, g.Reg(w, i))
		g.RMW(bothOps{asm.VFMADD231PS, asm.VFMADD231PD}.of(d), g.V(r), g.V(g.Reg(x, i)), g.src(y, i))
		return r
	})
}

// scaleBy is x·2^n rounded once.
func (g *Primitives) scaleBy(d dtype.DType, x, n Lanes) Lanes {
	if g.EVEX {
		return g.op2(bothOps{asm.VSCALEFPS, asm.VSCALEFPD}.of(d), d, x, n).quieted()
	}
	if d == dtype.Float32 { // exact in float64, rounded once on the way back
		f := dtype.Float64
		n = g.Prim(op.Maximum, dtype.Float32, g.Prim(op.Minimum, dtype.Float32, n, Const(dtype.Float32, uint64(math.Float32bits(512)))), Const(dtype.Float32, uint64(math.Float32bits(-512))))
		return g.Cast(dtype.Float32, g.op2(asm.VMULPD, f, g.Cast(f, x), g.pow2(g.Cast(f, n))))
	}
	// As op's scale does it: steps of 2^1023 and 2^-969 first, at most two of each.
	n = g.clamp64(n, -2200, 2200)
	for range 2 {
		var f Lanes
		f, n = g.scaleStep(n, 1023, 1023, true)
		x = g.op2(asm.VMULPD, d, x, f)
		f, n = g.scaleStep(n, -1022, -969, false)
		x = g.op2(asm.VMULPD, d, x, f)
	}
	return g.op2(asm.VMULPD, d, x, g.pow2(n))
}

func (g *Primitives) clamp64(x Lanes, lo, hi float64) Lanes {
	f := dtype.Float64
	x = g.op2(asm.VMINPD, f, x, Const(f, math.Float64bits(hi)))
	return g.op2(asm.VMAXPD, f, x, Const(f, math.Float64bits(lo)))
}

// scaleStep is 2^by where n is beyond limit and 1 elsewhere, and what is left of n.
func (g *Primitives) scaleStep(n Lanes, limit, by float64, above bool) (f, rest Lanes) {
	d := dtype.Float64
	c := func(v float64) Lanes { return Const(d, math.Float64bits(v)) }
	o := op.Lt
	if above {
		o = op.Gt
	}
	beyond := g.Compare(o, d, n, c(limit))
	f = g.Blend(beyond, c(math.Ldexp(1, int(by))), c(1))
	return f, g.op2(asm.VSUBPD, d, n, g.Blend(beyond, c(by), c(0)))
}

// pow2 is 2^n for integral float64 lanes within the normal range: n is added to the
// exponent of a number whose last bits then are n's.
func (g *Primitives) pow2(n Lanes) Lanes {
	d := dtype.Float64
	magic := Const(d, math.Float64bits(0x1.8p52+1023))
	t := g.op2(asm.VADDPD, d, n, magic)
	return g.op1(asm.VPSLLQ, d, t, lir.Imm(52))
}

// extremum is Maximum or Minimum: a NaN loses, +0 is above -0.
func (g *Primitives) extremum(isMax bool, d dtype.DType, x, y Lanes) Lanes {
	if g.EVEX {
		// VRANGE with the sign of the comparison's result does it, but for signaling NaNs.
		x, y = g.quiet(x), g.quiet(y)
		mode := int64(4)
		if isMax {
			mode = 5
		}
		return each(d, []Lanes{x, y}, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(bothOps{asm.VRANGEPS, asm.VRANGEPD}.of(d), g.V(r), g.V(g.Reg(x, i)), g.src(y, i), lir.Imm(mode))
			return r
		}).quieted()
	}
	if x.Known {
		x, y = y, x
	}
	if y.Known && !x.Known && ordinary(y) {
		return g.GreaterOf(isMax, d, x, y)
	}
	// MAX gives its second operand for zeros and NaNs: of two zeros the sum is +0 (or,
	// negated, -0), and a NaN in the second gives way to the first.
	o := bothOps{asm.VMINPS, asm.VMINPD}.of(d)
	merge := op.Or
	if isMax {
		o, merge = bothOps{asm.VMAXPS, asm.VMAXPD}.of(d), op.And
	}
	z := g.op2(o, d, x, y)
	zero := g.Compare(op.Eq, d, x, y)
	z = g.Blend(zero, g.op2(g.logic(merge, d), d, x, y), z)
	return g.Blend(g.compareFloat(ne, d, y, y), x, z)
}

// ordinary reports whether a float constant is a number other than zero, of which MAX
// and MIN are what one expects.
func ordinary(x Lanes) bool {
	f := floatOf(x)
	return f != 0 && f == f
}

// floatOf is the number that constant lanes are.
func floatOf(x Lanes) float64 {
	if Wide(x.D) {
		return math.Float64frombits(x.Bits)
	}
	return float64(math.Float32frombits(uint32(x.Bits)))
}

// GreaterOf is the instruction for the greater or lesser operand: the second one where neither is, or one is NaN.
func (g *Primitives) GreaterOf(isMax bool, d dtype.DType, x, y Lanes) Lanes {
	o := bothOps{asm.VMINPS, asm.VMINPD}.of(d)
	if isMax {
		o = bothOps{asm.VMAXPS, asm.VMAXPD}.of(d)
	}
	z := g.op2(o, d, x, y)
	z.Quiet = x.isQuiet() && y.isQuiet()
	return z
}

// quiet makes signaling NaNs quiet ones.
func (g *Primitives) quiet(x Lanes) Lanes {
	if x.isQuiet() {
		return x
	}
	one := uint64(math.Float32bits(1))
	if Wide(x.D) {
		one = math.Float64bits(1)
	}
	return g.Prim(op.Mul, x.D, x, Lanes{D: x.D, Known: true, Bits: one})
}

func (g *Primitives) extremumNaN(isMax bool, d dtype.DType, x, y Lanes) Lanes {
	if x.Known {
		x, y = y, x
	}
	if y.Known && !isMax && x.NotAbove0 && floatOf(y) > 0 {
		return x
	}
	if y.Known && !x.Known && ordinary(y) {
		return g.GreaterOf(isMax, d, y, x) // of a NaN and a number, MAX gives its second operand
	}
	z := g.extremum(isMax, d, x, y)
	nan := g.compareFloat(unordered, d, x, y)
	return g.Blend(nan, g.Prim(op.Add, d, x, y), z)
}
