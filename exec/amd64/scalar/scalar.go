package scalar

import (
	"math"
	"math/bits"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Scalars. Integers and bools live in general registers, extended to 64 bits by
// their own signedness; floats are vectors of equal lanes, and share the code of
// tiles. An integer op without code of its own goes through a vector too.

// Splat is any scalar as equal lanes.
func (g *Scalars) Splat(v *ir.Value) lane.Lanes {
	switch d := v.Type.D; {
	case v.Op == op.Const:
		return lane.Const(d, v.Bits)
	case d.IsFloat():
		return g.FloatLanes(v)
	case d.IsPointer():
		f := g.Forms.Of(v)
		if !f.Ok {
			Refuse("a pointer scalar that is not tensor + offset")
		}
		return g.SplatInt(dtype.Int64, g.SymReg(f.Start))
	default:
		return g.SplatInt(d, g.IntReg(v))
	}
}

// Fits fails the instance if an int64 is not a value of a narrower type.
func (g *Scalars) Fits(v *ir.Value) {
	x := g.IntReg(v.Args[0])
	g.Ints[v] = x
	s := g.Syms.Value(v.Args[0])
	d := v.Type.D
	if s.Within(d.MinInt(), greatest(d)) || fitsAlways(g, v) {
		return
	}
	good, bad, r := g.NewLabel(), g.NewLabel(), held(g, d, x)
	compared := g.Use(asm.CMP, g.R64(r), g.R64(x))
	g.Jump(asm.JNE, bad)
	if g.rounds != nil && g.cold == nil {
		g.rounds.checks = append(g.rounds.checks, check{at: s, fits: d, code: [2]*lir.Inst{compared, g.Here()}})
	}
	g.Jump(asm.JMP, good)
	g.BindCold(bad)
	g.Fail(v)
	g.Bind(good)
}

// fitsAlways has a parameter looked at once a call, where all instances do: if it does not fit, they are left to the
// portable engine, and fail there.
func fitsAlways(g *Scalars, v *ir.Value) bool {
	x, d := v.Args[0], v.Type.D
	if x.Op != ir.Param || len(g.Enclosing) > 2 || g.cold != nil {
		return false
	}
	f := &affine.Form{Ok: true, Base: -1, Start: g.Syms.Value(x)}
	return g.Require([]affine.Cond{{Form: f, Lo: d.MinInt(), Hi: greatest(d)}})
}

// greatest is the greatest int that fits a type.
func greatest(d dtype.DType) int64 { return int64(min(d.MaxInt(), math.MaxInt64)) }

// held is what a type holds of an int in a register: another number if it does not fit.
func held(g *Scalars, d dtype.DType, x lir.Reg) lir.Reg {
	if d != dtype.Uint64 {
		return g.Extend(d, x)
	}
	r := g.CopyInt(x)
	g.RMW(asm.SHL, g.R64(r), lir.Imm(1))
	g.RMW(asm.SHR, g.R64(r), lir.Imm(1))
	return r
}

// Fail ends the call: the value failed in the instance that is running.
func (g *Scalars) Fail(v *ir.Value) {
	g.Use(asm.MOV, lir.Frame(OffValue).Sized(8), lir.Imm(int64(v.ID)))
	g.Return(ExitFail)
}

// ScalarInt is an op whose result is an integer or bool.
func (g *Scalars) ScalarInt(v *ir.Value) lir.Reg {
	d := v.Type.D
	switch v.Op {
	case op.ProgramID:
		return g.LoadInt(lir.Frame(OffID + 8*v.Index))
	case op.NumPrograms:
		return g.LoadInt(lir.Frame(OffNum + 8*v.Index))
	case op.Add:
		if x, power := roundedUp(g, v); x != nil {
			r := g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(r), lir.Mem(g.IntReg(x), 1<<power-1))
			g.RMW(asm.SAR, g.R64(r), lir.Imm(int64(power)))
			return r
		}
		return g.arith(asm.ADD, v)
	case op.Sub:
		return g.arith(asm.SUB, v)
	case op.Mul:
		return g.arith(asm.IMUL, v)
	case op.And:
		return g.arith(asm.AND, v)
	case op.Or:
		return g.arith(asm.OR, v)
	case op.Xor:
		return g.arith(asm.XOR, v)
	case op.FloorDiv, op.Mod:
		return g.scalarDivide(v)
	case op.Shl, op.Shr:
		return g.scalarShift(v)
	case op.Neg:
		return g.negative(v)
	case op.Not:
		return g.complement(v)
	case op.Maximum, op.Minimum, op.MaximumNaN, op.MinimumNaN:
		return g.scalarExtreme(v)
	case op.Where:
		return g.scalarWhere(v)
	case op.Cast:
		if x := v.Args[0]; x.Type.D.IsInt() {
			if d == dtype.Bool {
				return g.SetIf(asm.SETNE, g.IntReg(x), lir.Imm(0))
			}
			if x.Op != op.None && g.Syms.Value(x).Within(d.MinInt(), int64(d.MaxInt())) && d == dtype.Int32 {
				return g.IntReg(x)
			}
			return g.Extend(d, g.IntReg(x))
		}
	case op.Bitcast:
		if x := v.Args[0]; x.Type.D.IsInt() {
			return g.Extend(d, g.IntReg(x))
		}
	}
	if v.Op.IsCompare() && v.Args[0].Type.D.IsInt() {
		return g.SetIf(Condition(v), g.IntReg(v.Args[0]), g.IntArg(v.Args[1]))
	}
	return g.FirstInt(g.ScalarLanes(v))
}

