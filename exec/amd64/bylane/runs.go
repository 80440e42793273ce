package bylane

import (
	"math"

	"github.com/tiler-go/tiler/exec/affine"
	"github.com/tiler-go/tiler/exec/amd64/asm"
	"github.com/tiler-go/tiler/exec/amd64/gather"
	"github.com/tiler-go/tiler/exec/amd64/lane"
	"github.com/tiler-go/tiler/exec/amd64/lir"
	"github.com/tiler-go/tiler/exec/amd64/nest"
	"github.com/tiler-go/tiler/exec/amd64/tiles"
	"github.com/tiler-go/tiler/exec/ir"
	"github.com/tiler-go/tiler/tilelang/dtype"
	"github.com/tiler-go/tiler/tilelang/op"
)

// Loads whose rows fall into runs of elements that lie side by side, x/y*pitch + x%y: where each row begins is computed
// in vectors over rows, and its runs are copied as they are. Only numbers of first elements are computed as the kernel
// says. Others follow modulo 2^32, or 2^64, and are the kernel's if they are an element's: of each run both ends are
// compared with the tensor.

// runs is such a load.
type runs struct {
	*LanePlaces
	in   *affine.InRuns
	axis int
	row  tiles.Rowwise // what its mask lets through
	at   *tiles.Buffer // the numbers of rows' first elements,
	x    *tiles.Buffer // and what is divided there; negative in rows that are masked off
}

// inRuns is nil if elements do not lie so, or a mask is no box.
func inRuns(p *LanePlaces) *runs {
	g, shape, mask := p.Nest.G, p.X.Shape, p.X.V.Memory().Mask
	axis := shape.N - 1
	if axis < 0 || p.plus != nil {
		return nil
	}
	if mask != nil {
		if _, ok := p.Nest.MaskAtoms(mask, p.M); !ok {
			return nil
		}
	}
	in := g.Forms.InRuns(p.Numbers, axis, affine.Identity(shape.With(axis, 1)))
	if in == nil {
		return nil
	}
	r := &runs{LanePlaces: p, in: in, axis: axis}
	r.row = tiles.Rowwise{Axis: axis, Limit: g.Syms.Constant(int64(shape.D[axis]))}
	if mask != nil {
		r.row.Take(&g.Memory, mask)
	}
	return r
}

// load copies the elements, or goes to plain: where runs are short, or one may not be the tensor's.
func (r *runs) load(plain int) {
	g, shape := r.Nest.G, r.X.Shape
	y, jump := g.IntReg(r.in.Y), g.SymReg(r.in.Jump)
	limit := g.SymReg(r.row.Limit)
	by := lir.Reg(0)
	if r.by != nil {
		by = g.SymReg(r.by)
	}
	outside := r.begin()
	inside, done := g.NewLabel(), g.NewLabel()
	g.SkipUnlessAny(outside, inside)
	g.Jump(asm.JMP, plain)
	g.Bind(inside)
	g.Use(asm.CMP, g.R64(y), lir.Imm(affine.MinRun))
	g.Jump(asm.JL, plain)
	g.Use(asm.CMP, g.R64(limit), lir.Imm(0))
	g.Jump(asm.JLE, done)
	row := shape.D[r.axis]
	g.UpTo(shape.Len()/row, 1, func(k lir.Reg) {
		next := g.NewLabel()
		x := g.LoadInt(lir.FrameIndex(k, 8, r.x.Off))
		g.Use(asm.TEST, g.R64(x), g.R64(x))
		g.Jump(asm.JL, next)
		at := g.LoadInt(lir.FrameIndex(k, 8, r.at.Off))
		if by != 0 {
			g.RMW(asm.ADD, g.R64(at), g.R64(by))
		}
		to, rest, left := g.NewReg(lir.GPR), g.NewReg(lir.GPR), g.CopyInt(y)
		g.Def(asm.LEA, g.R64(to), lir.FrameIndex(g.BinInt(asm.IMUL, k, lir.Imm(int64(row*r.X.D.Size()))), 1, r.X.Copy))
		g.Divide64(rest, x, y, 1)
		g.RMW(asm.SUB, g.R64(left), g.R64(rest))
		r.copyRow(g.CopyInt(limit), at, to, left, y, jump, plain)
		g.Bind(next)
	})
	g.Bind(done)
	g.Spent(shape.Len()/affine.MinRun + 1)
}

