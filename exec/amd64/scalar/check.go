package scalar

import (
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A source gives the registers of syms: in the body they are computed once and kept,
// on entry afresh, because the body has not run.
type source func(x *affine.Sym) lir.Reg

// entryReg is a sym's register in the entry code.
func (g *Scalars) entryReg(x *affine.Sym) lir.Reg {
	if x.Kind == affine.Const { // held nowhere, as there are two places
		return g.NewInt(x.N)
	}
	if r := g.entryRegs.of(x); r != 0 {
		return r
	}
	var r lir.Reg
	if ofLaunch(x) {
		g.Into(g.Once, func() { r = newEntryReg(g, x) })
	} else {
		r = newEntryReg(g, x)
	}
	g.entryRegs.hold(x, r)
	return r
}

// ofLaunch reports whether a sym that is known on entry is the same in all instances of a launch.
func ofLaunch(x *affine.Sym) bool {
	switch {
	case x == nil || x.Kind == affine.Const:
		return true
	case x.Kind != affine.Value:
		return ofLaunch(x.A) && ofLaunch(x.B)
	case x.V.Op == ir.Fits:
		return x.V.Args[0].Op == ir.Param
	}
	return x.V.Op == ir.Param || x.V.Op == op.NumPrograms
}

// holdsOrNot reports whether a condition that is known on entry is the same in all instances of a launch.
func holdsOrNot(c affine.Cond) bool {
	return ofLaunch(c.Below) && ofLaunch(c.Form.Start) && !slices.ContainsFunc(c.Form.Coef[:], func(x *affine.Sym) bool { return !ofLaunch(x) })
}

// newEntryReg computes a sym in the code at hand.
func newEntryReg(g *Scalars, x *affine.Sym) (r lir.Reg) {
	switch {
	case x.Kind == affine.Value && x.V.Op == ir.Param:
		r = g.IntReg(x.V)
	case x.Kind == affine.Value && x.V.Op == op.ProgramID:
		r = g.LoadInt(lir.Frame(OffID + 8*x.V.Index))
	case x.Kind == affine.Value && x.V.Op == op.NumPrograms:
		r = g.LoadInt(lir.Frame(OffNum + 8*x.V.Index))
	case x.Kind == affine.Value: // a Fits
		r = g.entryReg(g.Syms.Value(x.V.Args[0]))
	case x.Kind == affine.Product && x.B.Kind == affine.Const && x.B.N == int64(int32(x.B.N)):
		r = g.NewReg(lir.GPR)
		g.Def(asm.IMUL, g.R64(r), g.R64(g.entryReg(x.A)), lir.Imm(x.B.N))
	default:
		r = g.combine(x, g.entryReg(x.A), g.entryReg(x.B))
	}
	return r
}

// combine is a sum, product or extremum of registers.
func (g *Scalars) combine(x *affine.Sym, a, b lir.Reg) lir.Reg {
	r := g.CopyInt(a)
	switch x.Kind {
	case affine.Sum:
		g.RMW(asm.ADD, g.R64(r), g.R64(b))
	case affine.Product:
		g.RMW(asm.IMUL, g.R64(r), g.R64(b))
	default:
		g.Use(asm.CMP, g.R64(a), g.R64(b))
		cc := asm.CMOVL
		if x.Kind == affine.Min {
			cc = asm.CMOVG
		}
		g.RMW(cc, g.R64(r), g.R64(b))
	}
	return r
}

// An extent is which indices of each dimension are reached: from 0, or where a register says, to the last one, or as
// many as a register says. There is one of each dimension at least.
type extent struct{ from, end [ir.MaxRank]lir.Reg }

// checkRange jumps to bad unless all elements of a form lie in lo ... hi over a shape.
// lo and hi are operands of comparisons. Sizes are bounded first, so that nothing
// here can wrap. The lowest element is given.
func (g *Scalars) checkRange(
	f *affine.Form, shape ir.Shape, reach *extent, lo, hi lir.Arg, bad int, from source,
) (low lir.Reg) {
	start := from(f.Start)
	if reach == nil && f.Coef == [ir.MaxRank]*affine.Sym{} { // a number, to which nothing is added
		between(g, f, reach, [2]lir.Reg{start, start}, lo, hi, bad)
		return start
	}
	if !f.Start.Within(-affine.StartLimit, affine.StartLimit) {
		g.bounded(start, affine.StartLimit, bad)
	}
	if dim := sideBySide(f); dim >= 0 && reach != nil && reach.end[dim] != 0 {
		low, high := start, g.NewReg(lir.GPR)
		if first := reach.from[dim]; first != 0 {
			low = g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(low), lir.MemIndex(start, first, 1, 0))
		}
		g.Def(asm.LEA, g.R64(high), lir.MemIndex(start, reach.end[dim], 1, -1))
		between(g, f, reach, [2]lir.Reg{low, high}, lo, hi, bad)
		return low
	}
	low = start
	if lowers(f, reach) {
		low = g.CopyInt(start)
	}
	high := g.CopyInt(start)
	for i, c := range f.Coef {
		if c == nil {
			continue
		}
		if c.IsConst(1) && reach != nil && reach.end[i] != 0 && reach.from[i] == 0 {
			g.Def(asm.LEA, g.R64(high), lir.MemIndex(high, reach.end[i], 1, -1))
			continue
		}
		var last lir.Reg // the highest index reached
		if reach != nil && reach.end[i] != 0 {
			last = g.NewReg(lir.GPR)
			g.Def(asm.LEA, g.R64(last), lir.Mem(reach.end[i], -1))
		}
		if reach != nil && reach.from[i] != 0 {
			g.skipped(low, high, c, reach.from[i], last, int64(shape.D[i]-1), bad, from)
			continue
		}
		if c.Kind == affine.Const && last == 0 && math.Abs(float64(c.N)) < affine.CoefLimit {
			g.AddConst(low, min(0, c.N*int64(shape.D[i]-1)))
			g.AddConst(high, max(0, c.N*int64(shape.D[i]-1)))
			continue
		}
		g.spread(low, high, g.spanOf(c, last, int64(shape.D[i]-1), bad, from), c)
	}
	between(g, f, reach, [2]lir.Reg{low, high}, lo, hi, bad)
	return low
}