// arith is a two-operand instruction, wrapped to the type's width.
func (g *Scalars) arith(o asm.Op, v *ir.Value) lir.Reg {
	d := v.Type.D
	if d == dtype.Bool { // arithmetic modulo 2
		o = map[asm.Op]asm.Op{asm.ADD: asm.XOR, asm.SUB: asm.XOR, asm.IMUL: asm.AND, asm.AND: asm.AND, asm.OR: asm.OR, asm.XOR: asm.XOR}[o]
	}
	r := operated(g, o, v)
	if d.Bits() == 64 || d == dtype.Bool || o == asm.AND || o == asm.OR || o == asm.XOR {
		return r
	}
	return g.Extend(d, r)
}

// operated is what an instruction makes of a value's operands, in 64 bits.
func operated(g *Scalars, o asm.Op, v *ir.Value) (r lir.Reg) {
	x, y := g.IntReg(v.Args[0]), g.IntArg(v.Args[1])
	if o != asm.ADD {
		return g.BinInt(o, x, y)
	}
	r = g.NewReg(lir.GPR)
	if n, ok := y.IsImm(); ok {
		g.Def(asm.LEA, g.R64(r), lir.Mem(x, int(n)))
	} else {
		g.Def(asm.LEA, g.R64(r), lir.MemIndex(x, y.Base(), 1, 0))
	}
	return r
}

// HoldSym notes that the register of an integer, just computed, is also that of what its sym is put together of.
func HoldSym(g *Scalars, v *ir.Value) {
	if v.Type.D != dtype.Int64 || g.cold != nil {
		return
	}
	x := g.Syms.Value(v)
	if x.Kind != affine.Const && x.Kind != affine.Value && x.Depth == g.DepthOf(v) && g.symRegs.of(x) == 0 {
		g.symRegs.hold(x, g.Ints[v])
	}
}

func (g *Scalars) negative(v *ir.Value) lir.Reg {
	if v.Type.D == dtype.Bool {
		return g.IntReg(v.Args[0])
	}
	r := g.CopyInt(g.IntReg(v.Args[0]))
	g.RMW(asm.NEG, g.R64(r))
	return g.Extend(v.Type.D, r)
}

