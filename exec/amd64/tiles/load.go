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

// Numbers is the numbers of elements that a pointer points to, as short as they are at hand.
func (g *Memory) Numbers(ptr *ir.Value) *ir.Value {
	if ptr.Op != ir.PtrAdd {
		return ptr
	}
	by, f := ptr.Args[1], g.Forms.Of(ptr.Args[0])
	if !f.Ok || f.Base < 0 || f.Start == nil || !f.Start.IsConst(0) || f.Coef != [ir.MaxRank]*affine.Sym{} {
		return ptr
	}
	if by.Op != op.Cast || by.Type.D.Size() < 4 {
		return by
	}
	if d := by.Args[0].Type.D; d.IsInt() && d != dtype.Bool && d.Size() <= 4 {
		return by.Args[0]
	}
	return by
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