// between jumps to bad unless both ends of a form lie in lo ... hi: the low one may be known to.
func between(g *Scalars, f *affine.Form, reach *extent, ends [2]lir.Reg, lo, hi lir.Arg, bad int) {
	if least, ok := lo.IsImm(); !ok || f.Start.Lo < least || lowers(f, reach) {
		g.Use(asm.CMP, g.R64(ends[0]), lo)
		g.Jump(asm.JL, bad)
	}
	g.Use(asm.CMP, g.R64(ends[1]), hi)
	g.Jump(asm.JG, bad)
}

// sideBySide is the only dimension of a form whose elements lie apart, if these are one apart; -1 if there is none.
func sideBySide(f *affine.Form) int {
	dim := -1
	for i, c := range f.Coef {
		switch {
		case c == nil:
		case dim >= 0 || !c.IsConst(1):
			return -1
		default:
			dim = i
		}
	}
	return dim
}

// lowers reports whether elements may lie ahead of a form's start, or begin elsewhere.
func lowers(f *affine.Form, reach *extent) bool {
	if reach != nil && reach.from != (extent{}).from {
		return true
	}
	return slices.ContainsFunc(f.Coef[:], func(c *affine.Sym) bool { return c != nil && c.Lo < 0 })
}

// skipped is what checkRange does for a dimension of coefficient c whose indices begin at first, and end at last or, if
// that is 0, at most: the ends are a coefficient times either.
func (g *Scalars) skipped(low, high lir.Reg, c *affine.Sym, first, last lir.Reg, most int64, bad int, from source) {
	if last == 0 {
		last = g.NewInt(most)
	}
	near, far := g.spanOf(c, first, most, bad, from), g.spanOf(c, last, most, bad, from)
	if c.Lo >= 0 { // and last is not less than first, as there is an index
		g.RMW(asm.ADD, g.R64(low), g.R64(near))
		g.RMW(asm.ADD, g.R64(high), g.R64(far))
		return
	}
	least, greatest := g.CopyInt(near), g.CopyInt(near)
	g.Use(asm.CMP, g.R64(far), g.R64(near))
	g.RMW(asm.CMOVL, g.R64(least), g.R64(far))
	g.RMW(asm.CMOVG, g.R64(greatest), g.R64(far))
	g.RMW(asm.ADD, g.R64(low), g.R64(least))
	g.RMW(asm.ADD, g.R64(high), g.R64(greatest))
}