func (g *Scalars) complement(v *ir.Value) lir.Reg {
	if v.Type.D == dtype.Bool {
		return g.BinInt(asm.XOR, g.IntReg(v.Args[0]), lir.Imm(1))
	}
	r := g.CopyInt(g.IntReg(v.Args[0]))
	g.RMW(asm.NOT, g.R64(r))
	return g.Extend(v.Type.D, r)
}

// scalarDivide is an integer quotient or remainder; a zero divisor fails.
func (g *Scalars) scalarDivide(v *ir.Value) lir.Reg {
	if v.Type.D == dtype.Uint64 {
		g.RefuseZero(v, g.IntReg(v.Args[1]))
		return g.FirstInt(g.ScalarLanes(v))
	}
	if by := v.Args[1]; by.Op == op.Const && int64(by.Bits) > 0 && by.Bits&(by.Bits-1) == 0 {
		return divideByPower(g, v, bits.TrailingZeros64(by.Bits))
	}
	x, y := g.IntReg(v.Args[0]), g.IntReg(v.Args[1])
	key := [2]*ir.Value{v.Args[0], v.Args[1]}
	if q, ok := g.quotients[key]; ok && v.Op == op.Mod && slices.Contains(g.Enclosing, q.in) { // by no 0, either
		r := g.CopyInt(q.r)
		g.RMW(asm.IMUL, g.R64(r), g.R64(y))
		return g.Extend(v.Type.D, g.BinInt(asm.SUB, x, g.R64(r)))
	}
	g.RefuseZero(v, y)
	r := g.NewReg(lir.GPR)
	if v.Op == op.Mod {
		g.Divide64(r, x, y, 1)
		return g.Extend(v.Type.D, r)
	}
	g.Divide64(r, x, y, 0)
	g.quotients[key] = quotient{r, g.Cur}
	return g.Extend(v.Type.D, r)
}

// A quotient is in a register, from some code on.
type quotient struct {
	r  lir.Reg
	in *lir.Seq
}

// divideByPower divides by a power of two, towards zero: what is negative is first raised by one less than the divisor.
func divideByPower(g *Scalars, v *ir.Value, power int) lir.Reg {
	x := g.IntReg(v.Args[0])
	q := g.CopyInt(x)
	if power > 0 {
		if !g.Syms.Value(v.Args[0]).Within(0, math.MaxInt64) {
			g.RMW(asm.SAR, g.R64(q), lir.Imm(63))
			g.RMW(asm.SHR, g.R64(q), lir.Imm(int64(64-power)))
			g.RMW(asm.ADD, g.R64(q), g.R64(x))
		}
		g.RMW(asm.SAR, g.R64(q), lir.Imm(int64(power)))
	}
	if v.Op != op.Mod {
		return q
	}
	if power > 0 {
		g.RMW(asm.SHL, g.R64(q), lir.Imm(int64(power)))
	}
	return g.BinInt(asm.SUB, x, g.R64(q))
}

// roundedUp is what v is, divided by a power of two and rounded up: a quotient, and 1 where a remainder is above 0. It is
// nil if v is something else, or the dividend may be so great that a sum wraps.
func roundedUp(g *Scalars, v *ir.Value) (x *ir.Value, power int) {
	q, more := v.Args[0], v.Args[1]
	if v.Type.D != dtype.Int64 || q.Op != op.FloorDiv || more.Op != op.Cast || more.Args[0].Op != op.Gt {
		return nil, 0
	}
	rest, zero, by := more.Args[0].Args[0], more.Args[0].Args[1], q.Args[1]
	if rest.Op != op.Mod || !slices.Equal(rest.Args, q.Args) || zero.Op != op.Const || zero.Bits != 0 {
		return nil, 0
	}
	n := by.Bits
	if by.Op != op.Const || n == 0 || n > 1<<30 || n&(n-1) != 0 || g.Syms.Value(q.Args[0]).Hi > 1<<62 {
		return nil, 0
	}
	return q.Args[0], bits.TrailingZeros64(n)
}

