package tiles

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// What kinds of accesses there are.

// Gathers reports whether v is a gather that leaves the elements of a kept tile.
func (g *Memory) Gathers(v *ir.Value) bool {
	d := v.Type.D
	if d.Size() < 4 || d.Size() != lane.CellSize(d) || !g.Plan.Gathers(v) {
		return false
	}
	other := v.Memory().Other
	return other == nil || affine.IsZeros(other)
}

// Numbers is the numbers of elements that a pointer points to: of one integer, or with a scalar that is added to one of
// up to 32 bits, or the sum of two such.
func (g *Memory) Numbers(ptr *ir.Value) (parts []*ir.Value, from *affine.Sym) {
	parts, from = g.numbered(ptr, mostSteps)
	alone := from.IsConst(0)
	if alone && len(parts) == 1 && parts[0].Type.D.IsInt() {
		return parts, nil
	}
	wide := func(v *ir.Value) bool { return !v.Type.D.IsInt() || v.Type.D.Size() > 4 || v.Type.D == dtype.Uint32 }
	switch {
	case len(parts) == 0, len(parts) > 2, len(parts) == 2 && !alone, slices.ContainsFunc(parts, wide):
		return []*ir.Value{ptr}, nil
	case alone:
		return parts, nil
	}
	return parts, from
}

// mostSteps is how many sums are followed, one within the other: there may be two at each step.
const mostSteps = 6

// numbered is the tiles whose sum v is, and a scalar, without the tensor.
func (g *Memory) numbered(v *ir.Value, steps int) (parts []*ir.Value, from *affine.Sym) {
	if f := g.Forms.Of(v); f.Flat() && len(f.Conds) == 0 && (f.Base >= 0) == v.Type.D.IsPointer() {
		return nil, f.Start
	}
	from = g.Syms.Constant(0)
	switch {
	case v.Op == op.Cast && v.Type.D == dtype.Int64:
		if d := v.Args[0].Type.D; d.IsInt() && d != dtype.Bool && d.Size() <= 4 {
			return v.Args[:1:1], from
		}
	case steps > 0 && (v.Op == ir.PtrAdd || v.Op == op.Add && v.Type.D == dtype.Int64):
		for _, a := range v.Args {
			more, by := g.numbered(a, steps-1)
			parts, from = append(parts, more...), g.Syms.Add(from, by)
		}
		return parts, from
	}
	return []*ir.Value{v}, from
}

// FallingLoad reports whether v is a load whose first dimension is the contiguous one.
func (g *Memory) FallingLoad(v *ir.Value) bool {
	s := v.Type.Shape
	if v.Op != op.Load || s.N != 2 || s.D[0] == 1 || s.D[1] == 1 || lane.CellSize(v.Type.D) != 4 || g.Tiles[v] != nil {
		return false
	}
	f := g.Forms.Of(v.Memory().Ptr)
	return f.Ok && f.Coef[0] != nil && f.Coef[0].IsConst(1) && (f.Coef[1] == nil || !f.Coef[1].IsConst(1))
}

// InRows reports whether v lies in memory row after row, or is loaded from such memory.
func (g *Memory) InRows(v *ir.Value) bool {
	if v.Op == op.Load {
		f := g.Forms.Of(v.Memory().Ptr)
		by, _, ok := fuse.Along(v.Memory().Ptr, 1, affine.Identity(v.Type.Shape))
		return f.Rises() || !f.Ok && ok && by == 1
	}
	b := g.Tiles[v]
	return b != nil && len(b.Atoms) == 0 && b.Dense()
}
