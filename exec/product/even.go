package product

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// A launch looks at the first rounds of the product's loop and at the last. They speak for all others only if
// everything in addresses and masks moves evenly, and no narrow integer among it wraps.

// A turn is how a scalar goes on from round to round of the loop.
type turn int

const (
	still  turn = iota // it stays as it is
	even               // by the same in each round
	uneven             // anyhow
)

// product is the turn of a product.
func (x turn) product(y turn) turn { return min(x+y, uneven) }

// evenly checks that addresses and masks of the loop move evenly, and notes what must not wrap.
func (m *finder) evenly() bool {
	t := &turns{m: m.Match, loop: m.loop.Blocks[0], of: map[*ir.Value]turn{}}
	ok := true
	for _, o := range []*Operand{&m.A, &m.B} {
		for _, f := range o.allForms() {
			ok = ok && t.form(f)
		}
		for _, a := range o.mask {
			most := even
			if a.Hi != nil && a.Dim != o.k {
				most = still
			}
			ok = ok && t.limit(a) <= most
		}
		for _, cs := range o.allConds() {
			for _, c := range cs {
				ok = ok && t.form(c.Form) && (c.Below == nil || t.sym(c.Below) == still)
			}
		}
	}
	return ok
}

// turns finds them.
type turns struct {
	m    *Match
	loop *ir.Block // the loop's
	of   map[*ir.Value]turn
}

func (t *turns) form(f *affine.Form) bool {
	for _, c := range f.Coef {
		if c != nil && t.sym(c) != still {
			return false
		}
	}
	return t.sym(f.Start) <= even
}

func (t *turns) limit(a affine.Atom) turn {
	if a.Hi != nil {
		return t.sym(a.Hi)
	}
	return t.sym(a.Lo)
}

func (t *turns) sym(x *affine.Sym) turn {
	switch x.Kind {
	case affine.Const:
		return still
	case affine.Value:
		return t.value(x.V)
	case affine.Sum:
		return max(t.sym(x.A), t.sym(x.B))
	case affine.Product:
		return t.sym(x.A).product(t.sym(x.B))
	}
	if t.sym(x.A) == still && t.sym(x.B) == still {
		return still
	}
	return uneven
}

func (t *turns) value(v *ir.Value) turn {
	x, known := t.of[v]
	if !known {
		if x = t.find(v); x == even && (v.Type.D.Bits() < 64 || v.Op == ir.Fits) {
			t.m.narrow = append(t.m.narrow, v)
		}
		t.of[v] = x
	}
	return x
}

func (t *turns) find(v *ir.Value) turn {
	for i, a := range t.loop.Args {
		switch {
		case a != v:
		case i == 0 || t.advances(t.loop.Term().Args[i-1], a):
			return even
		default:
			return uneven
		}
	}
	if !t.inside(v) {
		return still
	}
	most := still
	for _, a := range v.Args {
		x := t.value(a)
		if v.Op == op.Mul {
			most = most.product(x)
		}
		most = max(most, x)
	}
	switch {
	case most == still && v.Op != op.Load:
		return still
	case v.Op == op.Add || v.Op == op.Sub || v.Op == op.Mul || v.Op == op.Neg || v.Op == ir.Fits,
		v.Op == op.Cast && v.Type.D.IsInt() && v.Args[0].Type.D.IsInt():
		return most
	}
	return uneven
}

// advances reports whether y is a and what stays as it is.
func (t *turns) advances(y, a *ir.Value) bool {
	switch {
	case y == a:
		return true
	case y.Op == op.Add && t.inside(y):
		x, z := y.Args[0], y.Args[1]
		return t.advances(x, a) && t.value(z) == still || t.advances(z, a) && t.value(x) == still
	case y.Op == op.Sub && t.inside(y):
		return t.advances(y.Args[0], a) && t.value(y.Args[1]) == still
	}
	return false
}

func (t *turns) inside(v *ir.Value) bool {
	for _, w := range t.loop.Values {
		if w == v {
			return true
		}
	}
	return false
}

// narrowHolds checks that in a loop of so many rounds nothing narrow wraps, and no mask begins later.
func (p *planning) narrowHolds(trips int64) {
	m, e := p.m, p.e
	if trips < 3 {
		return
	}
	first, step := make([]int64, len(m.narrow)), make([]int64, len(m.narrow))
	p.lastRound(0)
	for i, v := range m.narrow {
		first[i] = e.Value(v)
	}
	p.lastRound(1)
	for i, v := range m.narrow {
		step[i] = e.Value(v) - first[i]
	}
	p.lastRound(trips - 1)
	for i, v := range m.narrow {
		x := e.Value(v)
		e.Failed = e.Failed || x != first[i]+(trips-1)*step[i] || !v.Type.D.FitsInt(x)
	}
	for _, o := range []*Operand{&m.A, &m.B} {
		for dim := range 2 {
			o.limit(e, dim, 0)
		}
	}
	e.DropLocals()
	e.Forget()
}
