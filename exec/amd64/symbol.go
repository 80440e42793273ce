package amd64

import (
	"math"

	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A sym is an int64 scalar that the analysis of addresses and masks has put
// together: constants, scalar values of the Func, sums and products, all modulo
// 2^64. Equal syms are the same pointer. Code for one is written when it is first
// needed, in the outermost scope where its parts exist, which takes address
// arithmetic out of loops.
type sym struct {
	kind symKind
	n    int64
	v    *ir.Value
	a, b *sym

	size   int  // of the expression when written out
	depth  int  // scope in which it can be computed
	entry  bool // it depends on nothing but parameters and program ids
	lo, hi int64
	reg    reg
}

type symKind uint8

const (
	symConst symKind = iota
	symValue
	symAdd
	symMul
	symMin // signed minimum and maximum, for mask bounds
	symMax
)

type symKey struct {
	kind symKind
	n    int64
	v    *ir.Value
	a, b *sym
}

// syms hash-conses syms and knows the scopes.
type syms struct {
	table  map[symKey]*sym
	values map[*ir.Value]*sym
	depth  func(v *ir.Value) int
}

// get is the sym of a key: x, if there is none yet.
func (s *syms) get(k symKey, x sym) *sym {
	if have := s.table[k]; have != nil {
		return have
	}
	x.kind, x.n, x.v, x.a, x.b, x.size = k.kind, k.n, k.v, k.a, k.b, 1
	if k.a != nil {
		x.size += k.a.size + k.b.size
	}
	made := new(sym)
	*made = x
	s.table[k] = made
	return made
}

func (s *syms) constant(n int64) *sym {
	return s.get(symKey{kind: symConst, n: n}, sym{entry: true, lo: n, hi: n})
}

// value is a scalar integer of the Func, taken apart where it is a sum or product.
func (s *syms) value(v *ir.Value) *sym {
	x := s.values[v]
	if x == nil {
		if x = s.apart(v); x.size > maxSym {
			x = s.leaf(v)
		}
		s.values[v] = x
	}
	return x
}

// maxSym bounds expressions, which are gone through as if nothing in them were shared:
// n = n + n, some twenty times, would be a million terms.
const maxSym = 500

func (s *syms) apart(v *ir.Value) *sym {
	if v.Type.D == dtype.Int64 {
		switch v.Op {
		case op.Const:
			return s.constant(int64(v.Bits))
		case op.Add:
			return s.add(s.value(v.Args[0]), s.value(v.Args[1]))
		case op.Sub:
			return s.sub(s.value(v.Args[0]), s.value(v.Args[1]))
		case op.Mul:
			return s.mul(s.value(v.Args[0]), s.value(v.Args[1]))
		}
	}
	switch {
	case v.Op == op.Const:
		return s.constant(dtype.ToInt(v.Type.D, v.Bits))
	case v.Op == ir.Fits, v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32:
		x := s.value(v.Args[0])
		if v.Op == ir.Fits && v.Type.D == dtype.Int32 && (x.lo < math.MinInt32 || x.hi > math.MaxInt32) {
			break // as a leaf its range is known
		}
		return x
	}
	return s.leaf(v)
}

func (s *syms) leaf(v *ir.Value) *sym {
	x := sym{depth: s.depth(v), lo: math.MinInt64, hi: math.MaxInt64}
	switch {
	case v.Op == op.ProgramID || v.Op == op.NumPrograms:
		x.entry, x.lo, x.hi = true, 0, math.MaxInt32
	case v.Op == ir.Param:
		x.entry = true
	case v.Op == ir.Fits:
		x.entry = s.value(v.Args[0]).entry
	}
	if d := v.Type.D; d.IsInt() && d.Bits() < 64 {
		x.lo, x.hi = d.MinInt(), int64(d.MaxInt())
	}
	return s.get(symKey{kind: symValue, v: v}, x)
}

func (s *syms) add(a, b *sym) *sym {
	switch {
	case a.kind == symConst && b.kind == symConst:
		return s.constant(a.n + b.n)
	case a.kind == symConst:
		a, b = b, a
	}
	if b.kind == symConst {
		if b.n == 0 {
			return a
		}
		if a.kind == symAdd && a.b.kind == symConst {
			return s.add(a.a, s.constant(a.b.n+b.n))
		}
	}
	x := sym{depth: max(a.depth, b.depth), entry: a.entry && b.entry, lo: clampAdd(a.lo, b.lo), hi: clampAdd(a.hi, b.hi)}
	return s.get(symKey{kind: symAdd, a: a, b: b}, x).unbounded()
}

// unbounded forgets a range of which an end may have wrapped.
func (x *sym) unbounded() *sym {
	if x.lo == math.MinInt64 || x.hi == math.MaxInt64 {
		x.lo, x.hi = math.MinInt64, math.MaxInt64
	}
	return x
}

func (s *syms) sub(a, b *sym) *sym {
	if a == b {
		return s.constant(0)
	}
	return s.add(a, s.mul(b, s.constant(-1)))
}

func (s *syms) mul(a, b *sym) *sym {
	switch {
	case a.kind == symConst && b.kind == symConst:
		return s.constant(a.n * b.n)
	case a.kind == symConst:
		a, b = b, a
	}
	if b.kind == symConst {
		switch {
		case b.n == 0:
			return b
		case b.n == 1:
			return a
		case a.kind == symMul && a.b.kind == symConst:
			return s.mul(a.a, s.constant(a.b.n*b.n))
		case a.kind == symAdd:
			return s.add(s.mul(a.a, b), s.mul(a.b, b))
		}
	}
	x := sym{depth: max(a.depth, b.depth), entry: a.entry && b.entry}
	x.lo, x.hi = mulRange(a, b)
	return s.get(symKey{kind: symMul, a: a, b: b}, x).unbounded()
}

func (s *syms) min(a, b *sym) *sym { return s.extreme(symMin, a, b) }
func (s *syms) max(a, b *sym) *sym { return s.extreme(symMax, a, b) }

func (s *syms) extreme(kind symKind, a, b *sym) *sym {
	if a == b {
		return a
	}
	pick := func(x, y int64) int64 {
		if kind == symMin {
			return min(x, y)
		}
		return max(x, y)
	}
	if a.kind == symConst && b.kind == symConst {
		return s.constant(pick(a.n, b.n))
	}
	// One side may always win.
	if kind == symMin && a.hi <= b.lo || kind == symMax && a.lo >= b.hi {
		return a
	}
	if kind == symMin && b.hi <= a.lo || kind == symMax && b.lo >= a.hi {
		return b
	}
	return s.get(symKey{kind: kind, a: a, b: b}, sym{depth: max(a.depth, b.depth), entry: a.entry && b.entry, lo: pick(a.lo, b.lo), hi: pick(a.hi, b.hi)})
}

func clampAdd(x, y int64) int64 {
	z := x + y
	switch {
	case x > 0 && y > 0 && z < 0:
		return math.MaxInt64
	case x < 0 && y < 0 && z >= 0:
		return math.MinInt64
	}
	return z
}

func mulRange(a, b *sym) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			if p := float64(x) * float64(y); math.Abs(p) > 1<<62 {
				return math.MinInt64, math.MaxInt64
			}
			lo, hi = min(lo, x*y), max(hi, x*y)
		}
	}
	return lo, hi
}

