// Package reach says where loads of tiles may read, whatever numbers other loads find: by spans of integers, from
// those of scalars on.
package reach

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

type span = affine.Span

// far bounds integers whose sums do not wrap.
const far = 1 << 60

// A Reach knows where the scalars of a launch lie.
type Reach struct {
	scalar func(v *ir.Value) (z affine.Span, ok bool)
	known  map[read]span
	limits map[read]span // what a mask lets through
}

// A read is a value as dimensions of a load read it.
type read struct {
	v *ir.Value
	x affine.Axes
}

// New is the Reach in a launch some of whose scalar integers lie where a function says.
func New(scalar func(v *ir.Value) (z affine.Span, ok bool)) *Reach { return &Reach{scalar: scalar} }

// Inside reports whether a load reads nothing but the first n elements of its tensor.
func (r *Reach) Inside(load *ir.Value, n int64) bool {
	mem := load.Memory()
	x := affine.Identity(load.Type.Shape)
	r.known, r.limits = map[read]span{}, map[read]span{}
	if mem.Mask != nil {
		r.under(mem.Mask, x)
		r.known = map[read]span{}
	}
	for _, z := range r.limits {
		if z.Lo > z.Hi {
			return true // the mask lets nothing through
		}
	}
	z, ok := r.offset(mem.Ptr, x)
	return ok && z.Lo >= 0 && z.Hi < n
}

// Of is where the integers of a scalar or tile lie.
func (r *Reach) Of(v *ir.Value) affine.Span {
	r.known, r.limits = map[read]span{}, nil
	return r.of(v, affine.Identity(v.Type.Shape))
}

// offset is where a pointer points to, counted from its parameter.
func (r *Reach) offset(p *ir.Value, x affine.Axes) (z span, ok bool) {
	for ; p.Op != ir.Param; p = p.Args[0] {
		switch {
		case p.Op == ir.PtrAdd:
			by := r.of(p.Args[1], x)
			z.Lo, z.Hi = z.Lo+by.Lo, z.Hi+by.Hi
			if !near(by) || !near(z) {
				return z, false
			}
		case ir.Family(p.Op) == op.Shape && len(p.Args) == 1:
			x = through(p, x)
		default:
			return z, false
		}
	}
	return z, true
}

func near(z span) bool { return z.Lo > -far && z.Hi < far }

// nowhere is the Axes of what is read in an order that is not known.
var nowhere = affine.Axes{math.MinInt8}

// through is how the operand of any op is read.
func through(v *ir.Value, x affine.Axes) affine.Axes {
	if ir.Family(v.Op) != op.Shape || x == nowhere {
		return x
	}
	if _, ok := affine.DimMap(v); !ok {
		return nowhere
	}
	return affine.Through(v, x)
}

// of is where v's elements lie.
func (r *Reach) of(v *ir.Value, x affine.Axes) span {
	z, known := r.known[read{v, x}]
	if !known {
		z = r.find(v, x)
		most, ok := r.limits[read{v, x}]
		if most = cut(z, most); ok && most.Lo <= most.Hi {
			z = most
		}
		r.known[read{v, x}] = z
	}
	return z
}

func cut(x, y span) span { return span{Lo: max(x.Lo, y.Lo), Hi: min(x.Hi, y.Hi)} }

func (r *Reach) find(v *ir.Value, x affine.Axes) (z span) {
	all := affine.SpanOfType(v.Type.D)
	if d := v.Type.D; !d.IsInt() || d == dtype.Bool || d.Bits() == 64 && d != dtype.Int64 {
		return all
	}
	if !v.Type.IsTile() {
		if z, ok := r.scalar(v); ok {
			return z
		}
	}
	of := func(i int) span { return r.of(v.Args[i], through(v, x)) }
	ok := false
	switch {
	case v.Op == op.Mul:
		z, ok = product(of(0), of(1))
	case v.Op == ir.Fits:
		z, ok = of(0), true
	default:
		z, ok = affine.Computed(v, of)
	}
	if ok && z.Lo >= all.Lo && z.Hi <= all.Hi {
		return z
	}
	return all
}

// product is where products lie.
func product(x, y span) (z span, ok bool) {
	most := func(z span) float64 { return max(-float64(z.Lo), float64(z.Hi)) }
	if most(x)*most(y) >= far {
		return z, false
	}
	a, b, c, d := x.Lo*y.Lo, x.Lo*y.Hi, x.Hi*y.Lo, x.Hi*y.Hi
	return span{Lo: min(a, b, c, d), Hi: max(a, b, c, d)}, true
}

// under notes what holds where a mask lets elements through.
func (r *Reach) under(mask *ir.Value, x affine.Axes) {
	switch {
	case mask.Op == op.And:
		r.under(mask.Args[0], x)
		r.under(mask.Args[1], x)
	case ir.Family(mask.Op) == op.Shape && len(mask.Args) == 1:
		r.under(mask.Args[0], through(mask, x))
	case mask.Op == op.Lt || mask.Op == op.Le || mask.Op == op.Gt || mask.Op == op.Ge:
		less, more, apart := mask.Args[0], mask.Args[1], int64(0)
		if mask.Op == op.Gt || mask.Op == op.Ge {
			less, more = more, less
		}
		if mask.Op == op.Lt || mask.Op == op.Gt {
			apart = 1
		}
		if a, b := r.of(less, x), r.of(more, x); less.Type.D.IsInt() && near(a) && near(b) {
			r.limit(less, x, span{Lo: a.Lo, Hi: b.Hi - apart})
			r.limit(more, x, span{Lo: a.Lo + apart, Hi: b.Hi})
		}
	}
}

// limit notes that v's elements lie in a span, and so what they are made of.
func (r *Reach) limit(v *ir.Value, x affine.Axes, to span) {
	have := r.of(v, x)
	if !v.Type.IsTile() || x == nowhere || !near(have) {
		return
	}
	to = cut(have, to)
	if most, ok := r.limits[read{v, x}]; ok {
		to = cut(to, most)
	}
	r.limits[read{v, x}] = to
	all := affine.SpanOfType(v.Type.D)
	fits := func(z span) bool { return near(z) && z.Lo >= all.Lo && z.Hi <= all.Hi }
	switch {
	case ir.Family(v.Op) == op.Shape && len(v.Args) == 1,
		v.Op == op.Cast && v.Args[0].Type.D.IsInt() && fits(r.of(v.Args[0], x)):
		r.limit(v.Args[0], through(v, x), to)
	case v.Op == op.Add:
		a, b := r.of(v.Args[0], x), r.of(v.Args[1], x)
		if near(a) && near(b) && fits(span{Lo: a.Lo + b.Lo, Hi: a.Hi + b.Hi}) {
			r.limit(v.Args[0], x, span{Lo: to.Lo - b.Hi, Hi: to.Hi - b.Lo})
			r.limit(v.Args[1], x, span{Lo: to.Lo - a.Hi, Hi: to.Hi - a.Lo})
		}
	}
}
