package nest

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Accesses row by row: their addresses are no form, because rows begin where loaded indices say, but
// along the last axis they are one element apart. Where each row begins is put into memory, and
// compared with the tensor's bounds, in vectors over rows; the loop then goes to the tensor as it does
// where addresses are affine. If a row may reach outside, the access is carried out lane by lane.

// rowwise is what is known of such an access.
type rowwise struct {
	Axis    int         // the last one
	Starts  *Buffer     // where rows begin, in elements
	widened []fuse.Read // casts of int32 in whose operand the index along the axis is a summand
	masks   []*ir.Value // parts of the mask that are the same along a row
	Limit   *affine.Sym // of the indices that others let through
}

// RowwiseOf is nil if v's addresses, read through m, are of another kind.
func (n *values) RowwiseOf(v *ir.Value, m affine.Axes) *rowwise {
	mem, g := v.Memory(), n.G
	shape := mem.Ptr.Type.Shape
	axis := shape.N - 1
	f := g.Forms.Of(mem.Ptr)
	if f.Ok && f.Base >= 0 || shape.N < 2 || n.turned == v || int(m[axis]) != n.Inner() || n.Inner() < 0 || fuse.TensorOf(mem.Ptr) < 0 {
		return nil
	}
	for i := range axis {
		if int(m[i]) == n.Inner() {
			return nil
		}
	}
	if !v.Writes() && g.rewritten(mem.Ptr) {
		return nil
	}
	r := &rowwise{Axis: axis, Limit: g.Syms.Constant(int64(shape.D[axis]))}
	by, widened, ok := fuse.Along(mem.Ptr, axis, affine.Identity(shape.With(axis, 1)))
	if !ok || by != 1 {
		return nil
	}
	r.widened = widened
	if mem.Mask != nil {
		r.take(&g.memory, mem.Mask)
	}
	return r
}

// rewritten reports whether something is written by the very pointers: rows that occur twice
// would then be read when the first has been written.
func (g *memory) rewritten(ptr *ir.Value) bool {
	for _, u := range g.Plan.Of(ptr).Users {
		if u.IsMemory() && u.Writes() {
			return true
		}
	}
	return false
}

// take takes a mask apart.
func (r *rowwise) take(g *memory, mask *ir.Value) {
	if mask.Op == op.And {
		r.take(g, mask.Args[0])
		r.take(g, mask.Args[1])
		return
	}
	if by, _, ok := fuse.Along(mask, r.Axis, affine.Axes{}); ok && by == 0 {
		r.masks = append(r.masks, mask)
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

// prepareRows is prepare for an access row by row.
func (g *Nests) prepareRows(a *Access) {
	r, tensor := a.Rows, fuse.TensorOf(a.V.Memory().Ptr)
	a.Stride[r.Axis] = lane.Stride{N: int64(a.D.Size())}
	g.SymReg(r.Limit) // what is computed between jumps is not there on every way
	if a.V.Writes() {
		a.copied = g.NewInt(0)
	}
	outside := g.StartRows(a.V, r)
	g.Def(asm.MOV, g.R64(a.Base), lir.Frame(scalar.ArgOffset(tensor)))
	bad, done := g.NewLabel(), g.NewLabel()
	inside := g.NewLabel()
	g.SkipUnlessAny(outside, inside)
	g.Jump(asm.JMP, bad)
	g.Bind(inside)
	if a.V.Writes() {
		g.RunsOf(tensor, bad).Rows(r.Starts.Off, r.Starts.Shape.Len(), r.Limit)
	}
	g.Jump(asm.JMP, done)
	g.Bind(bad)
	if a.copied != 0 {
		g.SetImm(a.copied, 1)
	}
	g.InCold(func() { g.toCopy(a) })
	size := a.V.Memory().Ptr.Type.Shape.D[r.Axis]
	g.UpTo(r.Starts.Shape.Len(), 1, func(j lir.Reg) {
		g.Use(asm.MOV, lir.FrameIndex(j, 8, r.Starts.Off), g.R64(g.BinInt(asm.IMUL, j, lir.Imm(int64(size)))))
	})
	g.Bind(done)
}

// StartRows puts where rows begin into memory. The mask that it gives holds somewhere if a
// row may have an active lane outside of the tensor, or one whose index wraps.
func (g *Nests) StartRows(v *ir.Value, r *rowwise) lane.Lanes {
	d, mem := dtype.Int64, v.Memory()
	shape := mem.Ptr.Type.Shape
	rows := shape.With(r.Axis, 1)
	r.Starts = g.NewBuffer(ir.Type{D: d, Shape: rows})
	greatest := g.Word(scalar.ArgOffset(fuse.TensorOf(mem.Ptr)) + scalar.ArgSpan)
	g.RMW(asm.SUB, g.R64(greatest), g.SymArg(r.Limit))
	most := g.SplatInt(d, greatest)
	unwrapped := lane.Const(d, uint64(math.MaxInt32-(shape.D[r.Axis]-1)))
	signs := g.Variable(lane.Const(d, 0)) // what is outside is negative, as is how far it is from the last
	n, m := g.NewNest(rows), affine.Identity(rows)
	n.Run(func() {
		start := n.Eval(mem.Ptr, m).As(d)
		sign := g.Prim(op.Or, d, start, g.Prim(op.Sub, d, most, start))
		for _, w := range r.widened {
			sign = g.Prim(op.Or, d, sign, g.Prim(op.Sub, d, unwrapped, n.Eval(w.V, w.M)))
		}
		on := lane.Const(dtype.Bool, 1)
		for i, mask := range r.masks {
			if x := n.Eval(mask, m); i == 0 {
				on = x
			} else {
				on = g.PrimBool(op.And, []lane.Lanes{on, x})
			}
		}
		zero := lane.Const(d, 0)
		if active := n.WithTail(on); active != nil {
			sign, start = g.Blend(*active, sign, zero), g.Blend(*active, start, zero)
		}
		n.Write(r.Starts, m, start)
		g.Assign(signs, g.Prim(op.Or, d, signs, sign))
	})
	return g.Compare(op.Lt, d, signs, lane.Const(d, 0))
}

// rowStart is the address of the row at hand of an access read through m.
func (n *values) rowStart(a *Access, m affine.Axes) lir.Reg {
	g := n.G
	var deps uint
	for i := range a.V.Memory().Ptr.Type.Shape.N {
		if m[i] >= 0 && int(m[i]) != n.Inner() {
			deps |= 1 << m[i]
		}
	}
	m[a.Rows.Axis] = -1
	row := g.NewReg(lir.GPR)
	n.At(n.LevelOf(deps), func() {
		at, _ := n.Place(a.Rows.Starts, m)
		g.Def(asm.LEA, g.R64(row), lir.MemIndex(a.Base, g.LoadInt(at), a.D.Size(), 0))
	})
	return row
}
