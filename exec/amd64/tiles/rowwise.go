package tiles

import (
	"slices"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
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
	Turns   int         // as many lanes in turn read an element, if more than one do
	Phase   int         // which of them does, where no other does
	Lanes   lir.Reg     // the number, in a block, of the element that each lane reads then
	Few     lane.Lanes  // as many first lanes as a block has elements then
	loaded  bool        // indices that were loaded say where rows begin
	far     bool
	Next    bool // while a row is copied, where the next one begins is prefetched: nothing else tells processors
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

// RowsAhead is how many rows later a row's lines are prefetched: processors foresee no line of another page.
const RowsAhead = 8

// Prefetches reports whether rows are prefetched: long ones, of a tile of many. If all are at hand at once, each with
// code of its own, the processor has asked for them anyway: quotients number rows that it reads several times in turn.
func (r *Rowwise) Prefetches(atHand bool) bool { return r.far && r.Turns == 0 && (r.loaded || !atHand) }

// Measure is what decides about prefetches for v's rows.
func (r *Rowwise) Measure(v *ir.Value) {
	shape := v.Memory().Ptr.Type.Shape
	row := shape.D[shape.N-1]
	r.far = v.Op == op.Load && row*v.Type.D.Size() >= 128 && shape.Len()/row >= 2*RowsAhead
	r.loaded = loaded(v.Memory().Ptr, map[*ir.Value]bool{})
	const long = 512 // bytes, whose copy takes as long as lines take to come
	r.Next = v.Op == op.Load && r.loaded && row*v.Type.D.Size() >= long && shape.Len() > row
}

// loaded reports whether v is computed of something that was loaded; seen are values that are not.
func loaded(v *ir.Value, seen map[*ir.Value]bool) bool {
	if v.Op == op.Load || seen[v] {
		return v.Op == op.Load
	}
	seen[v] = true
	return slices.ContainsFunc(v.Args, func(x *ir.Value) bool { return loaded(x, seen) })
}

// StartsOf is memory for where the rows of an access begin. Behind them the last one is to be repeated for prefetches.
func StartsOf(g *Memory, rows ir.Shape) *Buffer {
	b := g.NewBuffer(ir.Type{D: dtype.Int64, Shape: ir.ShapeOf(rows.Len() + RowsAhead)})
	b.Shape, b.Stride = rows, rows.Dense().D
	return b
}

// RepeatLast repeats the last row behind the rows, if they may be prefetched.
func (r *Rowwise) RepeatLast(g *Memory) {
	if !r.far && !r.Next {
		return
	}
	starts := r.Starts
	end := starts.Off + 8*starts.Shape.Len()
	last := g.LoadInt(lir.Frame(end - 8))
	for i := range RowsAhead {
		g.Use(asm.MOV, lir.Frame(end+8*i), g.R64(last))
	}
}

// Boxed reports whether lanes that a mask leaves out are not looked at anyway.
func Boxed(g *Memory, mask *ir.Value) bool { return mask == nil || g.Boxes.Of(mask).Ok }

// ChoosesRows reports whether a load of long rows at affine places chooses among them by what is no box. Rows that it
// leaves out may lie outside of the tensor: they are looked at one by one.
func ChoosesRows(g *Memory, v *ir.Value) bool {
	const long = 32
	shape := v.Memory().Ptr.Type.Shape
	return v.Op == op.Load && shape.N > 1 && shape.D[shape.N-1] >= long && !Boxed(g, v.Memory().Mask)
}
