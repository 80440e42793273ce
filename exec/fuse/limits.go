package fuse

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// CommonLimits is the box outside of which all of several values are padding, one value for each row, unless they are
// free: they do not vary along the inner dimension. Box is what a mask is false outside of.
func CommonLimits(vs []*ir.Value, m affine.Axes, varies func(*ir.Value, affine.Axes) bool,
	box func(mask *ir.Value, m affine.Axes) []affine.Atom) (atoms []affine.Atom, free bool) {
	z := (&limits{varies, box, map[Read]limited{}}).common(vs, m)
	return z.atoms, z.free
}

// limits looks for such boxes. A value that is used again and again is looked at once, as there may be 2^n ways to it
// through n others.
type limits struct {
	varies func(v *ir.Value, m affine.Axes) bool
	box    func(mask *ir.Value, m affine.Axes) []affine.Atom
	known  map[Read]limited
}

// limited is a value's limits; one that is free has none of its own.
type limited struct {
	atoms []affine.Atom
	free  bool
}

func (l *limits) common(vs []*ir.Value, m affine.Axes) limited {
	z := limited{free: true}
	for _, v := range vs {
		a := l.of(v, m)
		switch {
		case a.free:
		case z.free:
			z = a
		default:
			z.atoms = affine.Intersect(z.atoms, a.atoms)
		}
	}
	return z
}

func (l *limits) of(v *ir.Value, m affine.Axes) limited {
	z, ok := l.known[Read{v, m}]
	if !ok {
		z = l.find(v, m)
		l.known[Read{v, m}] = z
	}
	return z
}

func (l *limits) find(v *ir.Value, m affine.Axes) limited {
	if !l.varies(v, m) {
		return limited{free: true}
	}
	switch {
	case v.Op == op.Load:
		mem := v.Memory()
		if mem.Mask == nil {
			return limited{}
		}
		a := l.box(mem.Mask, m)
		if len(a) == 0 || mem.Other == nil {
			return limited{atoms: a}
		}
		return l.within(a, mem.Other, m)
	case !Lazy(v) && !divides(v) || v.Op == op.Arange || v.Op == ir.Swizzle:
		return limited{}
	case ir.Family(v.Op) == op.Shape:
		return l.of(v.Args[0], affine.Through(v, m))
	case v.Op == op.Where:
		if a := l.box(v.Args[0], m); len(a) > 0 {
			return l.within(a, v.Args[2], m)
		}
	case IsMask(v):
		if a := l.box(v, m); len(a) > 0 {
			return limited{atoms: a}
		}
	}
	return l.common(v.Args, m)
}

// divides reports whether v is a quotient or a remainder that fails for a divisor of 0: once that was looked at, its
// lanes are made of its operands' as those of any other.
func divides(v *ir.Value) bool {
	return (v.Op == op.FloorDiv || v.Op == op.Mod) && v.Type.IsTile() && v.CanFail()
}

// IsMask reports whether v is conditions that all must hold: outside of a box around them it is false.
func IsMask(v *ir.Value) bool { return v.Op == op.And && v.Type.D == dtype.Bool }

// within is the atoms outside of which a box's lanes are v's, and these padding.
func (l *limits) within(box []affine.Atom, v *ir.Value, m affine.Axes) limited {
	z := l.of(v, m)
	if z.free {
		return limited{atoms: box}
	}
	return limited{atoms: affine.Intersect(box, z.atoms)}
}
