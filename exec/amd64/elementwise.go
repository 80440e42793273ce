package amd64

import (
	"math"
	"sync"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// apply is an elementwise op or type change of the IR on lanes.
func (g *gen) apply(v *ir.Value, in []lanes) lanes {
	switch v.Op {
	case op.Cast:
		return g.cast(v.Type.D, in[0])
	case op.CastRTZ:
		return g.viaGo(lanesCast{to: v.Type.D, from: in[0].d, rtz: true}, v.Type.D, in[0])
	case op.Bitcast:
		return g.bitcastNaN(v.Type.D, in[0])
	case ir.PtrAdd:
		return g.prim(op.Add, dtype.Int64, in[0].as(dtype.Int64), in[1])
	}
	return g.elementwise(v.Op, in[len(in)-1].d, in...)
}

// elementwise is an op on lanes of element type d, narrow floats included.
func (g *gen) elementwise(o op.Op, d dtype.DType, in ...lanes) lanes {
	row := o.Row()
	switch {
	case d.IsPointer():
		return g.elementwise(o, dtype.Int64, in...)
	case row.Progs[d] != nil:
		return g.program(row.Progs[d], in)
	case d.IsNarrow():
		return g.narrow(o, d, in)
	}
	return g.prim(o, d, in...)
}

// narrow is an op on narrow floats: on their float32 values, and back unless the
// result is one of the operands, or one's opposite.
func (g *gen) narrow(o op.Op, d dtype.DType, in []lanes) lanes {
	if o == op.FMA {
		return g.fmaNarrow(d, in)
	}
	f := dtype.Float32
	wideIn := make([]lanes, len(in))
	for i, x := range in {
		if x.d == d {
			x.d = f
		}
		wideIn[i] = x
	}
	z := g.elementwise(o, f, wideIn...)
	switch {
	case o.IsCompare():
		return z
	case o == op.Neg || o == op.Abs || o == op.Where || o >= op.Maximum && o <= op.MinimumNaN:
		return z.as(d)
	}
	return g.normalize(d, z)
}

// program writes a math function's instructions into the loop.
func (g *gen) program(p *op.Prog, in []lanes) lanes {
	vals := make([]lanes, len(p.In)+len(p.Body))
	clamp, nonzero := -1, lanes{}
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
		arg := func(k int) lanes { return vals[inst.Args[k]] }
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
			*z = lanes{d: inst.Type, known: true, bits: laneBits(inst.Type, inst.Bits)}
		case op.SkipUnless:
			if inst.Bits > 0 && skipTo < 0 {
				skipTo, skipLabel = i+1+int(inst.Bits), g.NewLabel()
				g.preload(p, vals, i+1, skipTo)
				g.skipUnlessAny(arg(0), skipLabel)
			}
		case op.Lookup:
			*z = g.lookup(inst, arg(0))
		case op.Cast:
			*z = g.cast(inst.Type, arg(0))
		case op.Bitcast:
			*z = g.bitcast(inst.Type, arg(0))
		default:
			a := make([]lanes, inst.Op.Row().Arity)
			for k := range a {
				a[k] = arg(k)
			}
			*z = g.prim(inst.Op, inst.D, a...)
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
func (g *gen) scaleWhere(d dtype.DType, mask, x, n lanes) lanes {
	m := g.maskHalves(mask, d)
	return g.eachHalf(d, func(i int) lir.Reg {
		r := g.NewVec()
		g.Def(bothOps{asm.VSCALEFPS, asm.VSCALEFPD}.of(d), g.V(r), g.V(g.vr(x, i)), g.src(n, i)).Masked(m[i], true)
		return r
	}).doubled()
}

// doubled has one register stand for both halves where lanes take only one.
func (x lanes) doubled() lanes {
	if halves(x.d) == 1 {
		x.r[1] = x.r[0]
	}
	return x
}

// preload does nothing for values that live in registers; constants are known and
// need no register before a region that may be skipped.
func (g *gen) preload(*op.Prog, []lanes, int, int) {}

// skipUnlessAny jumps to label if no lane of a mask is set.
func (g *gen) skipUnlessAny(mask lanes, label int) {
	m := g.vr(mask, 0)
	if g.EVEX {
		g.Use(asm.KORTESTW, g.K(m), g.K(m))
	} else {
		g.Use(asm.VPTEST, g.V(m), g.V(m))
	}
	g.Jump(asm.JE, label)
}

// instructions of primitives that are one instruction, per width of lane.
var floatOps = map[op.Op]bothOps{
	op.Add: {asm.VADDPS, asm.VADDPD}, op.Sub: {asm.VSUBPS, asm.VSUBPD},
	op.Mul: {asm.VMULPS, asm.VMULPD}, op.Div: {asm.VDIVPS, asm.VDIVPD},
}

var intOps = map[op.Op]bothOps{
	op.Add: {asm.VPADDD, asm.VPADDQ}, op.Sub: {asm.VPSUBD, asm.VPSUBQ},
	op.And: {asm.VPAND, asm.VPAND}, op.Or: {asm.VPOR, asm.VPOR}, op.Xor: {asm.VPXOR, asm.VPXOR},
}

// logic picks the encoding of a bitwise instruction: the EVEX forms say how wide a
// lane is.
func (g *gen) logic(o op.Op, d dtype.DType) asm.Op {
	if !g.EVEX {
		return intOps[o].w32
	}
	switch o {
	case op.And:
		return bothOps{asm.VPANDD, asm.VPANDQ}.of(d)
	case op.Or:
		return bothOps{asm.VPORD, asm.VPORQ}.of(d)
	}
	return bothOps{asm.VPXORD, asm.VPXORQ}.of(d)
}

// prim is a primitive op on lanes of type d: bool, integers of any width, float32 or
// float64.
func (g *gen) prim(o op.Op, d dtype.DType, in ...lanes) lanes {
	switch {
	case o == op.Where:
		return g.blend(in[0], in[1], in[2])
	case o.IsCompare():
		return g.compare(o, d, in[0], in[1])
	case d == dtype.Bool:
		return g.primBool(o, in)
	case d.IsFloat():
		return g.primFloat(o, d, in)
	}
	return g.primInt(o, d, in)
}

func (g *gen) primBool(o op.Op, in []lanes) lanes {
	b := dtype.Bool
	switch o {
	case op.Neg, op.Abs, op.FloorDiv: // by true: who divides by false has failed
		return in[0]
	case op.Mod:
		return g.constLanes(b, 0)
	}
	var k, v asm.Op
	switch o {
	case op.Add, op.Sub, op.Xor:
		k, v = asm.KXORW, asm.VPXOR
	case op.Mul, op.And, op.Minimum, op.MinimumNaN:
		k, v = asm.KANDW, asm.VPAND
	case op.Or, op.Maximum, op.MaximumNaN:
		k, v = asm.KORW, asm.VPOR
	case op.Not:
		return g.primBool(op.Xor, []lanes{in[0], {d: b, known: true, bits: 1}})
	case op.Shl, op.Shr: // x &^ y
		k, v = asm.KANDNW, asm.VPANDN
		in = []lanes{in[1], in[0]}
	default:
		return g.viaGo(lanesOp{o, b}, b, in...)
	}
	x, y := g.vr(in[0], 0), g.vr(in[1], 0)
	if g.EVEX {
		r := g.NewReg(lir.Mask)
		g.Def(k, g.K(r), g.K(x), g.K(y))
		return lanes{d: b, r: [2]lir.Reg{r}}
	}
	r := g.NewVec()
	g.Def(v, g.V(r), g.V(x), g.V(y))
	return lanes{d: b, r: [2]lir.Reg{r}}
}

func (g *gen) primFloat(o op.Op, d dtype.DType, in []lanes) lanes {
	if both, ok := floatOps[o]; ok {
		if in[0].known && !in[1].known && (o == op.Add || o == op.Mul) {
			in[0], in[1] = in[1], in[0] // a constant goes last, where it may be in memory
		}
		return g.op2(both.of(d), d, in[0], in[1]).quieted()
	}
	signBit, restBits := uint64(1)<<31, uint64(1)<<31-1
	if wide(d) {
		signBit, restBits = 1<<63, 1<<63-1
	}
	switch o {
	case op.Neg:
		z := g.op2(g.logic(op.Xor, d), d, in[0], lanes{d: d, known: true, bits: signBit})
		z.quiet = in[0].isQuiet()
		return z
	case op.Abs:
		z := g.op2(g.logic(op.And, d), d, in[0], lanes{d: d, known: true, bits: restBits})
		z.quiet = in[0].isQuiet()
		return z
	case op.Mod:
		if d == dtype.Float32 {
			return g.modFloat32(in[0], in[1])
		}
	case op.Sqrt:
		return g.op1(bothOps{asm.VSQRTPS, asm.VSQRTPD}.of(d), d, in[0]).quieted()
	case op.Floor:
		return g.roundTo(d, in[0], 9)
	case op.Ceil:
		return g.roundTo(d, in[0], 10)
	case op.Trunc:
		return g.roundTo(d, in[0], 11)
	case op.Rint:
		return g.roundTo(d, in[0], 8)
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

func (g *gen) roundTo(d dtype.DType, x lanes, mode int64) lanes {
	if g.EVEX {
		return g.op1(bothOps{asm.VRNDSCALEPS, asm.VRNDSCALEPD}.of(d), d, x, lir.Imm(mode)).quieted()
	}
	return g.op1(bothOps{asm.VROUNDPS, asm.VROUNDPD}.of(d), d, x, lir.Imm(mode))
}

// fma is x*y + w in whichever of the three forms keeps a constant in memory.
func (g *gen) fma(d dtype.DType, x, y, w lanes) lanes {
	if x.known && !y.known {
		x, y = y, x
	}
	return g.each(d, []lanes{x, y, w}, func(i int) lir.Reg {
		r := g.NewVec()
		if w.known && !y.known {
			g.MoveVec(r, g.vr(x, i))
			g.RMW(bothOps{asm.VFMADD213PS, asm.VFMADD213PD}.of(d), g.V(r), g.V(y.r[i]), g.src(w, i))
			return r
		}
		g.MoveVec(r, g.vr(w, i))
		g.RMW(bothOps{asm.VFMADD231PS, asm.VFMADD231PD}.of(d), g.V(r), g.V(g.vr(x, i)), g.src(y, i))
		return r
	})
}

// scaleBy is x·2^n rounded once.
func (g *gen) scaleBy(d dtype.DType, x, n lanes) lanes {
	if g.EVEX {
		return g.op2(bothOps{asm.VSCALEFPS, asm.VSCALEFPD}.of(d), d, x, n).quieted()
	}
	if d == dtype.Float32 { // exact in float64, rounded once on the way back
		f := dtype.Float64
		n = g.prim(op.Maximum, dtype.Float32, g.prim(op.Minimum, dtype.Float32, n, g.constLanes(dtype.Float32, uint64(math.Float32bits(512)))), g.constLanes(dtype.Float32, uint64(math.Float32bits(-512))))
		return g.cast(dtype.Float32, g.op2(asm.VMULPD, f, g.cast(f, x), g.pow2(g.cast(f, n))))
	}
	// As op's scale does it: steps of 2^1023 and 2^-969 first, at most two of each.
	n = g.clamp64(n, -2200, 2200)
	for range 2 {
		var f lanes
		f, n = g.scaleStep(n, 1023, 1023, true)
		x = g.op2(asm.VMULPD, d, x, f)
		f, n = g.scaleStep(n, -1022, -969, false)
		x = g.op2(asm.VMULPD, d, x, f)
	}
	return g.op2(asm.VMULPD, d, x, g.pow2(n))
}

func (g *gen) clamp64(x lanes, lo, hi float64) lanes {
	f := dtype.Float64
	x = g.op2(asm.VMINPD, f, x, g.constLanes(f, math.Float64bits(hi)))
	return g.op2(asm.VMAXPD, f, x, g.constLanes(f, math.Float64bits(lo)))
}

// scaleStep is 2^by where n is beyond limit and 1 elsewhere, and what is left of n.
func (g *gen) scaleStep(n lanes, limit, by float64, above bool) (f, rest lanes) {
	d := dtype.Float64
	c := func(v float64) lanes { return g.constLanes(d, math.Float64bits(v)) }
	o := op.Lt
	if above {
		o = op.Gt
	}
	beyond := g.compare(o, d, n, c(limit))
	f = g.blend(beyond, c(math.Ldexp(1, int(by))), c(1))
	return f, g.op2(asm.VSUBPD, d, n, g.blend(beyond, c(by), c(0)))
}

// pow2 is 2^n for integral float64 lanes within the normal range: n is added to the
// exponent of a number whose last bits then are n's.
func (g *gen) pow2(n lanes) lanes {
	d := dtype.Float64
	magic := g.constLanes(d, math.Float64bits(0x1.8p52+1023))
	t := g.op2(asm.VADDPD, d, n, magic)
	return g.op1(asm.VPSLLQ, d, t, lir.Imm(52))
}

// extremum is Maximum or Minimum: a NaN loses, +0 is above -0.
func (g *gen) extremum(isMax bool, d dtype.DType, x, y lanes) lanes {
	if g.EVEX {
		// VRANGE with the sign of the comparison's result does it, but for signaling NaNs.
		x, y = g.quiet(x), g.quiet(y)
		mode := int64(4)
		if isMax {
			mode = 5
		}
		return g.each(d, []lanes{x, y}, func(i int) lir.Reg {
			r := g.NewVec()
			g.Def(bothOps{asm.VRANGEPS, asm.VRANGEPD}.of(d), g.V(r), g.V(g.vr(x, i)), g.src(y, i), lir.Imm(mode))
			return r
		}).quieted()
	}
	if x.known {
		x, y = y, x
	}
	if y.known && !x.known && ordinary(y) {
		return g.extremumWith(isMax, d, x, y)
	}
	// MAX gives its second operand for zeros and NaNs: of two zeros the sum is +0 (or,
	// negated, -0), and a NaN in the second gives way to the first.
	o := bothOps{asm.VMINPS, asm.VMINPD}.of(d)
	merge := op.Or
	if isMax {
		o, merge = bothOps{asm.VMAXPS, asm.VMAXPD}.of(d), op.And
	}
	z := g.op2(o, d, x, y)
	zero := g.compare(op.Eq, d, x, y)
	z = g.blend(zero, g.op2(g.logic(merge, d), d, x, y), z)
	return g.blend(g.compareFloat(ne, d, y, y), x, z)
}

// ordinary reports whether a float constant is a number other than zero, of which MAX
// and MIN are what one expects.
func ordinary(x lanes) bool {
	f := floatOf(x)
	return f != 0 && f == f
}

// floatOf is the number that constant lanes are.
func floatOf(x lanes) float64 {
	if wide(x.d) {
		return math.Float64frombits(x.bits)
	}
	return float64(math.Float32frombits(uint32(x.bits)))
}

// extremumWith is the instruction: its second operand where one of them is NaN.
func (g *gen) extremumWith(isMax bool, d dtype.DType, x, y lanes) lanes {
	o := bothOps{asm.VMINPS, asm.VMINPD}.of(d)
	if isMax {
		o = bothOps{asm.VMAXPS, asm.VMAXPD}.of(d)
	}
	z := g.op2(o, d, x, y)
	z.quiet = x.isQuiet() && y.isQuiet()
	return z
}

// quiet makes signaling NaNs quiet ones.
func (g *gen) quiet(x lanes) lanes {
	if x.isQuiet() {
		return x
	}
	one := uint64(math.Float32bits(1))
	if wide(x.d) {
		one = math.Float64bits(1)
	}
	return g.prim(op.Mul, x.d, x, lanes{d: x.d, known: true, bits: one})
}

func (g *gen) extremumNaN(isMax bool, d dtype.DType, x, y lanes) lanes {
	if x.known {
		x, y = y, x
	}
	if y.known && !isMax && x.notAbove0 && floatOf(y) > 0 {
		return x
	}
	if y.known && !x.known && ordinary(y) {
		return g.extremumWith(isMax, d, y, x) // of a NaN and a number, MAX gives its second operand
	}
	z := g.extremum(isMax, d, x, y)
	nan := g.compareFloat(unordered, d, x, y)
	return g.blend(nan, g.prim(op.Add, d, x, y), z)
}