func (g *Scalars) RefuseZero(v *ir.Value, y lir.Reg) {
	if c := v.Args[1]; c.Op == op.Const && c.Bits != 0 {
		return
	}
	good := g.NewLabel()
	g.Use(asm.TEST, g.R64(y), g.R64(y))
	g.Jump(asm.JNE, good)
	g.Fail(v)
	g.Bind(good)
}

// scalarShift shifts everything out for a count of the width or more, or a negative
// one: counts are clamped to the width, and 64 needs one more step.
func (g *Scalars) scalarShift(v *ir.Value) lir.Reg {
	d := v.Type.D
	if d == dtype.Bool {
		n := g.BinInt(asm.XOR, g.IntReg(v.Args[1]), lir.Imm(1))
		return g.BinInt(asm.AND, g.IntReg(v.Args[0]), g.R64(n))
	}
	x, n := g.IntReg(v.Args[0]), g.CopyInt(g.IntReg(v.Args[1]))
	signed := v.Op == op.Shr && d.IsSigned()
	limit := g.NewInt(63)
	g.Use(asm.CMP, g.R64(n), lir.Imm(63))
	g.RMW(asm.CMOVA, g.R64(n), g.R64(limit)) // unsigned: negative counts are large
	r := g.NewReg(lir.GPR)
	o := asm.SHLX
	switch {
	case signed:
		o = asm.SARX
	case v.Op == op.Shr:
		o = asm.SHRX
	}
	g.Def(o, g.R64(r), g.R64(x), g.R64(n))
	if !signed {
		zero := g.NewInt(0)
		count := g.IntReg(v.Args[1])
		g.Use(asm.CMP, g.R64(count), lir.Imm(int64(d.Bits()-1)))
		g.RMW(asm.CMOVA, g.R64(r), g.R64(zero))
	}
	return g.Extend(d, r)
}

// condition codes of integer comparisons, signed and unsigned.
var setcc = map[op.Op][2]asm.Op{
	op.Lt: {asm.SETL, asm.SETB}, op.Le: {asm.SETLE, asm.SETBE}, op.Gt: {asm.SETG, asm.SETA},
	op.Ge: {asm.SETGE, asm.SETAE}, op.Eq: {asm.SETE, asm.SETE}, op.Ne: {asm.SETNE, asm.SETNE},
}

// Condition is the instruction that makes a bool of the flags that a comparison of integers sets.
func Condition(v *ir.Value) asm.Op {
	if v.Args[0].Type.D == dtype.Uint64 {
		return setcc[v.Op][1]
	}
	return setcc[v.Op][0]
}

func (g *Scalars) scalarExtreme(v *ir.Value) lir.Reg {
	x, y := g.IntReg(v.Args[0]), g.IntReg(v.Args[1])
	isMax := v.Op == op.Maximum || v.Op == op.MaximumNaN
	cc := asm.CMOVG
	switch unsigned := v.Type.D == dtype.Uint64; {
	case isMax && unsigned:
		cc = asm.CMOVB
	case isMax:
		cc = asm.CMOVL
	case unsigned:
		cc = asm.CMOVA
	}
	r := g.CopyInt(x)
	g.Use(asm.CMP, g.R64(r), g.R64(y))
	g.RMW(cc, g.R64(r), g.R64(y))
	return r
}

func (g *Scalars) scalarWhere(v *ir.Value) lir.Reg {
	c, y := g.IntReg(v.Args[0]), g.IntReg(v.Args[2])
	r := g.CopyInt(g.IntReg(v.Args[1]))
	g.Use(asm.TEST, g.R64(c), g.R64(c))
	g.RMW(asm.CMOVE, g.R64(r), g.R64(y))
	return r
}

// ScalarLanes is an elementwise op or cast of scalars, done on vectors of equal
// lanes.
func (g *Scalars) ScalarLanes(v *ir.Value) lane.Lanes {
	if converts(g, v) {
		return converted(g, v)
	}
	in := make([]lane.Lanes, len(v.Args))
	for i, a := range v.Args {
		in[i] = g.Splat(a)
	}
	return g.Apply(v, in)
}
