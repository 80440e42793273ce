package fuse

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Steady is the tile from which v is made where v takes its place in the next round of a For, and the box outside of
// which that changes nothing, nil if there is none. A round that adds up the last few elements of a row, and zeros
// behind them, has to go through these few alone, if v has more than least elements: those of less are faster as a
// whole, whatever rows are like. See CommonLimits for varies and box.
func Steady(p *Schedule, v *ir.Value, least int, varies func(*ir.Value, affine.Axes) bool,
	box func(mask *ir.Value, m affine.Axes) []affine.Atom) (tile *ir.Value, atoms []affine.Atom) {
	if v.Type.Shape.Len() <= least {
		return nil, nil
	}
	s := steady{limits{varies, box, map[Read]limited{}}, map[Read]padded{}}
	m := affine.Identity(v.Type.Shape)
	if v.Op == op.Where && v.Args[2].Op == op.None {
		return v.Args[2], box(v.Args[0], m)
	}
	if len(v.Args) != 2 {
		return nil, nil
	}
	for i, x := range v.Args {
		first := begins(p, x, v)
		if first == nil {
			continue
		}
		y := v.Args[1-i]
		if z := s.of(y, m); len(z.atoms) > 0 {
			if pad := s.pad(y, m); pad.known && keeps(v, i, first.Bits, pad.bits) {
				return x, z.atoms
			}
		}
	}
	return nil, nil
}

// begins is the number that all elements of a tile are in a For's first round, if it is v in the next ones; else nil.
func begins(p *Schedule, x, v *ir.Value) *ir.Value {
	b := p.Of(x).Block
	if x.Op != op.None || p.Parent[b] == nil || p.Parent[b].Op != ir.For {
		return nil
	}
	k := slices.Index(b.Args, x) - 1
	if k < 0 || b.Term().Args[k] != v {
		return nil
	}
	return affine.RepeatedConst(p.Parent[b].Args[2+k])
}

// keeps reports whether an operation of an element of a tile, its operand i, and a pad, is always that element, if all
// elements began with a number and the operation gave what they are since. A sum that begins with +0 never is -0, which
// pads of +0 would change, and NaNs that came of operations stay as they are.
func keeps(v *ir.Value, i int, first, pad uint64) bool {
	d := v.Type.D
	if d.IsFloat() && (d.Size() < 4 || dtype.IsNaN(d, first)) {
		return false
	}
	switch v.Op {
	case op.Add, op.Sub:
		if d.IsFloat() {
			return dtype.ToFloat(d, pad) == 0 && first != negativeZero(d) && (v.Op == op.Add || i == 0)
		}
		return pad == 0 && (v.Op == op.Add || i == 0)
	case op.Mul:
		return pad == dtype.FromInt(d, 1, true)
	case op.Or, op.Xor:
		return pad == 0
	case op.Maximum, op.Minimum:
		return op.Scalar(v.Op, d, first, pad) == first
	}
	return false
}

func negativeZero(d dtype.DType) uint64 { return 1 << (d.Bits() - 1) }

// steady finds what tiles are outside their limits.
type steady struct {
	limits
	pads map[Read]padded
}

// padded is what all elements of a tile outside its limits are, if it is known.
type padded struct {
	bits  uint64
	known bool
}

func (s *steady) pad(v *ir.Value, m affine.Axes) padded {
	z, ok := s.pads[Read{v, m}]
	if !ok {
		z = s.find(v, m)
		s.pads[Read{v, m}] = z
	}
	return z
}

func (s *steady) find(v *ir.Value, m affine.Axes) padded {
	if c := affine.RepeatedConst(v); c != nil {
		return padded{c.Bits, true}
	}
	switch {
	case !s.varies(v, m):
		return padded{}
	case v.Op == op.Load:
		if other := v.Memory().Other; other != nil {
			return s.pad(other, m)
		}
		return padded{known: true}
	case ir.Family(v.Op) == op.Shape:
		return s.pad(v.Args[0], affine.Through(v, m))
	case v.Op == op.Where && len(s.box(v.Args[0], m)) > 0:
		return s.pad(v.Args[2], m)
	case IsMask(v) && len(s.box(v, m)) > 0:
		return padded{known: true}
	}
	return s.apply(v, m)
}

// apply is an operation on pads.
func (s *steady) apply(v *ir.Value, m affine.Axes) padded {
	var in []uint64
	for _, a := range v.Args {
		x := s.pad(a, m)
		if !x.known {
			return padded{}
		}
		in = append(in, x.bits)
	}
	switch from := v.Args[len(v.Args)-1].Type.D; {
	case v.Op == op.Cast || v.Op == op.CastRTZ:
		return padded{dtype.Convert(v.Type.D, from, in[0], v.Op == op.CastRTZ), true}
	case ir.Family(v.Op) == op.Elementwise && !from.IsPointer() && !v.CanFail():
		return padded{op.Scalar(v.Op, from, in...), true}
	}
	return padded{}
}
