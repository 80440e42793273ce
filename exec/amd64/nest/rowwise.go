package nest

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/cursor"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/scalar"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/fuse"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// RowwiseOf is nil if v's addresses, read through m, are of another kind.
func (n *values) RowwiseOf(v *ir.Value, m affine.Axes) *tiles.Rowwise {
	if r := rowsOf(n, v, m); r != nil && r.Turns == 0 {
		return r
	}
	return nil
}

// rowsOf is RowwiseOf, or what is known of a load of which several lanes in turn read the same.
func rowsOf(n *values, v *ir.Value, m affine.Axes) *tiles.Rowwise {
	mem, g := v.Memory(), n.G
	shape := mem.Ptr.Type.Shape
	axis := shape.N - 1
	f := g.Forms.Of(mem.Ptr)
	switch {
	case f.Ok && f.Base >= 0 && !tiles.ChoosesRows(&g.Memory, v), shape.N < 1, n.turned == v:
		return nil
	case int(m[axis]) != n.Inner(), n.Inner() < 0, fuse.TensorOf(mem.Ptr) < 0:
		return nil
	}
	for i := range axis {
		if int(m[i]) == n.Inner() {
			return nil
		}
	}
	if !v.Writes() && g.Rewritten(mem.Ptr) {
		return nil
	}
	r := &tiles.Rowwise{Axis: axis, Limit: g.Syms.Constant(int64(shape.D[axis]))}
	by, widened, ok := fuse.Along(mem.Ptr, axis, affine.Identity(shape.With(axis, 1)))
	if !ok || by != 1 || shape.N < 2 {
		if r.Turns, r.Phase, widened = turnsOf(n, v, axis); r.Turns == 0 {
			return nil
		}
	}
	r.Widened = widened
	r.Measure(v)
	if mem.Mask != nil {
		r.Take(&g.Memory, mem.Mask)
	}
	if r.Turns > 0 { // however few of the lanes are let through
		r.Limit = g.Syms.Constant(int64(shape.D[axis] / r.Turns))
	}
	return r
}

// prepareRows is prepare for an access row by row.
func (g *Nests) prepareRows(a *tiles.Access) {
	r, tensor := a.Rows, fuse.TensorOf(a.V.Memory().Ptr)
	a.Stride[r.Axis] = lane.Stride{N: int64(a.D.Size())}
	g.SymReg(r.Limit) // what is computed between jumps is not there on every way
	g.prepareTurns(a)
	if a.V.Writes() {
		a.Copied = g.NewInt(0)
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
	if a.Copied != 0 {
		g.SetImm(a.Copied, 1)
	}
	g.InCold(func() {
		g.toCopy(a)
		g.packTurns(a)
	})
	size := a.V.Memory().Ptr.Type.Shape.D[r.Axis]
	g.UpTo(r.Starts.Shape.Len(), 1, func(j lir.Reg) {
		g.Use(asm.MOV, lir.FrameIndex(j, 8, r.Starts.Off), g.R64(g.BinInt(asm.IMUL, j, lir.Imm(int64(size)))))
	})
	g.Bind(done)
}

// StartRows puts where rows begin into memory. The mask that it gives holds somewhere if a
// row may have an active lane outside of the tensor, or one whose index wraps.
func (g *Nests) StartRows(v *ir.Value, r *tiles.Rowwise) lane.Lanes {
	d, mem := dtype.Int64, v.Memory()
	shape := mem.Ptr.Type.Shape
	rows := shape.With(r.Axis, 1)
	n, m := g.NewNest(rows), affine.Identity(rows)
	r.Starts = tiles.StartsOf(&g.Memory, rows)
	greatest := g.Word(scalar.ArgOffset(fuse.TensorOf(mem.Ptr)) + scalar.ArgSpan)
	g.RMW(asm.SUB, g.R64(greatest), g.SymArg(r.Limit))
	most := g.SplatInt(d, greatest)
	unwrapped := lane.Const(d, uint64(math.MaxInt32-(shape.D[r.Axis]-1)))
	signs := g.Variable(lane.Const(d, 0)) // what is outside is negative, as is how far it is from the last
	n.Run(func() {
		start := n.Eval(mem.Ptr, m).As(d)
		sign := g.Prim(op.Or, d, start, g.Prim(op.Sub, d, most, start))
		for _, w := range r.Widened {
			sign = g.Prim(op.Or, d, sign, g.Prim(op.Sub, d, unwrapped, n.Eval(w.V, w.M)))
		}
		on := lane.Const(dtype.Bool, 1)
		for i, mask := range r.Masks {
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
	r.RepeatLast(&g.Memory)
	return g.Compare(op.Lt, d, signs, lane.Const(d, 0))
}

// prefetchRow prefetches what the block at hand is tiles.RowsAhead rows later.
func (n *values) prefetchRow(a *tiles.Access, m affine.Axes) {
	if a.Rows != nil && a.Rows.Prefetches(n.Pinned.Dim != 0) && n.Off*a.D.Size()%64 == 0 {
		later := lir.MemIndex(n.RowStart(a, m, tiles.RowsAhead), n.Index[n.Inner()], a.D.Size(), n.Off*a.D.Size())
		n.G.Use(asm.PREFETCHT0, later.Sized(1))
	}
}

// RowStart is the address of the row at hand of an access read through m, or of one so many rows later.
func (n *values) RowStart(a *tiles.Access, m affine.Axes, later int) lir.Reg {
	g := n.G
	var deps uint
	for i := range a.V.Memory().Ptr.Type.Shape.N {
		if m[i] >= 0 && int(m[i]) != n.Inner() {
			deps |= 1 << m[i]
		}
	}
	m[a.Rows.Axis] = -1
	key := cursor.Row{Base: a.Base, Pin: n.Pinned.At, Off: later}
	if row, ok := n.Starts[key]; ok {
		return row
	}
	row := g.NewReg(lir.GPR)
	n.Starts[key] = row
	n.At(n.LevelOf(deps), func() {
		at, _ := n.Place(a.Rows.Starts, m)
		g.Def(asm.LEA, g.R64(row), lir.MemIndex(a.Base, g.LoadInt(at.Plus(8*later)), a.D.Size(), 0))
	})
	return row
}