// spanOf is a coefficient times the highest index, a register or a constant.
func (g *Scalars) spanOf(c *affine.Sym, last lir.Reg, most int64, bad int, from source) lir.Reg {
	if c.IsConst(1) && last != 0 {
		return last
	}
	if c.Kind == affine.Const && last != 0 && c.N == int64(int32(c.N)) {
		span := g.NewReg(lir.GPR)
		g.Def(asm.IMUL, g.R64(span), g.R64(last), lir.Imm(c.N))
		return span
	}
	cr := from(c)
	if !c.Within(-affine.CoefLimit, affine.CoefLimit) {
		g.bounded(cr, affine.CoefLimit, bad)
	}
	span := g.NewReg(lir.GPR)
	if last == 0 {
		g.Def(asm.IMUL, g.R64(span), g.R64(cr), lir.Imm(most))
		return span
	}
	g.Move64(span, cr)
	g.RMW(asm.IMUL, g.R64(span), g.R64(last))
	return span
}

// spread adds a span to the low end if it is negative, to the high end otherwise.
func (g *Scalars) spread(low, high, span lir.Reg, c *affine.Sym) {
	switch {
	case c.Lo >= 0:
		g.RMW(asm.ADD, g.R64(high), g.R64(span))
	case c.Hi <= 0:
		g.RMW(asm.ADD, g.R64(low), g.R64(span))
	default:
		sign := g.CopyInt(span)
		g.RMW(asm.SAR, g.R64(sign), lir.Imm(63))
		neg, pos := g.NewReg(lir.GPR), g.NewReg(lir.GPR)
		g.Def(asm.ANDN, g.R64(pos), g.R64(sign), g.R64(span))
		g.Move64(neg, span)
		g.RMW(asm.AND, g.R64(neg), g.R64(sign))
		g.RMW(asm.ADD, g.R64(low), g.R64(neg))
		g.RMW(asm.ADD, g.R64(high), g.R64(pos))
	}
}

// bounded jumps to bad unless -limit <= x < limit, for a power of two.
func (g *Scalars) bounded(x lir.Reg, limit int64, bad int) {
	t := g.CopyInt(x)
	g.RMW(asm.SAR, g.R64(t), lir.Imm(int64(lir.Log2(limit))))
	g.RMW(asm.ADD, g.R64(t), lir.Imm(1))
	g.Use(asm.CMP, g.R64(t), lir.Imm(1))
	g.Jump(asm.JA, bad) // t+1 is 0 or 1 for what is in range
}

// rangeArg is a limit as an operand of a comparison.
func (g *Scalars) rangeArg(n int64) lir.Arg {
	if n == int64(int32(n)) {
		return lir.Imm(n)
	}
	return g.R64(g.NewInt(n))
}

// Require makes the instance check that the conditions hold without which its boxes
// are not what its masks say, and gives it to the portable engine if not. It reports whether all can be checked.
func (g *Scalars) Require(conds []affine.Cond) bool {
	for _, c := range conds {
		key := c.Key()
		if g.required[key] {
			continue
		}
		checked, depth, ok := g.checkable(c)
		if !ok {
			return false
		}
		g.required[key] = true
		if g.cold != nil && depth == len(g.Enclosing)-1 && !c.Entry() { // to be checked again behind it
			g.cold.conds = append(g.cold.conds, key)
		}
		for _, c := range checked {
			if c.Entry() {
				at := g.Entry
				if holdsOrNot(c) {
					at = g.Once
				}
				g.Into(at, func() { g.CheckCond(c, g.Bail, g.entryReg) })
			} else {
				g.Into(g.Enclosing[depth], func() { g.CheckCond(c, g.Bail, g.SymReg) })
			}
		}
	}
	return true
}

