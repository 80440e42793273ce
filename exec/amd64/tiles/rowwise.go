package tiles

import (
	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Accesses row by row: their addresses are no form, because rows begin where loaded indices say, but
// along the last axis they are one element apart. Where each row begins is put into memory, and
// compared with the tensor's bounds, in vectors over rows; the loop then goes to the tensor as it does
// where addresses are affine. If a row may reach outside, the access is carried out lane by lane.

// Rowwise is what is known of such an access.
type Rowwise struct {
	Axis    int         // the last one
	Starts  *Buffer     // where rows begin, in elements
	Widened []fuse.Read // casts of int32 in whose operand the index along the axis is a summand
	Masks   []*ir.Value // parts of the mask that are the same along a row
	Limit   *affine.Sym // of the indices that others let through
}

// Rewritten reports whether something is written by the very pointers: rows that occur twice
// would then be read when the first has been written.
func (g *Memory) Rewritten(ptr *ir.Value) bool {
	for _, u := range g.Plan.Of(ptr).Users {
		if u.IsMemory() && u.Writes() {
			return true
		}
	}
	return false
}

// Take takes a mask apart.
func (r *Rowwise) Take(g *Memory, mask *ir.Value) {
	if mask.Op == op.And {
		r.Take(g, mask.Args[0])
		r.Take(g, mask.Args[1])
		return
	}
	if by, _, ok := fuse.Along(mask, r.Axis, affine.Axes{}); ok && by == 0 {
		r.Masks = append(r.Masks, mask)
		return
	}
	b := g.Boxes.Of(mask)
	if !b.Ok || !g.Require(b.Conds) {
		return
	}
	for _, a := range b.Atoms {
		if a.Dim == r.Axis && a.Hi != nil {
			r.Limit = g.Syms.Min(r.Limit, a.Hi)
		}
	}
}