// begin computes where rows begin. The mask that it gives holds somewhere if what is divided is negative, or may wrap.
func (r *runs) begin() lane.Lanes {
	g, d := r.Nest.G, dtype.Int64
	rows := r.X.Shape.With(r.axis, 1)
	n, m := g.NewNest(rows), affine.Identity(rows)
	n.Afresh = true
	r.at, r.x = g.NewBuffer(ir.Type{D: d, Shape: rows}), g.NewBuffer(ir.Type{D: d, Shape: rows})
	most := lane.Const(d, uint64(math.MaxInt32-(r.X.Shape.D[r.axis]-1)))
	signs := g.Variable(lane.Const(d, 0))
	n.Run(func() {
		at, x := wide(n, n.Eval(r.Numbers, m)), wide(n, n.Eval(r.in.X, r.in.M))
		sign := g.Prim(op.Or, d, x, g.Prim(op.Sub, d, most, x))
		on := lane.Const(dtype.Bool, 1)
		for i, mask := range r.row.Masks {
			if z := n.Eval(mask, m); i == 0 {
				on = z
			} else {
				on = g.PrimBool(op.And, []lane.Lanes{on, z})
			}
		}
		if active := n.WithTail(on); active != nil {
			sign, x = g.Blend(*active, sign, lane.Const(d, 0)), g.Blend(*active, x, lane.Const(d, math.MaxUint64))
		}
		n.Write(r.at, m, at)
		n.Write(r.x, m, x)
		g.Assign(signs, g.Prim(op.Or, d, signs, sign))
	})
	return g.Compare(op.Lt, d, signs, lane.Const(d, 0))
}

// wide is integers, or pointers as numbers of elements, as int64.
func wide(n *nest.Nest, x lane.Lanes) lane.Lanes {
	if x.D.IsPointer() {
		return x.As(dtype.Int64)
	}
	return n.G.Cast(dtype.Int64, x)
}

// copyRow copies count elements, one at least, from the element numbered at, up to the end of each run: the first one
// has so many left.
func (r *runs) copyRow(count, at, to, left, y, jump lir.Reg, plain int) {
	g, size := r.Nest.G, r.X.D.Size()
	top, end := g.NewLabel(), g.NewLabel()
	l := g.BeginLoop()
	g.Bind(top)
	g.Use(asm.CMP, g.R64(left), g.R64(count))
	g.RMW(asm.CMOVG, g.R64(left), g.R64(count))
	g.Use(asm.CMP, g.R64(at), g.R64(r.Count)) // unsigned: a negative one is large
	g.Jump(asm.JAE, plain)
	from := g.NewReg(lir.GPR)
	g.Def(asm.LEA, g.R64(from), lir.MemIndex(r.Base, at, size, 0))
	g.RMW(asm.ADD, g.R64(at), g.R64(left))
	g.Use(asm.CMP, g.R64(at), g.R64(r.Count))
	g.Jump(asm.JG, plain)
	bytes := g.NewReg(lir.GPR)
	g.Move64(bytes, left)
	if size > 1 {
		g.RMW(asm.SHL, g.R64(bytes), lir.Imm(int64(lir.Log2(int64(size)))))
	}
	gather.CopyBytes(g.Builder.Memory, size, to, from, bytes)
	g.RMW(asm.ADD, g.R64(to), g.R64(bytes))
	g.RMW(asm.ADD, g.R64(at), g.R64(jump))
	g.RMW(asm.SUB, g.R64(count), g.R64(left))
	g.Move64(left, y)
	g.Use(asm.CMP, g.R64(count), lir.Imm(0))
	g.Jump(asm.JG, top)
	g.EndLoop(l)
	g.Bind(end)
}