// checkable is what is checked for a condition, in the scope of some depth: itself on entry if it is known then, or
// where it first is as long as the instance has done nothing yet that must not be done twice; else what makes it hold
// in all rounds of the loops around, ahead of them.
func (g *Scalars) checkable(c affine.Cond) (checked []affine.Cond, depth int, ok bool) {
	checked, depth, ok = []affine.Cond{c}, c.Depth(), true
	if g.Effects && !c.Entry() {
		checked, depth, ok = g.Forms.Outside(c, g.Around)
	}
	return checked, min(depth, len(g.Enclosing)-1), ok
}

// CheckCond jumps to bad unless a condition holds.
func (g *Scalars) CheckCond(c affine.Cond, bad int, from source) {
	if c.Below == nil {
		g.checkRange(c.Form, c.Shape, nil, g.rangeArg(c.Lo), g.rangeArg(c.Hi), bad, from)
		return
	}
	last := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(last), lir.Mem(from(c.Below), -1))
	g.checkRange(c.Form, c.Shape, nil, lir.Imm(0), g.R64(last), bad, from)
}

// CheckSingle jumps to bad unless an element lies below a word of its tensor's.
func CheckSingle(g *Scalars, f *affine.Form, word, bad int) {
	conds, narrow := without(f, ir.Shape{})
	at, before := OffsetReg(g, f.Start), g.Here()
	g.checkConds(conds, nil, bad)
	alone := g.Here() == before
	r := room{tensor: f.Base, word: word, narrow: narrow}
	compared := g.Use(asm.CMP, g.R64(at), lir.Frame(roomFor(g, r)).Sized(8)) // what is negative is above all
	g.Jump(asm.JAE, bad)
	if g.rounds != nil && alone && g.cold == nil {
		g.rounds.checks = append(g.rounds.checks, check{at: f.Start, room: r, code: [2]*lir.Inst{compared, g.Here()}})
	}
}

// without is the conditions of addresses of some shape, less those that no int32 wraps of which the addresses are made
// as they are: where all lie in a tensor's first 1<<31 elements, as then narrow says, none of these has.
func without(f *affine.Form, shape ir.Shape) (conds []affine.Cond, narrow bool) {
	for _, c := range f.Conds {
		if narrows := wraps(c) && c.Shape == shape && c.Form.Start == f.Start && c.Form.Coef == f.Coef; narrows {
			narrow = true
		} else {
			conds = append(conds, c)
		}
	}
	return conds, narrow
}

// wraps reports whether a condition is that an int32 does not wrap. Where it fails the instance may as well be left to
// the portable engine; remainders and quotients take another way again and again.
func wraps(c affine.Cond) bool {
	return c.Below == nil && c.Lo == math.MinInt32 && c.Hi == math.MaxInt32
}

// checkConds jumps to bad unless all hold; some have been checked here already, others are required.
func (g *Scalars) checkConds(conds, checked []affine.Cond, bad int) {
	for _, c := range conds {
		same := func(d affine.Cond) bool { return d.Key() == c.Key() }
		if g.required[c.Key()] || slices.ContainsFunc(checked, same) || wraps(c) && c.Entry() && g.Require([]affine.Cond{c}) {
			continue
		}
		g.CheckCond(c, bad, g.SymReg)
	}
}

// CheckAccess jumps to bad unless every active lane of v lies inside its tensor.
func (g *Scalars) CheckAccess(v *ir.Value, f *affine.Form, bad int) {
	mem := v.Memory()
	shape := mem.Ptr.Type.Shape
	var reach *extent
	var checked []affine.Cond
	var some func(empty int)
	empty, wrong := g.NewLabel(), bad
	if mem.Mask != nil {
		reach, checked, some = g.reach(mem.Mask, shape, bad)
	}
	if some != nil { // which is looked at where it matters
		bad = g.NewLabel()
	}
	conds, narrow := without(f, shape)
	g.checkConds(conds, checked, bad)
	low, r := g.SymReg(f.Start), room{tensor: f.Base, word: ArgSpan, narrow: narrow}
	if width, ok := widthOf(f, shape); ok && reach == nil { // what is negative is above all that is not
		r.width = width
		g.Use(asm.CMP, g.R64(low), lir.Frame(roomFor(g, r)).Sized(8))
		g.Jump(asm.JAE, bad)
	} else {
		r.last = true
		low = g.checkRange(f, shape, reach, lir.Imm(0), lir.Frame(roomFor(g, r)).Sized(8), bad, g.SymReg)
	}
	if v.Writes() {
		g.RunsOf(f.Base, bad).check(f, shape, reach, low)
	}
	if some != nil {
		g.Jump(asm.JMP, empty)
		g.BindCold(bad)
		some(empty)
		g.Jump(asm.JMP, wrong)
	}
	g.Bind(empty)
}