// isConst reports whether x is the constant n.
func (x *sym) isConst(n int64) bool { return x.kind == symConst && x.n == n }

// within reports whether x is known to be in lo ... hi.
func (x *sym) within(lo, hi int64) bool { return x.lo >= lo && x.hi <= hi }

// symReg is the general register that holds x, computed where it first can be.
func (g *gen) symReg(x *sym) reg {
	if x.reg != 0 {
		return x.reg
	}
	if x.kind == symValue {
		return g.intReg(x.v)
	}
	g.at(x.depth, func() { x.reg = g.computeSym(x) })
	if g.cold != nil && x.depth == len(g.scopes)-1 {
		g.cold.syms = append(g.cold.syms, x)
	}
	return x.reg
}

func (g *gen) computeSym(x *sym) reg {
	switch x.kind {
	case symConst:
		return g.newInt(x.n)
	case symAdd:
		if x.b.kind == symConst && x.b.n == int64(int32(x.b.n)) {
			r := g.newReg(gpr)
			g.def(asm.LEA, g.r64(r), mem(g.symReg(x.a), int(x.b.n)))
			return r
		}
		for _, t := range [][2]*sym{{x.a, x.b}, {x.b, x.a}} {
			if t[1].kind == symMul && t[1].b.isConst(-1) {
				return g.binInt(asm.SUB, g.symReg(t[0]), g.r64(g.symReg(t[1].a)))
			}
		}
		r := g.newReg(gpr)
		g.def(asm.LEA, g.r64(r), memIndex(g.symReg(x.a), g.symReg(x.b), 1, 0))
		return r
	case symMul:
		return g.mulSym(x)
	}
	if x.a.kind == symConst {
		x.a, x.b = x.b, x.a // an extremum is the same either way round
	}
	a, b := g.symReg(x.a), g.symArg(x.b)
	r := g.newReg(gpr)
	g.move(r, b)
	g.use(asm.CMP, g.r64(a), b)
	if x.kind == symMin {
		g.rmw(asm.CMOVL, g.r64(r), g.r64(a))
	} else {
		g.rmw(asm.CMOVG, g.r64(r), g.r64(a))
	}
	return r
}

func (g *gen) mulSym(x *sym) reg {
	a := g.symReg(x.a)
	r := g.newReg(gpr)
	switch n := x.b.n; {
	case x.b.kind != symConst:
		g.move64(r, a)
		g.rmw(asm.IMUL, g.r64(r), g.r64(g.symReg(x.b)))
	case n == -1:
		g.move64(r, a)
		g.rmw(asm.NEG, g.r64(r))
	case n > 0 && n&(n-1) == 0:
		g.move64(r, a)
		g.rmw(asm.SHL, g.r64(r), imm(int64(log2(n))))
	case n == int64(int32(n)):
		g.def(asm.IMUL, g.r64(r), g.r64(a), imm(n))
	default:
		g.setImm(r, n)
		g.rmw(asm.IMUL, g.r64(r), g.r64(a))
	}
	return r
}

func log2(n int64) int {
	k := 0
	for n > 1 {
		n >>= 1
		k++
	}
	return k
}

// symArg is x as an operand: a constant that fits 32 bits, or its register.
func (g *gen) symArg(x *sym) arg {
	if x.kind == symConst && x.n == int64(int32(x.n)) {
		return imm(x.n)
	}
	return g.r64(g.symReg(x))
}
