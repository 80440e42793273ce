package affine

import (
	"math"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A Sym is an int64 scalar that the analysis of addresses and masks has put
// together: constants, scalar values of the Func, sums and products, all modulo
// 2^64. Equal syms are the same pointer.
type Sym struct {
	ID   int // numbers the syms of a Syms from 0 on
	Kind Kind
	N    int64
	V    *ir.Value
	A, B *Sym

	size   int  // of the expression when written out
	Depth  int  // scope in which it can be computed
	entry  bool // it depends on nothing but parameters and program ids
	Lo, Hi int64
}

// A Kind is what a Sym is made by.
type Kind uint8

const (
	Const Kind = iota
	Value
	Sum
	Product
	Min // signed minimum and maximum, for mask bounds
	Max
)

type symKey struct {
	kind Kind
	n    int64
	v    *ir.Value
	a, b *Sym
}

// Syms hash-conses syms and knows the scopes.
type Syms struct {
	table   map[symKey]*Sym
	values  map[*ir.Value]*Sym
	indices map[*ir.Value]Span // of loops, and what else is known
	ordered map[[2]*ir.Value]bool
	depth   func(v *ir.Value) int
}

// NewSyms makes syms for a Func whose values are defined in scopes of some depth.
func NewSyms(depth func(v *ir.Value) int) *Syms {
	return &Syms{map[symKey]*Sym{}, map[*ir.Value]*Sym{}, map[*ir.Value]Span{}, map[[2]*ir.Value]bool{}, depth}
}

// get is the sym of a key: x, if there is none yet.
func (s *Syms) get(k symKey, x Sym) *Sym {
	if have := s.table[k]; have != nil {
		return have
	}
	x.Kind, x.N, x.V, x.A, x.B, x.size = k.kind, k.n, k.v, k.a, k.b, 1
	if k.a != nil {
		x.size += k.a.size + k.b.size
	}
	x.ID = len(s.table)
	made := new(Sym)
	*made = x
	s.table[k] = made
	return made
}

func (s *Syms) Constant(n int64) *Sym {
	return s.get(symKey{kind: Const, n: n}, Sym{entry: true, Lo: n, Hi: n})
}

// Value is a scalar integer of the Func, taken apart where it is a sum or product.
func (s *Syms) Value(v *ir.Value) *Sym {
	x := s.values[v]
	if x == nil {
		if _, known := s.indices[v]; known {
			x = s.Leaf(v)
		} else if x = s.apart(v); x.size > maxSym {
			x = s.Leaf(v)
		}
		s.values[v] = x
	}
	return x
}

// maxSym bounds expressions, which are gone through as if nothing in them were shared:
// n = n + n, some twenty times, would be a million terms.
const maxSym = 500

func (s *Syms) apart(v *ir.Value) *Sym {
	if v.Type.D == dtype.Int64 {
		switch v.Op {
		case op.Const:
			return s.Constant(int64(v.Bits))
		case op.Add:
			return s.Add(s.Value(v.Args[0]), s.Value(v.Args[1]))
		case op.Sub:
			return s.Sub(s.Value(v.Args[0]), s.Value(v.Args[1]))
		case op.Mul:
			return s.Mul(s.Value(v.Args[0]), s.Value(v.Args[1]))
		case op.Minimum:
			return s.Min(s.Value(v.Args[0]), s.Value(v.Args[1]))
		case op.Maximum:
			return s.Max(s.Value(v.Args[0]), s.Value(v.Args[1]))
		}
	}
	switch {
	case v.Op == op.Const:
		return s.Constant(dtype.ToInt(v.Type.D, v.Bits))
	case v.Op == op.Cast && v.Type.D == dtype.Int32 && v.Args[0].Type.D == dtype.Int64:
		if x := s.Value(v.Args[0]); x.Within(math.MinInt32, math.MaxInt32) {
			return x
		}
	case v.Op == ir.Fits, v.Op == op.Cast && v.Type.D == dtype.Int64 && v.Args[0].Type.D == dtype.Int32:
		x := s.Value(v.Args[0])
		if v.Op == ir.Fits && v.Type.D == dtype.Int32 && (x.Lo < math.MinInt32 || x.Hi > math.MaxInt32) {
			break // as a leaf its range is known
		}
		return x
	}
	return s.Leaf(v)
}

func (s *Syms) Leaf(v *ir.Value) *Sym {
	z := spanOf(v, 0)
	x := Sym{Depth: s.depth(v), Lo: z.Lo, Hi: z.Hi}
	switch v.Op {
	case op.ProgramID, op.NumPrograms, ir.Param:
		x.entry = true
	case ir.Fits:
		of := s.Value(v.Args[0])
		x.entry, x.Lo, x.Hi = of.entry, max(x.Lo, of.Lo), min(x.Hi, of.Hi)
	case op.Where:
		if v.Type.D == dtype.Int32 || v.Type.D == dtype.Int64 {
			a, b := s.Value(v.Args[1]), s.Value(v.Args[2])
			x.Lo, x.Hi = max(x.Lo, min(a.Lo, b.Lo)), min(x.Hi, max(a.Hi, b.Hi))
		}
	}
	if z, ok := s.indices[v]; ok {
		x.Lo, x.Hi = max(x.Lo, z.Lo), min(x.Hi, z.Hi)
	}
	return s.get(symKey{kind: Value, v: v}, x)
}

func (s *Syms) Add(a, b *Sym) *Sym {
	switch {
	case a.Kind == Const && b.Kind == Const:
		return s.Constant(a.N + b.N)
	case a.Kind == Const:
		a, b = b, a
	}
	if b.Kind == Const {
		if b.N == 0 {
			return a
		}
		if a.Kind == Sum && a.B.Kind == Const {
			return s.Add(a.A, s.Constant(a.B.N+b.N))
		}
	}
	x := Sym{Depth: max(a.Depth, b.Depth), entry: a.entry && b.entry, Lo: clampAdd(a.Lo, b.Lo), Hi: clampAdd(a.Hi, b.Hi)}
	return s.get(symKey{kind: Sum, a: a, b: b}, x).unbounded()
}

// unbounded forgets a range of which an end may have wrapped.
func (x *Sym) unbounded() *Sym {
	if x.Lo == math.MinInt64 || x.Hi == math.MaxInt64 {
		x.Lo, x.Hi = math.MinInt64, math.MaxInt64
	}
	return x
}

func (s *Syms) Sub(a, b *Sym) *Sym {
	if a == b {
		return s.Constant(0)
	}
	return s.Add(a, s.Mul(b, s.Constant(-1)))
}

func (s *Syms) Mul(a, b *Sym) *Sym {
	switch {
	case a.Kind == Const && b.Kind == Const:
		return s.Constant(a.N * b.N)
	case a.Kind == Const:
		a, b = b, a
	}
	if b.Kind == Const {
		switch {
		case b.N == 0:
			return b
		case b.N == 1:
			return a
		case a.Kind == Product && a.B.Kind == Const:
			return s.Mul(a.A, s.Constant(a.B.N*b.N))
		case a.Kind == Sum:
			return s.Add(s.Mul(a.A, b), s.Mul(a.B, b))
		}
	}
	x := Sym{Depth: max(a.Depth, b.Depth), entry: a.entry && b.entry}
	x.Lo, x.Hi = mulRange(a, b)
	return s.get(symKey{kind: Product, a: a, b: b}, x).unbounded()
}

func (s *Syms) Min(a, b *Sym) *Sym { return s.extreme(Min, a, b) }
func (s *Syms) Max(a, b *Sym) *Sym { return s.extreme(Max, a, b) }

func (s *Syms) extreme(kind Kind, a, b *Sym) *Sym {
	if a == b {
		return a
	}
	pick := func(x, y int64) int64 {
		if kind == Min {
			return min(x, y)
		}
		return max(x, y)
	}
	if a.Kind == Const && b.Kind == Const {
		return s.Constant(pick(a.N, b.N))
	}
	// One side may always win.
	if kind == Min && a.Hi <= b.Lo || kind == Max && a.Lo >= b.Hi {
		return a
	}
	if kind == Min && b.Hi <= a.Lo || kind == Max && b.Lo >= a.Hi {
		return b
	}
	return s.get(symKey{kind: kind, a: a, b: b}, Sym{Depth: max(a.Depth, b.Depth), entry: a.entry && b.entry, Lo: pick(a.Lo, b.Lo), Hi: pick(a.Hi, b.Hi)})
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

func mulRange(a, b *Sym) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, x := range []int64{a.Lo, a.Hi} {
		for _, y := range []int64{b.Lo, b.Hi} {
			if p := float64(x) * float64(y); math.Abs(p) > 1<<62 {
				return math.MinInt64, math.MaxInt64
			}
			lo, hi = min(lo, x*y), max(hi, x*y)
		}
	}
	return lo, hi
}

// IsConst reports whether x is the constant n.
func (x *Sym) IsConst(n int64) bool { return x.Kind == Const && x.N == n }

// Negated reports whether x is a negative constant, or a product with one.
func (x *Sym) Negated() bool {
	return x.Kind == Const && x.N < 0 || x.Kind == Product && x.B.Kind == Const && x.B.N < 0
}

// Within reports whether x is known to be in lo ... hi.
func (x *Sym) Within(lo, hi int64) bool { return x.Lo >= lo && x.Hi <= hi }

// Growth is how much a sym grows where its values grow by step; nil is unknown.
func (s *Syms) Growth(x *Sym, step func(v *ir.Value) *Sym) *Sym {
	switch x.Kind {
	case Const:
		return s.Constant(0)
	case Value:
		if x.V.Op == ir.Fits {
			return s.Growth(s.Value(x.V.Args[0]), step)
		}
		return step(x.V)
	}
	a, b := s.Growth(x.A, step), s.Growth(x.B, step)
	switch {
	case a == nil || b == nil:
		return nil
	case a.IsConst(0) && b.IsConst(0):
		return a
	case x.Kind == Sum:
		return s.Add(a, b)
	case x.Kind == Product && b.IsConst(0):
		return s.Mul(a, x.B)
	case x.Kind == Product && a.IsConst(0):
		return s.Mul(b, x.A)
	}
	return nil
}

// InstanceStep is how much a value grows from one instance to the next.
func (s *Syms) InstanceStep(v *ir.Value) *Sym {
	switch {
	case v.Op == op.ProgramID && v.Index == 0:
		return s.Constant(1)
	case v.Op == op.ProgramID, v.Op == ir.Param, v.Op == op.NumPrograms:
		return s.Constant(0)
	}
	return nil
}
