// Package units takes dimensions of one element out of tiles.
package units

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// minLine is how long a row is at least that is divided.
const minLine = 64

// Run reports whether it has changed f. Where elements of a tile of one row are numbered through rows by division, as
// of a block, tiles of one row become blocks, and those of one element scalars: runs are of blocks. Those that are
// reduced, multiplied and so on keep their shape.
func Run(f *ir.Func) bool {
	if !divides(f) {
		return false
	}
	s := &squeezer{f: f, was: map[*ir.Value]ir.Type{}}
	f.Values(s.choose)
	s.block(f.Body, nil)
	return true
}

// divides reports whether a tile of one row is divided by a number.
func divides(f *ir.Func) (yes bool) {
	f.Values(func(v *ir.Value) {
		if (v.Op == op.FloorDiv || v.Op == op.Mod) && v.Type.D.IsInt() && v.Type.Shape.N > 1 {
			n, ok := squeezed(v.Type)
			yes = yes || ok && n.Shape.Len() >= minLine && affine.Repeated(v.Args[1]) != nil
		}
	})
	return yes
}

// squeezed is a type without dimensions of one element, if there is one dimension beside them or none.
func squeezed(t ir.Type) (z ir.Type, ok bool) {
	z = t.Elem()
	for _, n := range t.Shape.D[:t.Shape.N] {
		if n > 1 && z.IsTile() {
			return t, false
		}
		if n > 1 {
			z.Shape = ir.ShapeOf(n)
		}
	}
	return z, true
}

// A squeezer gives values types without dimensions of one element.
type squeezer struct {
	f   *ir.Func
	was map[*ir.Value]ir.Type // by the values that it changes
	out []*ir.Value
}

// choose changes the type of what is computed lane by lane, loaded and stored. Tiles of one element become scalars only
// if all that they are computed of does.
func (s *squeezer) choose(v *ir.Value) {
	t := v.Type
	switch {
	case v.Op == ir.For:
		s.carry(v)
		return
	case v.Op == ir.Result && v.Args[0].Op == ir.For && v.Args[0].Results[v.Index] != t:
		s.was[v], v.Type = t, v.Args[0].Results[v.Index]
		return
	case v.Op == op.None: // an argument of a block
		return
	}
	if v.Op == op.Store {
		t = v.Args[0].Type
		if z, ok := s.was[v.Args[0]]; ok {
			t = z
		}
	}
	z, ok := squeezed(t)
	family := ir.Family(v.Op)
	switch {
	case !ok || !t.IsTile() || z == t:
		return
	case v.Op == op.Arange && !z.IsTile():
		v.Op, v.Bits = op.Const, dtype.FromInt(t.D, int64(v.Index), false)
		v.Index = 0
	case family == op.Elementwise, family == op.Change, v.Op == ir.PtrAdd, v.IsMemory():
	case v.Op == op.Broadcast, v.Op == op.Reshape, v.Op == op.Permute:
		if x, ok := squeezed(v.Args[0].Type); !ok || x.Shape != z.Shape && x.IsTile() {
			return
		}
	default:
		return
	}
	for _, a := range v.Args {
		if _, ok := s.was[a]; !z.IsTile() && a.Type.IsTile() && !ok {
			return
		}
	}
	s.was[v] = t
	if v.Op != op.Store {
		v.Type = z
	}
}

// carry changes the types of blocks that a For carries.
func (s *squeezer) carry(v *ir.Value) {
	for k, t := range v.Results {
		if z, ok := squeezed(t); ok && z.IsTile() && z != t {
			v.Results[k] = z
			x := v.Blocks[0].Args[1+k]
			s.was[x], x.Type = t, z
		}
	}
}

// block writes shape changes where a value and what it is computed of have different dimensions.
func (s *squeezer) block(b *ir.Block, owner *ir.Value) {
	outer := s.out
	s.out = make([]*ir.Value, 0, len(b.Values))
	for _, v := range b.Values {
		for i, a := range v.Args {
			v.Args[i] = s.fit(v, a, s.wanted(v, i, owner))
		}
		if _, chosen := s.was[v]; chosen && (v.Op == op.Permute || v.Op == op.Reshape) {
			v.Op, v.Axes = reshaping(v.Args[0]), nil
		}
		for _, inner := range v.Blocks {
			s.block(inner, v)
		}
		s.out = append(s.out, v)
	}
	b.Values = s.out
	s.out = outer
}

// wanted is the type that an operand is to have.
func (s *squeezer) wanted(v *ir.Value, i int, owner *ir.Value) ir.Type {
	a := v.Args[i]
	t, other := s.was[a]
	_, chosen := s.was[v]
	switch {
	case v.Op == ir.Yield && owner.Op == ir.For:
		return owner.Results[i]
	case v.Op == ir.For && i >= 2:
		return v.Results[i-2]
	case chosen && !other && a.Type.IsTile():
		return ir.Type{D: a.Type.D, Shape: ir.ShapeOf(a.Type.Shape.Len())}
	case !chosen && other:
		return t
	}
	return a.Type
}

// reshaping is the op that gives a tile, or a scalar, as many elements in another shape.
func reshaping(x *ir.Value) op.Op {
	if x.Type.IsTile() {
		return op.Reshape
	}
	return op.Broadcast
}

// fit is x with a type of as many elements.
func (s *squeezer) fit(at, x *ir.Value, t ir.Type) *ir.Value {
	if x.Type == t {
		return x
	}
	v := s.f.NewValue(reshaping(x), t, at.Pos, x)
	s.out = append(s.out, v)
	return v
}