// reach is the box around the indices that a mask lets through, and what jumps to empty where there are none, nil if
// there are. What it takes for the box to be that is given as checked: where it is too late to be required it is
// checked here.
func (g *Scalars) reach(
	mask *ir.Value, shape ir.Shape, bad int,
) (z *extent, checked []affine.Cond, some func(empty int)) {
	b := affine.NewBoxes(g.Forms, func(affine.Cond) bool { return false }).Around(mask)
	if len(b.Atoms) == 0 {
		return nil, nil, nil
	}
	required := g.Require(b.Conds)
	for _, c := range b.Conds { // all scalars first: what is computed between jumps is not there on every way
		if !required {
			g.forceScalars(c.Form)
		}
	}
	var e extent
	var known [ir.MaxRank]bool // there are indices
	for i := range shape.N {
		first, end := g.Syms.Interval(b.Atoms, i, shape.D[i])
		if !end.IsConst(int64(shape.D[i])) {
			e.end[i] = g.SymReg(end)
		}
		if !first.IsConst(0) {
			e.from[i] = g.SymReg(first)
		}
		known[i] = g.Syms.Before(first, end) || e.from[i] == 0 && e.end[i] == 0
	}
	if !required {
		g.checkConds(b.Conds, nil, bad)
	}
	if !slices.Contains(known[:shape.N], false) {
		return &e, b.Conds, nil
	}
	return &e, b.Conds, func(empty int) { skipEmpty(g, &e, shape, known, empty) }
}

// skipEmpty jumps to empty if there are no indices along a dimension of which it is not known that there are.
func skipEmpty(g *Scalars, e *extent, shape ir.Shape, known [ir.MaxRank]bool, empty int) {
	for i := range shape.N {
		switch first, end := e.from[i], e.end[i]; {
		case known[i]:
		case first != 0 && end != 0:
			g.Use(asm.CMP, g.R64(end), g.R64(first))
			g.Jump(asm.JLE, empty)
		case first != 0:
			g.Use(asm.CMP, g.R64(first), lir.Imm(int64(shape.D[i])))
			g.Jump(asm.JGE, empty)
		case end != 0:
			g.Use(asm.TEST, g.R64(end), g.R64(end))
			g.Jump(asm.JLE, empty)
		}
	}
}

// ByColumns reports whether a store goes column by column, which are rows in memory. No two may have an element in
// common: the last lane's would not be stored last.
func ByColumns(g *Scalars, ptr, mask *ir.Value) bool {
	f, s := g.Forms.Of(ptr), ptr.Type.Shape
	if s.N != 2 || s.D[0] < g.Lanes || s.D[1] == 1 || !f.Falls() {
		return false
	}
	return Apart(g, ptr, mask, 0)
}

// Apart reports whether what a store's mask lets through of a matrix along a dimension, whose elements are contiguous,
// is no more than the other one's step, which is checked.
func Apart(g *Scalars, ptr, mask *ir.Value, dim int) bool {
	most, step := g.Syms.Constant(int64(ptr.Type.Shape.D[dim])), g.Forms.Of(ptr).Coef[1-dim]
	if step.Negated() { // what comes one ahead of the other
		step = g.Syms.Mul(step, g.Syms.Constant(-1))
	}
	if mask != nil {
		b := g.Boxes.Around(mask)
		if !g.Require(b.Conds) {
			return false
		}
		for _, a := range b.Atoms {
			if a.Dim == dim && a.Hi != nil && !a.All {
				most = g.Syms.Min(most, a.Hi)
			}
		}
	}
	return g.Require(g.Forms.NotLess(step, most))
}
