package tiles

import (
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

// Numbers is the numbers of elements that a pointer points to, as short as they are at hand: of up to 32 bits they begin
// with a scalar, if from is one, and wrap nowhere else.
func (g *Memory) Numbers(ptr *ir.Value) (numbers *ir.Value, from *affine.Sym) {
	by, from := g.numbered(ptr)
	d := by.Type.D
	switch short := d.IsInt() && d != dtype.Bool && d.Size() <= 4; {
	case from.IsConst(0) && by != ptr:
		return by, nil
	case short && d != dtype.Uint32:
		return by, from
	}
	return ptr, nil
}

// numbered is what the sum of a tensor and numbers adds to a scalar.
func (g *Memory) numbered(v *ir.Value) (numbers *ir.Value, from *affine.Sym) {
	none := g.Syms.Constant(0)
	switch {
	case v.Op == op.Cast && v.Type.D == dtype.Int64:
		if d := v.Args[0].Type.D; d.IsInt() && d != dtype.Bool && d.Size() <= 4 {
			return v.Args[0], none
		}
	case v.Op == ir.PtrAdd, v.Op == op.Add && v.Type.D == dtype.Int64:
		for i, a := range v.Args {
			if f := g.Forms.Of(a); f.Flat() && len(f.Conds) == 0 && (f.Base >= 0) == a.Type.D.IsPointer() {
				by, from := g.numbered(v.Args[1-i])
				return by, g.Syms.Add(from, f.Start)
			}
		}
	}
	return v, none
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
