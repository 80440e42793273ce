package affine

import (
	"cmp"
	"math"
	"slices"

	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// An Index is a loop's: all that it is lies between From and Last, either of which may be the greater.
type Index struct {
	V          *ir.Value
	From, Last *Sym
}

// IndexOf is the index of a For.
func (s *Syms) IndexOf(v *ir.Value) Index {
	step := int64(1)
	if v.Index < 0 {
		step = -1
	}
	return Index{V: v.Blocks[0].Args[0], From: s.Value(v.Args[0]), Last: s.Add(s.Value(v.Args[1]), s.Constant(-step))}
}

// Bound says that the index of a For, which is not known yet, lies where its ends say, unless it may wrap beyond the last
// round: it does not where its end is that far from the greatest integer, or its beginning is mostRounds steps from it.
func (s *Syms) Bound(v *ir.Value) {
	from, to, step := s.Value(v.Args[0]), s.Value(v.Args[1]), int64(v.Index)
	if step <= 0 || to.Hi == math.MinInt64 {
		return
	}
	if to.Hi-1 <= math.MaxInt64-step || (math.MaxInt64-max(0, from.Hi))/step >= mostRounds {
		s.indices[v.Blocks[0].Args[0]] = Span{from.Lo, to.Hi - 1}
	}
}

// Know says that a scalar lies in lo ... hi. It has to be said before anything asks about the scalar.
func (s *Syms) Know(v *ir.Value, lo, hi int64) { s.indices[v] = Span{lo, hi} }

// Order says that a scalar is less than another one.
func (s *Syms) Order(x, y *ir.Value) { s.ordered[[2]*ir.Value{x, y}] = true }

// Before reports whether x is known to be less than y by what Order has been told.
func (s *Syms) Before(x, y *Sym) bool {
	return x.V != nil && y.V != nil && s.ordered[[2]*ir.Value{x.V, y.V}]
}

// mostRounds is more than a loop ever goes round: weeks, at one round a nanosecond.
const mostRounds = 1 << 50

// Bounds of an index and of its factor, within which what is linear in it does not wrap between two ends that do not.
const (
	indexLimit  = 1 << 40
	factorLimit = 1 << 20
)

// An Around is control flow whose code is being written.
type Around struct {
	V     *ir.Value
	Depth int  // the scope that it stands in
	Clean bool // the instance has done nothing before it that must not be done twice
}

// Outside is conditions that are checked in place of c outside of control flow, outermost first: where the instance can
// still begin again, or on entry. The depth is that of the scope where they are first known: they are checked ahead of
// whatever needs c, also in another branch. It is not ok where there are none known.
func (fs *Forms) Outside(c Cond, in []Around) (conds []Cond, depth int, ok bool) {
	conds = []Cond{c}
	for _, a := range slices.Backward(in) {
		if conds, ok = fs.outOf(a, conds); !ok {
			break
		}
		depth, entry := 0, true
		for _, c := range conds {
			if !c.Entry() {
				depth, entry = max(depth, c.Depth()), false
			}
		}
		if a.Clean || entry {
			return conds, depth, true
		}
	}
	return nil, 0, false
}

// outOf is conditions that can be checked before control flow, and with which others hold inside.
func (fs *Forms) outOf(a Around, conds []Cond) (out []Cond, ok bool) {
	for _, c := range conds {
		more := []Cond{c}
		if c.Depth() > a.Depth && !c.Entry() {
			if a.V.Op != ir.For || max(a.V.Index, -a.V.Index) > indexLimit { // so great a step wraps beyond the last round
				return nil, false
			}
			if more, ok = fs.Ahead(c, fs.IndexOf(a.V)); !ok {
				return nil, false
			}
		}
		out = append(out, more...)
	}
	return out, true
}

// Ahead is conditions that can be checked before a loop, and with which c holds in all of its rounds. It has none, and is
// not ok, where c depends on more than the index, or does not grow, or fall, with that all the way.
func (fs *Forms) Ahead(c Cond, i Index) (ahead []Cond, ok bool) {
	g := growing{Forms: fs, i: i}
	if c.Below != nil {
		return nil, false
	}
	if _, ok := g.direction(c.Form.Start); !ok {
		return nil, false
	}
	for _, end := range []*Sym{i.From, i.Last} {
		f := &Form{Ok: true, Base: c.Form.Base, Start: fs.With(c.Form.Start, i, end)}
		if f.Start == nil {
			return nil, false
		}
		for d, x := range c.Form.Coef {
			if x == nil {
				continue
			}
			if f.Coef[d] = fs.With(x, i, nil); f.Coef[d] == nil {
				return nil, false
			}
		}
		for _, x := range append(slices.Clip(g.parts), fs.Value(i.V)) {
			at := fs.With(x, i, end)
			if at == nil {
				return nil, false
			}
			ahead = append(ahead, fs.inRange(fs.uniform(at), ir.Shape{}, -indexLimit, indexLimit)...)
		}
		ahead = append(ahead, fs.inRange(f, c.Shape, c.Lo, c.Hi)...)
	}
	return ahead, true
}

// NotLess is the conditions for x to be y or more.
func (fs *Forms) NotLess(x, y *Sym) []Cond {
	return fs.inRange(fs.uniform(fs.Sub(x, y)), ir.Shape{}, 0, indexLimit)
}

// growing is for syms in a loop: its parts are operands of extrema, which must not wrap either, as an extremum may hide
// that they do.
type growing struct {
	*Forms
	i     Index
	parts []*Sym
}

// direction is 1 if x does not fall as the index grows, -1 if it does not grow, 0 if it stays. It is a sum of small
// constants times the index, or extrema of such, plus what does not change in the loop.
func (g *growing) direction(x *Sym) (sign int, ok bool) {
	growth := g.Growth(x, func(v *ir.Value) *Sym {
		switch {
		case v == g.i.V || v.Op == op.Cast && v.Args[0] == g.i.V:
			return g.Constant(1)
		case g.depth(v) < g.depth(g.i.V):
			return g.Constant(0)
		}
		return nil
	})
	switch {
	case growth != nil:
		return cmp.Compare(growth.N, 0), growth.Kind == Const && growth.Within(-factorLimit, factorLimit)
	case x.Kind == Value && x.V.Op == ir.Fits:
		return g.direction(g.Value(x.V.Args[0]))
	case x.Kind == Product && x.B.Kind == Const && x.B.Within(-factorLimit, factorLimit):
		sign, ok = g.direction(x.A)
		return sign * cmp.Compare(x.B.N, 0), ok
	case x.Kind == Sum, x.Kind == Min, x.Kind == Max:
		a, okA := g.direction(x.A)
		b, okB := g.direction(x.B)
		if x.Kind != Sum {
			g.parts = append(g.parts, x.A, x.B)
		}
		return cmp.Compare(a+b, 0), okA && okB && a*b >= 0
	}
	return 0, false
}

// With is x where the index is end; nil if x depends on something else in the loop. An integer that must fit is taken as
// it is: one that does not ends the program.
func (fs *Forms) With(x *Sym, i Index, end *Sym) *Sym {
	switch x.Kind {
	case Const:
		return x
	case Value:
		switch {
		case x.V == i.V:
			return end
		case x.V.Op == op.Cast && x.V.Args[0] == i.V:
			if end != nil && end.Within(math.MinInt32, math.MaxInt32) {
				return end
			}
			return nil
		case fs.depth(x.V) < fs.depth(i.V):
			return x
		case x.V.Op == ir.Fits:
			return fs.With(fs.Value(x.V.Args[0]), i, end)
		}
		return nil
	}
	a, b := fs.With(x.A, i, end), fs.With(x.B, i, end)
	switch {
	case a == nil || b == nil:
		return nil
	case x.Kind == Sum:
		return fs.Add(a, b)
	case x.Kind == Product:
		return fs.Mul(a, b)
	}
	return fs.extreme(x.Kind, a, b)
}
