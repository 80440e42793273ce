package scalar

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What is computed from integers of which there are no more than lanes, and from constants, is one of as many values:
// they are computed once, and permuted.

// Few is a value that is made so.
type Few struct {
	v, from *ir.Value
	Index   *ir.Value   // the integers whose lowest bits number the values,
	M       affine.Axes // and how they are read
}

// mostSteps is how far FewOf looks.
const mostSteps = 16

// FewOf is nil if v, read through m, is not made of few integers, or of so little that it is better computed. No value
// on the way, for which kept holds, is looked behind.
func FewOf(g *Scalars, v *ir.Value, m affine.Axes, kept func(*ir.Value) bool) *Few {
	if d := v.Type.D; d != dtype.Float32 && (!d.IsInt() || d.Size() != 4) {
		return nil
	}
	u, steps, work := v, 0, 0
	for most := int64(g.Lanes - 1); u == v || u.Type.D == dtype.Bool || !affine.Between(u, 0, most); {
		next := varying(u)
		if next == nil || steps == mostSteps || u != v && kept(u) {
			return nil
		}
		if ir.Family(u.Op) == op.Shape {
			m = affine.Through(u, m)
		} else {
			work += workOf(u.Op)
		}
		u = next
		steps++
	}
	f := &Few{v, u, u, m}
	if x := masked(u, int64(g.Lanes-1)); x != nil && !kept(u) {
		f.Index = x
		work += workOf(u.Op)
	}
	if work < leastWork {
		return nil
	}
	return f
}

// leastWork is how much a permutation has to save: it takes as long as a conversion, and a register through the loop.
const leastWork = 4

// workOf is how long an op keeps units busy, in halves of a conversion.
func workOf(o op.Op) int {
	switch o {
	case op.Add, op.Sub, op.And, op.Or, op.Xor, op.Not:
		return 1
	}
	return 2
}

// varying is the only operand of an op on lanes that is no constant, nil if there is no such.
func varying(v *ir.Value) (x *ir.Value) {
	if !v.Type.IsTile() || v.Type.D.IsPointer() || !byLane(v) {
		return nil
	}
	for _, a := range v.Args {
		switch {
		case affine.RepeatedConst(a) != nil:
		case x != nil || lane.Halves(a.Type.D) != 1:
			return nil
		default:
			x = a
		}
	}
	return x
}

// byLane reports whether lanes of v are computed from lanes of its operands.
func byLane(v *ir.Value) bool {
	switch ir.Family(v.Op) {
	case op.Elementwise, op.Primitive, op.Change:
		return !v.CanFail()
	case op.Shape:
		_, ok := affine.DimMap(v)
		return ok && (v.Op == op.Broadcast || v.Op == op.Permute || v.Op == op.Reshape)
	}
	return false
}

// masked is what v is the lowest bits of.
func masked(v *ir.Value, mask int64) *ir.Value {
	if v.Op != op.And || v.Type.D.Bits() > 32 {
		return nil
	}
	for i, a := range v.Args {
		if c := affine.RepeatedConst(a); c != nil && dtype.ToInt(c.Type.D, c.Bits) == mask {
			return v.Args[1-i]
		}
	}
	return nil
}

// Values is a register with the values of all the integers.
func (f *Few) Values(g *Scalars) lir.Reg { return g.Reg(f.computed(g, f.v), 0) }

// computed is a value of all the integers.
func (f *Few) computed(g *Scalars, v *ir.Value) lane.Lanes {
	switch c := affine.RepeatedConst(v); {
	case v == f.from:
		return g.Iota(0).As(v.Type.D)
	case c != nil:
		return g.Splat(c)
	case ir.Family(v.Op) == op.Shape:
		return f.computed(g, v.Args[0])
	}
	in := make([]lane.Lanes, len(v.Args))
	for i, a := range v.Args {
		in[i] = f.computed(g, a)
	}
	return g.Apply(v, in)
}

// Look is the values that an index's lanes number.
func (f *Few) Look(g *Scalars, index lane.Lanes, values lir.Reg) lane.Lanes {
	z := g.NewVec()
	g.Def(asm.VPERMD, g.V(z), g.V(g.Reg(index, 0)), g.V(values))
	return lane.Lanes{D: f.v.Type.D, R: [2]lir.Reg{z, z}}
}
